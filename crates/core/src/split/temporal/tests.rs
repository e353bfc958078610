#![allow(clippy::unwrap_used)]
use super::*;
use crate::cost::CostModel;
use crate::data::{Columns, Dataset, DatasetBuilder, Row};
use crate::split::FoldPlan;

/// A list per time; some have two times.
fn data(times: &[&[&str]]) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("cost".into()),
        time: Some("day".into()),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new("l.csv", columns).unwrap();
    for (list, times) in times.iter().enumerate() {
        let list = list.to_string();
        for time in *times {
            let row = Row { list: &list, impact: Some(1.0), time: Some(time), ..Row::default() };
            builder.push(row).unwrap();
        }
    }
    builder.finish().unwrap()
}

fn folds(plan: &str, data: &Dataset) -> Result<Vec<Fold>, FoldError> {
    let problem = Problem::new(data, &CostModel::Impact).unwrap();
    plan.parse::<FoldPlan>().unwrap().folds(&problem, 0)
}

/// Label, training lists and test lists.
fn shown(plan: &str, data: &Dataset) -> Vec<String> {
    let folds = folds(plan, data).unwrap();
    folds.iter().map(|f| format!("{} {:?} {:?}", f.label, f.train, f.test)).collect()
}

fn months() -> Dataset {
    let dates: Vec<String> =
        (0..36).map(|month| format!("{}-{:02}-15", 2018 + month / 12, 1 + month % 12)).collect();
    let texts: Vec<[&str; 1]> = dates.iter().map(|date| [date.as_str()]).collect();
    data(&texts.iter().map(|text| &text[..]).collect::<Vec<_>>())
}

#[test]
fn what_was_over_trains_and_what_comes_is_tested() {
    let data = months();
    let folds = folds("time:every=1y,first=2019-01-01,gap=1mo", &data).unwrap();
    assert_eq!(folds.len(), 2);
    assert_eq!(folds[0].label, "2019-01-01");
    assert_eq!(folds[0].train, (0..11).collect::<Vec<_>>());
    assert_eq!(folds[0].test, (12..24).collect::<Vec<_>>());
    assert_eq!(folds[1].train, (0..23).collect::<Vec<_>>());
    assert_eq!(folds[1].test, (24..36).collect::<Vec<_>>());
}

#[test]
fn windows_roll_and_horizons_end() {
    let data = months();
    let all = shown("time:every=6mo,first=2019-01-01,window=6mo,horizon=2mo", &data);
    assert_eq!(all[0], "2019-01-01 [6, 7, 8, 9, 10, 11] [12, 13]");
    assert_eq!(all[1], "2019-07-01 [12, 13, 14, 15, 16, 17] [18, 19]");
    assert_eq!(all.len(), 4);
    // One span after the earliest list.
    assert_eq!(folds("time:every=1y", &data).unwrap()[0].label, "2019-01-15");
}

#[test]
fn dates_may_be_even_or_given() {
    let data = months();
    let even = folds("time:5", &data).unwrap();
    assert!(even.iter().all(|fold| fold.test.len() == 6));
    assert!(even.iter().enumerate().all(|(i, fold)| fold.train.len() == 6 * (i + 1)));
    let numbers = super::tests::data(&[&["1"], &["2"], &["3"], &["4"], &["5"]]);
    assert_eq!(shown("time:at=5/3", &numbers), ["3 [0, 1] [2, 3]", "5 [0, 1, 2, 3] [4]"]);
    assert_eq!(shown("time:at=4,window=1,gap=1", &numbers), ["4 [1] [3, 4]"]);
}

#[test]
fn a_list_across_a_date_is_on_neither_side() {
    let data = data(&[&["1"], &["2", "4"], &["3"], &["5"]]);
    assert_eq!(shown("time:at=3", &data), ["3 [0] [2, 3]"]);
}

#[test]
fn what_cannot_be_had_is_refused() {
    let data = data(&[&["1"], &["2"], &["9"]]);
    let error = |plan: &str| folds(plan, &data).unwrap_err().to_string();
    assert!(error("time:at=3/5").contains("no list is between 3 and 5"));
    assert!(error("time:at=20").contains("no list is between 20 and the end"));
    assert!(error("time:at=1").contains("no list with something to save was over by 1"));
    assert!(error("time:every=1y").contains("a span of dates"));
    assert!(error("time:at=2020-01-01").contains("they hold numbers"));
    assert!(error("time:every=2,first=30").contains("all lists are before 30"));
    assert!(error("time:3").contains("3 as-of dates need lists at 4 different times"));
}
