//! What the data of a training looked like, compactly: so that new data can be compared with them when they
//! are no longer at hand.
//!
//! Values fall into at most ten bins of about equal size, or one per category, and one for missing values.
//! For each bin there is the number of items in all lists, and the numbers in up to 40 lists, drawn by their
//! ids: how much lists differ tells how much a few new ones may differ by chance.
//!
//! Example: the values 1, 1, 2, 5 and a missing one, in bins that end at 1.5 and 3.5, have the counts
//! 2, 1, 1 and, missing, 1.

use stakes_core::display::significant;

/// The most bins of numbers, and of categories that have a bin of their own.
pub(crate) const MAX_BINS: usize = 10;
pub(crate) const MAX_OWN_BINS: usize = 20;
/// The most lists whose counts are kept.
pub(crate) const MAX_SAMPLED: usize = 40;
/// The digits of the ends of bins.
const DIGITS: usize = 4;

/// What training looked like.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The features, in the order of the model.
    pub features: Vec<Distribution>,
    /// The scores of lists that the scoring models were not trained on; `None` if there were none.
    pub scores: Option<Distribution>,
    /// The figure of the goal's metric on those lists.
    pub figure: Option<ProfileFigure>,
    /// How far from 1 expected / observed cost may be by chance on those lists, which the expected costs
    /// were fitted to: the ends of its interval over lists.
    pub ratio: Option<(f64, f64)>,
}

/// A figure with its interval over lists.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfileFigure {
    /// The name of the metric.
    pub metric: String,
    /// Its value.
    pub value: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
}

/// How values are spread over bins.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// The bins.
    pub bins: Bins,
    /// The number of lists.
    pub lists: u64,
    /// The number of items in each bin, the last of which is for missing values.
    pub counts: Vec<u64>,
    /// The same for some of the lists.
    pub by_list: Vec<Vec<u32>>,
}

/// Bins of values; that of missing values comes after them.
#[derive(Debug, Clone, PartialEq)]
pub enum Bins {
    /// Numbers up to each of these ends, in increasing order, and those above the last.
    Numbers(Vec<f64>),
    /// A bin for each of these codes, in increasing order, and one for all others.
    Categories(Vec<u32>),
}

impl Bins {
    /// The number of bins, that of missing values included.
    pub fn len(&self) -> usize {
        match self {
            Bins::Numbers(ends) => ends.len() + 2,
            Bins::Categories(codes) => codes.len() + 2,
        }
    }

    /// Never: there is one for missing values.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The bin of a value.
    pub fn of(&self, value: f64) -> usize {
        match self {
            bins if value.is_nan() => bins.len() - 1,
            Bins::Numbers(ends) => ends.partition_point(|end| *end < value),
            // Codes are whole numbers below 255.
            Bins::Categories(codes) => codes.binary_search(&(value as u32)).unwrap_or(codes.len()),
        }
    }

    /// Bins of about as many of these numbers each; missing ones do not count.
    pub(crate) fn of_numbers(mut values: Vec<f64>) -> Bins {
        values.retain(|value| !value.is_nan());
        values.sort_by(f64::total_cmp);
        let mut ends = Vec::new();
        for bin in 1..MAX_BINS {
            // The last value of the bin, and the first above it.
            let Some(last) = (values.len() * bin / MAX_BINS).checked_sub(1) else { continue };
            let last = values[last];
            let above = values.partition_point(|value| *value <= last);
            let Some(&above) = values.get(above) else { continue };
            let end = between(last, above);
            if ends.last().is_none_or(|before| *before < end) {
                ends.push(end);
            }
        }
        Bins::Numbers(ends)
    }

    /// A bin for each of the most frequent categories, by their numbers of items.
    pub(crate) fn of_categories(items: &[i64]) -> Bins {
        let mut codes: Vec<u32> = (0..items.len() as u32).collect();
        codes.sort_by_key(|&code| std::cmp::Reverse(items[code as usize]));
        codes.truncate(MAX_OWN_BINS);
        codes.sort_unstable();
        Bins::Categories(codes)
    }
}

/// A number with few digits that separates two: at least `below`, less than `above`.
fn between(below: f64, above: f64) -> f64 {
    // Halves, because the sum of two large numbers may overflow.
    let middle = 0.5 * below + 0.5 * above;
    let short = (DIGITS..10).map(|digits| significant(middle, digits));
    let fits = |end: &f64| below <= *end && *end < above;
    short.chain([middle]).find(fits).unwrap_or(below)
}

impl Distribution {
    /// The share of items without a value.
    pub fn missing(&self) -> f64 {
        let all: f64 = self.counts.iter().map(|&count| count as f64).sum();
        self.counts.last().map_or(0.0, |&missing| missing as f64 / all.max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_about_as_many_numbers_and_never_cut_equal_ones() {
        let Bins::Numbers(ends) = Bins::of_numbers((1..=100).map(f64::from).collect()) else {
            panic!("numbers")
        };
        assert_eq!(ends, [10.5, 20.5, 30.5, 40.5, 50.5, 60.5, 70.5, 80.5, 90.5]);
        // Six of ten are 0: the first bin holds them all.
        let many = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, f64::NAN, 4.0].to_vec();
        assert_eq!(Bins::of_numbers(many), Bins::Numbers(vec![0.5, 1.5, 2.5, 3.5]));
        assert_eq!(Bins::of_numbers(vec![7.0; 5]), Bins::Numbers(vec![]));
        assert_eq!(Bins::of_numbers(vec![f64::NAN]), Bins::Numbers(vec![]));
    }

    #[test]
    fn ends_are_short_and_separate() {
        assert_eq!(between(1.0, 2.0), 1.5);
        assert_eq!(between(14.100000381469727, 14.199999809265137), 14.15);
        let (below, above) = (1.0, 1.0 + f64::EPSILON);
        assert!(below <= between(below, above) && between(below, above) < above);
        assert!(between(-f64::MAX, f64::MAX).is_finite());
    }

    #[test]
    fn every_value_has_a_bin() {
        let numbers = Bins::Numbers(vec![1.5, 3.5]);
        let bins = [1.0, 1.5, 2.0, 9.0, f64::NAN].map(|value| numbers.of(value));
        assert_eq!((bins, numbers.len()), ([0, 0, 1, 2, 3], 4));
        let categories = Bins::of_categories(&[5, 0, 9]);
        assert_eq!(categories, Bins::Categories(vec![0, 1, 2]));
        assert_eq!([0.0, 2.0, 7.0, f64::NAN].map(|code| categories.of(code)), [0, 2, 3, 4]);
        let mut items = vec![1; 30];
        items[29] = 2;
        let Bins::Categories(codes) = Bins::of_categories(&items) else { panic!("categories") };
        assert_eq!((codes.len(), codes.last()), (MAX_OWN_BINS, Some(&29)));
    }
}
