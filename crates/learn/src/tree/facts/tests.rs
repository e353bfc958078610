#![allow(clippy::unwrap_used)]

use super::*;
use crate::derivatives::GradHess;
use crate::tree::bins::Binning;
use crate::tree::grower::TreeGrower;
use crate::tree::params::{TreeParams, Trees};
use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
use stakes_core::random::Stream;

const FACTS: usize = 11;
const WIDTH: usize = 16;

/// So many lists of 30 items, with or without ids: 11 facts, one of them of two values, and 5 other features. From the list
/// `changed` on, the last fact is another one.
fn items_that_come_again(lists: usize, has_ids: bool, changed: usize) -> Dataset {
    let features = (0..WIDTH).map(|i| Feature::numeric(format!("f{i}"))).collect();
    let columns = Columns {
        list: Some("list".into()),
        id: has_ids.then(|| "id".into()),
        ..Columns::of_features(features)
    };
    let draws = Stream::new(3, 1);
    let value = |list: usize, item: usize, feature: usize| {
        let version = if feature + 1 < FACTS { 0 } else { usize::from(list >= changed) };
        let of = if feature < FACTS { version * 30 + item } else { 1000 + list * 30 + item };
        let draw = draws.below((of * WIDTH + feature) as u64, 500);
        match draw % 10 {
            0 => f32::NAN,
            _ if feature == 0 => (draw % 2) as f32,
            _ => draw as f32,
        }
    };
    let mut builder = DatasetBuilder::new("items", columns).unwrap();
    for (list, item) in (0..lists).flat_map(|list| (0..30).map(move |item| (list, item))) {
        let (name, id) = (format!("l{list:02}"), format!("i{item}"));
        let features: Vec<f32> = (0..WIDTH).map(|feature| value(list, item, feature)).collect();
        let row = Row {
            line: 1,
            list: &name,
            id: has_ids.then_some(id.as_str()),
            features: &features,
            ..Row::default()
        };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

fn all_rows(data: &Dataset) -> Vec<u32> {
    (0..data.len() as u32).collect()
}

fn binned(data: &Dataset) -> (Binning, BinnedMatrix) {
    let binning = Binning::of(data, &all_rows(data), None, 255, None);
    let matrix = binning.apply(data, &all_rows(data));
    (binning, matrix)
}

#[test]
fn trees_do_not_depend_on_items_being_known() {
    let draws = Stream::new(5, 2);
    for min_rows in [1, 20] {
        let trees = Trees { leaves: 20, min_rows, ..Trees::default() };
        let grown = [true, false].map(|has_ids| {
            let data = items_that_come_again(20, has_ids, usize::MAX);
            let (binning, matrix) = binned(&data);
            assert_eq!(matrix.facts().is_some(), has_ids);
            let params = TreeParams { trees: trees.clone(), ..TreeParams::default() };
            let derivatives: Vec<GradHess> = (0..data.len() as u64)
                .map(|row| GradHess { grad: draws.unit(row) - 0.4, hess: draws.unit(row + 9000) })
                .collect();
            TreeGrower::new(&matrix, &binning, params)
                .grow(&derivatives, all_rows(&data), 1, 0)
                .tree
        });
        assert_eq!(grown[0], grown[1]);
        assert!(grown[0].leaves.len() > 10);
    }
}

#[test]
fn sums_by_item_are_those_of_all_rows() {
    let data = items_that_come_again(8, true, usize::MAX);
    let items = Items::of(&data, &all_rows(&data)).unwrap();
    assert_eq!(items.rows().len(), 30);
    let words: Vec<i64> = (0..240).map(|row| row * row - 999).collect();
    let mut sums = items.no_sums();
    items.add(&all_rows(&data), &words, &mut sums);
    let of_item = |item: usize| (0..8).map(|list| words[list * 30 + item]).sum::<i64>();
    assert!(sums.iter().enumerate().all(|(item, &sum)| sum == of_item(item)));
    assert!(items.are_few_for(60) && !items.are_few_for(59));
}

#[test]
fn what_changes_is_no_fact() {
    let facts = |changed: usize| {
        let data = items_that_come_again(8, true, changed);
        let rows = all_rows(&data);
        let (values, width) = (data.features().values(), WIDTH);
        Items::of(&data, &rows).unwrap().facts(Values { values, width }, &rows)
    };
    let count = |facts: Vec<bool>| facts.iter().filter(|is_fact| **is_fact).count();
    assert_eq!(count(facts(usize::MAX)), FACTS);
    assert_eq!(count(facts(5)), FACTS - 1);
}

#[test]
fn other_rows_whose_facts_have_changed_are_not_summed_by_item() {
    let (binning, matrix) = binned(&items_that_come_again(8, true, usize::MAX));
    assert!(matrix.facts().is_some());
    let later = items_that_come_again(8, true, 5);
    assert!(binning.apply(&later, &all_rows(&later)).facts().is_none());
    let fewer = items_that_come_again(7, true, usize::MAX);
    assert!(binning.apply(&fewer, &all_rows(&fewer)).facts().is_none());
}

#[test]
fn items_that_come_rarely_are_left_alone() {
    let few = items_that_come_again(3, true, usize::MAX);
    assert!(Items::of(&few, &all_rows(&few)).is_none());
    let without_ids = items_that_come_again(8, false, usize::MAX);
    assert!(Items::of(&without_ids, &all_rows(&without_ids)).is_none());
}
