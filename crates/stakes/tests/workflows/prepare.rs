//! From a log of events to lists.

use std::collections::BTreeMap;

use stakes::prelude::*;
use stakes::prepare::{Measure, PrepareOptions, Prepared, prepare};

/// A folder with files.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Files {
        let folder = Files(tempfile::tempdir().unwrap());
        for (name, text) in files {
            std::fs::write(folder.0.path().join(name), text).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn prepare(&self, options: &PrepareOptions) -> Result<Prepared, stakes::Error> {
        let joins = options.joins.iter().map(|name| self.path(name)).collect();
        prepare(&self.path("log.csv"), &PrepareOptions { joins, ..options.clone() })
    }

    fn refused(&self, options: &PrepareOptions) -> String {
        let error = self.prepare(options).unwrap_err().to_string();
        error.replace(&format!("{}/", self.0.path().display()), "")
    }
}

const LOG: &str = "date,state,customers,region,population
2011-07-01,Texas,100,south,10
2011-07-09,Texas,50,south,11
2011-07-20,Maine,,north,3
2011-09-30,Maine,7,north,4
,Maine,7,north,4
2011-08-01,,7,north,4
";

fn monthly() -> PrepareOptions {
    PrepareOptions {
        list: "month:date".parse().unwrap(),
        item: "state".into(),
        measures: vec![Measure::Sum("customers".into())],
        fill_zeros: true,
        ..PrepareOptions::default()
    }
}

/// The feature of a row by list, item and name.
fn value(data: &Dataset, list: &str, item: &str, name: &str) -> f32 {
    let row = (0..data.len())
        .find(|&row| data.list_id(data.list_of(row)) == list && data.item_id(row) == Some(item))
        .unwrap();
    let at = data.feature_info().iter().position(|f| f.name == name).unwrap();
    data.features().row(row)[at]
}

#[test]
fn a_log_becomes_lists_with_zeros() {
    let files = Files::new(&[("log.csv", LOG)]);
    let made = files.prepare(&monthly()).unwrap();
    let lists: Vec<&str> = (0..3).map(|list| made.data.list_id(list)).collect();
    assert_eq!(lists, ["2011-07", "2011-08", "2011-09"]);
    assert_eq!(made.data.impact().unwrap(), [0.0, 150.0, 0.0, 0.0, 7.0, 0.0]);
    assert_eq!(made.data.time().unwrap().text(5), "2011-09");
    let summary = &made.summary;
    assert_eq!((summary.left_out.no_list, summary.left_out.no_item), (1, 1));
    assert_eq!((summary.lists, summary.empty_lists, summary.zeros), (3, 1, 3));
    assert_eq!(made.notes, ["1 event without customers: counted, with an amount of 0"]);
    let roles = Roles::new().list("month").time("month").id("state").impact("sum.customers");
    assert_eq!(made.roles(), roles);
    assert!(made.config().to_toml("title").contains("impact = \"sum.customers\""));
}

#[test]
fn without_zeros_only_events_have_rows() {
    let files = Files::new(&[("log.csv", LOG)]);
    let measures = vec![Measure::Max("customers".into()), Measure::Count];
    let options = PrepareOptions { fill_zeros: false, measures, ..monthly() };
    let made = files.prepare(&options).unwrap();
    assert_eq!(made.data.impact().unwrap(), [0.0, 100.0, 7.0]);
    assert_eq!(made.data.columns().impact.as_deref(), Some("max.customers"));
    assert!(made.notes.iter().any(|note| note.starts_with("events left out")), "{:?}", made.notes);
    assert!(made.notes.iter().any(|note| note.contains("`fill_zeros`")), "{:?}", made.notes);
    let kept = files.prepare(&PrepareOptions { keep_outcomes: true, ..options }).unwrap();
    assert_eq!(kept.data.numbers("events").unwrap(), [1.0, 2.0, 1.0]);
    assert_eq!(kept.roles().drop, ["events"]);
}

#[test]
fn history_and_attributes_come_from_earlier_lists() {
    let files = Files::new(&[("log.csv", LOG)]);
    let options = PrepareOptions {
        history: vec![3, 1],
        region: Some("region".into()),
        attributes: vec!["population".into()],
        ..monthly()
    };
    let data = files.prepare(&options).unwrap().data;
    let of = |list: &str, item: &str, name: &str| value(&data, list, item, name);
    assert_eq!(of("2011-07", "Texas", "sum_last_1"), 0.0);
    assert!(of("2011-07", "Texas", "population").is_nan());
    assert!(of("2011-07", "Texas", "region_sum_last_1").is_nan(), "its region is not known yet");
    assert_eq!(of("2011-08", "Texas", "sum_last_1"), 150.0);
    assert_eq!(of("2011-08", "Texas", "events_last_1"), 2.0);
    assert_eq!(of("2011-08", "Texas", "population"), 11.0);
    assert_eq!(of("2011-08", "Texas", "region_sum_last_1"), 150.0);
    assert_eq!(of("2011-08", "Maine", "region_sum_last_1"), 0.0);
    assert_eq!(of("2011-09", "Texas", "sum_last_1"), 0.0);
    assert_eq!(of("2011-09", "Texas", "sum_last_3"), 150.0);
    assert_eq!(of("2011-09", "Texas", "lists_since_event"), 2.0);
    assert_eq!(of("2011-08", "Maine", "all_sum_last_1"), 150.0);
}

#[test]
fn tables_of_items_and_lists_are_joined() {
    let assets = "state,poles,soil\nMaine,5,wet\nTexas,9,dry\nUtah,1,\n";
    let weather = "date,wind\n2011-07-15,14\n2011-09-01,9\n";
    let files = Files::new(&[("log.csv", LOG), ("assets.csv", assets), ("weather.csv", weather)]);
    let joins = vec!["assets.csv".into(), "weather.csv".into()];
    let made = files.prepare(&PrepareOptions { joins, ..monthly() }).unwrap();
    // Utah had no event, and is there.
    assert_eq!((made.summary.rows, made.summary.items, made.summary.joined), (9, 3, 3));
    assert_eq!(value(&made.data, "2011-08", "Utah", "poles"), 1.0);
    assert_eq!(value(&made.data, "2011-07", "Utah", "wind"), 14.0);
    assert!(value(&made.data, "2011-08", "Utah", "wind").is_nan());
    let notes = made.notes.join("\n");
    assert!(notes.contains("assets.csv: 1 of 3 rows had no event"), "{notes}");
    assert!(notes.contains("weather.csv: nothing for 3 of 9 rows"), "{notes}");
    assert!(notes.contains("known before the list begins"), "{notes}");
    assert!(made.questions[0].contains("wind"), "{:?}", made.questions);
}

#[test]
fn lists_of_columns_are_in_order_of_their_values() {
    let log = "year,month,state\n2011,10,a\n2011,9,b\n2010,12,a\n";
    let files = Files::new(&[("log.csv", log)]);
    let options = PrepareOptions {
        list: "year,month".parse().unwrap(),
        item: "state".into(),
        history: vec![2],
        fill_zeros: true,
        ..PrepareOptions::default()
    };
    let data = files.prepare(&options).unwrap().data;
    let lists: Vec<&str> = (0..3).map(|list| data.list_id(list)).collect();
    assert_eq!(lists, ["2010/12", "2011/9", "2011/10"]);
    assert_eq!(value(&data, "2011/10", "a", "events_last_2"), 1.0);
    assert_eq!(data.columns().impact.as_deref(), Some("events"));
}

#[test]
fn bad_input_gets_a_clear_word() {
    let files = Files::new(&[
        ("log.csv", LOG),
        ("twice.csv", "state,poles\nMaine,1\nMaine,2\n"),
        ("near.csv", "State,poles\nMaine,1\n"),
        ("other.csv", "x,y\n1,2\n"),
        ("same.csv", "state,month,x\nMaine,1,2\n"),
        ("overlap.csv", "state,sum.customers\nMaine,1\n"),
        ("keys.csv", "state\nMaine\n"),
    ]);
    let base = monthly();
    let with = |change: &dyn Fn(&mut PrepareOptions)| {
        let mut options = base.clone();
        change(&mut options);
        files.refused(&options)
    };
    for (error, expected) in [
        (with(&|o| o.item = "stat".into()), "there is no column `stat`; did you mean `state`?"),
        (with(&|o| o.list = "mnth:date".parse().unwrap()), "month: , quarter: or year:COLUMN"),
        (
            with(&|o| o.list = "month:region".parse().unwrap()),
            "of 6 events 6 have no region and 0 no state",
        ),
        (
            with(&|o| o.joins = vec!["twice.csv".into()]),
            "twice.csv:3: Maine is there already, in line 2",
        ),
        (
            with(&|o| o.joins = vec!["near.csv".into()]),
            "is its column `State` to be called `state`?",
        ),
        (with(&|o| o.joins = vec!["other.csv".into()]), "has none of these columns; it has x, y"),
        (
            with(&|o| o.joins = vec!["overlap.csv".into()]),
            "the column `sum.customers` is there already",
        ),
        (with(&|o| o.joins = vec!["keys.csv".into()]), "has no column beside those"),
        (
            with(&|o| o.joins = vec!["same.csv".into()]),
            "same.csv:2: the item or list that the row is matched by",
        ),
        (
            with(&|o| o.measures = vec![Measure::Sum("region".into())]),
            "log.csv:2: region is `south`; amounts must",
        ),
        (with(&|o| o.history = vec![0]), "a window of the history is 0"),
        (with(&|o| o.region = Some("region".into())), "`region` is for history features"),
        (with(&|o| o.keep_outcomes = true), "there is only one"),
        (
            with(&|o| o.max_rows = Some(3)),
            "2 items in each of 3 lists makes 6 rows of 4 events, and 3 are allowed",
        ),
    ] {
        assert!(error.contains(&expected.replace("month: ,", "month:,")), "{error}\n{expected}");
    }
    let files = Files::new(&[("log.csv", "date,state,c\n2011-07-01,a,-1\n2011-07-02,b,1\n")]);
    let measures = vec![Measure::Sum("c".into())];
    let error = files.refused(&PrepareOptions { measures, ..monthly() });
    assert!(error.starts_with("log.csv:2: c is -1; a cost is a finite number"), "{error}");
    let far = "date,state\n2011-07-01,a\n2011-07-02,b\n9011-07-01,c\n";
    let files = Files::new(&[("log.csv", far)]);
    let list = "day:date".parse().unwrap();
    let error = files.refused(&PrepareOptions { list, measures: Vec::new(), ..monthly() });
    assert!(error.contains("rows of 3 events, and 100000 are allowed"), "{error}");
}

/// A pseudo-random number below `n`.
fn draw(state: &mut u64, n: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % n
}

type Features = BTreeMap<(String, String), Vec<u32>>;

/// The features of all rows, by list and item, and their names.
fn features(events: &[[u64; 5]]) -> (Vec<String>, Features) {
    let mut log = String::from("date,item,cost,region,size\n");
    for [month, day, item, cost, other] in events {
        let (year, month) = (2010 + month / 12, month % 12 + 1);
        let cost = if *cost == 0 { String::new() } else { cost.to_string() };
        log += &format!("{year}-{month:02}-{:02},i{item},{cost},r{},{other}\n", day + 1, other % 3);
    }
    let files = Files::new(&[("log.csv", &log)]);
    let options = PrepareOptions {
        list: "month:date".parse().unwrap(),
        item: "item".into(),
        measures: vec![Measure::Sum("cost".into())],
        fill_zeros: true,
        history: vec![1, 3, 12],
        region: Some("region".into()),
        attributes: vec!["size".into(), "region".into()],
        ..PrepareOptions::default()
    };
    let data = files.prepare(&options).unwrap().data;
    let names = data.feature_info().iter().map(|f| f.name.clone()).collect();
    let row = |row: usize| {
        let key =
            (data.list_id(data.list_of(row)).to_owned(), data.item_id(row).unwrap().to_owned());
        let of_feature = |(j, value): (usize, &f32)| match data.feature_info()[j].category(*value) {
            // Codes of categories depend on all rows.
            Some(name) => u32::from(name.as_bytes()[1]),
            None if value.is_nan() => u32::MAX,
            None => value.to_bits(),
        };
        (key, data.features().row(row).iter().enumerate().map(of_feature).collect())
    };
    (names, (0..data.len()).map(row).collect())
}

/// Whatever happens in a list or later never changes what is known in it or earlier.
#[test]
fn the_future_never_changes_a_row() {
    let state = &mut 17;
    let mut compared = 0;
    for _ in 0..40 {
        let mut event = || [24, 28, 4, 50, 9].map(|n| draw(state, n));
        // The first list and all items stay.
        let mut events: Vec<[u64; 5]> = (0..4).map(|item| [0, 0, item, 1, item]).collect();
        events.extend((0..60).map(|_| event()));
        let from = 1 + event()[0] % 20;
        let changed: Vec<[u64; 5]> = events
            .iter()
            .filter_map(|old| match old[0] < from {
                true => Some(*old),
                false if old[3] % 4 == 0 => None,
                false => {
                    let new = event();
                    Some([new[0].max(from), new[1], new[2], new[3], new[4]])
                }
            })
            .collect();
        let ((names, before), (other, after)) = (features(&events), features(&changed));
        assert_eq!(names, other);
        let id = format!("{}-{:02}", 2010 + from / 12, from % 12 + 1);
        for ((list, item), row) in before.iter().filter(|((list, _), _)| *list <= id) {
            // The last list may come earlier now.
            let Some(now) = after.get(&(list.clone(), item.clone())) else { continue };
            assert_eq!(row, now, "{list} {item} ({names:?}) after a change in {id}");
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} rows were compared");
}
