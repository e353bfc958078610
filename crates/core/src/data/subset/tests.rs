#![allow(clippy::unwrap_used)]
use super::*;
use crate::data::{Columns, DatasetBuilder, Row};

const LISTS: [&str; 7] = ["b", "a", "b", "c", "a", "c", "c"];

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Everything that a data set can hold, for the rows of `lists` only.
fn data(lists: &[&str]) -> Dataset {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        id: Some("network".into()),
        weight: Some("weight".into()),
        group: Some("settlement".into()),
        price: Some("hours".into()),
        time: Some("date".into()),
        class: None,
        features: vec![
            Feature::numeric("wind"),
            Feature::categorical("soil", names(&["clay", "sand"])),
        ],
        extras: vec!["extra".into()],
    };
    let mut b = DatasetBuilder::new("s.csv", columns).unwrap();
    // All rows have the same group, so its code does not depend on the lists read.
    for (line, list) in (2..).zip(LISTS).filter(|(_, list)| lists.contains(list)) {
        let x = line as f64;
        let wind = if line == 5 { f32::NAN } else { line as f32 };
        b.push(Row {
            line,
            list,
            impact: Some(x),
            id: Some(&format!("n{line}")),
            weight: Some(x + 0.5),
            group: Some("city"),
            price: Some(x * 2.0),
            time: Some(&format!("2020-01-0{line}")),
            features: &[wind, (line % 2) as f32],
            extras: &[x + 0.1],
        })
        .unwrap();
    }
    b.round_feature(0, 16_777_217.0);
    b.count_dropped();
    b.set_column_order(names(&["storm", "network"]));
    b.finish().unwrap()
}

#[test]
fn some_lists_are_as_if_only_they_had_been_read() {
    let all = data(&["a", "b", "c"]);
    // Lists are numbered by first appearance: b, a, c. NaN differs from itself; text does not.
    let same = |x: &Dataset, y: &Dataset| assert_eq!(format!("{x:?}"), format!("{y:?}"));
    same(&all.take_lists(&[0, 1, 2]), &all);
    same(&all.take_lists(&[1]), &data(&["a"]));
    same(&all.take_lists(&[0, 2]), &data(&["b", "c"]));
    let turned = all.take_lists(&[2, 0]);
    assert_eq!((turned.list_id(0), turned.list_id(1)), ("c", "b"));
    assert_eq!(turned.place(3).to_string(), "s.csv:2 (list b, item n2)");
    same(&turned.take_lists(&[1, 0]), &data(&["b", "c"]));
}

#[test]
fn roles_that_are_not_there_stay_away() {
    let mut b = DatasetBuilder::new("s.csv", Columns::default()).unwrap();
    b.push(Row { list: "x", ..Row::default() }).unwrap();
    let data = b.finish().unwrap();
    assert_eq!(data.take_lists(&[0]), data);
}

#[test]
#[should_panic(expected = "named twice")]
fn a_list_cannot_be_taken_twice() {
    let _ = data(&["a", "b"]).take_lists(&[0, 0]);
}

/// One list with these features, rows of their values.
fn features(source: &str, features: Vec<Feature>, rows: &[&[f32]]) -> Dataset {
    let mut b = DatasetBuilder::new(source, Columns::of_features(features)).unwrap();
    rows.iter().for_each(|row| b.push(Row { features: row, ..Row::default() }).unwrap());
    b.finish().unwrap()
}

#[test]
fn features_are_put_in_order_and_recoded_by_name() {
    let soil = |known: &[&str]| Feature::categorical("soil", names(known));
    let train = features(
        "train.csv",
        vec![Feature::numeric("wind"), soil(&["clay", "sand"])],
        &[&[1.0, 0.0], &[2.0, 1.0]],
    );
    let next = features(
        "next.csv",
        vec![Feature::numeric("new"), soil(&["peat", "sand", "clay"]), Feature::numeric("wind")],
        &[&[9.0, 0.0, 5.0], &[9.0, 1.0, 6.0], &[9.0, 2.0, 7.0], &[9.0, f32::NAN, 8.0]],
    );
    let next = next.with_features_of(&train).unwrap();
    assert_eq!(next.feature_info(), train.feature_info());
    let values = format!("{:?}", next.features().values());
    assert_eq!(values, "[5.0, NaN, 6.0, 1.0, 7.0, 0.0, 8.0, NaN]");
    // A column without values has no kind of its own.
    let empty = vec![Feature::numeric("soil"), Feature::numeric("wind")];
    let empty = features("e.csv", empty, &[&[f32::NAN, 3.0]]).with_features_of(&train).unwrap();
    assert_eq!(empty.feature_info(), train.feature_info());
}

#[test]
fn features_that_do_not_fit_are_refused_by_name() {
    let soil = || Feature::categorical("soil", names(&["clay"]));
    let train = features("t.csv", vec![Feature::numeric("wind"), soil()], &[&[1.0, 0.0]]);
    let met = |columns: Vec<Feature>| {
        let row = vec![0.0; columns.len()];
        features("n.csv", columns, &[&row]).with_features_of(&train).unwrap_err().to_string()
    };
    let error = met(vec![Feature::numeric("wnid")]);
    let words = "n.csv: features of t.csv are missing: `wind`, `soil`; did you mean `wnid`?";
    assert_eq!(error, words);
    let error = met(vec![Feature::numeric("wind"), Feature::numeric("soil")]);
    assert!(error.contains("feature soil holds numbers here and text in t.csv"), "{error}");
    let error = met(vec![soil(), Feature::categorical("wind", names(&["x"]))]);
    assert!(error.contains("feature wind holds text here and numbers in t.csv"), "{error}");
}

#[test]
fn features_that_no_sparse_row_mentions_are_zero() {
    let data = features("s.txt", vec![Feature::numeric("1")], &[&[5.0], &[6.0]]);
    let wider = data.clone().with_zero_features(["1", "2", "3"]);
    let names: Vec<&str> = wider.feature_info().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["1", "2", "3"]);
    assert_eq!(wider.features().values(), [5.0, 0.0, 0.0, 6.0, 0.0, 0.0]);
    assert_eq!(data.clone().with_zero_features(["1"]), data);
}

#[test]
fn a_feature_is_left_out() {
    let all = data(&["a", "b", "c"]);
    let other = all.clone().without_feature("wind");
    assert_eq!(other.feature_info(), &all.feature_info()[1..]);
    assert!(other.features().column(0).eq(all.features().column(1)));
    assert_eq!(other.rounded_features().count(), 0);
    assert_eq!(all.clone().without_feature("soil").rounded_features().count(), 1);
    let same = all.clone().without_feature("storm");
    assert_eq!(format!("{same:?}"), format!("{all:?}"));
}

#[test]
fn the_items_of_one_list_are_dealt() {
    let all = data(&["c"]);
    let dealt = all.dealt(2, 7).unwrap();
    assert_eq!((dealt.n_lists(), dealt.items(0).len(), dealt.items(1).len()), (2, 2, 1));
    let mut lines: Vec<u64> = (0..3).map(|item| dealt.line(item)).collect();
    for item in 0..3 {
        // A row stays together.
        assert_eq!(dealt.impact().unwrap()[item], dealt.line(item) as f64);
        assert_eq!(dealt.item_id(item), Some(format!("n{}", dealt.line(item)).as_str()));
    }
    lines.sort_unstable();
    assert_eq!(lines, (0..3).map(|item| all.line(item)).collect::<Vec<_>>());
    assert!(data(&["a", "c"]).dealt(2, 7).unwrap_err().contains("2 lists"));
    assert!(all.dealt(4, 7).is_err() && all.dealt(1, 7).is_err());
    let weighted = all.with_weight(vec![1.0, 2.0, 3.0]);
    assert_eq!(weighted.weight(), Some(&[1.0, 2.0, 3.0][..]));
}
