//! Every finding on small data made for it, and none on other data.

#![allow(clippy::unwrap_used)]

mod facts;

use super::*;
use stakes_core::cost::CostModel;
use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};

const LISTS: usize = 12;
const LENGTH: usize = 10;

/// A pseudo-random number from 0 to 1.
fn noise(item: usize, salt: u64) -> f64 {
    let mut x = (item as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ salt.wrapping_mul(0xd6e8_feb8_6659_fd93);
    for _ in 0..3 {
        x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    (x >> 11) as f64 / (1u64 << 53) as f64
}

/// A pseudo-random cost, 0 for a third of the items.
fn cost(item: usize) -> f64 {
    let u = noise(item, 1);
    if u < 0.33 { 0.0 } else { (1.0 / (1.0 - u)).powf(1.5) }
}

/// Data of 12 lists of 10 items with these features.
fn data(
    features: Vec<Feature>,
    cost: impl Fn(usize) -> f64,
    row: impl Fn(usize) -> Vec<f32>,
) -> Dataset {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        ..Columns::of_features(features)
    };
    let mut builder = DatasetBuilder::new("made", columns).unwrap();
    for item in 0..LISTS * LENGTH {
        let (list, features) = ((item / LENGTH).to_string(), row(item));
        let row = Row {
            line: item as u64 + 2,
            list: &list,
            impact: Some(cost(item)),
            features: &features,
            ..Row::default()
        };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

/// One numeric column beside one of noise.
fn beside_noise(name: &str, value: impl Fn(usize) -> f32) -> Inspection {
    let features = vec![Feature::numeric("unrelated"), Feature::numeric(name)];
    seen(&data(features, cost, |item| vec![noise(item, 2) as f32, value(item)]))
}

fn seen(data: &Dataset) -> Inspection {
    let problem = Problem::new(data, &CostModel::Impact).unwrap();
    Inspection::of_problem(&problem, &InspectOptions { k: Capacity::Items(3), cost_name: None })
}

fn kinds(seen: &Inspection) -> Vec<FindingKind> {
    seen.findings.iter().map(|finding| finding.kind).collect()
}

/// The only finding, which must be about this column.
fn only(seen: &Inspection, kind: FindingKind, column: &str) -> Finding {
    assert_eq!(kinds(seen), [kind], "{:#?}", seen.findings);
    assert_eq!(seen.findings[0].columns, [column]);
    let Finding { what, why, remedy, .. } = &seen.findings[0];
    assert!([what, why, remedy].iter().all(|text| text.ends_with('.') || text.ends_with('?')));
    seen.findings[0].clone()
}

#[test]
fn nothing_is_found_in_noise() {
    let seen = beside_noise("more", |item| noise(item, 3) as f32);
    assert_eq!(seen.findings, []);
}

#[test]
fn a_copy_of_the_cost_is_found_in_either_direction() {
    for sign in [1.0, -1.0] {
        let seen = beside_noise("repair_hours", |item| (sign * (2.0 * cost(item) + 7.0)) as f32);
        let finding = only(&seen, FindingKind::Leak, "repair_hours");
        assert_eq!(finding.severity, Severity::Warning);
        assert!(finding.what.contains("100 % of the pairs"), "{}", finding.what);
        assert!(finding.remedy.contains("leave out repair_hours"), "{}", finding.remedy);
    }
}

#[test]
fn a_copy_within_lists_is_found_though_lists_differ() {
    let seen = beside_noise("score", |item| (cost(item) + 1e4 * noise(item / LENGTH, 5)) as f32);
    only(&seen, FindingKind::Leak, "score");
}

#[test]
fn a_column_that_stands_out_is_a_question() {
    let blurred = |item| (cost(item) * (0.8 + 0.4 * noise(item, 7)) + 6.0 * noise(item, 9)) as f32;
    let seen = beside_noise("population", blurred);
    let finding = only(&seen, FindingKind::StrongColumn, "population");
    assert_eq!(finding.severity, Severity::Note);
    assert!(finding.what.starts_with("Is `population` known before acting?"), "{}", finding.what);
}

#[test]
fn a_perfect_order_of_a_few_items_is_no_evidence() {
    let columns =
        Columns { impact: Some("y".into()), ..Columns::of_features(vec![Feature::numeric("x")]) };
    let mut builder = DatasetBuilder::new("made", columns).unwrap();
    for i in 1..=6u8 {
        let features = [f32::from(i * i)];
        let row =
            Row { line: i.into(), impact: Some(i.into()), features: &features, ..Row::default() };
        builder.push(row).unwrap();
    }
    let found = kinds(&seen(&builder.finish().unwrap()));
    assert!(!found.contains(&FindingKind::Leak) && !found.contains(&FindingKind::SortedRows));
}

#[test]
fn missing_values_that_indicate_the_cost_are_found() {
    let gap = |item| if cost(item) == 0.0 { f32::NAN } else { noise(item, 4) as f32 };
    let seen = beside_noise("restored_at", gap);
    assert!(kinds(&seen).contains(&FindingKind::MissingTells), "{:?}", seen.findings);
    let harmless = |item| if noise(item, 6) < 0.3 { f32::NAN } else { noise(item, 4) as f32 };
    only(&beside_noise("gauge", harmless), FindingKind::MissingValues, "gauge");
}

#[test]
fn useless_columns_are_found() {
    only(&beside_noise("poles", |_| 4.0), FindingKind::ConstantColumns, "poles");
    only(&beside_noise("poles", |_| f32::NAN), FindingKind::ConstantColumns, "poles");
    let weather = beside_noise("gust", |item| 0.5 + (item / LENGTH) as f32);
    only(&weather, FindingKind::ConstantInLists, "gust");
    let twin = beside_noise("again", |item| noise(item, 2) as f32);
    only(&twin, FindingKind::SameColumns, "again");
    assert_eq!(twin.same_columns, [["unrelated", "again"]]);
    let few = beside_noise("soil", |item| (item * item % 7) as f32);
    only(&few, FindingKind::FewValues, "soil");
}

#[test]
fn ids_and_dates_are_found() {
    let row_number = only(&beside_noise("n", |item| item as f32), FindingKind::IdColumn, "n");
    assert_eq!(row_number.severity, Severity::Warning);
    let shuffled = |item: usize| (item * 7 % 120) as f32;
    only(&beside_noise("NetworkID", shuffled), FindingKind::IdColumn, "NetworkID");
    assert_eq!(beside_noise("humidity", shuffled).findings, []);
    let day = |item: usize| 20_240_100.0 + (item % 28 * 4) as f32;
    only(&beside_noise("day", day), FindingKind::DateColumn, "day");
    let names =
        (0..40).map(|day| format!("2016-{:02}-{:02}", day / 28 + 1, day % 28 + 1)).collect();
    let features = vec![Feature::numeric("unrelated"), Feature::categorical("when", names)];
    let dates = data(features, cost, |item| vec![noise(item, 2) as f32, (item * 7 % 40) as f32]);
    only(&seen(&dates), FindingKind::DateColumn, "when");
}

#[test]
fn sorted_rows_are_found() {
    for (sign, way) in [(1.0, "increases"), (-1.0, "decreases")] {
        let sorted = |item: usize| 50.0 + sign * (item % LENGTH) as f64;
        let data = data(vec![Feature::numeric("x")], sorted, |item| vec![noise(item, 2) as f32]);
        let seen = seen(&data);
        assert_eq!(kinds(&seen), [FindingKind::SortedRows]);
        assert!(seen.findings[0].what.contains(way), "{}", seen.findings[0].what);
    }
}

#[test]
fn rows_with_the_same_features_are_found() {
    let twice =
        |item: usize| vec![noise(if item % LENGTH == 9 { item - 1 } else { item }, 2) as f32];
    let seen = seen(&data(vec![Feature::numeric("x")], cost, twice));
    assert_eq!(kinds(&seen), [FindingKind::SameRows]);
    assert_eq!((seen.repeated_rows.rows, seen.repeated_rows.lists), (LISTS, LISTS));
    assert_eq!(seen.repeated_rows.example.as_deref(), Some("made:11 (list 0)"));
}

#[test]
fn a_log_of_events_is_told_from_lists() {
    let log = |length: usize| {
        let columns = Columns {
            list: Some("list".into()),
            impact: Some("y".into()),
            ..Columns::of_features(vec![Feature::numeric("x")])
        };
        let mut builder = DatasetBuilder::new("made", columns).unwrap();
        for item in 0..LISTS * LENGTH {
            let list = (item / LENGTH).to_string();
            if item % LENGTH > 0 && (item / LENGTH).is_multiple_of(3) && item % LENGTH >= length {
                continue;
            }
            let features = [noise(item, 2) as f32];
            let impact = Some(1.0 + noise(item, 1).abs() * 100.0);
            builder
                .push(Row { list: &list, impact, features: &features, ..Row::default() })
                .unwrap();
        }
        seen(&builder.finish().unwrap())
    };
    assert!(kinds(&log(5)).contains(&FindingKind::NoZeros));
    assert!(
        !kinds(&log(LENGTH)).contains(&FindingKind::NoZeros),
        "lists of one length may be whole"
    );
}

#[test]
fn lists_that_dominate_or_have_no_cost_are_found() {
    let noise_only = |cost: fn(usize) -> f64| {
        seen(&data(vec![Feature::numeric("x")], cost, |item| vec![noise(item, 2) as f32]))
    };
    let dominated = noise_only(|item| if item / LENGTH == 4 { 1e4 } else { 1.0 } * cost(item));
    assert_eq!(kinds(&dominated), [FindingKind::OneListDominates]);
    assert_eq!(dominated.findings[0].lists, ["4"]);
    assert_eq!(kinds(&noise_only(|_| 0.0)), [FindingKind::NothingToOrder]);
    assert_eq!(kinds(&noise_only(|item| (item / LENGTH) as f64)), [FindingKind::NothingToOrder]);
    let few = noise_only(|item| if item / LENGTH < 9 { cost(item) } else { 0.0 });
    assert_eq!(kinds(&few), [FindingKind::FewLists, FindingKind::ListsWithoutCost]);
}
