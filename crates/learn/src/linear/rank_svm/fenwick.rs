//! Sums over all levels below one, while values are added to levels (Fenwick 1994): both in
//! O(log levels).
//!
//! Example: 3 on level 0 and 4 on level 2: 3 below level 1 and level 2, 7 below level 3.

/// The sums of K values by level.
pub(super) struct Fenwick<const K: usize> {
    tree: Vec<[f64; K]>,
}

impl<const K: usize> Fenwick<K> {
    /// Creates this number of levels with sums of 0.
    pub(super) fn new(levels: usize) -> Self {
        Fenwick { tree: vec![[0.0; K]; levels] }
    }

    /// Sets all sums to 0.
    pub(super) fn clear(&mut self) {
        self.tree.fill([0.0; K]);
    }

    /// Adds sign x values to a level.
    #[inline]
    pub(super) fn add(&mut self, level: usize, sign: f64, values: &[f64; K]) {
        let mut at = level;
        while at < self.tree.len() {
            let sum = &mut self.tree[at];
            (0..K).for_each(|k| sum[k] += sign * values[k]);
            at |= at + 1;
        }
    }

    /// Returns the sums over all levels below this one.
    #[inline]
    pub(super) fn below(&self, level: usize) -> [f64; K] {
        let mut sum = [0.0; K];
        let mut at = level;
        while at > 0 {
            let part = &self.tree[at - 1];
            (0..K).for_each(|k| sum[k] += part[k]);
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_plain_walk() {
        for levels in [1, 2, 3, 8, 21] {
            let mut fenwick = Fenwick::<2>::new(levels);
            let mut plain = vec![[0.0; 2]; levels];
            for i in 0..50 {
                let (level, sign) = (i * 7 % levels, if i % 3 == 0 { -1.0 } else { 1.0 });
                let values = [i as f64, 1.0];
                fenwick.add(level, sign, &values);
                (0..2).for_each(|k| plain[level][k] += sign * values[k]);
                for level in 0..=levels {
                    let sum = |k: usize| plain[..level].iter().map(|v| v[k]).sum::<f64>();
                    assert_eq!(fenwick.below(level), [sum(0), sum(1)]);
                }
            }
            fenwick.clear();
            assert_eq!(fenwick.below(levels), [0.0, 0.0]);
        }
    }
}
