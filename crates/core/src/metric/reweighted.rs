//! R_CR@k: any metric, with lists weighted by their savable cost (McBride et al. 2019, eq. 6).
//!
//! R_CR@k = sum_i w_i R'(L_i), w_i = Ideal@k(L_i) / sum Ideal@k. For the paper's two storms
//! w_1 = 0.990099.

use std::borrow::Cow;

use super::additive::{Additive, LabelGain};
use super::cost_sensitive::chances;
use super::{
    AdditiveParts, Allowed, ListMetric, Metric, OptionInfo, Options, Rule, Spec, SpecError,
};
use crate::cost::Capacity;
use crate::data::ListView;
use crate::rank::{Rank, Ranking, TieRule};

pub(super) const OPTIONS: &[OptionInfo] = &[OptionInfo {
    key: "policy",
    default: "auto",
    allowed: Allowed::Policy,
    help: "Pr(p) of the weights: linear, log, step, geometric(RATE), or a table 1/0.8/0.5; \
           auto is linear, and step when the cutoff is a range",
}];

pub(super) fn build(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    let ndcg = Spec::named("ndcg");
    let inner = match options.inner() {
        Some(inner) => inner.clone(),
        None => match options.cutoff()? {
            Some(k) => ndcg.at(Capacity::Items(k)),
            None => ndcg,
        },
    };
    Ok(Box::new(Reweighted { chances: chances(options)?, inner: inner.build(options.scale())? }))
}

struct Reweighted {
    chances: Vec<f64>,
    inner: Metric,
}

impl Rule for Reweighted {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let chances = Cow::Borrowed(&*self.chances);
        let ideal = Additive::new(list.cost, LabelGain::Linear, chances, TieRule::Expected).ideal();
        Box::new(ReweightedList { ideal, inner: self.inner.prepare(list) })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        self.inner.ideal_scores(list)
    }

    fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        self.inner.check(list)
    }
}

struct ReweightedList<'l> {
    ideal: f64,
    inner: Box<dyn ListMetric + 'l>,
}

impl ListMetric for ReweightedList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        self.inner.of_scores(scores)
    }

    fn of_ranking(&self, ranking: &Ranking) -> Option<f64> {
        self.inner.of_ranking(ranking)
    }

    fn weight(&self) -> f64 {
        self.ideal
    }

    fn mean_over_orders(&self) -> Option<Option<f64>> {
        self.inner.mean_over_orders()
    }

    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        self.inner.swap_delta(ranking, a, b)
    }

    fn additive(&self) -> Option<AdditiveParts<'_>> {
        self.inner.additive()
    }
}
