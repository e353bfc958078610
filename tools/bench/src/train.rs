//! Time to bin and to train, and the memory it takes: one JSON line.

use std::fmt::Write;

use anyhow::{Context, anyhow, bail};
use stakes::learn::{Configured, FitContext, Observer, learner, params};
use stakes::prelude::*;

use crate::process::{Span, Stopwatch, peak_megabytes, restart_peak};
use crate::table::read_known;

/// Notes when stages begin.
struct Clock {
    watch: Stopwatch,
    stages: Vec<Span>,
}

impl Observer for Clock {
    fn stage(&mut self, _what: &str) {
        self.stages.push(self.watch.read());
    }
}

/// What follows the number of threads: a learner, its parameters, and where the model and the
/// scores of other lists go.
struct Asked<'a> {
    learner: &'a str,
    settings: Vec<&'a str>,
    /// Not with `--without-ids`.
    ids: bool,
    /// `--test FILE --out PREFIX`: scores of FILE go to PREFIX.scores, the model to PREFIX.json.
    test: Option<(&'a str, &'a str)>,
}

impl<'a> Asked<'a> {
    fn of(mut rest: &'a [String]) -> anyhow::Result<Self> {
        let mut asked =
            Asked { learner: "lambdamart", settings: Vec::new(), ids: true, test: None };
        if let [name, more @ ..] = rest {
            (asked.learner, rest) = (name, more);
        }
        while let [word, more @ ..] = rest {
            rest = more;
            match (word.as_str(), more) {
                ("--test", [test, out, prefix, more @ ..]) if out == "--out" => {
                    (asked.test, rest) = (Some((test.as_str(), prefix.as_str())), more);
                }
                ("--without-ids", _) => asked.ids = false,
                ("--test" | "--out", _) => bail!("`{word}`: write --test FILE --out PREFIX"),
                (setting, _) => asked.settings.push(setting),
            }
        }
        Ok(asked)
    }
}

/// Trains on a file ([`read_known`]); reading it is not timed.
pub(crate) fn train(path: &str, threads: usize, rest: &[String]) -> anyhow::Result<()> {
    let asked = Asked::of(rest)?;
    let info = learner(asked.learner).map_err(|e| anyhow!(e))?;
    let given = asked.settings.iter().map(|text| params::split(text));
    let learner = Configured::new(info, given.collect::<Result<Vec<_>, _>>()?)?.learner;
    let data = read_known(path, asked.ids)?;
    let problem = Problem::new(&data, &CostModel::Impact)?;
    let before = restart_peak();
    let mut clock = Clock { watch: Stopwatch::start(), stages: Vec::new() };
    let mut cx = FitContext { observer: Some(&mut clock), ..FitContext::default() };
    let model = stakes::learn::train(&*learner, &problem, &mut cx)?.model;
    let whole = clock.watch.read();
    let peak = peak_megabytes();
    // The first stage is binning, whatever comes after it boosting.
    let binning = clock.stages.get(1).copied().unwrap_or(Span { wall: 0.0, cpu: 0.0 });
    if let Some((test, prefix)) = asked.test {
        let model_file = format!("{prefix}.json");
        stakes::io::write_text(&model_file, &model.to_json())?;
        let mut text = String::new();
        for score in model.score(&read_known(test, asked.ids)?)? {
            writeln!(text, "{score}").context("a score as text")?;
        }
        stakes::io::write_text(&format!("{prefix}.scores"), &text)?;
    }
    let watch = Stopwatch::start();
    let scores = model.score(&data)?;
    let scoring = watch.read();
    let figure = |text: &str| -> anyhow::Result<Option<f64>> {
        Ok(evaluate(&Metric::parse(text, Scale::of(&data))?, &problem, &scores)?.figure)
    };
    println!(
        "{}",
        serde_json::json!({
            "peer": "stakes",
            "version": env!("CARGO_PKG_VERSION"),
            "work": format!("train {}", asked.learner),
            "threads": threads,
            "rows": data.len(),
            "features": data.features().width(),
            "trees": model.size().trees,
            "binning": binning.wall,
            "binning_cpu": binning.cpu,
            "boosting": whole.wall - binning.wall,
            "boosting_cpu": whole.cpu - binning.cpu,
            "seconds": whole.wall,
            "cpu": whole.cpu,
            "rss_before_mb": before,
            "peak_rss_mb": peak,
            "scoring": scoring.wall,
            "rcs@10": figure("rcs@10")?,
            "ndcg@10": figure("ndcg@10").ok().flatten(),
        })
    );
    Ok(())
}
