//! What was learnt and how good it is, for people and (docs/train-json.md) for programs.

use std::fmt::Write;

use serde_json::json;
use stakes::data::Dataset;
use stakes::learn::model::{Factor, StageSummary};
use stakes::learn::tune::Tuned;
use stakes::learn::{Ended, Model};

use super::judge::Verdict;
use super::sides::Sides;
use super::{Train, tune};
use crate::evaluate::{shown, table};
use crate::model::{ended, importance, members, shares_of};
use crate::output::counted;

/// Features that are named.
const MOST: usize = 5;

/// A finished run.
pub(crate) struct Summary<'a> {
    pub(crate) args: &'a Train,
    pub(crate) model: &'a Model,
    /// How its settings were found, if they were tuned.
    pub(crate) tuned: Option<&'a Tuned>,
    pub(crate) sides: &'a Sides,
    pub(crate) seconds: f64,
    pub(crate) interrupted: bool,
}

impl Summary<'_> {
    pub(crate) fn text(&self, verdict: Option<&Verdict>, width: usize) -> String {
        let mut text = self.head();
        match verdict {
            Some(verdict) => text += &self.figures(verdict),
            None => text.push_str(
                "\nno lists were held out, so there is no honest figure: hold some out \
                 (--hold-out 20%),\ngive others (--valid FILE), or measure on new ones \
                 (stakes rank, then stakes evaluate --score-file)\n",
            ),
        }
        let features = importance(self.model, MOST, width);
        if !features.is_empty() {
            let share = shares_of(self.model).0;
            let _ = writeln!(text, "\nmost important features, by share of {share}:");
            features.iter().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
        let _ = writeln!(text, "\nnext: stakes rank {} NEW.csv", self.args.output);
        text
    }

    fn head(&self) -> String {
        let mut text = String::new();
        if let Some(tuned) = self.tuned {
            text += &tune::text(tuned, &self.model.goal.metric);
        }
        if !self.model.members.is_empty() {
            let _ = writeln!(text, "{} of:", self.model.learner);
            members(self.model).iter().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
        for stage in self.model.stages.iter().filter(|_| self.model.members.is_empty()) {
            let what = match stage.name.as_str() {
                "score" => self.model.learner.clone(),
                name => format!("{}, {name}", self.model.learner),
            };
            let _ = writeln!(text, "{what}: {}", stage_words(stage, self.model));
        }
        if self.model.scorer.factors.iter().all(Factor::is_constant) {
            text.push_str(
                "nothing was learnt: every item gets the same score. The features may say nothing \
                 of the cost,\nor there are too few items for a tree (-p min-rows=1 allows the \
                 smallest leaves)\n",
            );
        }
        let _ = writeln!(text, "{:.1} s; written to {}", self.seconds, self.args.output);
        let _ = writeln!(text, "learnt from {}", size(&self.sides.train));
        if let Some(valid) = &self.sides.valid {
            let origin = match self.sides.origin.as_str() {
                "" => String::new(),
                words => format!(" ({words})"),
            };
            let _ = writeln!(text, "judged by {}{origin}", size(valid));
        }
        match (&self.model.calibration, &self.sides.valid) {
            (Some(calibration), _) => {
                let kind = if self.sides.valid.is_some() { "held-out list" } else { "list" };
                let lists = counted(calibration.lists as usize, kind);
                let _ = writeln!(text, "calibrated on {lists}: rank tells expected costs");
            }
            (None, Some(_)) => text.push_str(
                "not calibrated: expected costs need 10 held-out items with a cost out of 3 lists\n",
            ),
            (None, None) => {}
        }
        text
    }

    fn figures(&self, verdict: &Verdict) -> String {
        let metrics = std::slice::from_ref(&verdict.metric);
        let mut text = format!("\n{}", table::figures(&verdict.study));
        text += &table::remarks(&verdict.study, metrics, &verdict.options);
        if let Some(c) = verdict.comparison() {
            let interval = match c.low.zip(c.high) {
                Some((low, high)) => format!(" [{}, {}]", table::short(low), table::short(high)),
                None => String::new(),
            };
            let (model, other) = (&c.score, shown(&c.baseline));
            let difference = table::short(c.difference);
            let p = if c.p < 0.001 { "p < 0.001".into() } else { format!("p = {:.3}", c.p) };
            let test = c.test;
            let _ = writeln!(text, "{model} against {other}: {difference}{interval}, {p} ({test})");
        }
        if self.sides.valid.is_none() {
            text.push_str(
                "each list was scored by models that did not learn from it (folds); weights and \
                 rounds were\nchosen on them, which flatters a little\n",
            );
            return text;
        }
        let told = self.model.stages.iter().any(|stage| stage.ended == Ended::NoImprovement);
        if told || self.model.stages.iter().any(|stage| stage.kept < stage.curve.len()) {
            text.push_str(
                "these lists also told when to stop, which flatters a little; for a last word \
                 use lists\nthat nothing has seen (stakes split, stakes rank, stakes evaluate)\n",
            );
        }
        text
    }

    pub(crate) fn json(&self, verdict: Option<&Verdict>) -> anyhow::Result<String> {
        let size = |data: &Dataset| json!({ "source": data.source(), "items": data.len(), "lists": data.n_lists() });
        let mut document = crate::model::json::document(&self.args.output, self.model);
        document["train"] = size(&self.sides.train);
        document["valid"] = self.sides.valid.as_ref().map(size).into();
        document["seconds"] = self.seconds.into();
        document["interrupted"] = self.interrupted.into();
        document["tuning"] = self.tuned.map(tune::json).into();
        let study = verdict.map(|verdict| &verdict.study);
        document["results"] = json!(study.map_or(&[][..], |study| &study.results));
        document["comparisons"] = json!(study.map_or(&[][..], |study| &study.comparisons));
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

fn size(data: &Dataset) -> String {
    let (items, lists) = (counted(data.len(), "item"), counted(data.n_lists(), "list"));
    format!("{items} in {lists} of {}", data.source())
}

fn stage_words(stage: &StageSummary, model: &Model) -> String {
    let what = if model.nets().next().is_some() { "round" } else { "tree" };
    let (made, kept) = (counted(stage.curve.len(), what), stage.kept);
    format!("{kept} of {made} kept; {}", ended(stage.ended, model))
}
