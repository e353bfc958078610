//! Supports: the sets of features whose weights may be non-zero together.

use crate::rules::Rules;

/// The maximum number of supports that are enumerated.
const MAX_SUPPORTS: usize = 4000;

/// A set of features, and a lower bound on the penalty of weights that use them.
pub(crate) type Support = (Vec<usize>, f64);

/// The supports that together cover all non-zero weights that the rules allow.
///
/// Without a penalty the largest sets suffice: weights of a smaller one lie on the border of a larger one, where ties
/// count against the order. If there are too many sets to enumerate, the set of all features replaces them. That allows
/// more than the rules do, so an upper bound remains valid.
pub(crate) fn supports(rules: &Rules, width: usize) -> Vec<Support> {
    let max = rules.at_most.unwrap_or(width).min(width);
    let all: Vec<usize> = (0..width).collect();
    if max == width && rules.penalty == 0.0 {
        return vec![(all, 0.0)];
    }
    let min = if rules.penalty == 0.0 { max } else { 1 };
    let sets: usize = (min..=max).map(|size| choose(width, size)).fold(0, usize::saturating_add);
    if sets > MAX_SUPPORTS {
        return vec![(all, rules.penalty)];
    }
    let mut supports = Vec::with_capacity(sets);
    for size in min..=max {
        let cost = rules.penalty * size as f64;
        subsets(width, size, &mut |set| supports.push((set.to_vec(), cost)));
    }
    supports
}

/// The binomial coefficient n over k, saturating.
fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1_usize, |ways, i| ways.saturating_mul(n - i) / (i + 1))
}

/// Calls `with` for every set of `size` numbers below `n`, in lexicographic order.
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
