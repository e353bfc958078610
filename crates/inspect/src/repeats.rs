//! Columns with the same values, and rows with the same features.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::data::Dataset;

use super::columns::{ColumnFacts, Varies, key, mix};

/// Rows with the same features as an earlier row of their list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RepeatedRows {
    /// The number of such rows.
    pub rows: usize,
    /// The number of such rows with another cost than the first row with these features.
    pub with_other_cost: usize,
    /// The number of lists with such rows.
    pub lists: usize,
    /// The place of the first such row; `null` if there is none.
    pub example: Option<String>,
}

/// Finds groups of columns with the same values: candidates by their hashes, then by comparing values.
/// Constant columns are left out, since they are reported separately.
pub(super) fn columns(data: &Dataset, facts: &[ColumnFacts], hashes: &[u64]) -> Vec<Vec<usize>> {
    let mut by_hash: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (j, &hash) in hashes.iter().enumerate().filter(|(j, _)| facts[*j].varies != Varies::Never) {
        by_hash.entry(hash).or_default().push(j);
    }
    let matrix = data.features();
    let same = |a: usize, b: usize| {
        facts[a].kind == facts[b].kind
            && matrix.column(a).zip(matrix.column(b)).all(|(x, y)| key(x) == key(y))
    };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for alike in by_hash.into_values().filter(|alike| alike.len() > 1) {
        let mut split: Vec<Vec<usize>> = Vec::new();
        for j in alike {
            match split.iter_mut().find(|group| same(group[0], j)) {
                Some(group) => group.push(j),
                None => split.push(vec![j]),
            }
        }
        groups.extend(split.into_iter().filter(|group| group.len() > 1));
    }
    groups.sort();
    groups
}

/// Finds rows with the same features in a list.
pub(super) fn rows(data: &Dataset, costs: Option<&[f64]>) -> RepeatedRows {
    if data.features().width() == 0 {
        return RepeatedRows::default();
    }
    // (rows, rows with another cost, first row) of one list
    let in_list = |list: usize| {
        let row = |item: usize| data.features().row(item).iter().map(|&v| key(v));
        let mut items: Vec<(u64, usize)> =
            data.items(list).map(|item| (row(item).fold(0, mix), item)).collect();
        items.sort_unstable();
        let (mut repeated, mut other, mut example) = (0, 0, None::<usize>);
        for alike in items.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
            let first = alike[0].1;
            for &(_, item) in alike[1..].iter().filter(|(_, item)| row(first).eq(row(*item))) {
                repeated += 1;
                other += usize::from(costs.is_some_and(|c| c[item] != c[first]));
                example = Some(example.map_or(item, |e| e.min(item)));
            }
        }
        (repeated, other, example)
    };
    let lists: Vec<_> = (0..data.n_lists()).into_par_iter().map(in_list).collect();
    let example = lists.iter().find_map(|&(_, _, example)| example);
    RepeatedRows {
        rows: lists.iter().map(|l| l.0).sum(),
        with_other_cost: lists.iter().map(|l| l.1).sum(),
        lists: lists.iter().filter(|l| l.0 > 0).count(),
        example: example.map(|item| data.place(item).to_string()),
    }
}
