//! The scale of the data, which turns percentages into numbers of items.

use crate::data::Dataset;
use crate::shards::Shards;

/// The properties of the data that a spec needs to become a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The mean number of items per list; percentages refer to it.
    pub mean_list_length: f64,
    /// The length of the longest list; tables of discounts need not be longer.
    pub longest_list: usize,
}

impl Default for Scale {
    /// For use without data: percentages of 100 items, and tables for lists of up to a million.
    fn default() -> Self {
        Scale { mean_list_length: 100.0, longest_list: 1_000_000 }
    }
}

impl Scale {
    /// Returns the scale of a data set.
    pub fn of(data: &Dataset) -> Self {
        let longest_list = data.lists().map(|items| items.len()).max().unwrap_or(0);
        Scale { mean_list_length: data.mean_list_length(), longest_list }
    }

    /// Returns the scale of a data set of which other shards have more lists.
    pub fn among(data: &Dataset, shards: &Shards) -> Self {
        let own = Scale::of(data);
        if shards.are_one() {
            return own;
        }
        let mut counts = [data.len() as i64, data.n_lists() as i64];
        shards.sum(&mut counts);
        Scale {
            mean_list_length: counts[0] as f64 / counts[1] as f64,
            longest_list: shards.max(own.longest_list as f64) as usize,
        }
    }
}
