//! The order in which the pairs of one list are summed up, and the data of each item that this
//! needs. The loop itself is in `rows.rs`.

use stakes_core::metric::with_top;

use super::rows::{Block, EMPTY_BLOCK, LANES, MAX_EXPONENT, Rows, Sums, ZERO_SUMS, odds, sum};
use super::{Discounts, Pairs};

/// The items of a list: the first ranks in order, then the others in their original order.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) items: Vec<u32>,
    taken: Vec<bool>,
    blocks: Vec<Block>,
    sums: Vec<Sums>,
    /// The discounts of the items that money reaches.
    spending: Vec<f64>,
}

impl Walk {
    /// Orders the items, the best `ranked` of them first.
    pub(super) fn order(&mut self, ranked: usize, scores: &[f64]) {
        self.items.clear();
        with_top(scores, ranked, |top| self.items.extend(top.iter().map(|top| top.item)));
        if self.items.len() < scores.len() {
            self.taken.clear();
            self.taken.resize(scores.len(), false);
            self.items.iter().for_each(|&item| self.taken[item as usize] = true);
            let others = (0..scores.len() as u32).zip(&self.taken).filter(|(_, taken)| !**taken);
            self.items.extend(others.map(|(item, _)| item));
        }
    }

    /// Sums up all pairs with an item in the first `rows` ranks; returns the sum of their delta
    /// rho.
    pub(super) fn walk(&mut self, pairs: &Pairs, scores: &[f64], rows: usize) -> f64 {
        self.order(pairs.ranked(scores.len()), scores);
        let mut rows = rows;
        if let Discounts::BySpending { price, money } = &pairs.discounts {
            self.spending.clear();
            self.spending.extend(Discounts::by_spending(price, *money, &self.items));
            rows = rows.min(self.spending.len());
        }
        self.run(pairs, scores, rows)
    }

    /// Sums up all pairs of these items.
    pub(super) fn walk_items(&mut self, pairs: &Pairs, items: &[u32], scores: &[f64]) {
        self.items.clear();
        self.items.extend_from_slice(items);
        self.run(pairs, scores, items.len());
    }

    fn run(&mut self, pairs: &Pairs, scores: &[f64], rows: usize) -> f64 {
        let (worst, best) = bounds(self.items.iter().map(|&item| scores[item as usize]));
        // Halves of halves, so that nothing can overflow.
        let (half_range, half_centre) = (best / 2.0 - worst / 2.0, best / 4.0 + worst / 4.0);
        let far = 2.0 * (pairs.sigma * half_range) > MAX_EXPONENT;
        self.prepare(pairs, scores, half_centre);
        let (sums, blocks) = (&mut self.sums, self.blocks.as_mut_slice());
        sums.clear();
        sums.resize(rows, ZERO_SUMS);
        let damped = pairs.norm && best != worst;
        stakes_core::processor::arch().dispatch(Rows { pairs, damped, far, blocks, sums });
        let mut size = 0.0;
        for (rank, sums) in self.sums.iter().enumerate() {
            let (block, lane) = (&mut self.blocks[rank / LANES], rank % LANES);
            block.grad[lane] -= sum(&sums.grad);
            block.hess[lane] += sum(&sums.hess);
            size += sum(&sums.size);
        }
        size
    }

    fn prepare(&mut self, pairs: &Pairs, scores: &[f64], half_centre: f64) {
        self.blocks.clear();
        self.blocks.resize(self.items.len().div_ceil(LANES), EMPTY_BLOCK);
        for (items, block) in self.items.chunks(LANES).zip(&mut self.blocks) {
            for (lane, &item) in items.iter().enumerate() {
                let item = item as usize;
                block.half_score[lane] = scores[item] / 2.0;
                block.odds[lane] = odds(pairs.sigma, block.half_score[lane] - half_centre);
                block.gain[lane] = pairs.gains[item];
                block.root[lane] = pairs.weights.roots[item];
            }
        }
        let discounts = match &pairs.discounts {
            Discounts::None => &[][..],
            Discounts::ByRank(discounts) => discounts,
            Discounts::BySpending { .. } => &self.spending,
        };
        for (rank, &discount) in discounts.iter().enumerate().take(self.items.len()) {
            self.blocks[rank / LANES].discount[rank % LANES] = discount;
        }
    }

    /// Returns the items with their gradients and hessians, without sigma.
    pub(super) fn derivatives(&self) -> impl Iterator<Item = (u32, f64, f64)> {
        self.items.iter().zip(0..).map(|(&item, place)| {
            let (block, lane) = (&self.blocks[place / LANES], place % LANES);
            (item, block.grad[lane], block.hess[lane])
        })
    }
}

/// Returns the lowest and the highest score.
fn bounds(scores: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    scores.fold(start, |(low, high), s| (low.min(s), high.max(s)))
}
