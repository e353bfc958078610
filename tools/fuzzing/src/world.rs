//! Small data and short trainings, for the targets that train.

use std::sync::OnceLock;

use stakes_core::cost::Problem;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::goal::Goal;
use stakes_learn::{FitContext, FitError, Learner, train};

use crate::model;

/// Four lists: an ordinary one, one without impact, one with a single item, one with equal impacts; with
/// prices (one of them 0) and weights.
pub(crate) fn small() -> &'static Dataset {
    static DATA: OnceLock<Dataset> = OnceLock::new();
    DATA.get_or_init(|| {
        let columns = Columns {
            list: Some("storm".into()),
            impact: Some("customers".into()),
            weight: Some("weight".into()),
            price: Some("price".into()),
            ..Columns::of_features(vec![Feature::numeric("hours"), Feature::numeric("crew.size")])
        };
        let rows = [
            ("a", [3.0, 0.0, 1.0, 2.0].as_slice()),
            ("b", &[0.0, 0.0]),
            ("c", &[4.0]),
            ("d", &[1.0, 1.0, 1.0]),
        ];
        let mut builder = DatasetBuilder::new("small", columns).expect("names differ");
        for (list, impacts) in rows {
            for (i, &impact) in impacts.iter().enumerate() {
                let row = Row {
                    list,
                    impact: Some(impact),
                    weight: Some(1.0 + i as f64),
                    price: Some((i % 3) as f64),
                    features: &[i as f32, f32::NAN],
                    ..Row::default()
                };
                builder.push(row).expect("rows are sane");
            }
        }
        builder.finish().expect("there are rows")
    })
}

/// Storms to train with, or others to validate with: four lists of four networks, of which the wind
/// and the kind of pole determine the customers without power.
fn storms(first: u32) -> Dataset {
    let poles = ["wood", "steel", "concrete"].map(String::from).to_vec();
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        id: Some("network".into()),
        ..Columns::of_features(vec![Feature::numeric("wind"), Feature::categorical("pole", poles)])
    };
    let mut builder = DatasetBuilder::new("storms", columns).expect("names differ");
    for row in 0..16 {
        let (storm, network) = (first + row / 4, row % 4);
        let (wind, pole) = ((first + row * 7) % 16, (first + row) % 3);
        let wind_known = if row == 5 { f32::NAN } else { wind as f32 };
        let row = Row {
            line: u64::from(row) + 2,
            list: &format!("s{storm}"),
            id: Some(&format!("n{network}")),
            impact: Some(f64::from(if wind < 5 { 0 } else { wind * (pole + 1) })),
            features: &[wind_known, pole as f32],
            ..Row::default()
        };
        builder.push(row).expect("rows are sane");
    }
    builder.finish().expect("there are rows")
}

/// Calls `with` with what to train on and what to validate with.
pub(crate) fn with_storms<R>(with: impl FnOnce(&Problem<'_>, &Problem<'_>) -> R) -> R {
    static DATA: OnceLock<[Dataset; 2]> = OnceLock::new();
    let [training, validation] = DATA.get_or_init(|| [storms(0), storms(4)]);
    let problem = |data| Problem::new(data, Goal::act_on(2)).expect("impacts are costs");
    with(&problem(training), &problem(validation))
}

/// Makes a training as short as it can be without losing any of its stages.
pub(crate) fn shorten(learner: &mut dyn Learner) {
    const SHORT: [(&str, &str); 11] = [
        ("effort", "low"),
        ("base", "ridge"),
        ("rounds", "3"),
        ("order-rounds", "2"),
        ("min-rows", "1"),
        ("leaves", "3"),
        ("hidden", "2"),
        ("nets", "2"),
        ("restarts", "1"),
        ("nodes", "10"),
        ("top", "3"),
    ];
    let keys: Vec<String> = learner.params().into_iter().map(|param| param.key).collect();
    for (key, value) in SHORT.into_iter().filter(|(key, _)| keys.iter().any(|known| known == key)) {
        learner.set(key, value).expect("short settings are allowed");
    }
}

/// Trains, and checks the model if there is one.
pub(crate) fn check_training(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    mut cx: FitContext<'_>,
) -> Result<(), FitError> {
    model::check(&train(learner, problem, &mut cx)?.model);
    Ok(())
}
