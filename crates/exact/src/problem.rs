//! What is to be solved: lists of items, what each item is worth, what each rank counts.
//!
//! The value of an order is the sum over all items of gain x discount of the item's rank: a
//! conditional linear rank statistic (paper 004, section 2; SPEC 2.5) with a real-valued y. A@k,
//! R_CS, DCG, NDCG, precision and all statistics of `stakes_core::metric` that are such sums are
//! of this kind. An order is that of a linear score w.x, the same w in all lists.
//!
//! Items with equal scores count against the order: the least worth comes first (ResolvedRank), or,
//! as a [`Ties::Subrank`], every one of them has the last rank of them all.
//!
//! Example: one list of rows (0), (1), (2), gains 3, 0, 5 and discounts 1, 1/2: w = 1 orders
//! 5, 0, 3, which is worth 5.

use std::cmp::Ordering;

/// What a metric that is a sum over ranks adds up.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// Of each item of all lists.
    pub gains: Vec<f64>,
    /// Of the first ranks of each list, never rising; 0 beyond. Empty where no order changes anything.
    pub discounts: Vec<Vec<f64>>,
    /// What no order changes.
    pub unmoved: f64,
}

impl Sum {
    /// How many crossings there may be along a direction, up to a factor.
    pub fn crossings(&self, offsets: &[usize]) -> usize {
        let list = |(ends, discounts): (&[usize], &Vec<f64>)| {
            (ends[1] - ends[0]).saturating_mul(discounts.len())
        };
        offsets.windows(2).zip(&self.discounts).map(list).fold(0, usize::saturating_add)
    }
}

/// How items with equal scores count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// The least worth first: the ResolvedRank of paper 004.
    Resolved,
    /// All at the last rank of them: the Subrank of paper 004.
    Subrank,
}

/// Lists of items that one linear score is to order.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    width: usize,
    offsets: Vec<usize>,
    /// Row-major.
    rows: Vec<f64>,
    sum: Sum,
}

/// A problem that makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ProblemError(pub(crate) String);

impl Problem {
    /// Lists one after the other: `offsets` are where they begin, and the end of the last; `rows` are the
    /// features of all items, `width` to each.
    pub fn new(
        width: usize,
        offsets: Vec<usize>,
        rows: Vec<f64>,
        mut sum: Sum,
    ) -> Result<Self, ProblemError> {
        let refuse = |why: String| Err(ProblemError(why));
        let items = sum.gains.len();
        let rising = offsets.windows(2).all(|ends| ends[0] < ends[1]);
        if width == 0 || items == 0 {
            return refuse("an exact search needs an item and a feature at least".into());
        }
        if offsets.first() != Some(&0) || offsets.last() != Some(&items) || !rising {
            return refuse(format!("lists must cover the {items} items, none of them empty"));
        }
        if sum.discounts.len() + 1 != offsets.len() || rows.len() != items * width {
            return refuse(format!("{} numbers for {items} items of {width}", rows.len()));
        }
        if let Some(at) = rows.iter().position(|value| !value.is_finite()) {
            let (item, feature) = (at / width, at % width);
            return refuse(format!("feature {feature} of item {item} is {}", rows[at]));
        }
        if let Some(item) = sum.gains.iter().position(|gain| !gain.is_finite()) {
            return refuse(format!("the worth of item {item} is {}", sum.gains[item]));
        }
        for (list, (discounts, ends)) in
            sum.discounts.iter_mut().zip(offsets.windows(2)).enumerate()
        {
            discounts.truncate(ends[1] - ends[0]);
            let falls = discounts.windows(2).all(|two| two[0] >= two[1]);
            if !falls || !discounts.iter().all(|d| d.is_finite() && *d >= 0.0) {
                return refuse(format!("the discounts of list {list} rise, or are negative"));
            }
            // The least gain is everybody's, whatever the order: without it all gains are positive or 0.
            let gains = &mut sum.gains[ends[0]..ends[1]];
            let least = gains.iter().copied().fold(f64::INFINITY, f64::min);
            let full = discounts.len() == gains.len();
            if least < 0.0 || full {
                sum.unmoved += least * discounts.iter().sum::<f64>();
                gains.iter_mut().for_each(|gain| *gain -= least);
            }
        }
        Ok(Problem { width, offsets, rows, sum })
    }

    /// Number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of lists.
    pub fn lists(&self) -> usize {
        self.sum.discounts.len()
    }

    /// Number of items in all lists.
    pub fn items(&self) -> usize {
        self.sum.gains.len()
    }

    /// Where lists begin, and the end of the last.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The items of a list.
    pub fn list(&self, list: usize) -> std::ops::Range<usize> {
        self.offsets[list]..self.offsets[list + 1]
    }

    /// The features of an item.
    pub fn row(&self, item: usize) -> &[f64] {
        &self.rows[item * self.width..][..self.width]
    }

    /// Gains and discounts. Gains are not negative.
    pub fn sum(&self) -> &Sum {
        &self.sum
    }

    /// w.x of every item.
    pub fn scores(&self, weights: &[f64]) -> Vec<f64> {
        self.rows.chunks_exact(self.width).map(|row| dot(row, weights)).collect()
    }

    /// The items of each list by falling score, earlier ones first among equals.
    pub(crate) fn order(&self, scores: &[f64]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..scores.len() as u32).collect();
        for list in self.offsets.windows(2) {
            order[list[0]..list[1]].sort_unstable_by(|a, b| {
                let falling = scores[*b as usize].partial_cmp(&scores[*a as usize]);
                falling.unwrap_or(Ordering::Equal).then(a.cmp(b))
            });
        }
        order
    }

    /// The value of the order by w.x, ties resolved against it.
    pub fn value(&self, weights: &[f64]) -> f64 {
        self.value_of_scores(&self.scores(weights), Ties::Resolved)
    }

    /// The value of the order by these scores.
    pub fn value_of_scores(&self, scores: &[f64], ties: Ties) -> f64 {
        let gains = &self.sum.gains;
        let mut value = self.sum.unmoved;
        for (list, discounts) in self.sum.discounts.iter().enumerate() {
            let mut order: Vec<usize> = self.list(list).collect();
            let falling = |a: &usize, b: &usize| -> Ordering {
                let scores = scores[*b].partial_cmp(&scores[*a]).unwrap_or(Ordering::Equal);
                scores.then(gains[*a].total_cmp(&gains[*b])).then(a.cmp(b))
            };
            order.sort_unstable_by(falling);
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

    /// The value of the best order there is, linear or not.
    pub fn ideal(&self) -> f64 {
        self.value_of_scores(&self.sum.gains, Ties::Resolved)
    }

    /// Items of the same list with the same features, as (earlier, later) neighbours among equals: no
    /// linear score can tell them apart.
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

/// The products' sum, in the order of the features.
pub fn dot(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(x, w)| x * w).sum()
}
