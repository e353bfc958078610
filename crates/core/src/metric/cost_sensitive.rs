//! The cost captured by the few items that can be acted on (McBride et al. 2019, section 3).
//!
//! A@k = sum over positions p <= k of Cost(item at p) Pr(p); R@k = A@k / Ideal@k;
//! R_CS@k = sum A@k / sum Ideal@k. Pr(p) is the probability that position p is acted on.

use std::borrow::Cow;

use super::additive::{Additive, LabelGain};
use super::budget::Budget;
use super::{Allowed, ListMetric, OnEmpty, OptionInfo, Options, Rule, SpecError};
use crate::cost::{Capacity, Policy};
use crate::data::ListView;
use crate::rank::TieRule;

/// The figure that is made of A@k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A@k itself.
    Captured,
    /// A@k / Ideal@k, lists weighted equally.
    Share,
    /// A@k / Ideal@k, lists weighted by Ideal@k.
    WeightedShare,
    /// Ideal@k - A@k.
    Regret,
    /// A@k over its mean in random order, lists weighted by that mean.
    Lift,
}

pub(super) const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        key: "policy",
        default: "auto",
        allowed: Allowed::Policy,
        help: "Pr(p): linear, log, step, geometric(RATE), or a table 1/0.8/0.5; \
               auto is linear, and step when the cutoff is a range",
    },
    OptionInfo {
        key: "budget",
        default: "none",
        allowed: Allowed::Money,
        help: "money to spend instead of a number of items; needs a price per item; \
               tied items are then taken in their worst order",
    },
    TIES,
    OptionInfo {
        key: "empty",
        default: "skip",
        allowed: Allowed::OneOf(OnEmpty::NAMES),
        help: "a list with nothing to save: skip (left out), zero, one",
    },
];

pub(super) const TIES: OptionInfo = OptionInfo {
    key: "ties",
    default: "expected",
    allowed: Allowed::OneOf(TieRule::NAMES),
    help: "equal scores: expected (mean over orders), worst, subrank (all last), stable (input order)",
};

/// The allowed budgets, for messages.
pub(super) const MONEY: &str = "it must be a number above 0";

/// Whether a budget can be spent.
pub(super) fn is_money(money: f64) -> bool {
    money.is_finite() && money > 0.0
}

/// Builds one form.
pub(super) fn build(options: &Options<'_>, form: Form) -> Result<Box<dyn Rule>, SpecError> {
    let empty = OnEmpty::named(options.get("empty"));
    let ties = TieRule::named(options.get("ties"));
    if let Some(money) = options.spec.budget {
        if !is_money(money) {
            return Err(options.refuse("budget", MONEY));
        }
        if matches!(ties, TieRule::Subrank | TieRule::Expected) {
            return Err(options.refuse("ties", "with a budget, ties must be worst or stable"));
        }
        if form == Form::Lift {
            let reason = "with a budget, the mean over random orders has no closed form; \
                          use rcs, r, a or regret";
            return Err(options.refuse("budget", reason));
        }
        if let Some(k) = options.spec.cutoff {
            let reason = format!("give either a budget or a number of items (@{k}), not both");
            return Err(options.refuse("budget", reason));
        }
        return Ok(Box::new(Budget { money, form, ties, empty }));
    }
    Ok(Box::new(CostCaptured { chances: chances(options)?, form, ties, empty }))
}

/// Returns Pr(p) for the positions within capacity.
pub(super) fn chances(options: &Options<'_>) -> Result<Vec<f64>, SpecError> {
    let capacity = options.capacity();
    let policy = match (&options.spec.policy, capacity) {
        (Some(policy), _) if policy.is_allowed() => policy,
        (Some(_), _) => return Err(options.refuse("policy", Policy::ALLOWED)),
        // A range gives the probability that capacity reaches p; whatever is within capacity is
        // acted on.
        (None, Capacity::Range(..)) => &Policy::Step,
        (None, _) => &Policy::Linear,
    };
    if capacity == Capacity::All && !matches!(policy, Policy::Table(_)) {
        return Err(SpecError::NeedsCutoff(options.info.name));
    }
    Ok(policy.probabilities(capacity, options.scale().longest_list))
}

struct CostCaptured {
    chances: Vec<f64>,
    form: Form,
    ties: TieRule,
    empty: OnEmpty,
}

impl Rule for CostCaptured {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let chances = Cow::Borrowed(&*self.chances);
        let captured = Additive::new(list.cost, LabelGain::Linear, chances, self.ties);
        let fill = self.empty.fill();
        Box::new(match self.form {
            Form::Captured => captured,
            Form::Share => {
                let ideal = captured.ideal();
                captured.divided_by(ideal, fill)
            }
            Form::WeightedShare => {
                let ideal = captured.ideal();
                captured.divided_by(ideal, fill).weighted_by(ideal)
            }
            Form::Regret => {
                let ideal = captured.ideal();
                captured.subtracted_from(ideal)
            }
            Form::Lift => {
                let random = captured.mean();
                captured.divided_by(random, fill).weighted_by(random)
            }
        })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }
}
