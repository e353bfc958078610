//! Bipartite, multipartite and partial rankings (Fürnkranz and Hüllermeier 2010): the share of
//! the target's preferences that an order keeps.
//!
//! With C pairs in order, D inverted, S tied in the score only and T tied in the target
//! only: C-index = (C + S/2) / (C + D + S); AUC and Mann-Whitney's U the same over relevant
//! and other items; m-AUC the mean of the AUCs of all pairs of levels (Jonckheere-Terpstra;
//! Hand and Till 2001); gamma = (C - D) / (C + D); and on the sets of strict preferences
//! Jaccard C / (C + 2D + S + T), precision C / (C + D + T), recall C / (C + D + S), F1.
//!
//! A list with a constant target has no value. Any other list has one for any scores: where
//! constant scores make 0/0 (gamma, precision) the value is 0, or a constant scorer could leave
//! out the lists that it does not order.
//!
//! Example: {E, B} > {C, A, D}, predicted A>B>E>C>D: A is before both E and B, so D = 2 of 6
//! pairs and AUC = 4/6. {E, B} > {C} > {A, D}: C-index 5/8.

use std::borrow::Cow;

use super::pair_cost::{CostedPairs, PairCost};
use super::pair_counts::{Levels, PairCounts};
use super::retrieval::{ON, RELEVANT};
use super::{ListMetric, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;

pub(super) const OPTIONS: &[OptionInfo] = &[ON];
pub(super) const AUC_OPTIONS: &[OptionInfo] = &[RELEVANT, ON];

/// A metric as a function of the counts; called only where the target has a pair.
type Value = fn(&PairCounts) -> f64;

/// Builds a metric from the counts over the target, or over relevant and other items if the row
/// has the option for it.
pub(super) fn build(options: &Options<'_>, value: Value) -> Result<Box<dyn Rule>, SpecError> {
    let bipartite = options.info.options.iter().any(|o| o.key == RELEVANT.key);
    Ok(Box::new(Counted {
        on: Target::named(options.get("on")),
        above: bipartite.then(|| options.number(RELEVANT.key)),
        value,
    }))
}

pub(super) fn c_index(counts: &PairCounts) -> f64 {
    mann_whitney(counts) / counts.strict_target() as f64
}

pub(super) fn mann_whitney(counts: &PairCounts) -> f64 {
    counts.concordant as f64 + 0.5 * counts.tied_score as f64
}

pub(super) fn gamma(counts: &PairCounts) -> f64 {
    let strict = (counts.concordant + counts.discordant) as f64;
    share(counts.concordant as f64 - counts.discordant as f64, strict)
}

pub(super) fn jaccard(counts: &PairCounts) -> f64 {
    let either = counts.strict_target() + counts.strict_score() - counts.concordant;
    share(counts.concordant as f64, either as f64)
}

pub(super) fn precision(counts: &PairCounts) -> f64 {
    share(counts.concordant as f64, counts.strict_score() as f64)
}

pub(super) fn recall(counts: &PairCounts) -> f64 {
    share(counts.concordant as f64, counts.strict_target() as f64)
}

pub(super) fn f1(counts: &PairCounts) -> f64 {
    let both = counts.strict_target() + counts.strict_score();
    share(2.0 * counts.concordant as f64, both as f64)
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

struct Counted {
    on: Target,
    above: Option<f64>,
    value: Value,
}

impl Rule for Counted {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let target = self.on.of(list);
        let levels = match self.above {
            Some(threshold) => {
                let relevant = |y: &f64| f64::from(u8::from(*y > threshold));
                Levels::new(&target.iter().map(relevant).collect::<Vec<_>>())
            }
            None => Levels::new(target),
        };
        if levels.has_no_pair() {
            return Box::new(NoValue);
        }
        Box::new(CountedList { levels, value: self.value })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        let target = self.on.of(list);
        match self.above {
            // Equal targets tie, so that no preference is predicted that the target lacks.
            Some(above) => target.iter().map(|y| f64::from(u8::from(*y > above))).collect(),
            None => Cow::Borrowed(target),
        }
    }
}

struct CountedList {
    levels: Levels,
    value: Value,
}

impl ListMetric for CountedList {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        Some((self.value)(&PairCounts::new(&self.levels, scores)))
    }
}

/// A list without a value.
pub(super) struct NoValue;

impl ListMetric for NoValue {
    fn of_scores(&self, _scores: &[f64]) -> Option<f64> {
        None
    }

    fn weight(&self) -> f64 {
        0.0
    }
}

/// Builds the mean of the AUCs of all pairs of levels. The AUC of levels a and b is a sum over
/// their pairs of 1/(n_a n_b): pair costs of product form, so that one sweep suffices for any
/// number of levels. With n levels it is the C-index.
pub(super) fn build_m_auc(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(MeanAuc { on: Target::named(options.get("on")) }))
}

struct MeanAuc {
    on: Target,
}

impl Rule for MeanAuc {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let levels = Levels::new(self.on.of(list));
        if levels.has_no_pair() {
            return Box::new(NoValue);
        }
        let mut share_of_level = vec![0.0; list.len()];
        for i in levels.items() {
            share_of_level[i.item as usize] = 1.0 / f64::from(levels.sizes()[i.level as usize]);
        }
        // With one item per level all pairs have equal weight, and can be counted.
        let total = levels.sizes().iter().all(|&size| size == 1);
        let kind = if total { PairCost::Uniform } else { PairCost::Product };
        Box::new(MeanAucList(CostedPairs::new(levels, &share_of_level, kind)))
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(self.on.of(list))
    }
}

struct MeanAucList(CostedPairs);

impl ListMetric for MeanAucList {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let sums = self.0.sums(scores);
        Some((sums.right + 0.5 * sums.tied) / sums.all())
    }
}
