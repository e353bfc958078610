//! Time to bin, to train and to score: one JSON line.

use std::time::Instant;

use anyhow::anyhow;
use stakes::learn::model::Goal;
use stakes::learn::params::Settings;
use stakes::learn::{FitContext, Watch, learner};
use stakes::prelude::*;

/// Notes when stages begin.
struct Clock {
    begun: Instant,
    stages: Vec<(String, f64)>,
}

impl Watch for Clock {
    fn stage(&mut self, what: &str) {
        self.stages.push((what.to_owned(), self.begun.elapsed().as_secs_f64()));
    }
}

/// Trains on a file whose columns are found by LETOR's names, `query` and `grade`, or those of
/// the storms.
pub(crate) fn train(path: &str, threads: usize, rest: &[String]) -> anyhow::Result<()> {
    let name = rest.first().map_or("lambdamart", String::as_str);
    let info = learner(name).map_err(|e| anyhow!(e))?;
    let given = rest.iter().skip(1).map(|text| Settings::split(text));
    let settings = Settings::new(info, given.collect::<Result<Vec<_>, _>>()?)?;
    let names = stakes::io::columns(path, None)?;
    let pick = |known: &[&str]| names.iter().find(|n| known.contains(&n.as_str())).cloned();
    let roles = Roles {
        list: pick(&["query", "storm"]),
        impact: pick(&["grade", "customers_out"]),
        id: pick(&["document", "network"]),
        time: pick(&["date"]),
        ..Roles::default()
    };
    let data = read(path, &ReadOptions { roles, ..ReadOptions::default() })?;
    let problem = Problem::new(&data, &CostModel::Impact)?;
    let goal = Goal {
        cost: "y".into(),
        k: Some(Capacity::Items(10)),
        metric: "rcs@10".into(),
        ..Goal::default()
    };
    let mut clock = Clock { begun: Instant::now(), stages: Vec::new() };
    let model =
        stakes::learn::train(info, &settings, &problem, &mut FitContext::new(goal, &mut clock))?;
    let whole = clock.begun.elapsed().as_secs_f64();
    let boosting = clock.stages.get(1).map_or(0.0, |s| s.1);
    let begun = Instant::now();
    let scores = model.score(&data)?;
    let scoring = begun.elapsed().as_secs_f64();
    let figure = |text: &str| -> anyhow::Result<Option<f64>> {
        Ok(evaluate(&Metric::parse(text, Scale::of(&data))?, &problem, &scores)?.figure)
    };
    println!(
        "{}",
        serde_json::json!({
            "peer": "stakes",
            "work": format!("train {name}"),
            "threads": threads,
            "rows": data.len(),
            "features": data.features().width(),
            "trees": model.size().trees,
            "binning": boosting,
            "boosting": whole - boosting,
            "seconds": whole,
            "scoring": scoring,
            "rcs@10": figure("rcs@10")?,
            "ndcg@10": figure("ndcg@10").ok().flatten(),
        })
    );
    Ok(())
}
