//! The problem to solve: lists of items, the gain of each item, the discount of each rank.
//!
//! The value of an order is the sum over all items of gain x discount of the item's rank: a
//! conditional linear rank statistic (Rudin and Wang 2018, section 2, equation 1) with a real-valued
//! y. A@k, R_CS, DCG, NDCG, precision and all metrics of `stakes_core::metric` that are such sums
//! are of this kind. The order is that of a linear score w.x, with the same w in all lists.
//!
//! Ties are resolved against the order (Rudin and Wang 2018, section 3.2): among items with equal
//! scores the smallest gain comes first (ResolvedRank), or all of them have the last of their ranks
//! ([`Ties::Subrank`]).
//!
//! Example: one list with rows (0), (1), (2), gains 3, 0, 5 and discounts 1, 1/2: w = 1 orders the
//! gains as 5, 0, 3, with the value 5.

use std::cmp::Ordering;

use stakes_core::display::counted;

/// The terms of a metric that is a sum over items of gain x discount.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// The gain of each item, list after list.
    pub gains: Vec<f64>,
    /// For each list the discounts of its first ranks, non-increasing; 0 beyond. Empty for a list
    /// whose order does not matter.
    pub discounts: Vec<Vec<f64>>,
    /// A constant term that does not depend on the order.
    pub constant: f64,
}

impl Sum {
    /// An estimate, up to a factor, of the number of crossings along a direction.
    pub fn crossings(&self, offsets: &[usize]) -> usize {
        let list = |(ends, discounts): (&[usize], &Vec<f64>)| {
            (ends[1] - ends[0]).saturating_mul(discounts.len())
        };
        offsets.windows(2).zip(&self.discounts).map(list).fold(0, usize::saturating_add)
    }
}

/// The ranks of items with equal scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// The smallest gain first: ResolvedRank (Rudin and Wang 2018, section 3.2).
    Resolved,
    /// All of them at their last rank: Subrank (Rudin and Wang 2018, section 3.2).
    Subrank,
}

/// Lists of items to be ordered by one linear score.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    width: usize,
    offsets: Vec<usize>,
    /// Row-major.
    rows: Vec<f64>,
    sum: Sum,
}

/// An invalid problem.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ProblemError(pub(crate) String);

impl Problem {
    /// Creates a problem from lists stored one after the other: `offsets` are the starts of the lists and the end
    /// of the last one; `rows` are the features of all items, `width` per item.
    pub fn new(
        width: usize,
        offsets: Vec<usize>,
        rows: Vec<f64>,
        mut sum: Sum,
    ) -> Result<Self, ProblemError> {
        let refuse = |why: String| Err(ProblemError(why));
        let items = sum.gains.len();
        let increasing = offsets.windows(2).all(|ends| ends[0] < ends[1]);
        if width == 0 || items == 0 {
            return refuse(format!(
                "an exact search over {} with {}; at least one of each is needed",
                counted(items, "item"),
                counted(width, "feature")
            ));
        }
        if offsets.first() != Some(&0) || offsets.last() != Some(&items) || !increasing {
            return refuse(format!(
                "the offsets of the lists must rise from 0 to {items}, the number of items, without empty lists"
            ));
        }
        if sum.discounts.len() + 1 != offsets.len() {
            let lists = offsets.len() - 1;
            return refuse(format!(
                "discounts for {}, but there are {lists}",
                counted(sum.discounts.len(), "list")
            ));
        }
        if rows.len() != items * width {
            return refuse(format!(
                "{} for {} with {} each",
                counted(rows.len(), "feature value"),
                counted(items, "item"),
                counted(width, "feature")
            ));
        }
        if let Some(at) = rows.iter().position(|value| !value.is_finite()) {
            let (item, feature) = (at / width, at % width);
            return refuse(format!(
                "feature {feature} of item {item} is {}, but features must be finite",
                rows[at]
            ));
        }
        if let Some(item) = sum.gains.iter().position(|gain| !gain.is_finite()) {
            return refuse(format!(
                "the gain of item {item} is {}, but gains must be finite",
                sum.gains[item]
            ));
        }
        for (list, (discounts, ends)) in
            sum.discounts.iter_mut().zip(offsets.windows(2)).enumerate()
        {
            discounts.truncate(ends[1] - ends[0]);
            let sorted = discounts.windows(2).all(|two| two[0] >= two[1]);
            if !sorted || !discounts.iter().all(|d| d.is_finite() && *d >= 0.0) {
                return refuse(format!(
                    "the discounts of list {list} must be finite, at least 0 and never increase with the rank"
                ));
            }
            // All items have at least the smallest gain, whatever the order. It moves to the constant, which
            // leaves gains of 0 or more.
            let gains = &mut sum.gains[ends[0]..ends[1]];
            let smallest = gains.iter().copied().fold(f64::INFINITY, f64::min);
            let full = discounts.len() == gains.len();
            if smallest < 0.0 || full {
                sum.constant += smallest * discounts.iter().sum::<f64>();
                gains.iter_mut().for_each(|gain| *gain -= smallest);
            }
        }
        Ok(Problem { width, offsets, rows, sum })
    }

    /// The number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of lists.
    pub fn lists(&self) -> usize {
        self.sum.discounts.len()
    }

    /// The number of items in all lists.
    pub fn items(&self) -> usize {
        self.sum.gains.len()
    }

    /// The starts of the lists, and the end of the last one.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The range of a list's items.
    pub fn list(&self, list: usize) -> std::ops::Range<usize> {
        self.offsets[list]..self.offsets[list + 1]
    }

    /// The features of an item.
    pub fn row(&self, item: usize) -> &[f64] {
        &self.rows[item * self.width..][..self.width]
    }

    /// The gains, which are at least 0 here, and the discounts.
    pub fn sum(&self) -> &Sum {
        &self.sum
    }

    /// The score w.x of every item.
    pub fn scores(&self, weights: &[f64]) -> Vec<f64> {
        self.rows.chunks_exact(self.width).map(|row| dot(row, weights)).collect()
    }

    /// The items of each list by descending score; ties in the order of the items.
    pub(crate) fn order(&self, scores: &[f64]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..scores.len() as u32).collect();
        for list in self.offsets.windows(2) {
            order[list[0]..list[1]].sort_unstable_by(|a, b| {
                let descending = scores[*b as usize].partial_cmp(&scores[*a as usize]);
                descending.unwrap_or(Ordering::Equal).then(a.cmp(b))
            });
        }
        order
    }

    /// The value of the order by w.x, with ties resolved against it.
    pub fn value(&self, weights: &[f64]) -> f64 {
        self.value_of_scores(&self.scores(weights), Ties::Resolved)
    }

    /// The value of the order by these scores.
    pub fn value_of_scores(&self, scores: &[f64], ties: Ties) -> f64 {
        let gains = &self.sum.gains;
        let mut value = self.sum.constant;
        for (list, discounts) in self.sum.discounts.iter().enumerate() {
            let mut order: Vec<usize> = self.list(list).collect();
            let descending = |a: &usize, b: &usize| -> Ordering {
                let scores = scores[*b].partial_cmp(&scores[*a]).unwrap_or(Ordering::Equal);
                scores.then(gains[*a].total_cmp(&gains[*b])).then(a.cmp(b))
            };
            order.sort_unstable_by(descending);
            let mut start = 0;
            for tied in order.chunk_by(|a, b| scores[*a] == scores[*b]) {
                for (place, item) in tied.iter().enumerate() {
                    let rank = match ties {
                        Ties::Resolved => start + place,
                        Ties::Subrank => start + tied.len() - 1,
                    };
                    value += gains[*item] * discounts.get(rank).copied().unwrap_or(0.0);
                }
                start += tied.len();
            }
        }
        value
    }

    /// The value of the best of all orders, linear or not.
    pub fn ideal(&self) -> f64 {
        self.value_of_scores(&self.sum.gains, Ties::Resolved)
    }

    /// Pairs of items of one list with identical features, which no linear score can distinguish: for n
    /// identical items n - 1 pairs (earlier, later).
    pub fn duplicates(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for list in 0..self.lists() {
            let mut items: Vec<usize> = self.list(list).collect();
            let by_row = |a: &usize, b: &usize| {
                let rows = self.row(*a).iter().zip(self.row(*b));
                let first = rows.map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
                first.unwrap_or(Ordering::Equal).then(a.cmp(b))
            };
            items.sort_unstable_by(by_row);
            let same = |two: &&[usize]| self.row(two[0]) == self.row(two[1]);
            pairs.extend(items.windows(2).filter(same).map(|two| (two[0], two[1])));
        }
        pairs
    }
}

/// The dot product, summed in the order of the features.
pub fn dot(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(x, w)| x * w).sum()
}
