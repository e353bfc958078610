//! The two-part model: the probability that an item has a cost, times its cost if it has one,
//! learned on a log scale (Duan et al. 1984).
//!
//! The mean of a cost is more than exp(mean of its log); Duan's smearing factor (Duan 1983), the mean of
//! exp(log cost - prediction) over the items with a cost, corrects this. It changes no order,
//! but makes the score an expected cost. It is a separate factor, the last one: training that
//! continues from the model finds unit and predictions unchanged, and no product overflows before
//! the predictions have brought it down.
//!
//! With `size=gamma` the cost itself is learned by its gamma deviance, whose prediction is a mean already: large
//! costs count for more than on a log scale. docs/theory.md has figures of both.
//!
//! CS-MART can begin with such an expected cost, so its factors and its logarithm are available here.

use stakes_core::{ExactSum, Lists};
use stakes_model::{Factor, Link, Scorer};

use super::{Boosting, Levels, SizeLoss, Sizes, Trees, boosting_pace};
use crate::error::FitError;
use crate::learner::{About, Learner, grows_trees};
use crate::loss::{ItemWeights, Logistic, Loss, Pointwise, Squared, Target, Tweedie};
use crate::prepared::Scores;
use crate::run::Run;

/// The probability of any cost, times the cost if there is any.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoPart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// Per-list offsets.
    pub levels: Levels,
    /// How sizes are learned.
    pub sizes: Sizes,
}

impl Default for TwoPart {
    fn default() -> Self {
        TwoPart {
            trees: Trees::studied(),
            boosting: Boosting::studied(),
            levels: Levels { levels: 10.0 },
            sizes: Sizes::default(),
        }
    }
}

const ABOUT: About = About {
    name: "two-part",
    aliases: &["hurdle"],
    title: "probability of any cost x cost if any",
    optimises: "log loss of the probability; squared error of the log of the cost",
    citation: "Duan et al. 1984, Choosing Between the Sample-Selection Model and the \
               Multi-Part Model",
    cost_mode: "none: costs are what is predicted",
    random: true,
};

impl Learner for TwoPart {
    fn about(&self) -> &About {
        &ABOUT
    }

    crate::parameters!(trees, boosting, levels, sizes);
    grows_trees!(Costs);
    boosting_pace!();

    fn stage_rounds(&self) -> Vec<usize> {
        vec![self.boosting.rounds; 2]
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let factors = expected_cost(&self.boosting, &self.levels, self.sizes.size, run)?.factors;
        Ok(Scorer { unit: run.unit(), factors })
    }
}

/// A model of the expected cost.
pub(super) struct Expected {
    /// The factors of the score.
    pub(super) factors: Vec<Factor>,
    /// The logarithm of the score of every item, but for a constant.
    pub(super) log: Scores,
}

/// Trains both parts.
pub(super) fn expected_cost(
    boosting: &Boosting,
    levels: &Levels,
    size: SizeLoss,
    run: &mut Run<'_, '_>,
) -> Result<Expected, FitError> {
    let levels = match levels.levels {
        0.0 => None,
        strength => Some(strength),
    };
    let any = Pointwise::new(Logistic).target(Target::AnyCost).levels(levels);
    let chance = run.stage(&boosting.stage("chance", Link::Logistic, &any))?;

    let chances = chance.raw.map(|sum| Link::Logistic.apply(sum));
    let log = Pointwise::new(Squared).target(Target::LogCost);
    let log = log.items(ItemWeights::OnlyPositive).levels(levels);
    let gamma = Pointwise::new(Tweedie::new(2.0)?);
    let gamma = gamma.items(ItemWeights::OnlyPositive).levels(levels);
    let loss: &dyn Loss = match size {
        SizeLoss::Log => &log,
        SizeLoss::Gamma => &gamma,
    };
    let mut size = boosting.stage("size", Link::Exp, loss);
    let prepared = run.prepared;
    let lists = &prepared.training.unit_lists;
    let costs = lists.cost();
    size.active = Some((0..costs.len() as u32).filter(|&i| costs[i as usize] > 0.0).collect());
    size.others = Some(&chances);
    size.unit = prepared.unit;
    let smearing = |raw: &[f64]| smearing(lists, raw);
    size.smearing = Some(&smearing);
    let size = run.stage(&size)?;
    let start = smearing(prepared.of_training(&size.raw));
    let smearing = Factor::new("smearing", Link::Identity, start, Vec::new());
    let factors = vec![chance.factor, size.factor, smearing];
    let mut log = chances.map(f64::ln);
    log.add(&size.raw);
    Ok(Expected { factors, log })
}

/// The weighted mean of cost / exp(prediction) over what cost anything.
fn smearing(lists: &Lists, raw: &[f64]) -> f64 {
    // exp of more is beyond what model files hold.
    const MAX_LOG: f64 = 690.0;
    let (mut sum, mut weights) = (ExactSum::default(), ExactSum::default());
    for (item, (&cost, &log)) in lists.cost().iter().zip(raw).enumerate() {
        if cost > 0.0 {
            let weight = lists.weight().map_or(1.0, |w| w[item]);
            sum.add(weight * (cost.ln() - log).min(MAX_LOG).exp());
            weights.add(weight);
        }
    }
    let [sum, weights] = lists.shards().exact_sums([&sum, &weights]);
    let factor = sum / weights;
    if factor.is_finite() && factor > 0.0 { factor } else { 1.0 }
}
