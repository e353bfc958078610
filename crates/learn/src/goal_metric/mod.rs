//! What training optimises for a goal: metrics with its capacity and policy, the weights of lists, and
//! the parameters of both that learners of several families have.

mod params;

pub use params::{CostMode, CostScale, Gain, Gains, ListMode, ListModes, Pairs, Threshold};

use stakes_core::cost::Capacity;
use stakes_core::goal::DEFAULT_ITEMS;
use stakes_core::metric::{Metric, Spec};

use crate::error::FitError;
use crate::learner::Learner;
use crate::loss::{Lambda, ListWeighting};
use crate::params::Cutoff;
use crate::run::Run;

/// A cost-sensitive metric with the capacity and policy of the run's goal.
pub(crate) fn goal_metric(
    run: &Run<'_, '_>,
    spec: Spec,
    cutoff: Option<Capacity>,
) -> Result<Metric, FitError> {
    let goal = run.goal();
    let spec = goal.with_own_policy(spec);
    // Under a budget there is no number of items; ten is where most lists are decided.
    let spec = spec.or_cutoff(cutoff.or(goal.capacity()).unwrap_or(Capacity::Items(DEFAULT_ITEMS)));
    Ok(spec.build(run.scale())?)
}

/// R_CS of the run's goal: the share of all savable cost that is saved, by so many positions, or by the
/// money that there is.
pub(crate) fn saved_cost(run: &Run<'_, '_>, cutoff: Option<Capacity>) -> Result<Metric, FitError> {
    let rcs = Spec::named("rcs");
    match run.goal().budget().filter(|_| cutoff.is_none()) {
        Some(money) => Ok(rcs.or_budget(money).build(run.scale())?),
        None => goal_metric(run, rcs, cutoff),
    }
}

/// Lists weighted by their savable cost.
pub(crate) fn by_savable_cost(run: &Run<'_, '_>) -> Result<ListWeighting, FitError> {
    Ok(ListWeighting::BySavableCost(saved_cost(run, None)?))
}

impl ListMode {
    /// The weights of lists.
    pub(crate) fn weighting(self, run: &Run<'_, '_>) -> Result<ListWeighting, FitError> {
        match self {
            ListMode::Cr => by_savable_cost(run),
            ListMode::Insensitive => Ok(ListWeighting::Equal),
        }
    }
}

/// The lambda loss of a metric.
pub(crate) fn lambda(pairs: &Pairs, metric: Metric) -> Result<Lambda, FitError> {
    let lambda = Lambda::new(metric)?.sigma(pairs.sigma)?.norm(pairs.normalise);
    Ok(match pairs.pairs.given() {
        None => lambda,
        Some(ranks) => lambda.truncation(ranks),
    })
}

/// The positions that training of R_CS counts; `None` for those of the goal. The policy gives a
/// probability to a limited number of positions, so `all` is refused.
pub(crate) fn cost_cutoff(
    learner: &dyn Learner,
    cutoff: Cutoff,
) -> Result<Option<Capacity>, FitError> {
    match cutoff.0 {
        Some(Capacity::All) => {
            Err(learner.refuse("cutoff", "auto, or a number of positions").into())
        }
        cutoff => Ok(cutoff),
    }
}

/// NDCG in the convention that suits the data.
pub(crate) fn ndcg(
    learner: &dyn Learner,
    cutoff: Cutoff,
    gain: Gain,
    run: &Run<'_, '_>,
) -> Result<Spec, FitError> {
    let ndcg = Spec::named("ndcg");
    let ndcg = match cutoff.0.or(run.goal().capacity()) {
        Some(Capacity::All) => ndcg,
        Some(Capacity::Items(k) | Capacity::Range(_, k)) => ndcg.at(Capacity::Items(k)),
        Some(Capacity::Percent(_)) | None => ndcg.at(Capacity::Items(DEFAULT_ITEMS)),
    };
    let on_cost = !run.goal().cost.is_of_impact();
    let gain = match gain {
        Gain::Auto if !on_cost && run.has_grades() => Gain::Exp2,
        Gain::Auto => Gain::Linear,
        gain => gain,
    };
    if gain == Gain::Exp2 && on_cost {
        return Err(learner.refuse("gain", "linear where the cost is not the impact").into());
    }
    let ndcg = ndcg.with("gain", if gain == Gain::Exp2 { "exp2" } else { "linear" });
    Ok(ndcg.with("on", if on_cost { "cost" } else { "impact" }))
}
