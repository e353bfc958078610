//! The summary of a training, as text and (docs/train-json.md) as JSON.

use stakes::classes::ClassVerdict;
use stakes::data::Dataset;
use stakes::fit::{Division, Fitted, Origin};
use stakes::judge::Verdict;
use stakes::learn::Ended;
use stakes::learn::multiclass::Classes;
use stakes::model::{Factor, Model, Rerank, StageSummary};
use stakes::report::{self, Judged};
use stakes::text::Page;

use super::{classes, tune};
use crate::terminal::model::{ended, importance, members, shares_of};
use crate::terminal::output::{self, counted, print_json, print_page};
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
            let mut page = output::page();
            self.write(&mut page);
            return print_page(page);
        }
        let judged = match self.subject {
            Subject::Lists(verdict) => Judged::Lists(verdict),
            Subject::Classes(_, verdict) => Judged::Classes(verdict),
        };
        let document =
            report::training(self.output, self.model, self.division, self.fitted, &judged);
        print_json(&document)
    }

    fn write(&self, page: &mut Page) {
        self.head(page);
        page.gap();
        match self.subject {
            Subject::Lists(Some(verdict)) => self.figures(page, verdict),
            Subject::Classes(_, Some(verdict)) => {
                classes::write(page, verdict);
                self.optimism(page);
            }
            Subject::Classes(_, None) => page.text(
                "no rows were held out, so there is no unbiased figure: hold some out (--hold-out \
                 20%), or give others (--valid FILE)",
            ),
            Subject::Lists(None) => page.text(
                "no lists were held out, so there is no unbiased figure: hold some out (--hold-out \
                 20%), give others (--valid FILE), or measure on new ones (stakes rank, then \
                 stakes evaluate --score-file)",
            ),
        }
        const INDENT: usize = 2;
        let features = importance(self.model, MAX_FEATURES, page.width() - INDENT);
        if !features.is_empty() {
            let share = shares_of(self.model).0;
            let of_base = if self.model.rerank.is_some() { " (base)" } else { "" };
            page.gap();
            page.text(&format!("most important features, by share of {share}{of_base}:"));
            features.iter().for_each(|line| page.unbroken(&format!("{:INDENT$}{line}", "")));
        }
        page.gap();
        page.text(&format!("next: stakes rank {} NEW.csv", self.output));
    }

    fn head(&self, page: &mut Page) {
        if let Some(tuned) = &self.fitted.tuned {
            tune::write(page, tuned, &self.model.goal.spec().to_string());
        }
        if !self.model.members.is_empty() {
            let metric = self.model.goal.spec().to_string();
            let metric = metric.split(':').next().unwrap_or_default();
            let figure = match self.model.members.iter().any(|member| member.figure.is_some()) {
                true => format!(", cross-validated {metric}"),
                false => String::new(),
            };
            page.text(&format!("blend (weight, learner{figure}):"));
            members(self.model).iter().for_each(|line| page.unbroken(&format!("  {line}")));
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
            page.text(&format!("{what}: {}", stage_words(stage, self.model)));
        }
        if let Some(rerank) = &self.model.rerank {
            reranking(page, rerank, self.model, self.fitted.search_seconds);
        }
        if self.model.scorer.factors.iter().all(Factor::is_constant) {
            page.text(
                "nothing was learned: every item gets the same score. The features may not be \
                 related to the cost, or there are too few items for a tree (-p min-rows=1 allows \
                 the smallest leaves)",
            );
        }
        page.text(&format!("{:.1} s; written to {}", self.fitted.seconds, self.output));
        let size = |data: &Dataset| match self.subject {
            Subject::Classes(classes, _) => classes::size(classes, data),
            Subject::Lists(_) => size(data),
        };
        page.text(&format!("trained on {}", size(&self.division.training)));
        if let Some(valid) = &self.division.validation {
            let origin = match self.division.origin {
                Origin::None | Origin::Given => String::new(),
                origin => format!(" ({origin})"),
            };
            page.text(&format!("validated on {}{origin}", size(valid)));
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
                page.text(&format!("calibrated on {lists}; stakes rank reports {reports}"));
            }
            (None, Some(_)) => page.text(
                "not calibrated: expected costs need 10 held-out items with a cost out of 3 lists",
            ),
            (None, None) => {}
        }
    }

    fn figures(&self, page: &mut Page, verdict: &Verdict) {
        verdict.write(page);
        match self.division.validation {
            Some(_) => self.optimism(page),
            None => page.text(
                "cross-validated: each list was scored by models that were not trained on it. The \
                 same lists chose the weights and the numbers of trees, so this is slightly \
                 optimistic",
            ),
        }
    }

    /// A remark on figures of lists that were used for early stopping.
    fn optimism(&self, page: &mut Page) {
        let stopped = self.model.stages.iter().any(|stage| stage.ended == Ended::NoImprovement);
        match stopped || self.model.stages.iter().any(|stage| stage.kept < stage.curve.len()) {
            false => {}
            true if self.subject.is_classes() => page.text(
                "these rows also decided when to stop, so this is slightly optimistic; stakes rank \
                 reports the share that is right on an untouched test set",
            ),
            true => page.text(
                "these lists also decided when to stop, so this is slightly optimistic; for a \
                 final figure use an untouched test set (stakes split, stakes rank, stakes \
                 evaluate)",
            ),
        }
    }
}

/// The result of re-ranking.
fn reranking(page: &mut Page, rerank: &Rerank, model: &Model, seconds: Option<f64>) {
    let proof = &rerank.proof;
    page.text(&format!("re-ranked {}: {}", proof::above(rerank.scope), proof::size(proof)));
    proof::proof(proof, model, seconds).iter().for_each(|line| page.hanging("  ", line));
    if proof.objective_value() < proof.before {
        page.hanging(
            "  ",
            "the base orders the training lists better than the best linear score found: re-rank \
             fewer items (--top), search longer (--time-limit), or keep the base alone",
        );
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
