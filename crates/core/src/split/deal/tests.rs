#![allow(clippy::unwrap_used)]
use super::*;
use crate::cost::CostModel;
use crate::data::{Columns, Dataset, DatasetBuilder, Feature, Row};

/// Lists of two items with the part of each in a column; every fourth list has nothing to save.
fn data(parts: &[&str], backwards: bool) -> Dataset {
    let mut names: Vec<String> = parts.iter().map(|&part| part.to_owned()).collect();
    names.sort();
    names.dedup();
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("cost".into()),
        ..Columns::of_features(vec![Feature::categorical("part", names.clone())])
    };
    let mut builder = DatasetBuilder::new("l.csv", columns).unwrap();
    let mut rows: Vec<usize> = (0..2 * parts.len()).collect();
    if backwards {
        rows.reverse();
    }
    for row in rows {
        let list = format!("l{}", row / 2);
        let code = names.iter().position(|name| name == parts[row / 2]).unwrap() as f32;
        let impact = Some(f64::from(u8::from(row / 2 % 4 != 3)));
        let row =
            Row { line: row as u64, list: &list, impact, features: &[code], ..Row::default() };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

fn folds(plan: &str, data: &Dataset) -> Result<Vec<Fold>, FoldError> {
    let problem = Problem::new(data, &CostModel::Impact).unwrap();
    let folds = plan.parse::<FoldPlan>().unwrap().folds(&problem, 7)?;
    for fold in &folds {
        let mut all = [&fold.train[..], &fold.validation, &fold.test].concat();
        let sorted = |lists: &[usize]| lists.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(sorted(&fold.train) && sorted(&fold.validation) && sorted(&fold.test));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), fold.train.len() + fold.validation.len() + fold.test.len());
        assert!(!fold.train.is_empty() && !fold.test.is_empty());
    }
    Ok(folds)
}

/// The ids of the test lists of every fold.
fn tested(folds: &[Fold], data: &Dataset) -> Vec<Vec<String>> {
    let ids = |fold: &Fold| {
        let mut ids: Vec<String> =
            fold.test.iter().map(|&list| data.list_id(list).to_owned()).collect();
        ids.sort();
        ids
    };
    folds.iter().map(ids).collect()
}

#[test]
fn every_list_is_tested_once_whatever_the_order_of_the_file() {
    let data = data(&["a"; 23], false);
    for plan in ["5", "letor:4"] {
        let folds = folds(plan, &data).unwrap();
        let mut all: Vec<String> = tested(&folds, &data).concat();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 23);
        let other = super::tests::data(&["a"; 23], true);
        assert_eq!(
            tested(&folds, &data),
            tested(&super::tests::folds(plan, &other).unwrap(), &other)
        );
    }
}

#[test]
fn parts_rotate_as_in_letor() {
    let parts = ["S1", "S2", "S3", "S4", "S5", "S5", "S1"];
    let data = data(&parts, false);
    let folds = folds("column:part,letor", &data).unwrap();
    let names = |lists: &[usize]| lists.iter().map(|&list| parts[list]).collect::<Vec<_>>();
    assert_eq!(folds.len(), 5);
    assert_eq!(folds[0].label, "fold 1");
    assert_eq!(names(&folds[0].train), ["S1", "S2", "S3", "S1"]);
    assert_eq!(names(&folds[0].validation), ["S4"]);
    assert_eq!(names(&folds[0].test), ["S5", "S5"]);
    assert_eq!(names(&folds[1].train), ["S2", "S3", "S4"]);
    assert_eq!(names(&folds[1].validation), ["S5", "S5"]);
    assert_eq!(names(&folds[1].test), ["S1", "S1"]);
}

#[test]
fn a_column_names_parts_or_sides() {
    let numbers = data(&["10", "9", "10", "2"], false);
    let labels: Vec<String> =
        folds("column:part", &numbers).unwrap().into_iter().map(|fold| fold.label).collect();
    assert_eq!(labels, ["2", "9", "10"]);
    let sides = data(&["train", "valid", "train", "test"], false);
    let fold = &folds("column:part", &sides).unwrap()[0];
    assert_eq!(
        (&fold.train[..], &fold.validation[..], &fold.test[..]),
        (&[0, 2][..], &[1][..], &[3][..])
    );
    let refused =
        |plan: &str, parts: &[&str]| folds(plan, &data(parts, false)).unwrap_err().to_string();
    assert!(refused("column:part", &["a", "a"]).contains("1 part; there must be two"));
    assert!(refused("column:part,letor", &["a", "b"]).contains("three at least"));
    assert!(refused("column:part", &["train", "train"]).contains("lists to test"));
    assert!(refused("column:parts", &["a", "b"]).contains("did you mean `part`?"));
}

#[test]
fn a_list_is_in_one_part() {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("cost".into()),
        extras: vec!["part".into()],
        ..Columns::default()
    };
    let read = |parts: [f64; 3]| {
        let mut builder = DatasetBuilder::new("l.csv", columns.clone()).unwrap();
        for (line, (list, part)) in (2..).zip(["a", "a", "b"].into_iter().zip(parts)) {
            let row = Row { line, list, impact: Some(1.0), extras: &[part], ..Row::default() };
            builder.push(row).unwrap();
        }
        builder.finish().unwrap()
    };
    assert_eq!(folds("column:part", &read([1.0, 1.0, 2.0])).unwrap().len(), 2);
    let error = |parts| folds("column:part", &read(parts)).unwrap_err().to_string();
    let cut = error([1.0, 2.0, 2.0]);
    assert!(cut.contains("l.csv:3") && cut.contains("`2`, and `1`"), "{cut}");
    assert!(error([1.0, f64::NAN, 2.0]).contains("names no part"));
}

#[test]
fn random_splits_differ_and_test_their_share() {
    let data = data(&["a"; 40], false);
    let folds = folds("random:6,test=30%", &data).unwrap();
    assert_eq!(folds.len(), 6);
    for fold in &folds {
        assert_eq!((fold.train.len(), fold.test.len()), (28, 12));
        assert_eq!(fold.test.iter().filter(|&&list| list % 4 == 3).count(), 3);
    }
    assert_ne!(folds[0].test, folds[1].test);
}

#[test]
fn too_few_lists_are_refused() {
    let refused = |plan: &str, lists: usize| {
        folds(plan, &data(&vec!["a"; lists], false)).unwrap_err().to_string()
    };
    assert!(
        refused("5", 4).contains("5 folds need 5 lists with something to save, and there are 3")
    );
    assert!(refused("random:3", 1).contains("need 2 lists"));
    assert!(refused("time", 9).contains("need the time of each row"));
}
