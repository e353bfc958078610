//! Lists to test metrics on.

use std::ops::Range;
use std::sync::OnceLock;

use proptest::prelude::*;
use stakes_core::data::ListView;
use stakes_core::metric::Metric;
use stakes_core::rank::{ItemIdx, Ranking};

/// A list with every column that a metric may need.
#[derive(Debug, Clone, Default)]
pub(crate) struct Items {
    pub(crate) impact: Vec<f64>,
    pub(crate) cost: Vec<f64>,
    pub(crate) weight: Vec<f64>,
    pub(crate) price: Vec<f64>,
    pub(crate) scores: Vec<f64>,
}

impl Items {
    /// Impacts that are also the costs, weights and prices of 1, 2, 3, 1, ...
    pub(crate) fn new(impact: &[f64], scores: &[f64]) -> Self {
        let cycle: Vec<f64> = (0..impact.len()).map(|i| (i % 3 + 1) as f64).collect();
        Items {
            impact: impact.to_vec(),
            cost: impact.to_vec(),
            weight: cycle.clone(),
            price: cycle,
            scores: scores.to_vec(),
        }
    }

    /// Five grades, most of them 0, with scores that are correlated with them.
    pub(crate) fn long(n: usize) -> Self {
        let grade = |i: usize| (i * 7919 % 11).saturating_sub(6) as f64;
        let impact: Vec<f64> = (0..n).map(grade).collect();
        let noise = |i: usize| (i * 104_729 % 200_003) as f64 / 2e5;
        let scores: Vec<f64> = (0..n).map(|i| impact[i] + 4.0 * noise(i)).collect();
        Items::new(&impact, &scores)
    }

    pub(crate) fn len(&self) -> usize {
        self.cost.len()
    }

    pub(crate) fn view(&self) -> ListView<'_> {
        ListView {
            impact: &self.impact,
            cost: &self.cost,
            weight: Some(&self.weight),
            price: Some(&self.price),
        }
    }

    pub(crate) fn value(&self, metric: &Metric, scores: &[f64]) -> Option<f64> {
        metric.prepare(&self.view()).of_scores(scores)
    }

    pub(crate) fn largest(&self) -> f64 {
        self.impact.iter().chain(&self.cost).copied().fold(0.0, f64::max) * self.len() as f64
    }

    /// The same items in another order.
    pub(crate) fn shuffled(&self, seed: u64) -> Self {
        let key = |i: &usize| {
            let mixed = (seed ^ (*i as u64 + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
        };
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(key);
        let of = |column: &[f64]| order.iter().map(|&i| column[i]).collect();
        Items {
            impact: of(&self.impact),
            cost: of(&self.cost),
            weight: of(&self.weight),
            price: of(&self.price),
            scores: of(&self.scores),
        }
    }
}

/// Small lists with grades, costs that do not follow them, and tied scores.
pub(crate) fn items(len: Range<usize>) -> impl Strategy<Value = Items> {
    let cost = prop_oneof![2 => Just(0.0), 3 => (1u8..40).prop_map(|c| f64::from(c) / 4.0)];
    let item = (0u8..5, cost, 1u8..4, 1u8..5, -2i8..3);
    prop::collection::vec(item, len).prop_map(|rows| {
        let mut items = Items::default();
        for (impact, cost, weight, price, score) in rows {
            items.impact.push(f64::from(impact));
            items.cost.push(cost);
            items.weight.push(f64::from(weight));
            items.price.push(f64::from(price));
            items.scores.push(f64::from(score));
        }
        items
    })
}

/// Lists at the edges, by name.
pub(crate) fn degenerate() -> Vec<(&'static str, Items)> {
    let mixed = [3.0, 0.0, 1.0, 4.0, 0.0, 2.0];
    let scores = [0.5, 0.1, 0.9, 0.9, -3.0, 0.0];
    let times = |factor: f64| mixed.map(|y| y * factor);
    vec![
        ("one item", Items::new(&[3.0], &[0.2])),
        ("one item of no impact", Items::new(&[0.0], &[0.2])),
        ("two items", Items::new(&[0.0, 1.0], &[1.0, 1.0])),
        ("all scores tied", Items::new(&mixed, &[0.7; 6])),
        ("all labels tied", Items::new(&[2.0; 6], &scores)),
        ("all labels and scores tied", Items::new(&[2.0; 6], &[0.0; 6])),
        ("all zero", Items::new(&[0.0; 6], &scores)),
        ("zeros of both signs", Items::new(&mixed, &[0.0, -0.0, 0.0, -0.0, 0.0, -0.0])),
        ("labels of 1e9", Items::new(&times(1e9), &scores)),
        ("labels of 1e-9", Items::new(&times(1e-9), &scores)),
        ("labels of 1e-310", Items::new(&times(1e-310), &scores)),
        ("impacts of 1e5", Items::new(&times(1e5), &scores)),
        ("nothing is free", Items { price: vec![1e9; 6], ..Items::new(&mixed, &scores) }),
        ("everything is free", Items { price: vec![0.0; 6], ..Items::new(&mixed, &scores) }),
        ("no weight", Items { weight: vec![0.0; 6], ..Items::new(&mixed, &scores) }),
    ]
}

/// All orders of n items.
pub(crate) fn orders(n: usize) -> &'static [Vec<usize>] {
    const MAX_ITEMS: usize = 6;
    static ORDERS: OnceLock<Vec<Vec<Vec<usize>>>> = OnceLock::new();
    let tables = ORDERS.get_or_init(|| {
        let mut tables = vec![vec![vec![]]];
        for n in 1..=MAX_ITEMS {
            let shorter: &Vec<Vec<usize>> = &tables[n - 1];
            let longer = shorter.iter().flat_map(|order| {
                (0..n).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, n - 1);
                    order
                })
            });
            let longer = longer.collect();
            tables.push(longer);
        }
        tables
    });
    &tables[n]
}

/// An order without ties.
pub(crate) fn total(order: &[usize]) -> Ranking {
    Ranking::total(order.iter().map(|&i| ItemIdx(i as u32)).collect()).unwrap()
}

/// Equal but for rounding.
pub(crate) fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}
