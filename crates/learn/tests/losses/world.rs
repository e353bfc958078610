//! All losses, and lists to try them on.
#![allow(dead_code)] // Each test file uses its part.

use proptest::prelude::*;
use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, DatasetBuilder, ListView, Row};
use stakes_core::metric::{Metric, Scale};
use stakes_learn::Lists;
use stakes_learn::loss::{
    GradHess, ItemWeights, Lambda, ListMle, ListWeighting, Logistic, Loss, Pointwise, Quantile,
    RankNet, Shares, Softmax, Squared, Target, Tweedie,
};

/// What a loss promises beyond what all do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A smooth function of each item's score.
    Item,
    /// The same, with a hessian that is raised where steps would be too long.
    ItemWithCare,
    /// The same with kinks: its hessian is not a derivative.
    ItemWithKinks,
    /// A smooth function of differences of scores.
    Relative,
    /// Looks at differences and at the order: only its gradient is known.
    Lambda,
}

/// A loss by name.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) loss: Box<dyn Loss>,
}

impl Entry {
    pub(crate) fn relative(&self) -> bool {
        matches!(self.kind, Kind::Relative | Kind::Lambda)
    }
}

pub(crate) fn metric(text: &str) -> Metric {
    Metric::parse(text, Scale::default()).unwrap()
}

pub(crate) fn lambda(text: &str) -> Lambda {
    Lambda::new(metric(text)).unwrap()
}

/// Every loss in every mode. A new loss is covered by being here.
pub(crate) fn losses() -> Vec<Entry> {
    let stake = || ListWeighting::BySavableCost(metric("rcs@3"));
    let mut all: Vec<Entry> = Vec::new();
    let mut add = |name, kind, loss: Box<dyn Loss>| all.push(Entry { name, kind, loss });
    let tweedie = |power| Pointwise::new(Tweedie::new(power).unwrap());
    let softmax = |shares, t, lists| Box::new(Softmax::new(shares, t, lists).unwrap());
    let by_cost = ItemWeights::ByCost { unit: 3.0 };
    add("squared", Kind::Item, Box::new(Pointwise::new(Squared)));
    add("squared cr", Kind::Item, Box::new(Pointwise::new(Squared).lists(stake())));
    add("squared log", Kind::Item, Box::new(Pointwise::new(Squared).target(Target::LogCost)));
    add("quantile", Kind::ItemWithKinks, Box::new(Pointwise::new(Quantile::new(0.8).unwrap())));
    add("poisson", Kind::ItemWithCare, Box::new(tweedie(1.0)));
    add("tweedie", Kind::Item, Box::new(tweedie(1.5)));
    add("tweedie cr", Kind::ItemWithCare, Box::new(tweedie(1.2).lists(stake())));
    add("gamma", Kind::ItemWithCare, Box::new(tweedie(2.0).items(ItemWeights::OnlyPositive)));
    add("gamma of all", Kind::ItemWithCare, Box::new(tweedie(2.0)));
    add("logistic", Kind::Item, Box::new(Pointwise::new(Logistic)));
    add("logistic cs", Kind::Item, Box::new(Pointwise::new(Logistic).items(by_cost)));
    add("ranknet", Kind::Relative, Box::new(RankNet::insensitive()));
    add("ranknet cr", Kind::Relative, Box::new(RankNet::cr(metric("rcs@3"))));
    add("ranknet cs", Kind::Relative, Box::new(RankNet::cs().sigma(1.7).unwrap()));
    add("listnet", Kind::Relative, softmax(Shares::Softmax, 2.0, ListWeighting::Equal));
    add("listnet cr", Kind::Relative, softmax(Shares::Softmax, 0.5, stake()));
    add("listnet cs", Kind::Relative, softmax(Shares::Cost, 1.0, stake()));
    add("xe", Kind::Relative, softmax(Shares::Cost, 1.5, ListWeighting::Equal));
    add("listmle", Kind::Relative, Box::<ListMle>::default());
    add("listmle cr", Kind::Relative, Box::new(ListMle::new(stake())));
    for spec in LAMBDAS {
        add(spec, Kind::Lambda, Box::new(lambda(spec)));
    }
    add("norm", Kind::Lambda, Box::new(lambda("ndcg@3").norm(true)));
    add("truncated", Kind::Lambda, Box::new(lambda("ndcg").truncation(2)));
    add("ranknet truncated", Kind::Lambda, Box::new(RankNet::cs().truncation(2)));
    all
}

/// Metrics to make lambda losses of.
pub(crate) const LAMBDAS: &[&str] = &[
    "ndcg@3",
    "ndcg",
    "ndcg@100:gain=linear",
    "rcs@1",
    "rcs@3",
    "rcs@2:policy=step",
    "rcs@40",
    "rcr@2(ndcg@3)",
    "rcr@3(rank-ndcg)",
    "r@3",
    "a@3",
    "saved@2",
    "lift@3",
    "avgndcg@4",
    "p@2",
    "recall@2",
    "wrs",
    "wta",
    "mrr-sum@2",
    "csdcg:norm=range",
];

/// A list of one's own.
#[derive(Debug, Clone)]
pub(crate) struct Items {
    pub(crate) cost: Vec<f64>,
    pub(crate) weight: Option<Vec<f64>>,
    pub(crate) scores: Vec<f64>,
}

impl Items {
    pub(crate) fn view(&self) -> ListView<'_> {
        ListView { weight: self.weight.as_deref(), ..ListView::of_impact(&self.cost) }
    }

    pub(crate) fn gradients(&self, loss: &dyn Loss, weight: f64) -> Vec<GradHess> {
        gradients(loss, &self.view(), weight, &self.scores)
    }
}

pub(crate) fn gradients(
    loss: &dyn Loss,
    list: &ListView<'_>,
    weight: f64,
    scores: &[f64],
) -> Vec<GradHess> {
    // What is there before must not matter.
    let mut out = vec![GradHess { grad: f64::NAN, hess: -1.0 }; list.len()];
    loss.prepare(list, weight).gradients(scores, &mut out);
    out
}

fn with_scores(
    len: std::ops::Range<usize>,
    score: impl Strategy<Value = f64>,
) -> impl Strategy<Value = Items> {
    let cost = prop_oneof![2 => Just(0.0), 3 => (1u8..40).prop_map(|c| f64::from(c) / 4.0)];
    let weight = prop_oneof![1 => Just(0.0), 4 => 0.1..3.0];
    let rows = prop::collection::vec((cost, weight, score), len);
    (rows, any::<bool>()).prop_map(|(rows, weighted)| Items {
        cost: rows.iter().map(|row| row.0).collect(),
        weight: weighted.then(|| rows.iter().map(|row| row.1).collect()),
        scores: rows.iter().map(|row| row.2).collect(),
    })
}

/// Lists with scores that hardly tie.
pub(crate) fn items(len: std::ops::Range<usize>) -> impl Strategy<Value = Items> {
    with_scores(len, -3.0..3.0)
}

/// Lists with scores that often tie.
pub(crate) fn tied_items(len: std::ops::Range<usize>) -> impl Strategy<Value = Items> {
    with_scores(len, (-3i8..3).prop_map(f64::from))
}

/// Lists as learners have them.
pub(crate) fn lists(costs: &[&[f64]], weights: Option<&[&[f64]]>) -> Lists {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        weight: weights.map(|_| "w".into()),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new("test", columns).unwrap();
    for (list, costs) in costs.iter().enumerate() {
        let name = format!("{list:03}");
        for (item, &cost) in costs.iter().enumerate() {
            let weight = weights.map(|w| w[list][item]);
            builder
                .push(Row { list: &name, impact: Some(cost), weight, ..Row::default() })
                .unwrap();
        }
    }
    let data = builder.finish().unwrap();
    Lists::new(&Problem::new(&data, &CostModel::Impact).unwrap())
}

pub(crate) fn close(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

/// Whether all derivatives are equal but for rounding, beside the largest.
pub(crate) fn alike(a: &[GradHess], b: &[GradHess], tolerance: f64) -> bool {
    let size = |g: &GradHess| g.grad.abs().max(g.hess.abs());
    // Beside numbers that are next to nothing, nothing is as good.
    let largest = a.iter().chain(b).map(size).fold(1e-250, f64::max);
    let near = |x: f64, y: f64| (x - y).abs() <= tolerance * largest;
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(a.grad, b.grad) && near(a.hess, b.hess))
}

/// All derivatives times a number.
pub(crate) fn times(factor: f64, of: &[GradHess]) -> Vec<GradHess> {
    of.iter().map(|g| GradHess { grad: factor * g.grad, hess: factor * g.hess }).collect()
}
