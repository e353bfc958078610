//! One list, ordered once: what all measures of all groups in it read.

use stakes_core::rank::Ranking;

use crate::pairs::{Gains, Pairs};

/// An ordered list. Vectors have an entry per item, in the order of the input, unless they are orders.
#[derive(Debug, Clone)]
pub(crate) struct List {
    /// The factor from positions to the unit of the figure: 1 for a single list, 1/n for several.
    pub(crate) scale: f64,
    /// Items by position.
    pub(crate) order: Vec<u32>,
    /// Positions, 1 on top; ties share their mean.
    pub(crate) position: Vec<f64>,
    /// The first and the last place of an item's tied block.
    pub(crate) block: Vec<(u32, u32)>,
    /// 1/log2(p + 1), the mean over a tied block.
    pub(crate) exposure: Vec<f64>,
    /// The sum of all exposures.
    pub(crate) all_exposure: f64,
    pub(crate) truth: Option<Truth>,
    pub(crate) money: Option<Money>,
    pub(crate) expected: Option<Vec<f64>>,
}

/// The true order.
#[derive(Debug, Clone)]
pub(crate) struct Truth {
    /// Higher is better.
    pub(crate) value: Vec<f64>,
    /// True positions, 1 best; equal truths share their mean.
    pub(crate) position: Vec<f64>,
    /// Items by true position; those that share one, by position.
    pub(crate) order: Vec<u32>,
    /// Wrong pairs of each item in the list.
    pub(crate) pairs: Pairs,
    /// The same among the items with positions up to a cut-off.
    pub(crate) tops: Vec<(usize, Pairs)>,
}

/// Costs.
#[derive(Debug, Clone)]
pub(crate) struct Money {
    pub(crate) cost: Vec<f64>,
    pub(crate) total: f64,
    pub(crate) gains: Gains,
}

/// Items by score, highest first, with their positions and tied blocks.
pub(crate) fn positions(scores: &[f64]) -> (Vec<u32>, Vec<f64>, Vec<(u32, u32)>) {
    let ranking = Ranking::from_scores(scores);
    let order: Vec<u32> = ranking.order().iter().map(|item| item.0).collect();
    let (mut position, mut block) = (vec![0.0; order.len()], vec![(0, 0); order.len()]);
    for ranks in ranking.blocks() {
        let (first, last) = (ranks.start + 1, ranks.end);
        for &item in &order[ranks] {
            position[item as usize] = 0.5 * (first + last) as f64;
            block[item as usize] = (first as u32, last as u32);
        }
    }
    (order, position, block)
}

impl List {
    pub(crate) fn new(scores: &[f64], scale: f64) -> Self {
        let (order, position, block) = positions(scores);
        let view: Vec<f64> = (1..=order.len()).map(|p| 1.0 / (p as f64 + 1.0).log2()).collect();
        let mean = |&(first, last): &(u32, u32)| {
            let views = &view[first as usize - 1..last as usize];
            views.iter().sum::<f64>() / views.len() as f64
        };
        // A tied block is averaged once, not once per item.
        let mut exposure = vec![0.0; order.len()];
        let mut last: Option<((u32, u32), f64)> = None;
        for &item in &order {
            let of = block[item as usize];
            let value = match last {
                Some((same, value)) if same == of => value,
                _ => mean(&of),
            };
            last = Some((of, value));
            exposure[item as usize] = value;
        }
        let all_exposure = view.iter().sum();
        let (truth, money, expected) = (None, None, None);
        List { scale, order, position, block, exposure, all_exposure, truth, money, expected }
    }

    pub(crate) fn with_truth(mut self, truth: Option<&[f64]>, tops: &[usize]) -> Self {
        self.truth = truth.map(|value| {
            let (mut order, position, _) = positions(value);
            let key = |item: u32| (position[item as usize], self.position[item as usize]);
            order.sort_by(|&a, &b| {
                let ((t, p), (other_t, other_p)) = (key(a), key(b));
                t.total_cmp(&other_t).then(p.total_cmp(&other_p)).then(a.cmp(&b))
            });
            let top = |&k: &usize| {
                let inside = self.order.partition_point(|&i| self.position[i as usize] <= k as f64);
                (k, Pairs::of(&self.order[..inside], &self.position, value))
            };
            let tops = tops.iter().map(top).collect();
            let pairs = Pairs::of(&self.order, &self.position, value);
            Truth { value: value.to_vec(), position, order, pairs, tops }
        });
        self
    }

    pub(crate) fn with_cost(mut self, cost: Option<&[f64]>, expected: Option<&[f64]>) -> Self {
        self.money = cost.map(|cost| Money {
            cost: cost.to_vec(),
            total: cost.iter().sum(),
            gains: Gains::of(&self.order, &self.position, cost),
        });
        self.expected = expected.map(<[f64]>::to_vec);
        self
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether an item is among the first k: 1, 0, or the share of its tied block that is.
    pub(crate) fn among_first(&self, item: u32, k: usize) -> f64 {
        let (first, last) = self.block[item as usize];
        let inside = (k + 1).saturating_sub(first as usize);
        (inside as f64 / f64::from(last + 1 - first)).min(1.0)
    }
}
