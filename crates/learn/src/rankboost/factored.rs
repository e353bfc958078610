//! RankBoost's distribution over pairs, without storing pairs.
//!
//! After weak rankers whose weighted sum is s, the pair (i above j) of cost t_i t_j (p_i + q_j)
//! has the mass t_i t_j (p_i + q_j) exp(-(s_i - s_j)) / Z. The pairs in which item i is the better
//! one have the total mass, up to 1 / Z,
//!
//!   t_i exp(-s_i) (p_i S + Q),  S = sum over worse j of t_j exp(s_j),  Q = the same with q_j,
//!
//! and one pass from the worst item to the best computes all of them with running sums (Freund et
//! al. 2003, section 4, for two levels), in O(items) instead of O(pairs).
//!
//! Sums are stored as a number times e^exponent, and the masses of a list relative to its heaviest
//! pair, so that scores of any size neither overflow nor underflow.
//!
//! Example: scores 0 and 1, the first the better: one pair of mass 1; potentials 1 and -1.

use std::ops::Range;

use super::costs::Factors;
use super::distribution::{Column, Distribution, Masses, Step};
use super::feedback::Feedback;

/// The sums S and Q, in units of e^exponent.
#[derive(Debug, Clone, Copy)]
struct Sums {
    exponent: f64,
    plain: f64,
    sided: f64,
}

impl Sums {
    const EMPTY: Sums = Sums { exponent: f64::NEG_INFINITY, plain: 0.0, sided: 0.0 };

    fn add(&mut self, exponent: f64, times: f64, side: f64) {
        if exponent > self.exponent {
            let before = (self.exponent - exponent).exp();
            self.plain = self.plain * before + times;
            self.sided = self.sided * before + times * side;
            self.exponent = exponent;
        } else {
            let scaled = times * (exponent - self.exponent).exp();
            self.plain += scaled;
            self.sided += scaled * side;
        }
    }

    /// Returns times (side S + Q) e^exponent, at least 0 in spite of rounding.
    fn pair_mass(&self, exponent: f64, times: f64, side: f64) -> f64 {
        if self.plain == 0.0 {
            return 0.0;
        }
        (times * (side * self.plain + self.sided) * (self.exponent + exponent).exp()).max(0.0)
    }
}

/// The distribution in factors of items.
pub(crate) struct Factored<'f> {
    feedback: &'f Feedback,
    factors: Factors,
    /// The factors of t in each further round, and the number of these rounds, if costs are added
    /// gradually.
    gradually: Option<(Vec<f64>, usize)>,
    /// The weighted sum of weak rankers by place.
    scores: Vec<f64>,
    /// By list, the logarithm of the unit of its masses, and the share of that unit.
    units: Vec<(f64, f64)>,
    potentials: Vec<f64>,
    /// The logarithm of the sum of all masses, now and at the start.
    log_total: f64,
    log_first: f64,
}

impl<'f> Factored<'f> {
    /// The distribution with all pair costs from the start.
    pub(crate) fn new(feedback: &'f Feedback, factors: Factors) -> Self {
        let mut new = Factored {
            scores: vec![0.0; feedback.len()],
            units: vec![(0.0, 0.0); feedback.lists.len()],
            potentials: vec![0.0; feedback.n_items],
            log_total: 0.0,
            log_first: 0.0,
            gradually: None,
            factors,
            feedback,
        };
        new.refresh();
        new.log_first = new.log_total;
        new
    }

    /// Multiplies t by `roots` in each of this number of rounds.
    pub(crate) fn gradually(mut self, roots: Vec<f64>, rounds: usize) -> Self {
        self.gradually = Some((roots, rounds));
        self
    }

    /// Whether any pair has mass.
    pub(crate) fn has_mass(&self) -> bool {
        self.log_total > f64::NEG_INFINITY
    }

    /// Returns p and q of a place.
    fn sides(&self, place: usize) -> (f64, f64) {
        match &self.factors.sides {
            Some((better, worse)) => (better[place], worse[place]),
            None => (1.0, 0.0),
        }
    }

    /// Returns the exponent of the heaviest pair of a list.
    fn heaviest(&self, list: &Range<usize>) -> f64 {
        let (mut best, mut highest, mut seen) = (f64::NEG_INFINITY, f64::NEG_INFINITY, list.end);
        for place in list.clone().rev() {
            while seen > self.feedback.worse[place] {
                seen -= 1;
                if self.factors.times[seen] > 0.0 {
                    highest = highest.max(self.scores[seen]);
                }
            }
            if self.factors.times[place] > 0.0 {
                best = best.max(highest - self.scores[place]);
            }
        }
        best
    }

    /// Recomputes potentials and units.
    fn refresh(&mut self) {
        let feedback = self.feedback;
        let mut potentials = vec![0.0; feedback.len()];
        let this = &*self;
        let sums = feedback.for_pieces(&mut potentials, |piece, out| {
            let start = feedback.lists[piece.start].start;
            let of_list = |list: &Range<usize>| {
                let out = &mut out[list.start - start..list.end - start];
                let unit = this.heaviest(list);
                if unit == f64::NEG_INFINITY {
                    return (unit, 0.0);
                }
                let total = this.as_better(list, unit, out);
                this.as_worse(list, unit, out);
                (unit, total)
            };
            let mut of_list = of_list;
            feedback.lists[piece].iter().map(&mut of_list).collect::<Vec<_>>()
        });
        let sums: Vec<(f64, f64)> = sums.into_iter().flatten().collect();
        let largest = sums.iter().map(|(unit, _)| *unit).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = sums.iter().map(|(unit, sum)| sum * (unit - largest).exp()).sum();
        if largest == f64::NEG_INFINITY || total == 0.0 {
            self.log_total = f64::NEG_INFINITY;
            return;
        }
        self.log_total = largest + total.ln();
        for ((unit, list), at) in sums.iter().zip(&feedback.lists).zip(&mut self.units) {
            let share = (unit.0 - largest).exp() / total;
            *at = (unit.0, share);
            for place in list.clone() {
                self.potentials[feedback.items[place] as usize] = potentials[place] * share;
            }
        }
    }

    /// Adds the mass of the pairs in which each item is the better one; returns the sum.
    fn as_better(&self, list: &Range<usize>, unit: f64, out: &mut [f64]) -> f64 {
        let (mut worse, mut seen, mut total) = (Sums::EMPTY, list.end, 0.0);
        for place in list.clone().rev() {
            while seen > self.feedback.worse[place] {
                seen -= 1;
                worse.add(self.scores[seen], self.factors.times[seen], self.sides(seen).1);
            }
            let side = self.sides(place).0;
            let mass = worse.pair_mass(-self.scores[place] - unit, self.factors.times[place], side);
            out[place - list.start] += mass;
            total += mass;
        }
        total
    }

    /// Subtracts the mass of the pairs in which each item is the worse one.
    fn as_worse(&self, list: &Range<usize>, unit: f64, out: &mut [f64]) {
        let (mut better, mut seen) = (Sums::EMPTY, list.start);
        for place in list.clone() {
            while self.feedback.worse[seen] <= place {
                better.add(-self.scores[seen], self.factors.times[seen], self.sides(seen).0);
                seen += 1;
            }
            let side = self.sides(place).1;
            // Here the sums are over i, so p_i is in the sum Q, and q_j is the factor of S.
            let mass = better.pair_mass(self.scores[place] - unit, self.factors.times[place], side);
            out[place - list.start] -= mass;
        }
    }

    /// Returns the masses of the pairs of a list that a column orders correctly and wrongly.
    fn ordered(&self, list: &Range<usize>, unit: f64, column: &Column) -> (f64, f64) {
        let mut worse = [Sums::EMPTY; 2];
        let (mut seen, mut found) = (list.end, [0.0; 2]);
        for place in list.clone().rev() {
            while seen > self.feedback.worse[place] {
                seen -= 1;
                let output = usize::from(column[seen]);
                worse[output].add(self.scores[seen], self.factors.times[seen], self.sides(seen).1);
            }
            let output = usize::from(column[place]);
            let (times, side) = (self.factors.times[place], self.sides(place).0);
            found[output] += worse[1 - output].pair_mass(-self.scores[place] - unit, times, side);
        }
        (found[1], found[0])
    }
}

impl Distribution for Factored<'_> {
    fn begin_round(&mut self) {
        let Some((roots, rounds @ 1..)) = &mut self.gradually else { return };
        *rounds -= 1;
        self.factors.times.iter_mut().zip(roots).for_each(|(times, root)| *times *= *root);
        self.refresh();
    }

    fn potentials(&self) -> &[f64] {
        &self.potentials
    }

    fn masses(&self, column: &Column) -> Masses {
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let (mut right, mut wrong) = (0.0, 0.0);
            for list in piece {
                let (unit, share) = self.units[list];
                if share > 0.0 {
                    let found = self.ordered(&feedback.lists[list], unit, column);
                    right += share * found.0;
                    wrong += share * found.1;
                }
            }
            (right, wrong)
        });
        let (right, wrong) =
            sums.iter().fold((0.0, 0.0), |sum, piece| (sum.0 + piece.0, sum.1 + piece.1));
        Masses { right, wrong, tied: (1.0 - right - wrong).max(0.0) }
    }

    fn update(&mut self, column: &Column, step: Step, _masses: &Masses) {
        debug_assert_eq!(step.tied, 1.0, "masses of ties change only where pairs are listed");
        let moved = [0.0, step.alpha];
        let scores = self.scores.iter_mut().zip(column);
        scores.for_each(|(score, output)| *score += moved[usize::from(*output)]);
        self.refresh();
    }

    fn loss(&self) -> f64 {
        (self.log_total - self.log_first).exp()
    }
}
