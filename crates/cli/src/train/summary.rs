//! What was learnt and how good it is, for people and (docs/train-json.md) for programs.

use std::fmt::Write;

use serde_json::json;
use stakes::data::Dataset;
use stakes::learn::multiclass::Classes;
use stakes::learn::tune::Tuned;
use stakes::learn::{Ended, Model};
use stakes::model::{Factor, Rerank, StageSummary};

use super::classes;
use super::judge::Verdict;
use super::sides::Sides;
use super::{Train, tune};
use crate::evaluate::{shown, table};
use crate::exact;
use crate::model::{ended, importance, members, shares_of};
use crate::output::{counted, print, width};

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
    /// Of them, those of the search for the best weights.
    pub(crate) searched: Option<f64>,
    pub(crate) interrupted: bool,
    /// The classes, where those are learnt, and how well they are told apart, if that is known.
    pub(crate) classes: Option<(&'a Classes, Option<&'a classes::Verdict>)>,
}

impl Summary<'_> {
    /// Prints it.
    pub(crate) fn show(&self, verdict: Option<&Verdict>, json: bool) -> anyhow::Result<()> {
        match json {
            true => print(&self.json(verdict)?),
            false => print(&self.text(verdict, width())),
        }
    }

    fn text(&self, verdict: Option<&Verdict>, width: usize) -> String {
        let mut text = self.head();
        let told = self.classes.and_then(|(_, told)| told);
        match (verdict, told) {
            (_, Some(told)) => text += &(told.text() + self.flatters()),
            (Some(verdict), _) => text += &self.figures(verdict),
            (None, None) if self.classes.is_some() => text.push_str(
                "\nno rows were held out, so there is no honest figure: hold some out \
                 (--hold-out 20%),\nor give others (--valid FILE)\n",
            ),
            (None, None) => text.push_str(
                "\nno lists were held out, so there is no honest figure: hold some out \
                 (--hold-out 20%),\ngive others (--valid FILE), or measure on new ones \
                 (stakes rank, then stakes evaluate --score-file)\n",
            ),
        }
        let features = importance(self.model, MOST, width);
        if !features.is_empty() {
            let share = shares_of(self.model).0;
            let of_base = if self.model.rerank.is_some() { " (base)" } else { "" };
            let _ = writeln!(text, "\nmost important features, by share of {share}{of_base}:");
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
            text += &tune::text(tuned, &self.model.goal.spec().to_string());
        }
        if !self.model.members.is_empty() {
            let _ = writeln!(text, "{} of:", self.model.learner);
            members(self.model).iter().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
        for stage in self.model.stages.iter().filter(|_| self.model.members.is_empty()) {
            let learner = match &self.model.rerank {
                Some(_) if stage.name == "re-rank" => continue,
                Some(rerank) => &rerank.base,
                None => &self.model.learner,
            };
            let what = match stage.name.as_str() {
                "score" => learner.clone(),
                name => format!("{learner}, {name}"),
            };
            let _ = writeln!(text, "{what}: {}", stage_words(stage, self.model));
        }
        if let Some(rerank) = &self.model.rerank {
            text += &rerank_words(rerank, self.searched, exact::has_penalty(self.model));
        }
        if self.model.scorer.factors.iter().all(Factor::is_constant) {
            text.push_str(
                "nothing was learnt: every item gets the same score. The features may say nothing \
                 of the cost,\nor there are too few items for a tree (-p min-rows=1 allows the \
                 smallest leaves)\n",
            );
        }
        let _ = writeln!(text, "{:.1} s; written to {}", self.seconds, self.args.output);
        let size = |data: &Dataset| match self.classes {
            Some((classes, _)) => classes::size(classes, data),
            None => size(data),
        };
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
                let what = if self.classes.is_some() { "row" } else { "list" };
                let held_out = if self.sides.valid.is_some() { "held-out " } else { "" };
                let lists = counted(calibration.lists as usize, &format!("{held_out}{what}"));
                let tells = match self.classes {
                    Some(_) => "the chance of each class",
                    None => "expected costs",
                };
                let _ = writeln!(text, "calibrated on {lists}: rank tells {tells}");
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
        text + self.flatters()
    }

    /// A word on figures of lists that told when to stop.
    fn flatters(&self) -> &'static str {
        let told = self.model.stages.iter().any(|stage| stage.ended == Ended::NoImprovement);
        match told || self.model.stages.iter().any(|stage| stage.kept < stage.curve.len()) {
            false => "",
            true if self.classes.is_some() => {
                "these rows also told when to stop, which flatters a little; stakes rank tells how \
                 many\nare right of rows that nothing has seen\n"
            }
            true => {
                "these lists also told when to stop, which flatters a little; for a last word \
                 use lists\nthat nothing has seen (stakes split, stakes rank, stakes evaluate)\n"
            }
        }
    }

    fn json(&self, verdict: Option<&Verdict>) -> anyhow::Result<String> {
        let size = |data: &Dataset| json!({ "source": data.source(), "items": data.len(), "lists": data.n_lists() });
        let mut document = crate::model::json::document(&self.args.output, self.model);
        document["train"] = size(&self.sides.train);
        document["valid"] = self.sides.valid.as_ref().map(size).into();
        document["seconds"] = self.seconds.into();
        document["interrupted"] = self.interrupted.into();
        if let Some(searched) = self.searched.filter(|_| self.model.rerank.is_some()) {
            document["rerank"]["seconds"] = searched.into();
        }
        document["tuning"] = self.tuned.map(tune::json).into();
        if let Some((_, told)) = self.classes {
            document["classes"] = told.map(classes::Verdict::json).into();
        }
        let study = verdict.map(|verdict| &verdict.study);
        document["results"] = json!(study.map_or(&[][..], |study| &study.results));
        document["comparisons"] = json!(study.map_or(&[][..], |study| &study.comparisons));
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }
}

/// What re-ranking came to.
fn rerank_words(rerank: &Rerank, seconds: Option<f64>, has_penalty: bool) -> String {
    let proof = &rerank.proof;
    let mut text = format!("re-ranked {}: {}\n", exact::above(rerank.scope), exact::size(proof));
    for line in exact::proof(proof, seconds) {
        let _ = writeln!(text, "  {line}");
    }
    if has_penalty {
        text.push_str("  found and bound are less what the weights cost (penalty)\n");
    } else if proof.value < proof.before {
        text.push_str(
            "  the base orders the training lists better than the best linear score found: \
             re-rank fewer\n  items (--top), search longer (--time-limit), or keep the base alone\n",
        );
    }
    text
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
