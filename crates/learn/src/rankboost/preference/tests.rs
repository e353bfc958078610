//! What groups take, against all weak rankers one by one, and the elections of Salomon 2020.
#![allow(clippy::unwrap_used)]

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::random::Stream;
use stakes_core::shards::Shards;

use super::*;

/// Salomon 2020, observation 3: the true order T1 L2 D3 T4 T5 T6 D7 L8 T9, and the weak rankers of the three parties.
fn elections() -> Dataset {
    let columns = Columns {
        impact: Some("y".into()),
        group: Some("party".into()),
        ..Columns::of_features(["of L", "of D", "of T"].map(Feature::numeric).to_vec())
    };
    let mut builder = DatasetBuilder::new("elections", columns).unwrap();
    for (place, party) in ["T", "L", "D", "T", "T", "T", "D", "L", "T"].into_iter().enumerate() {
        let is = |other: &str| f32::from(u8::from(party == other && (other != "T" || place < 8)));
        builder
            .push(Row {
                line: place as u64 + 1,
                impact: Some(9.0 - place as f64),
                group: Some(party),
                features: &[is("L"), is("D"), is("T")],
                ..Row::default()
            })
            .unwrap();
    }
    builder.finish().unwrap()
}

fn with_booster(
    data: &Dataset,
    (preference, together, ties): (f64, bool, Ties),
    test: impl Fn(&mut Preference<'_>),
) {
    let problem = Problem::new(data, &CostModel::Impact).unwrap();
    let prepared = Prepared::new(&problem, None, None, None, None, 255, &Shards::alone()).unwrap();
    let feedback = Feedback::new(&prepared.training.unit_lists, true);
    let (prepared, costs) = (&prepared, &PairCosts::uniform());
    let plan = Plan { prepared, feedback: &feedback, costs, ties, preference, together };
    test(&mut Preference::new(plan).unwrap());
}

#[test]
fn every_party_takes_its_own() {
    let data = elections();
    let (_, names) = data.groups().unwrap();
    for (together, ties, weight) in [
        (false, Ties::Stay, 0.381_070),
        (false, Ties::Half, 0.213_722),
        (true, Ties::Stay, 1.098_612),
        (true, Ties::Half, 0.213_722),
    ] {
        with_booster(&data, (1.0, together, ties), |booster| {
            let chosen = booster.choose().unwrap();
            let taken: Vec<(&str, u32)> =
                chosen.iter().map(|(one, by)| (names[by[0]].as_str(), one.weak.feature)).collect();
            assert_eq!(taken, [("T", 2), ("L", 0), ("D", 1)]);
            assert!(chosen.iter().all(|(one, by)| !one.turned && by.len() == 1));
            // With weights of their own, those of Labour and the Liberal Democrats are 0.
            let round = booster.round().unwrap();
            assert_eq!(round.len(), if together { 3 } else { 1 });
            for one in round {
                assert!((one.weight - weight).abs() < 5e-7, "{}", one.weight);
            }
        });
    }
    // Without preference all of them take the steepest.
    with_booster(&data, (0.0, true, Ties::Half), |booster| {
        let chosen = booster.choose().unwrap();
        assert_eq!((chosen.len(), chosen[0].0.weak.feature), (1, 2));
        assert_eq!(chosen[0].1, [0, 1, 2]);
    });
}

/// Lists with three groups and features of several values, some missing.
fn some_data(seed: u64) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        group: Some("g".into()),
        ..Columns::of_features(["a", "b", "c"].map(Feature::numeric).to_vec())
    };
    let mut builder = DatasetBuilder::new("some", columns).unwrap();
    let draws = Stream::new(seed, 3);
    for line in 0..40u64 {
        let draw = |what: u64, below: usize| draws.below(line * 8 + what, below);
        let value = |what| if draw(what + 4, 6) == 0 { f32::NAN } else { draw(what, 5) as f32 };
        let impact = draw(0, 4) as f64;
        builder
            .push(Row {
                line: line + 1,
                list: &format!("l{}", line / 8),
                impact: Some(impact),
                group: Some(["x", "y", "z"][draw(1, 3)]),
                features: &[impact as f32 + value(2), value(3), value(2)],
                ..Row::default()
            })
            .unwrap();
    }
    builder.finish().unwrap()
}

#[test]
fn an_oracle_prefers_the_same() {
    for seed in 0..20 {
        let data = some_data(seed);
        let codes = data.groups().unwrap().0.to_vec();
        for preference in [0.0, 0.3, 0.9] {
            with_booster(&data, (preference, true, Ties::Half), |booster| {
                let prepared = booster.plan.prepared;
                let potentials = booster.distribution.potentials();
                let slope = |weak: WeakRanker| -> f64 {
                    let output = outputs(weak, &prepared.training.matrix, None);
                    output.iter().zip(potentials).map(|(one, p)| f64::from(*one) * p).sum()
                };
                // Every member above or below every other item of its list.
                let benefit = |weak: WeakRanker, group: u32| -> f64 {
                    let output = outputs(weak, &prepared.training.matrix, None);
                    let (rows, lists) = (prepared.training.lists.rows(), &prepared.training.lists);
                    let mut sum = 0.0;
                    for list in 0..lists.len() {
                        for a in lists.items(list).filter(|&a| codes[rows[a] as usize] == group) {
                            for b in lists.items(list).filter(|&b| codes[rows[b] as usize] != group)
                            {
                                sum += f64::from(output[a]) - f64::from(output[b]);
                            }
                        }
                    }
                    sum
                };
                let all = booster.search.all();
                let steepest = all.iter().map(|&weak| slope(weak).abs()).fold(0.0, f64::max);
                let chosen = booster.choose().unwrap();
                for (one, groups) in &chosen {
                    let sign = if one.turned { -1.0 } else { 1.0 };
                    assert!(sign * slope(one.weak) >= (1.0 - preference) * steepest - 1e-9);
                    for &group in groups {
                        let own = sign * benefit(one.weak, group as u32);
                        for (weak, sign) in all.iter().flat_map(|&w| [(w, 1.0), (w, -1.0)]) {
                            let steep = sign * slope(weak) >= (1.0 - preference) * steepest;
                            assert!(!steep || sign * benefit(weak, group as u32) <= own + 1e-9);
                        }
                    }
                }
            });
        }
    }
}
