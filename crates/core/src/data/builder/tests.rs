#![allow(clippy::unwrap_used)]
use super::*;
use crate::data::SharedValues;

fn columns() -> Columns {
    Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        id: Some("network".into()),
        ..Columns::of_features(vec![Feature::numeric("wind")])
    }
}

fn row<'a>(line: u64, list: &'a str, id: &'a str, impact: f64, wind: &'a [f32]) -> Row<'a> {
    Row { line, list, id: Some(id), impact: Some(impact), features: wind, ..Row::default() }
}

#[test]
fn unsorted_rows_are_grouped_and_keep_their_way_back() {
    let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
    for (line, list, wind) in [(2, "b", 1.0), (3, "a", 2.0), (4, "b", 3.0)] {
        b.push(row(line, list, &line.to_string(), line as f64, &[wind])).unwrap();
    }
    let data = b.finish().unwrap();
    assert_eq!(data.offsets(), [0, 2, 3]);
    assert_eq!(data.features().values(), [1.0, 3.0, 2.0]);
    assert_eq!(data.impact().unwrap(), [2.0, 4.0, 3.0]);
    assert_eq!(data.place(1).to_string(), "s.csv:4 (list b, item 4)");
}

#[test]
fn wrong_values_are_refused_with_their_place() {
    let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
    let met = |b: &mut DatasetBuilder, impact, wind: &[f32]| {
        b.push(row(7, "a", "x", impact, wind)).unwrap_err().to_string()
    };
    let place = "s.csv:7 (list a, item x): ";
    let must = "it must be a finite number >= 0";
    assert_eq!(met(&mut b, -3.0, &[1.0]), format!("{place}customers is -3; {must}"));
    assert_eq!(met(&mut b, f64::INFINITY, &[1.0]), format!("{place}customers is inf; {must}"));
    assert!(met(&mut b, f64::NAN, &[1.0]).contains("customers is missing"));
    assert!(met(&mut b, 1.0, &[f32::INFINITY]).contains("feature wind is infinite"));
    assert!(met(&mut b, 1.0, &[]).contains("the row has 0 features, 1 were declared"));
    assert!(b.finish().unwrap_err().to_string().contains("no rows"));
}

#[test]
fn an_item_may_not_stand_twice_in_a_list() {
    let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
    b.push(row(2, "a", "x", 1.0, &[1.0])).unwrap();
    b.push(row(3, "b", "x", 1.0, &[1.0])).unwrap();
    b.push(row(4, "a", "x", 1.0, &[1.0])).unwrap();
    let error = b.finish().unwrap_err().to_string();
    assert!(error.starts_with("s.csv:4 (list a, item x): the item occurs twice"), "{error}");
    assert!(error.contains("first in line 2"), "{error}");
}

#[test]
fn a_huge_list_does_not_slow_down_the_small_ones_behind_it() {
    let mut map: HashMap<usize, usize> = (0..100_000).map(|i| (i, i)).collect();
    make_empty(&mut map, 50_000);
    assert!(map.is_empty() && map.capacity() >= 100_000, "reused: {}", map.capacity());
    make_empty(&mut map, 3);
    assert!(map.is_empty() && map.capacity() < 100, "not reused: {}", map.capacity());
    // Duplicates are found on either side of the change.
    let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
    for line in 2..1000 {
        b.push(row(line, "huge", &line.to_string(), 1.0, &[1.0])).unwrap();
    }
    b.push(row(1000, "small", "x", 1.0, &[1.0])).unwrap();
    b.push(row(1001, "small", "x", 1.0, &[1.0])).unwrap();
    let error = b.finish().unwrap_err().to_string();
    assert!(error.starts_with("s.csv:1001 (list small, item x): the item occurs"), "{error}");
}

#[test]
fn features_may_come_column_by_column() {
    let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
    b.widen(vec![Feature::numeric("rain")]).unwrap();
    for (line, list) in [(2, "b"), (3, "a"), (4, "b")] {
        b.push(row(line, list, &line.to_string(), 1.0, &[0.0, 0.5])).unwrap();
    }
    b.fill_feature(0, 1, [5.0, 6.0]).unwrap();
    let error = b.fill_feature(1, 0, [1.0, f32::NEG_INFINITY]).unwrap_err().to_string();
    assert!(error.starts_with("s.csv:3 (list a, item 3): feature rain is infinite"), "{error}");
    let data = b.finish().unwrap();
    assert_eq!(data.features().values(), [0.0, 1.0, 6.0, 0.5, 5.0, 0.5]);
}

#[test]
fn sparse_rows_may_widen_the_matrix() {
    let mut b = DatasetBuilder::new("s.txt", Columns::default()).unwrap();
    let mut expected = Vec::new();
    for n in 1..=9usize {
        b.widen(vec![Feature::numeric(n.to_string())]).unwrap();
        let features: Vec<f32> = (0..n).map(|j| (n * 10 + j) as f32).collect();
        b.push(Row { features: &features, ..Row::default() }).unwrap();
        expected.extend(features.iter().copied().chain(std::iter::repeat_n(0.0, 9 - n)));
    }
    let data = b.finish().unwrap();
    assert_eq!(data.features().values(), expected);
}

#[test]
fn the_first_name_that_repeats_is_the_one_reported() {
    // Many pairs, so that reporting a random one would not pass.
    let names = (0..40).chain((0..40).rev()).map(|i| Feature::numeric(format!("f{i}")));
    let error = DatasetBuilder::new("s.csv", Columns::of_features(names.collect())).unwrap_err();
    assert_eq!(error.problem, DataProblem::DuplicateColumn("f39".into()));
    // An extra may repeat a role.
    let columns = Columns { extras: vec!["customers".into()], ..columns() };
    assert!(DatasetBuilder::new("s.csv", columns).is_ok());
}

#[test]
fn times_are_all_numbers_or_all_dates() {
    let columns = || Columns { time: Some("t".into()), ..columns() };
    let build = |times: &[&str]| {
        let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
        for (i, time) in times.iter().enumerate() {
            let id = i.to_string();
            b.push(Row { time: Some(time), ..row(2 + i as u64, "a", &id, 1.0, &[1.0]) })?;
        }
        b.finish()
    };
    for mixed in [["20260101", "20260102", "2026-06-01"], ["2026-06-01", "2026-06-02", "20260101"]]
    {
        let error = build(&mixed).unwrap_err().to_string();
        assert!(error.starts_with("s.csv:4 (list a, item 2): time is `"), "{error}");
        assert!(error.contains("in s.csv:2 (list a, item 0)"), "{error}");
    }
    // Days written as numbers are numbers.
    let data = build(&["20260101", "20250101", "1e3"]).unwrap();
    assert_eq!(data.time().unwrap().keys(), [20_260_101.0, 20_250_101.0, 1000.0]);
    assert!(build(&["2026-01", "2026-01-02", "2026-01-02T10:00Z"]).is_ok());
}

#[test]
fn rows_that_do_not_fit_into_memory_are_refused() {
    let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
    b.push(row(2, "a", "x", 1.0, &[1.0])).unwrap();
    let error = b.reserve(1 << 61).unwrap_err().to_string();
    let expected =
        "s.csv: there is not enough memory for 2,305,843,009,213,693,953 rows of 1 feature";
    assert!(error.starts_with(expected), "{error}");
    b.reserve(1000).unwrap();
    b.push(row(3, "a", "y", 1.0, &[1.0])).unwrap();
    assert_eq!(b.finish().unwrap().len(), 2);
}

fn of_matrix(rows: &[(&str, f64)], values: Vec<f32>) -> Result<Dataset, DataError> {
    let columns =
        Columns { list: Some("storm".into()), impact: Some("cost".into()), ..Columns::default() };
    let mut b = DatasetBuilder::new("array", columns).unwrap();
    for (&(list, impact), line) in rows.iter().zip(1..) {
        b.push(Row { line, list, impact: Some(impact), ..Row::default() }).unwrap();
    }
    let features = vec![Feature::numeric("wind"), Feature::numeric("cable")];
    b.finish_with(features, SharedValues(std::sync::Arc::new(values)))
}

#[test]
fn a_matrix_stays_where_it_is_unless_lists_are_scattered() {
    let values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let address = values.as_ptr();
    let data = of_matrix(&[("a", 1.0), ("a", 2.0), ("b", 3.0)], values.clone()).unwrap();
    assert_eq!(data.features().row(2), [5.0, 6.0]);
    let kept = of_matrix(&[("a", 1.0), ("a", 2.0), ("b", 3.0)], values).unwrap();
    assert_eq!(kept.features().values().as_ptr(), address);
    // Changes are made to a copy.
    assert_eq!(kept.clone().without_feature("wind").features().values(), [2.0, 4.0, 6.0]);
    assert_eq!(
        (kept.features().row(0), kept.take_lists(&[1]).features().row(0)),
        (&[1.0, 2.0][..], &[5.0, 6.0][..])
    );
    assert_eq!(kept, data);
    let scattered =
        of_matrix(&[("a", 1.0), ("b", 2.0), ("a", 3.0)], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
            .unwrap();
    assert_eq!(scattered.features().values(), [1.0, 2.0, 5.0, 6.0, 3.0, 4.0]);
}

#[test]
fn a_wrong_matrix_is_refused() {
    let met =
        |values: Vec<f32>| of_matrix(&[("a", 1.0), ("b", 2.0)], values).unwrap_err().to_string();
    let infinite = met(vec![1.0, 2.0, 3.0, f32::INFINITY]);
    assert!(infinite.starts_with("array:2 (list b): feature cable is infinite"), "{infinite}");
    let short = met(vec![1.0; 2]);
    assert!(short.contains('1') && short.contains('2'), "{short}");
}
