//! Columns that say the same, and rows that no model can tell apart.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::data::Dataset;

use super::columns::{ColumnFacts, Varies, key, mix};

/// Rows of a list that repeat all features of an earlier row of that list.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Repeats {
    /// How many rows do.
    pub rows: usize,
    /// How many of them have another cost than the first such row.
    pub with_other_cost: usize,
    /// In how many lists.
    pub lists: usize,
    /// Where the first of them stands; `null` if there is none.
    pub example: Option<String>,
}

/// Groups of columns with the same values. Hashes find them, values decide. Columns of one
/// value are left out: they are found to be useless anyway.
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

/// Rows of a list with the same features.
pub(super) fn rows(data: &Dataset, costs: Option<&[f64]>) -> Repeats {
    if data.features().width() == 0 {
        return Repeats::default();
    }
    // (rows, with another cost, the first of them) of one list
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
    Repeats {
        rows: lists.iter().map(|l| l.0).sum(),
        with_other_cost: lists.iter().map(|l| l.1).sum(),
        lists: lists.iter().filter(|l| l.0 > 0).count(),
        example: example.map(|item| data.place(item).to_string()),
    }
}
