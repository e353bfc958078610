//! The losses that the RankBoost family minimises (Salomon 2020, sections 3.2 and 4.2.1), over
//! the pairs (i should be above j) with pair costs c~ that sum to 1.
//!
//! - rankloss: sum of c~ e, e = 1 for a wrong pair and for a tied one 1/2 (R2) or 1 (R1,
//!   `ties=wrong`). Uniform, with R2, it is 1 - C-index.
//! - exploss: sum of c~ exp(-(s_i - s_j)) (E1); with `ties=cosh` a tied pair adds cosh(eta)
//!   instead of 1: E2 of one weak ranker of weight eta. E2 of an ensemble has a factor cosh for every weak ranker
//!   that ties the pair; it does not follow from the scores, and stands in the curves of training.
//!
//! Over several lists they are sums over all pairs of all lists, as in training: a list counts by the cost of its
//! pairs (`over=pairs`). `over=lists` is the mean of the lists' losses. By hand, the two storms of McBride et
//! al. 2019 with pair costs by difference: ordered by cable, 200 of 20200 are wrong, 0.0099; the mean of the two
//! lists is 0.5 whichever storm is ordered well.
//!
//! The pairs are those of different target, the cost unless `on=impact`; pair costs come from
//! the items' weights, or else their costs. A list without such a pair, or whose pair costs
//! are all 0, has no value.
//!
//! Example: costs 4, 2, 1 in the order 2, 4, 1. One of three pairs is wrong: rank loss 1/3;
//! with pair costs by difference 2 of 2 + 3 + 1: 2/6; by product 8 of 14.

use std::borrow::Cow;

use super::exp_sweep::ExpSweep;
use super::pair_cost::{CostedPairs, PAIR, PairCost};
use super::pair_counts::Levels;
use super::pairs::NoValue;
use super::{Allowed, ListMetric, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;
use crate::rank::{Rank, Ranking};

pub(super) const ON_COST: OptionInfo = OptionInfo {
    key: "on",
    default: "cost",
    allowed: Allowed::OneOf(Target::NAMES),
    help: "the target: the cost or the impact (label)",
};

const OVER: OptionInfo = OptionInfo {
    key: "over",
    default: "pairs",
    allowed: Allowed::OneOf(&["pairs", "lists"]),
    help: "several lists: all their pairs together, or the mean of the lists",
};

pub(super) const RANK_LOSS_OPTIONS: &[OptionInfo] = &[
    PAIR,
    OptionInfo {
        key: "ties",
        default: "half",
        allowed: Allowed::OneOf(&["half", "wrong"]),
        help: "a pair of equal scores: half wrong (R2) or wrong (R1)",
    },
    OVER,
    ON_COST,
];

pub(super) const EXP_LOSS_OPTIONS: &[OptionInfo] = &[
    PAIR,
    OptionInfo {
        key: "ties",
        default: "one",
        allowed: Allowed::OneOf(&["one", "cosh"]),
        help: "loss of a pair of equal scores: 1 (E1) or cosh(eta) (E2 of one weak ranker)",
    },
    OptionInfo {
        key: "eta",
        default: "1",
        allowed: Allowed::Number(0.0, 100.0),
        help: "the weight in ties=cosh",
    },
    OVER,
    ON_COST,
];

/// The loss of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Loss {
    /// 0, 1, or this if tied.
    Rank { tied: f64 },
    /// exp(-(s_i - s_j)), or this if tied.
    Exp { tied: f64 },
}

pub(super) fn build_rank_loss(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    let tied = if options.get("ties") == "wrong" { 1.0 } else { 0.5 };
    Ok(Box::new(PairLoss::new(options, Loss::Rank { tied })))
}

pub(super) fn build_exp_loss(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    let tied = if options.get("ties") == "cosh" { options.number("eta").cosh() } else { 1.0 };
    Ok(Box::new(PairLoss::new(options, Loss::Exp { tied })))
}

struct PairLoss {
    loss: Loss,
    pair: PairCost,
    over_pairs: bool,
    on: Target,
}

impl PairLoss {
    fn new(options: &Options<'_>, loss: Loss) -> Self {
        PairLoss {
            loss,
            pair: PairCost::read(options),
            over_pairs: options.get("over") == "pairs",
            on: Target::named(options.get("on")),
        }
    }
}

impl Rule for PairLoss {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let levels = Levels::new(self.on.of(list));
        let pairs = CostedPairs::new(levels, list.importance(), self.pair);
        let total = match self.loss {
            _ if pairs.levels.has_no_pair() => return Box::new(NoValue),
            // The sums over right, wrong and tied pairs give it.
            Loss::Rank { .. } => None,
            Loss::Exp { .. } => {
                // With constant scores the loss of every pair is its cost.
                let constant = vec![0.0; list.len()];
                let mut sweep = ExpSweep::new(&constant);
                pairs.visit(&mut sweep);
                Some(sweep.sum.over(1.0))
            }
        };
        let weight = if self.over_pairs { pairs.total() } else { 1.0 };
        Box::new(PairLossList { loss: self.loss, pairs, total, weight })
    }

    /// For the exponential loss the levels are 1000 apart: the loss of every pair is then 0 in
    /// floating point.
    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        let target = self.on.of(list);
        if matches!(self.loss, Loss::Rank { .. }) {
            return Cow::Borrowed(target);
        }
        let mut scores = vec![0.0; list.len()];
        for i in Levels::new(target).items() {
            scores[i.item as usize] = 1000.0 * f64::from(i.level);
        }
        Cow::Owned(scores)
    }
}

struct PairLossList {
    loss: Loss,
    pairs: CostedPairs,
    /// The cost of all pairs, for the exponential loss.
    total: Option<f64>,
    /// The weight of the list among others.
    weight: f64,
}

impl ListMetric for PairLossList {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        match (self.loss, self.total) {
            (Loss::Rank { tied }, _) => {
                let sums = self.pairs.sums(scores);
                let all = sums.all();
                (all > 0.0).then(|| (sums.wrong + tied * sums.tied) / all)
            }
            (Loss::Exp { tied }, Some(total)) if total > 0.0 => {
                let mut sweep = ExpSweep::new(scores);
                self.pairs.visit(&mut sweep);
                if tied != 1.0 {
                    sweep.sum.add((tied - 1.0) * self.pairs.sums(scores).tied, 0.0);
                }
                Some(sweep.sum.over(total))
            }
            _ => None,
        }
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        let of = |r: Ranking| self.of_ranking(&r).unwrap_or(0.0);
        let (before, after) = (of(ranking.swapped(a, a)), of(ranking.swapped(a, b)));
        // The exponential loss of a long order may be infinite, before and after.
        if before == after { 0.0 } else { after - before }
    }
}
