//! What was learnt and how good it is, for people and (docs/train-json.md) for programs.

use std::fmt::Write;

use stakes::classes::ClassVerdict;
use stakes::data::Dataset;
use stakes::fit::{Division, Fitted, Origin};
use stakes::judge::Verdict;
use stakes::learn::Ended;
use stakes::learn::multiclass::Classes;
use stakes::model::{Factor, Model, Rerank, StageSummary};
use stakes::report::{self, Judged};

use super::{classes, tune};
use crate::terminal::model::{ended, importance, members, shares_of};
use crate::terminal::output::{counted, print, width};
use crate::terminal::proof;

/// The maximum number of features that are named.
const MAX_FEATURES: usize = 5;

/// What was trained for, and how good it is, if that is known.
#[derive(Clone, Copy)]
pub(super) enum Subject<'a> {
    Lists(Option<&'a Verdict>),
    Classes(&'a Classes, Option<&'a ClassVerdict>),
}

impl Subject<'_> {
    fn is_classes(self) -> bool {
        matches!(self, Subject::Classes(..))
    }
}

/// A finished run.
pub(super) struct Summary<'a> {
    pub(super) output: &'a str,
    pub(super) model: &'a Model,
    pub(super) fitted: &'a Fitted,
    pub(super) division: &'a Division,
    pub(super) subject: Subject<'a>,
}

impl Summary<'_> {
    /// Prints it.
    pub(super) fn show(&self, json: bool) -> anyhow::Result<()> {
        if !json {
            return print(&self.text(width()));
        }
        let judged = match self.subject {
            Subject::Lists(verdict) => Judged::Lists(verdict),
            Subject::Classes(_, verdict) => Judged::Classes(verdict),
        };
        let document =
            report::training(self.output, self.model, self.division, self.fitted, &judged);
        print(&(serde_json::to_string_pretty(&document)? + "\n"))
    }

    fn text(&self, width: usize) -> String {
        let mut text = self.head();
        match self.subject {
            Subject::Lists(Some(verdict)) => text += &self.figures(verdict),
            Subject::Classes(_, Some(verdict)) => {
                text += &(classes::text(verdict) + self.flatters());
            }
            Subject::Classes(_, None) => text.push_str(
                "\nno rows were held out, so there is no honest figure: hold some out \
                 (--hold-out 20%),\nor give others (--valid FILE)\n",
            ),
            Subject::Lists(None) => text.push_str(
                "\nno lists were held out, so there is no honest figure: hold some out \
                 (--hold-out 20%),\ngive others (--valid FILE), or measure on new ones \
                 (stakes rank, then stakes evaluate --score-file)\n",
            ),
        }
        let features = importance(self.model, MAX_FEATURES, width);
        if !features.is_empty() {
            let share = shares_of(self.model).0;
            let of_base = if self.model.rerank.is_some() { " (base)" } else { "" };
            let _ = writeln!(text, "\nmost important features, by share of {share}{of_base}:");
            features.iter().for_each(|line| {
                let _ = writeln!(text, "  {line}");
            });
        }
        let _ = writeln!(text, "\nnext: stakes rank {} NEW.csv", self.output);
        text
    }

    fn head(&self) -> String {
        let mut text = String::new();
        if let Some(tuned) = &self.fitted.tuned {
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
            text +=
                &rerank_words(rerank, self.fitted.search_seconds, proof::has_penalty(self.model));
        }
        if self.model.scorer.factors.iter().all(Factor::is_constant) {
            text.push_str(
                "nothing was learnt: every item gets the same score. The features may say nothing \
                 of the cost,\nor there are too few items for a tree (-p min-rows=1 allows the \
                 smallest leaves)\n",
            );
        }
        let _ = writeln!(text, "{:.1} s; written to {}", self.fitted.seconds, self.output);
        let size = |data: &Dataset| match self.subject {
            Subject::Classes(classes, _) => classes::size(classes, data),
            Subject::Lists(_) => size(data),
        };
        let _ = writeln!(text, "learnt from {}", size(&self.division.training));
        if let Some(valid) = &self.division.validation {
            let origin = match self.division.origin {
                Origin::None | Origin::Given => String::new(),
                origin => format!(" ({origin})"),
            };
            let _ = writeln!(text, "judged by {}{origin}", size(valid));
        }
        match (&self.model.calibration, &self.division.validation) {
            (Some(calibration), validation) => {
                let what = if self.subject.is_classes() { "row" } else { "list" };
                let held_out = if validation.is_some() { "held-out " } else { "" };
                let lists = counted(calibration.lists as usize, &format!("{held_out}{what}"));
                let tells = match self.subject {
                    Subject::Classes(..) => "the chance of each class",
                    Subject::Lists(_) => "expected costs",
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
        let mut text = format!("\n{verdict}");
        if self.division.validation.is_none() {
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
            true if self.subject.is_classes() => {
                "these rows also told when to stop, which flatters a little; stakes rank tells how \
                 many\nare right of rows that nothing has seen\n"
            }
            true => {
                "these lists also told when to stop, which flatters a little; for a last word \
                 use lists\nthat nothing has seen (stakes split, stakes rank, stakes evaluate)\n"
            }
        }
    }
}

/// What re-ranking came to.
fn rerank_words(rerank: &Rerank, seconds: Option<f64>, has_penalty: bool) -> String {
    let proof = &rerank.proof;
    let mut text = format!("re-ranked {}: {}\n", proof::above(rerank.scope), proof::size(proof));
    for line in proof::proof(proof, seconds) {
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
