//! The numbers of items of the lists.

use serde::Serialize;
use stakes_core::cost::Capacity;
use stakes_core::data::Dataset;

use super::spread::{Bin, Spread, linear_bins};

/// The numbers of items of the lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListFacts {
    /// The number of lists.
    pub count: usize,
    /// Order statistics of the numbers of items.
    pub sizes: Spread,
    /// A histogram of the numbers of items.
    pub histogram: Vec<Bin>,
    /// The number of lists with one item, in which there is nothing to order.
    pub of_one: usize,
    /// k as 12.5 % of the mean length, rounded up (the first choice of McBride et al. 2019).
    pub k_12_5_percent: usize,
    /// k as 25 % of the mean length, rounded up (their second choice).
    pub k_25_percent: usize,
}

pub(super) fn describe(data: &Dataset) -> ListFacts {
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
