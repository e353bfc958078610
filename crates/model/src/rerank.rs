//! A second stage: the items that the base score puts first are put in a new order by a linear score
//! (paper 004, section 5; [`crate::Model::rerank`]).
//!
//! Which items that are is said by [`Above`]. They stand above all others of their list, in the
//! order of the second score; the others keep the base score and its order. One number per item
//! must say so, whatever the two scales are. With f the base score that all others are at most (the
//! threshold, or the least of those above), s = |f| (1 if f is 0) and r the second score:
//!
//! score = f + s g(r), g(r) = 1 + r for r >= 0 and 1 / (1 - r) below,
//!
//! which rises with r and lies above f. Where rounding would make two different r the same score, or
//! one of them f, the next number up is taken, from the least r upwards. So within a list the order of
//! scores is that of (above or not, r or base score), and ties are those of r and of the base.
//!
//! Example: base scores 5, 4, 3, 1, of which the first two are above the threshold 3.5, and r = -1
//! and 2: the scores are 3.5 + 3.5 / 2, 3.5 + 3.5 x 3, 3 and 1.

use std::collections::BTreeMap;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use stakes_core::data::Dataset;
use stakes_core::rank::relative_gap;

use super::{Factor, Link, Matched, Model, Net, Scorer, Scratch};

/// The second stage of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Rerank {
    /// Name of the learner that made the first stage, which is [`Model::scorer`].
    pub base: String,
    /// Its parameters, all of them, as texts.
    pub base_parameters: BTreeMap<String, String>,
    /// Which items are put in a new order.
    pub above: Above,
    /// The score that they are put in order by: a linear one,
    pub net: Net,
    /// and so many times the base score.
    pub base_weight: f64,
    /// What is known of it.
    pub proof: Proof,
}

/// Which items of a list are re-ranked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Above {
    /// All.
    All,
    /// Those whose base score is above this.
    Score(f64),
    /// So many with the highest base scores, and those that are level with the last of them.
    First(u64),
}

/// What a search for the best weights came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// What was to be best, as a text.
    pub objective: String,
    /// Items that were put in a new order.
    pub items: u64,
    /// Their lists.
    pub lists: u64,
    /// The objective of the base order, on all items; ties count against it.
    pub before: f64,
    /// The same with the new order, less the penalty.
    pub value: f64,
    /// No linear score of these inputs is worth more.
    pub bound: f64,
    /// Parts of the problem that were looked at.
    pub nodes: u64,
    /// How the bound was proven.
    pub method: String,
    /// Why the search ended.
    pub ended: ProofEnd,
    /// How long it took, where the result depends on that: else the same run has the same bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Why a search for the best weights ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofEnd {
    /// Nothing better is there, but for the gap that was asked for.
    Proven,
    /// Its time or its nodes were up.
    Limit,
    /// More cannot be proven by this method: there are too many inputs, or weights must be whole numbers.
    OutOfReach,
    /// The watcher stopped it.
    Interrupted,
}

impl Proof {
    /// By which part of itself the value might be bettered.
    pub fn gap(&self) -> f64 {
        relative_gap(self.value, self.bound)
    }
}

impl Above {
    /// Which items of one list are above, by base scores.
    pub fn of(self, scores: &[f64]) -> Vec<bool> {
        let over = |least: f64| scores.iter().map(|score| *score >= least).collect();
        match self {
            Above::All => vec![true; scores.len()],
            Above::Score(threshold) => scores.iter().map(|score| *score > threshold).collect(),
            Above::First(0) => vec![false; scores.len()],
            Above::First(count) => {
                let mut falling = scores.to_vec();
                falling.sort_unstable_by(|a, b| b.total_cmp(a));
                over(falling.get(count as usize - 1).copied().unwrap_or(f64::NEG_INFINITY))
            }
        }
    }

    /// What the base scores of all others in a list are at most.
    fn floor(self, scores: &[f64], above: &[bool]) -> f64 {
        match self {
            Above::Score(threshold) => threshold,
            Above::All => 0.0,
            Above::First(_) => {
                let reached = scores.iter().zip(above).filter(|(_, above)| **above);
                reached.map(|(score, _)| *score).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

impl Rerank {
    /// Lifts the items of one list that are above; `second` tells their second score.
    pub(crate) fn lift(above: Above, scores: &mut [f64], second: impl Fn(usize) -> f64) {
        let chosen = above.of(scores);
        let floor = above.floor(scores, &chosen);
        let mut lifted: Vec<(f64, usize)> =
            (0..scores.len()).filter(|i| chosen[*i]).map(|i| (second(i), i)).collect();
        lifted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let size = if floor == 0.0 { 1.0 } else { floor.abs() };
        // Lists whose items are all lifted have nothing to lie above.
        let mut last = if above == Above::All { f64::NEG_INFINITY } else { floor };
        for tied in lifted.chunk_by(|a, b| a.0 == b.0) {
            let r = tied[0].0;
            let rise = if r >= 0.0 { 1.0 + r } else { 1.0 / (1.0 - r) };
            let score = match above {
                Above::All => r,
                _ => floor + size * rise,
            };
            // Far below the largest number, which leaves room for those that come next.
            last = score.min(f64::MAX / 2.0).max(last.next_up()).min(f64::MAX);
            tied.iter().for_each(|(_, item)| scores[*item] = last);
        }
    }

    /// Puts the first items of each list in their new order.
    pub(super) fn apply(&self, data: &Dataset, matched: &Matched, scores: &mut [f64]) {
        let lists: Vec<Vec<f64>> = (0..data.n_lists())
            .into_par_iter()
            .map(|list| {
                let items = data.items(list);
                let base = &scores[items.clone()];
                let mut own = base.to_vec();
                let second = |item: usize| {
                    let row: Vec<f32> = matched.row(data, items.start + item).collect();
                    let sum = self.net.value_with(&row, &mut Scratch::default());
                    // Without it the sum stays what it is, to the bit.
                    if self.base_weight == 0.0 { sum } else { sum + self.base_weight * base[item] }
                };
                Rerank::lift(self.above, &mut own, second);
                own
            })
            .collect();
        for (items, own) in data.lists().zip(lists) {
            scores[items].copy_from_slice(&own);
        }
    }
}

impl Model {
    /// The first stage of a model that re-ranks, as a model; itself if there is no second.
    pub fn first_stage(&self) -> Model {
        let mut model = Model { rerank: None, ..self.clone() };
        if let Some(rerank) = &self.rerank {
            model.learner = rerank.base.clone();
            model.parameters = rerank.base_parameters.clone();
            model.stages.pop();
            model.calibration = None;
        }
        model
    }

    /// The second stage alone: what puts the first items in order. `None` if there is none.
    pub fn second_stage(&self) -> Option<Model> {
        let rerank = self.rerank.as_ref()?;
        Some(Model {
            rerank: None,
            members: Vec::new(),
            stages: Vec::new(),
            calibration: None,
            bound: None,
            scorer: Scorer::linear(rerank.net.clone()),
            ..self.clone()
        })
    }
}

impl Scorer {
    /// A linear score that has no unit.
    pub fn linear(net: Net) -> Self {
        let factor = Factor::new("score", Link::Identity, 0.0, Vec::new());
        Scorer { unit: 1.0, factors: vec![Factor { net: Some(net), ..factor }] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifted(above: Above, scores: &[f64], second: &[f64]) -> Vec<f64> {
        let mut scores = scores.to_vec();
        Rerank::lift(above, &mut scores, |item| second[item]);
        scores
    }

    #[test]
    fn the_example_above() {
        let scores = [5.0, 4.0, 3.0, 1.0];
        let second = [-1.0, 2.0, 9.0, 9.0];
        let expected = [3.5 + 1.75, 3.5 + 10.5, 3.0, 1.0];
        assert_eq!(lifted(Above::Score(3.5), &scores, &second), expected);
        let first = lifted(Above::First(2), &scores, &second);
        assert_eq!(first, [4.0 + 2.0, 4.0 + 12.0, 3.0, 1.0]);
        assert_eq!(lifted(Above::All, &scores, &second), second);
        // Whoever is level with the last is above, too.
        assert_eq!(Above::First(2).of(&[3.0, 2.0, 2.0, 1.0]), [true, true, true, false]);
        assert_eq!(Above::First(9).of(&[3.0, 2.0]), [true, true]);
    }

    #[test]
    fn orders_and_ties_survive_rounding() {
        // Second scores that differ by less than the threshold's last digit, or are far apart.
        let second =
            [1e-300, 2e-300, -1e300, -2e300, 0.0, -0.0, 7.0, 7.0, 1e300, f64::MAX, 1.0 + 1e-16];
        for threshold in [0.0, 1.0, -1.0, 1e12, -1e300, 1e-300] {
            let scores: Vec<f64> = second.iter().map(|_| f64::MAX).chain([threshold]).collect();
            let out = lifted(Above::Score(threshold), &scores, &[&second[..], &[5.0]].concat());
            let (beneath, above) = (out[second.len()], &out[..second.len()]);
            assert_eq!(beneath, threshold);
            assert!(above.iter().all(|score| *score > threshold && score.is_finite()));
            for (a, r) in above.iter().zip(&second) {
                for (b, q) in above.iter().zip(&second) {
                    assert_eq!(a.partial_cmp(b), r.partial_cmp(q), "{r} {q} at {threshold}");
                }
            }
        }
    }
}
