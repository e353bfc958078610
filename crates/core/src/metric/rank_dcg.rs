//! Discounted cumulative gain on true ranks (Fürnkranz and Hüllermeier 2010).
//!
//! rank DCG = sum over positions i of (c - R(i)) / log2(i + 1), R(i) being the true rank of
//! the item at position i among c; rank NDCG divides by the value of the true order. Items of
//! equal target share the mean of their ranks; equal scores get the mean over their orders unless
//! `ties` is given. A list with a constant target has no true order and no value.
//!
//! Example: target E>B>C>A>D, predicted A>B>E>C>D: R = 4, 2, 1, 3, 5, so
//! 1 + 3/log2(3) + 4/2 + 2/log2(5) + 0 = 5.754, of 7.324 in the true order: 0.785713.

use std::borrow::Cow;

use super::cost_sensitive::TIES;
use super::distance::mid_ranks;
use super::item_gains::ItemGains;
use super::pairs::NoValue;
use super::retrieval::ON;
use super::{Discount, ListMetric, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;
use crate::rank::TieRule;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    Normalised,
}

pub(super) const OPTIONS: &[OptionInfo] = &[TIES, ON];

pub(super) fn build(options: &Options<'_>, form: Form) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(RankDcg {
        form,
        cutoff: options.cutoff()?,
        ties: TieRule::named(options.get("ties")),
        on: Target::named(options.get("on")),
    }))
}

struct RankDcg {
    form: Form,
    cutoff: Option<usize>,
    ties: TieRule,
    on: Target,
}

impl Rule for RankDcg {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let target = self.on.of(list);
        if target.iter().all(|y| *y == target[0]) {
            return Box::new(NoValue);
        }
        let c = target.len();
        let gains = mid_ranks(target).iter().map(|r| c as f64 - r).collect();
        let discounts = Discount::Log2.table(self.cutoff.unwrap_or(c).min(c));
        let sum = ItemGains::new(gains, discounts, self.ties);
        if self.form == Form::Plain {
            return Box::new(sum);
        }
        let best = sum.best();
        match sum.normalised(0.0, best) {
            Some(share) => Box::new(share),
            None => Box::new(NoValue),
        }
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(self.on.of(list))
    }
}
