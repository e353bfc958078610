//! How items are spread over lists.

use serde::Serialize;
use stakes_core::cost::Capacity;
use stakes_core::data::Dataset;

use super::spread::{Bin, Spread, linear_bins};

/// How items are spread over lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListFacts {
    /// Number of lists.
    pub count: usize,
    /// Numbers of items.
    pub sizes: Spread,
    /// Lists by their number of items.
    pub histogram: Vec<Bin>,
    /// Lists of one item, in which there is nothing to order.
    pub of_one: usize,
    /// k for 12.5 % of the mean length, rounded up (paper 000's first choice).
    pub k_12_5_percent: usize,
    /// k for 25 % of the mean length, rounded up (its second).
    pub k_25_percent: usize,
}

pub(super) fn look(data: &Dataset) -> ListFacts {
    let mut sizes: Vec<f64> = data.lists().map(|items| items.len() as f64).collect();
    sizes.sort_by(f64::total_cmp);
    let mean = data.mean_list_length();
    let k = |percent| match Capacity::Percent(percent).resolve(mean) {
        Capacity::Items(k) => k,
        _ => data.len(),
    };
    ListFacts {
        count: data.n_lists(),
        sizes: Spread { mean, ..Spread::of_sorted(&sizes).expect("a data set has a list") },
        histogram: linear_bins(&sizes, 16),
        of_one: sizes.partition_point(|&n| n < 2.0),
        k_12_5_percent: k(12.5),
        k_25_percent: k(25.0),
    }
}
