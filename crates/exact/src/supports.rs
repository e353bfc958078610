//! Which features weights may use together.

use crate::rules::Rules;

/// More sets of features than this are not looked at one by one.
const MOST: usize = 4000;

/// Sets of features with what using them costs at least. Together they hold all weights that the rules allow but
/// those that are 0 throughout.
///
/// Without a penalty the largest sets are enough: a smaller one is a border of theirs, where ties count
/// against the order. Where sets are too many to be looked at one by one, all features stand for them all: more
/// than the rules allow, so that a bound stays a bound.
pub(crate) fn supports(rules: &Rules, width: usize) -> Vec<(Vec<usize>, f64)> {
    let most = rules.at_most.unwrap_or(width).min(width);
    let all: Vec<usize> = (0..width).collect();
    if most == width && rules.penalty == 0.0 {
        return vec![(all, 0.0)];
    }
    let least = if rules.penalty == 0.0 { most } else { 1 };
    let sets: usize = (least..=most).map(|size| choose(width, size)).fold(0, usize::saturating_add);
    if sets > MOST {
        return vec![(all, rules.penalty)];
    }
    let mut supports = Vec::with_capacity(sets);
    for size in least..=most {
        let cost = rules.penalty * size as f64;
        subsets(width, size, &mut |set| supports.push((set.to_vec(), cost)));
    }
    supports
}

/// n over k, as far as numbers reach.
fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1_usize, |ways, i| ways.saturating_mul(n - i) / (i + 1))
}

/// Calls with every set of so many numbers below `n`, in order.
fn subsets(n: usize, size: usize, with: &mut dyn FnMut(&[usize])) {
    let mut set: Vec<usize> = (0..size).collect();
    loop {
        with(&set);
        let Some(place) = (0..size).rfind(|&place| set[place] < n - size + place) else { return };
        set[place] += 1;
        for later in place + 1..size {
            set[later] = set[later - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sets_of_a_size_in_order() {
        let mut sets = Vec::new();
        subsets(4, 2, &mut |set| sets.push(set.to_vec()));
        assert_eq!(sets, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(choose(4, 2), 6);
        assert_eq!(choose(60, 30), 118_264_581_564_861_424);
    }

    #[test]
    fn a_penalty_needs_the_smaller_sets_too() {
        let rules = Rules { penalty: 0.5, at_most: Some(2), ..Rules::default() };
        assert_eq!(supports(&rules, 3).len(), 6);
        assert_eq!(supports(&Rules { penalty: 0.0, ..rules.clone() }, 3).len(), 3);
        assert_eq!(supports(&Rules { at_most: None, ..rules }, 3)[6], (vec![0, 1, 2], 1.5));
        assert_eq!(supports(&Rules::default(), 3), [(vec![0, 1, 2], 0.0)]);
    }
}
