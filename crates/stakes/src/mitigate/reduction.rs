//! Reduction to costs (after Agarwal et al. 2018, whom Salomon 2020, section 1.2.3 follows): a bound on unequal errors
//! becomes a sequence of trainings with costs.
//!
//! D is the rank-equality error of the group less that of the rest, on the lists of the training. To bring |D|
//! down to e, pairs across the groups cost 1 + lambda times as much if their better item is of the side that is wronged:
//! not a member if members are wrongly above too often (D > 0). After each training lambda moves by how far D is
//! beyond e, by half as much whenever that changes its side; of all models within e the one with the least rank loss (R2) is taken, and if there is none, the
//! one with the smallest |D|.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_eval::study::Scores;
use stakes_fair::{AuditOptions, Measure};
use stakes_learn::Configured;
use stakes_model::Model;

use crate::audit::{MissingGroup, audit_scores, item_groups};
use crate::experiment::Setting;
use crate::fit::Fit;
use crate::{Error, Observer};

/// Trainings with costs, at most.
const MAX_STEPS: usize = 8;

/// One training of a reduction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Iterate {
    /// The fold.
    pub fold: String,
    /// How many times more the pairs of the wronged side cost, less 1.
    pub lambda: f64,
    /// The rank-equality error of the group less that of the rest, on the lists of the training.
    pub difference: f64,
    /// The rank loss (R2) there.
    pub rank_loss: f64,
    /// Whether the difference is within the bound.
    pub within: bool,
    /// Whether this model was taken.
    pub taken: bool,
}

/// What a reduction is of.
pub(super) struct Reduction<'r> {
    pub(super) setting: &'r Setting<'r>,
    pub(super) learner: Configured,
    pub(super) protected: &'r str,
    /// The part of the difference that has to go.
    pub(super) strength: f64,
    pub(super) fold: &'r str,
}

impl Reduction<'_> {
    /// Trains on these lists until errors are as even as asked; `None` if training was interrupted.
    pub(super) fn fit(
        &self,
        known: &Dataset,
        observer: &mut dyn Observer,
    ) -> Result<Option<(Model, Vec<Iterate>)>, Error> {
        let Some(plain) = self.train(known, None, observer)? else { return Ok(None) };
        let (first, rank_loss) = self.judge(known, &plain)?;
        let bound = (1.0 - self.strength) * first.abs();
        let within = |difference: f64| difference.abs() <= bound + 1e-12;
        let iterate = |lambda: f64, difference: f64, rank_loss: f64| Iterate {
            fold: self.fold.to_owned(),
            lambda,
            difference,
            rank_loss,
            within: within(difference),
            taken: false,
        };
        let mut iterates = vec![iterate(0.0, first, rank_loss)];
        let mut models = vec![plain];
        let wronged = if first > 0.0 { "member-worse" } else { "member-better" };
        // In units of the first difference, by how much the bound is broken; below 0 on the other side.
        let violation = |difference: f64| {
            let unit = first.abs().max(f64::MIN_POSITIVE);
            let (towards, bound) = (difference * first.signum() / unit, bound / unit);
            towards - towards.clamp(-bound, bound)
        };
        let (mut lambda, mut broken, mut step) = (0.0, violation(first), 1.0);
        while !within(iterates[models.len() - 1].difference) && models.len() <= MAX_STEPS {
            let next = f64::max(0.0, lambda + step * broken);
            if f64::abs(next - lambda) < 0.01 {
                break;
            }
            lambda = next;
            let Some(model) = self.train(known, Some((lambda, wronged)), observer)? else {
                return Ok(None);
            };
            let (found, rank_loss) = self.judge(known, &model)?;
            iterates.push(iterate(lambda, found, rank_loss));
            models.push(model);
            // Where the bound is passed, steps were too long.
            if violation(found) * broken < 0.0 {
                step /= 2.0;
            }
            broken = violation(found);
        }
        let best = (0..models.len()).min_by(|&a, &b| {
            let key = |at: usize| {
                let Iterate { within, rank_loss, difference, .. } = &iterates[at];
                (!within, if *within { *rank_loss } else { difference.abs() })
            };
            key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1))
        });
        let best = best.unwrap_or(0);
        iterates[best].taken = true;
        Ok(Some((models.swap_remove(best), iterates)))
    }

    fn train(
        &self,
        known: &Dataset,
        costs: Option<(f64, &str)>,
        observer: &mut dyn Observer,
    ) -> Result<Option<Model>, Error> {
        let mut learner = self.learner.clone();
        if let Some((lambda, wronged)) = costs {
            learner.set("group-cost", &(1.0 + lambda).to_string())?;
            learner.set("group-pairs", wronged)?;
            learner.set("protected", self.protected)?;
        }
        let fit = Fit::configured(learner).seed(self.setting.seed);
        let fitted = fit.fit_with(known, &self.setting.goal, Some(observer))?;
        Ok(fitted.model.filter(|_| fitted.interruption.is_none()))
    }

    /// The difference of the errors, and the rank loss.
    fn judge(&self, known: &Dataset, model: &Model) -> Result<(f64, f64), Error> {
        let scores = Scores { name: "score".to_owned(), values: model.score(known)? };
        let column = known.columns().group.clone().unwrap_or_default();
        let groups = item_groups(known, std::slice::from_ref(&column), MissingGroup::Refuse)?;
        let options = AuditOptions {
            measures: vec![Measure::parse("rank-equality", None)?],
            protected: Some(format!("{column}={}", self.protected)),
            resamples: 0,
            draws: 0,
            ..AuditOptions::default()
        };
        let found = audit_scores(known, &self.setting.goal, &scores, None, &groups, &options)?;
        let row = found.audit.row(self.protected, "rank-equality");
        let difference = row.and_then(|row| Some(row.value? - row.rest?)).unwrap_or(0.0);
        let problem = Problem::new(known, &self.setting.goal)?;
        let metric = Metric::parse("rankloss:on=impact", Scale::of(known))?;
        let rank_loss = evaluate(&metric, &problem, &scores.values)?.figure.unwrap_or(f64::NAN);
        Ok((difference, rank_loss))
    }
}
