//! The fingerprint depends on every value and on no order.

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
use stakes_model::Fingerprint;

/// list, id, impact, wind, pole (by name).
type Item = (&'static str, &'static str, f64, f32, &'static str);

const ITEMS: [Item; 5] = [
    ("a", "1", 10.0, 14.0, "wood"),
    ("a", "2", 0.0, f32::NAN, "steel"),
    ("b", "1", 3.0, 0.0, "steel"),
    ("b", "2", 3.0, 0.5, ""),
    ("a", "3", 7.0, -2.0, "wood"),
];

/// `poles` gives the codes; `turned` swaps the columns.
fn of(items: &[Item], poles: [&str; 2], turned: bool, wind: &str) -> Fingerprint {
    let names = poles.iter().map(|&p| p.to_owned()).collect();
    let mut features = vec![Feature::numeric(wind), Feature::categorical("pole", names)];
    if turned {
        features.reverse();
    }
    let columns = Columns {
        list: Some("storm".into()),
        id: Some("id".into()),
        impact: Some("y".into()),
        ..Columns::of_features(features)
    };
    let mut builder = DatasetBuilder::new("d", columns).unwrap();
    for (i, &(list, id, y, wind, pole)) in items.iter().enumerate() {
        let code = poles.iter().position(|&p| p == pole).map_or(f32::NAN, |c| c as f32);
        let features = if turned { [code, wind] } else { [wind, code] };
        let row = Row {
            line: i as u64,
            list,
            id: Some(id),
            impact: Some(y),
            features: &features,
            ..Row::default()
        };
        builder.push(row).unwrap();
    }
    let data = builder.finish().unwrap();
    Fingerprint::of(&Problem::new(&data, &CostModel::Impact).unwrap()).unwrap()
}

#[test]
fn orders_codes_and_kinds_of_nan_do_not_matter() {
    let poles = ["wood", "steel"];
    let first = of(&ITEMS, poles, false, "wind");
    assert_eq!((first.items, first.lists), (5, 2));
    let mut items = ITEMS;
    items.reverse();
    assert_eq!(of(&items, ["steel", "wood"], true, "wind"), first);
    let mut items = ITEMS;
    items[1].3 = -f32::NAN;
    items[2].3 = -0.0;
    assert_eq!(of(&items, poles, false, "wind"), first);
}

#[test]
fn every_value_matters() {
    let poles = ["wood", "steel"];
    let mut seen = vec![of(&ITEMS, poles, false, "wind")];
    seen.push(of(&ITEMS, poles, false, "gust"));
    let changes: [fn(&mut [Item]); 9] = [
        |i| i[0].0 = "b2",
        |i| i[0].1 = "9",
        |i| i[0].2 = 10.000_001,
        |i| i[0].3 = 14.000_001,
        |i| i[0].4 = "steel",
        |i| i[0].4 = "",
        |i| i[1].3 = 0.0,
        |i| i[3] = i[2],
        |i| i.swap(0, 0),
    ];
    for (n, change) in changes.iter().enumerate() {
        let mut items = ITEMS;
        change(&mut items);
        if n == 7 {
            items[3].1 = "2";
        }
        let print = of(&items, poles, false, "wind");
        let same = seen.iter().filter(|&s| *s == print).count();
        assert_eq!(same, usize::from(n == 8), "change {n}");
        seen.push(print);
    }
}

#[test]
fn it_does_not_change_from_version_to_version() {
    // It is in model files: after a change here, all of them would report other data.
    assert_eq!(of(&ITEMS, ["wood", "steel"], false, "wind").hash, 16_946_117_393_545_413_319);
}
