//! The losses of the RankBoost family on training pairs after each round (Salomon 2020, sections
//! 3.2 and 4.2.1), with pair costs as shares c~ that add up to 1.
//!
//! - R1 = the sum of c~ over pairs that the scores order wrongly or leave tied; in R2 ties count
//!   1/2.
//! - E1 = the sum of c~ exp(-(s_i - s_j)).
//! - E2 = the sum of c~ x the product over weak rankers of e^-a, e^a or cosh(a), for those that
//!   order the pair correctly, wrongly or leave it tied: the loss of RankBoost+, which its
//!   distribution computes.
//!
//! If costs factorise, R1 and R2 take O(n log n) for a list of n items.

use std::ops::Range;

use stakes_core::metric::{PairSums, PairTerm, pair_sums};

use super::costs::{Factors, PairCosts};
use super::distribution::{Column, Distribution, Masses, Step};
use super::factored::Factored;
use super::feedback::Feedback;

/// The losses of the scores so far.
pub(crate) struct TrainingLosses<'f> {
    feedback: &'f Feedback,
    costs: &'f PairCosts,
    scores: Vec<f64>,
    terms: Terms,
    /// The distribution that gives E1, if costs factorise.
    exponential: Option<Factored<'f>>,
}

/// Pair costs as dot products, if they factorise.
enum Terms {
    Plain(Vec<PairTerm<1>>),
    Sided(Vec<PairTerm<2>>),
    /// They do not factorise.
    None,
}

impl Terms {
    fn new(feedback: &Feedback, factors: Option<Factors>) -> Self {
        let Some(Factors { times, sides }) = factors else { return Terms::None };
        // Levels fall from place to place within a list, but terms must be ascending by level.
        let order = || {
            feedback.lists.iter().flat_map(|list| {
                let places = list.clone().rev();
                places
                    .map(|place| (place, (place - list.start) as u32, level(feedback, place, list)))
            })
        };
        match sides {
            None => Terms::Plain(
                order()
                    .map(|(place, item, level)| PairTerm {
                        item,
                        level,
                        as_better: [times[place]],
                        as_worse: [times[place]],
                    })
                    .collect(),
            ),
            Some((better, worse)) => Terms::Sided(
                order()
                    .map(|(place, item, level)| PairTerm {
                        item,
                        level,
                        as_better: [times[place] * better[place], times[place]],
                        as_worse: [times[place], times[place] * worse[place]],
                    })
                    .collect(),
            ),
        }
    }
}

/// Returns a number that rises with the impact of a place: places of equal impact have the same
/// worse partners.
fn level(feedback: &Feedback, place: usize, list: &Range<usize>) -> u32 {
    (list.end - feedback.worse[place]) as u32
}

impl<'f> TrainingLosses<'f> {
    /// `own_e1`: whether E1 is to be computed here, because no distribution gives it.
    pub(crate) fn new(feedback: &'f Feedback, costs: &'f PairCosts, own_e1: bool) -> Self {
        let factors = costs.factors(feedback);
        let exponential =
            factors.clone().filter(|_| own_e1).map(|factors| Factored::new(feedback, factors));
        TrainingLosses {
            scores: vec![0.0; feedback.len()],
            terms: Terms::new(feedback, factors),
            exponential,
            feedback,
            costs,
        }
    }

    /// Adds a weak ranker.
    pub(crate) fn add(&mut self, column: &Column, alpha: f64) {
        let output = self.scores.iter_mut().zip(column).filter(|(_, output)| **output != 0);
        output.for_each(|(score, _)| *score += alpha);
        if let Some(exponential) = &mut self.exponential {
            exponential.update(column, Step { alpha, tied: 1.0 }, &Masses::default());
        }
    }

    /// Returns R1 and R2.
    pub(crate) fn rank_losses(&self) -> (f64, f64) {
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let mut all = PairSums::default();
            for list in &feedback.lists[piece] {
                let scores = &self.scores[list.clone()];
                let sums = match &self.terms {
                    Terms::Plain(terms) => pair_sums(&terms[list.clone()], scores),
                    Terms::Sided(terms) => pair_sums(&terms[list.clone()], scores),
                    Terms::None => self.pair_by_pair(list),
                };
                all.right += sums.right;
                all.wrong += sums.wrong;
                all.tied += sums.tied;
            }
            all
        });
        let (mut lost, mut tied, mut all) = (0.0, 0.0, 0.0);
        for sums in sums {
            lost += sums.wrong;
            tied += sums.tied;
            all += sums.all();
        }
        ((lost + tied) / all, (lost + 0.5 * tied) / all)
    }

    fn pair_by_pair(&self, list: &Range<usize>) -> PairSums {
        let mut sums = PairSums::default();
        self.each_pair(list, |cost, margin| {
            let sum = if margin > 0.0 {
                &mut sums.right
            } else if margin < 0.0 {
                &mut sums.wrong
            } else {
                &mut sums.tied
            };
            *sum += cost;
        });
        sums
    }

    /// Calls `take` with the cost and s_i - s_j of every pair of a list.
    fn each_pair(&self, list: &Range<usize>, mut take: impl FnMut(f64, f64)) {
        let feedback = self.feedback;
        let mut costs = Vec::new();
        for place in list.clone() {
            let worse = feedback.worse_than(place, list);
            costs.resize(worse.len(), 0.0);
            self.costs.of_row(feedback, place, &mut costs);
            for (other, cost) in worse.zip(&costs) {
                let weight = feedback.weight[place] * feedback.weight[other];
                take(weight * cost, self.scores[place] - self.scores[other]);
            }
        }
    }

    /// Returns E1, where no distribution gives it.
    pub(crate) fn e1(&self) -> f64 {
        if let Some(exponential) = &self.exponential {
            return exponential.loss();
        }
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let (mut loss, mut all) = (0.0, 0.0);
            for list in &feedback.lists[piece] {
                self.each_pair(list, |cost, margin| {
                    loss += cost * (-margin).exp();
                    all += cost;
                });
            }
            (loss, all)
        });
        let sum = sums.iter().fold((0.0, 0.0), |sum, piece| (sum.0 + piece.0, sum.1 + piece.1));
        sum.0 / sum.1
    }
}
