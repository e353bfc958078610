//! The summary of a training, as text and (docs/train-json.md) as JSON.

use stakes::data::Dataset;
use stakes::fit::{Division, Fitted, Origin};
use stakes::judge::{Judged, Verdict};
use stakes::learn::Ended;
use stakes::model::{Factor, Model, Rerank, StageSummary};
use stakes::text::{Page, Words};

use super::{classes, tune};
use crate::terminal::model::{ended, importance, members, shares_of};
use crate::terminal::output::{self, counted, print_page, print_report};
use crate::terminal::proof;

/// The maximum number of features that are named.
const MAX_FEATURES: usize = 5;

/// A finished run.
pub(super) struct Summary<'a> {
    pub(super) output: &'a str,
    pub(super) model: &'a Model,
    pub(super) fitted: &'a Fitted,
    pub(super) division: &'a Division<'a>,
    pub(super) judged: Judged,
}

impl Summary<'_> {
    /// Prints it as text.
    pub(super) fn show(&self, words: Words) -> anyhow::Result<()> {
        let mut page = output::page_in(words);
        self.write(&mut page);
        print_page(page)
    }

    /// Prints it as JSON.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        print_report(&self.fitted.report(self.output, self.division, self.judged.clone()))
    }

    fn write(&self, page: &mut Page) {
        self.head(page);
        page.gap();
        match &self.judged {
            Judged::Ranking(Some(verdict)) => self.figures(page, verdict),
            Judged::Classes(Some(verdict)) => {
                classes::write(page, verdict);
                self.optimism(page);
            }
            _ if matches!(self.division.origin, Origin::Folds(_)) => {
                page.text("the cross-validation was interrupted, so there is no unbiased figure");
            }
            Judged::Classes(None) => page.text(
                "no rows were held out, so there is no unbiased figure: hold some out (--hold-out \
                 20%), or give others (--valid FILE)",
            ),
            Judged::Ranking(None) => page.text(
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
        if let Judged::Ranking(Some(Verdict { reached: Some(reached), .. })) = &self.judged {
            page.gap();
            page.text(&reached.sentences.join(" "));
            if reached.current.is_none() {
                page.text("is that more than what is done now? --current COLUMN answers it");
            }
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
            let metric = page.metric(metric.split(':').next().unwrap_or_default());
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
            page.text(&format!("{what}: {}", self.stage_words(stage)));
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
        let Division { training, validation, origin, classes, .. } = self.division;
        let size = |data: &Dataset| match classes {
            Some(classes) => classes::size(classes, data),
            None => size(data),
        };
        page.text(&format!("trained on {}", size(training)));
        if let Some(valid) = validation {
            let origin = match origin {
                Origin::Drawn | Origin::Latest => format!(" ({origin})"),
                Origin::None | Origin::Given | Origin::Folds(_) => String::new(),
            };
            page.text(&format!("validated on {}{origin}", size(valid)));
        }
        if let Some(calibration) = &self.model.calibration {
            let (what, reports) = match classes {
                Some(_) => ("row", "the probability of each class"),
                None => ("list", "expected costs"),
            };
            let held_out = if validation.is_some() { "held-out " } else { "" };
            let lists = counted(calibration.lists as usize, &format!("{held_out}{what}"));
            page.text(&format!("calibrated on {lists}; stakes rank reports {reports}"));
        } else if validation.is_some() || self.fitted.out_of_fold.is_some() {
            page.text(
                "not calibrated: expected costs need 10 held-out items with a cost out of 3 lists",
            );
        }
    }

    fn figures(&self, page: &mut Page, verdict: &Verdict) {
        verdict.write(page);
        match self.division.origin {
            Origin::Folds(folds) => {
                let optimism = match self.lists_decided() {
                    true => ". The same lists decided when to stop, so this is slightly optimistic",
                    false => "",
                };
                page.text(&format!(
                    "cross-validated in {folds} folds: {}{optimism}",
                    self.who_judged()
                ));
            }
            Origin::None => page.text(&format!(
                "cross-validated: {}. The same lists chose the weights and the numbers of rounds, so \
                 this is slightly optimistic",
                self.who_judged()
            )),
            Origin::Given | Origin::Drawn | Origin::Latest => self.optimism(page),
        }
    }

    /// Which models judged which lists.
    fn who_judged(&self) -> &'static str {
        match self.division.training.time() {
            Some(_) => {
                "each period was judged by models of earlier ones, and the first period by none"
            }
            None => "each list was scored by models that were not trained on it",
        }
    }

    /// How many rounds a stage has.
    fn stage_words(&self, stage: &StageSummary) -> String {
        let trees = self.model.nets().next().is_none();
        let (unit, each) = match self.fitted.trees_per_round {
            2.. if trees => ("round", format!(", with {} trees each", self.fitted.trees_per_round)),
            _ => (if trees { "tree" } else { "round" }, String::new()),
        };
        let (made, kept) = (counted(stage.curve.len(), unit), stage.kept);
        format!("{kept} of {made} kept{each}; {}", ended(stage.ended, self.model))
    }

    /// Whether the lists that figures are of decided when to stop.
    fn lists_decided(&self) -> bool {
        let mut stages = self.model.stages.iter();
        stages.any(|s| s.ended == Ended::NoImprovement || s.kept < s.curve.len())
    }

    /// A remark on figures of lists that were used for early stopping.
    fn optimism(&self, page: &mut Page) {
        if self.division.validation.is_none() {
            return;
        }
        match self.lists_decided() {
            false => {}
            true if self.division.classes.is_some() => page.text(
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
