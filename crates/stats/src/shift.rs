//! Has something changed between two periods? Tests of a shift that respect lists.
//!
//! Items of a list are alike (one storm, one month), so the unit is the list, not the item: numbers become
//! ranks over all items, each list its mean rank, and the means of the two periods are compared by Welch's t
//! test (Welch 1947). That is a Mann-Whitney test for items in lists. Categories are compared by their
//! share in each list, one test per category, corrected for their number (Bonferroni).
//!
//! Example: lists (1, 2), (1, 2) before and (3, 4), (3, 5) after: each item after is larger than each before,
//! so the effect is 1.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A change from one period to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Numbers: the probability that an item after has more than one before, ties half (0.5: nothing
    /// changed). Categories: half the sum of the absolute differences of their shares (0: nothing changed).
    pub effect: f64,
    /// The probability of such a difference by chance.
    pub p_value: f64,
}

/// Tests numbers, list by list; missing values (NaN) are left out. `None` if a period has fewer than two
/// lists with values.
pub fn shift_of_numbers(before: &[Vec<f64>], after: &[Vec<f64>]) -> Option<Shift> {
    let known = |list: &Vec<f64>| list.iter().copied().filter(|x| !x.is_nan()).collect::<Vec<_>>();
    let lists: Vec<Vec<f64>> = before.iter().chain(after).map(known).collect();
    let mut sorted = lists.concat();
    sorted.sort_by(f64::total_cmp);
    // The middle of the places that a value has.
    let rank = |x: f64| {
        let first = sorted.partition_point(|y| y.total_cmp(&x).is_lt());
        let last = sorted.partition_point(|y| y.total_cmp(&x).is_le());
        (first + last) as f64 / 2.0
    };
    let ranked: Vec<(f64, usize)> =
        lists.iter().map(|list| (list.iter().map(|&x| rank(x)).sum(), list.len())).collect();
    let (old, new) = ranked.split_at(before.len());
    let means = |lists: &[(f64, usize)]| {
        let used = lists.iter().filter(|(_, n)| *n > 0);
        used.map(|&(sum, n)| sum / n as f64).collect::<Vec<f64>>()
    };
    let p_value = welch(&means(old), &means(new))?;
    let total = |lists: &[(f64, usize)]| {
        lists.iter().fold((0.0, 0), |(sum, n), list| (sum + list.0, n + list.1))
    };
    let ((_, n_old), (sum, n)) = (total(old), total(new));
    // The mean rank among all, less that among those of the same period.
    let effect = (sum / n as f64 - n as f64 / 2.0) / n_old as f64;
    Some(Shift { effect, p_value })
}

/// Tests categories, list by list. `None` if a period has fewer than two lists.
pub fn shift_of_categories(before: &[Vec<u32>], after: &[Vec<u32>]) -> Option<Shift> {
    let categories = before.iter().chain(after).flatten().max().map_or(0, |last| last + 1);
    let shares = |lists: &[Vec<u32>], category: u32| -> Vec<f64> {
        let share = |list: &Vec<u32>| {
            list.iter().filter(|&&c| c == category).count() as f64 / list.len() as f64
        };
        lists.iter().filter(|list| !list.is_empty()).map(share).collect()
    };
    let whole = |lists: &[Vec<u32>], category: u32| {
        let items = || lists.iter().flatten();
        items().filter(|&&c| c == category).count() as f64 / items().count() as f64
    };
    let (mut effect, mut least) = (0.0, 1.0_f64);
    for category in 0..categories {
        effect += (whole(before, category) - whole(after, category)).abs() / 2.0;
        least = least.min(welch(&shares(before, category), &shares(after, category))?);
    }
    (categories > 0).then(|| Shift { effect, p_value: (least * f64::from(categories)).min(1.0) })
}

/// The two-sided p value of Welch's t test; `None` if a side has fewer than two values.
fn welch(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    let describe = |x: &[f64]| {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        (mean, variance / n, n)
    };
    let ((mean_a, a, n_a), (mean_b, b, n_b)) = (describe(a), describe(b));
    let difference = mean_b - mean_a;
    if a + b == 0.0 {
        return Some(if difference == 0.0 { 1.0 } else { 0.0 });
    }
    let freedom = (a + b).powi(2) / (a * a / (n_a - 1.0) + b * b / (n_b - 1.0));
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some((2.0 * student.cdf(-(difference / (a + b).sqrt()).abs())).min(1.0))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn welch_as_scipy() {
        // scipy 1.17.1: stats.ttest_ind(a, b, equal_var=False).pvalue
        let a = [0.52, 0.61, 0.33, 0.87, 0.45];
        let b = [0.72, 0.58, 0.91, 0.97, 0.66, 0.84];
        let expected = 0.079_211_998_374_950_8;
        assert!((welch(&a, &b).unwrap() - expected).abs() < 1e-10, "{:?}", welch(&a, &b));
        assert_eq!(welch(&[1.0], &b), None);
        assert_eq!(welch(&[1.0, 1.0], &[1.0, 1.0]), Some(1.0));
        assert_eq!(welch(&[1.0, 1.0], &[2.0, 2.0]), Some(0.0));
    }

    #[test]
    fn the_effect_is_the_share_of_pairs() {
        let before = vec![vec![1.0, 2.0, f64::NAN], vec![4.0], vec![]];
        let after = vec![vec![3.0, 2.0], vec![5.0, 0.0]];
        let (old, new) = ([1.0, 2.0, 4.0], [3.0, 2.0, 5.0, 0.0]);
        let pair = |a: f64, b: f64| if b > a { 1.0 } else { 0.5 * f64::from(u8::from(a == b)) };
        let pairs: f64 = old.iter().flat_map(|&a| new.iter().map(move |&b| pair(a, b))).sum();
        let shift = shift_of_numbers(&before, &after).unwrap();
        assert!((shift.effect - pairs / 12.0).abs() < 1e-12, "{shift:?}");
        assert_eq!(shift_of_numbers(&before[..1], &after), None);
    }

    #[test]
    fn categories_by_their_shares() {
        let before = vec![vec![0, 0, 1], vec![0, 0, 1], vec![0, 1, 0]];
        let same = shift_of_categories(&before, &before).unwrap();
        assert_eq!((same.effect, same.p_value), (0.0, 1.0));
        let after = vec![vec![1, 1, 1], vec![1, 1, 0], vec![1, 1, 1], vec![2, 1, 1]];
        let shift = shift_of_categories(&before, &after).unwrap();
        assert!(shift.effect > 0.5 && shift.p_value < 0.05, "{shift:?}");
    }
}
