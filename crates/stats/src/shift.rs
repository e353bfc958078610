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
    let (old, new) = (Shares::of(before, categories), Shares::of(after, categories));
    let (mut effect, mut least) = (0.0, 1.0_f64);
    for category in 0..categories as usize {
        effect += (old.whole[category] - new.whole[category]).abs() / 2.0;
        least = least.min(welch_of(old.moments(category), new.moments(category))?);
    }
    (categories > 0).then(|| Shift { effect, p_value: (least * f64::from(categories)).min(1.0) })
}

/// The shares of categories in lists, as sums over lists: there may be thousands of categories.
struct Shares {
    lists: usize,
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// The share of each category among all items.
    whole: Vec<f64>,
}

impl Shares {
    fn of(lists: &[Vec<u32>], categories: u32) -> Self {
        let none = || vec![0.0; categories as usize];
        let mut shares = Shares { lists: 0, sums: none(), squares: none(), whole: none() };
        let items = lists.iter().map(Vec::len).sum::<usize>() as f64;
        for list in lists.iter().filter(|list| !list.is_empty()) {
            shares.lists += 1;
            let mut sorted = list.clone();
            sorted.sort_unstable();
            for same in sorted.chunk_by(|a, b| a == b) {
                let (category, count) = (same[0] as usize, same.len() as f64);
                let share = count / list.len() as f64;
                shares.sums[category] += share;
                shares.squares[category] += share * share;
                shares.whole[category] += count / items;
            }
        }
        shares
    }

    fn moments(&self, category: usize) -> Moments {
        let n = self.lists as f64;
        let mean = self.sums[category] / n;
        Moments { n, mean, squares: (self.squares[category] - n * mean * mean).max(0.0) }
    }
}

/// The number of values, their mean, and the sum of the squared differences to it.
struct Moments {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        Moments { n, mean, squares: values.iter().map(|x| (x - mean).powi(2)).sum() }
    }

    /// The variance of the mean.
    fn error(&self) -> f64 {
        self.squares / (self.n - 1.0) / self.n
    }
}

/// The two-sided p value of Welch's t test; `None` if a side has fewer than two values.
fn welch(a: &[f64], b: &[f64]) -> Option<f64> {
    welch_of(Moments::of(a), Moments::of(b))
}

fn welch_of(a: Moments, b: Moments) -> Option<f64> {
    if a.n < 2.0 || b.n < 2.0 {
        return None;
    }
    let difference = b.mean - a.mean;
    let (of_a, of_b) = (a.error(), b.error());
    let both = of_a + of_b;
    if both == 0.0 {
        return Some(if difference == 0.0 { 1.0 } else { 0.0 });
    }
    let freedom = both.powi(2) / (of_a * of_a / (a.n - 1.0) + of_b * of_b / (b.n - 1.0));
    let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some((2.0 * student.cdf(-(difference / both.sqrt()).abs())).min(1.0))
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
        // Shares of 2/3, 1/3, 0 before and 1/12, 10/12, 1/12 after.
        assert!((shift.effect - 7.0 / 12.0).abs() < 1e-12, "{shift:?}");
        let share = |list: &Vec<u32>, category| {
            list.iter().filter(|&&c| c == category).count() as f64 / list.len() as f64
        };
        let directly = (0..3).map(|category| {
            let of =
                |lists: &[Vec<u32>]| lists.iter().map(|l| share(l, category)).collect::<Vec<_>>();
            welch(&of(&before), &of(&after)).unwrap()
        });
        let least = directly.fold(1.0, f64::min);
        assert!((shift.p_value - 3.0 * least).abs() < 1e-9 && least < 0.02, "{shift:?}");
    }
}
