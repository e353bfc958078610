//! The summary of a training, as text and (docs/train-json.md) as JSON.

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
use crate::terminal::output::{counted, print, print_json, width};
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
        print_json(&document)
    }

    fn text(&self, width: usize) -> String {
        let mut text = self.head();
        match self.subject {
            Subject::Lists(Some(verdict)) => text += &self.figures(verdict),
            Subject::Classes(_, Some(verdict)) => {
                text += &(classes::text(verdict) + self.optimism());
            }
            Subject::Classes(_, None) => text.push_str(
                "\nno rows were held out, so there is no unbiased figure: hold some out \
                 (--hold-out 20%),\nor give others (--valid FILE)\n",
            ),
            Subject::Lists(None) => text.push_str(
                "\nno lists were held out, so there is no unbiased figure: hold some out \
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
            let metric = self.model.goal.spec().to_string();
            let metric = metric.split(':').next().unwrap_or_default();
            let figure = match self.model.members.iter().any(|member| member.figure.is_some()) {
                true => format!(", cross-validated {metric}"),
                false => String::new(),
            };
            let _ = writeln!(text, "blend (weight, learner{figure}):");
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
            text += &rerank_words(rerank, self.model, self.fitted.search_seconds);
        }
        if self.model.scorer.factors.iter().all(Factor::is_constant) {
            text.push_str(
                "nothing was learned: every item gets the same score. The features may not be \
                 related to the cost,\nor there are too few items for a tree (-p min-rows=1 allows \
                 the smallest leaves)\n",
            );
        }
        let _ = writeln!(text, "{:.1} s; written to {}", self.fitted.seconds, self.output);
        let size = |data: &Dataset| match self.subject {
            Subject::Classes(classes, _) => classes::size(classes, data),
            Subject::Lists(_) => size(data),
        };
        let _ = writeln!(text, "trained on {}", size(&self.division.training));
        if let Some(valid) = &self.division.validation {
            let origin = match self.division.origin {
                Origin::None | Origin::Given => String::new(),
                origin => format!(" ({origin})"),
            };
            let _ = writeln!(text, "validated on {}{origin}", size(valid));
        }
        match (&self.model.calibration, &self.division.validation) {
            (Some(calibration), validation) => {
                let what = if self.subject.is_classes() { "row" } else { "list" };
                let held_out = if validation.is_some() { "held-out " } else { "" };
                let lists = counted(calibration.lists as usize, &format!("{held_out}{what}"));
                let reports = match self.subject {
                    Subject::Classes(..) => "the probability of each class",
                    Subject::Lists(_) => "expected costs",
                };
                let _ = writeln!(text, "calibrated on {lists}; stakes rank reports {reports}");
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
                "cross-validated: each list was scored by models that were not trained on it. The \
                 same lists chose\nthe weights and the numbers of trees, so this is slightly \
                 optimistic\n",
            );
            return text;
        }
        text + self.optimism()
    }

    /// A remark on figures of lists that were used for early stopping.
    fn optimism(&self) -> &'static str {
        let stopped = self.model.stages.iter().any(|stage| stage.ended == Ended::NoImprovement);
        match stopped || self.model.stages.iter().any(|stage| stage.kept < stage.curve.len()) {
            false => "",
            true if self.subject.is_classes() => {
                "these rows also decided when to stop, so this is slightly optimistic; stakes rank \
                 reports the\nshare that is right on an untouched test set\n"
            }
            true => {
                "these lists also decided when to stop, so this is slightly optimistic; for a \
                 final figure use\nan untouched test set (stakes split, stakes rank, stakes \
                 evaluate)\n"
            }
        }
    }
}

/// The result of re-ranking.
fn rerank_words(rerank: &Rerank, model: &Model, seconds: Option<f64>) -> String {
    let proof = &rerank.proof;
    let mut text = format!("re-ranked {}: {}\n", proof::above(rerank.scope), proof::size(proof));
    for line in proof::proof(proof, model, seconds) {
        let _ = writeln!(text, "  {line}");
    }
    if proof.objective_value() < proof.before {
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
