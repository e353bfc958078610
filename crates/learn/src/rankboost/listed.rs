//! A distribution over pairs that stores the mass of each pair.
//!
//! RankBoost+ also changes the masses of tied pairs, so that the mass of a pair is not a product of
//! factors of its items (`factored.rs`); nor is it with some pair costs. The pairs of an item are
//! stored next to each other (`feedback.rs`), so a round is a few sequential passes: O(pairs).
//!
//! The masses that each of many weak rankers leaves tied are computed for eight at a time: the
//! outputs of eight rankers for an item are a byte, the bytes of two items differ in the bits of
//! the rankers that order the pair, and 256 sums, one for each such difference, give the tied
//! masses of all eight.

use std::ops::Range;

use super::by_difference::ByDifference;
use super::costs::PairCosts;
use super::distribution::{Column, Distribution, Masses, Step};
use super::feedback::Feedback;

/// The minimum mass of a pair: subnormal numbers would make arithmetic slow.
const MIN_MASS: f64 = 1e-280;

/// The distribution as a list of masses.
pub(crate) struct Listed<'f> {
    feedback: &'f Feedback,
    masses: Vec<f64>,
    /// The factors of the masses in each further round, and the number of these rounds, if costs
    /// are added gradually.
    gradually: Option<(Vec<f64>, usize)>,
    potentials: Vec<f64>,
    /// The logarithm of the product of all normalising constants.
    log_loss: f64,
}

impl<'f> Listed<'f> {
    /// The distribution with all pair costs from the start.
    pub(crate) fn new(feedback: &'f Feedback, costs: &PairCosts) -> Self {
        let mut masses = vec![0.0; feedback.pairs()];
        feedback.for_pairs(&mut masses, |piece, masses| {
            each_row(feedback, piece, masses, |place, worse, row| {
                costs.of_row(feedback, place, row);
                let weight = feedback.weight[place];
                for (mass, other) in row.iter_mut().zip(&feedback.weight[worse]) {
                    *mass *= weight * other;
                }
            });
        });
        let mut new = Listed {
            potentials: vec![0.0; feedback.n_items],
            log_loss: 0.0,
            gradually: None,
            feedback,
            masses,
        };
        let total = new.refresh();
        if total > 0.0 {
            new.divide(total);
        }
        new
    }

    /// Whether any pair has mass.
    pub(crate) fn has_mass(&self) -> bool {
        self.masses.iter().any(|mass| *mass > 0.0)
    }

    /// Multiplies masses in each of this number of rounds by the root of that degree of the costs.
    pub(crate) fn gradually(mut self, costs: &PairCosts, rounds: usize) -> Self {
        let feedback = self.feedback;
        let mut roots = vec![0.0; feedback.pairs()];
        feedback.for_pairs(&mut roots, |piece, roots| {
            each_row(feedback, piece, roots, |place, _, row| {
                costs.of_row(feedback, place, row);
                row.iter_mut().for_each(|cost| *cost = cost.powf(1.0 / rounds as f64));
            });
        });
        self.gradually = Some((roots, rounds));
        self
    }

    /// Recomputes potentials; returns the sum of all masses.
    fn refresh(&mut self) -> f64 {
        let (feedback, masses) = (self.feedback, &self.masses);
        let mut potentials = vec![0.0; feedback.len()];
        let sums = feedback.for_pieces(&mut potentials, |piece, out| {
            let start = feedback.lists[piece.start].start;
            let mut total = 0.0;
            for list in &feedback.lists[piece] {
                for place in list.clone() {
                    let row = &masses[feedback.first_pair[place]..feedback.first_pair[place + 1]];
                    let worse = feedback.worse_than(place, list);
                    let out_worse = &mut out[worse.start - start..worse.end - start];
                    out_worse.iter_mut().zip(row).for_each(|(out, mass)| *out -= mass);
                    let sum = sum(row);
                    out[place - start] += sum;
                    total += sum;
                }
            }
            total
        });
        for (place, &item) in feedback.items.iter().enumerate() {
            self.potentials[item as usize] = potentials[place];
        }
        sums.iter().sum()
    }

    /// Returns the masses of pairs by the difference of a column that counts up to `most`.
    pub(super) fn by_difference(&self, column: &Column, most: usize) -> ByDifference {
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let mut sums = vec![0.0; 2 * most + 1];
            for list in &feedback.lists[piece] {
                for place in list.clone() {
                    let row = &self.masses[feedback.first_pair[place]..];
                    let own = most + usize::from(column[place]);
                    for (mass, other) in row.iter().zip(&column[feedback.worse_than(place, list)]) {
                        sums[own - usize::from(*other)] += mass;
                    }
                }
            }
            sums
        });
        let mut all = vec![0.0; 2 * most + 1];
        for sums in sums {
            all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        }
        ByDifference(all)
    }

    /// Multiplies the masses of pairs by factors of the difference of a column; `z` is what masses then add up to
    /// before they are divided by it.
    pub(super) fn multiply(&mut self, column: &Column, factors: &ByDifference, z: f64) {
        let (feedback, most) = (self.feedback, factors.0.len() / 2);
        feedback.for_pairs(&mut self.masses, |piece, masses| {
            each_row(feedback, piece, masses, |place, worse, row| {
                let own = most + usize::from(column[place]);
                for (mass, other) in row.iter_mut().zip(&column[worse]) {
                    let least = MIN_MASS.min(*mass);
                    *mass = (*mass * factors.0[own - usize::from(*other)]).max(least);
                }
            });
        });
        self.log_loss += z.ln();
        self.refresh();
    }

    fn divide(&mut self, by: f64) {
        self.feedback.for_pairs(&mut self.masses, |_, masses| {
            masses.iter_mut().for_each(|mass| *mass /= by);
        });
        self.potentials.iter_mut().for_each(|potential| *potential /= by);
    }
}

impl Distribution for Listed<'_> {
    fn begin_round(&mut self) {
        let Some((roots, rounds @ 1..)) = &mut self.gradually else { return };
        *rounds -= 1;
        self.masses.iter_mut().zip(roots).for_each(|(mass, root)| *mass *= *root);
        let total = self.refresh();
        self.log_loss += total.ln();
        self.divide(total);
    }

    fn potentials(&self) -> &[f64] {
        &self.potentials
    }

    fn masses(&self, column: &Column) -> Masses {
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let mut sums = [0.0; 3];
            for list in &feedback.lists[piece] {
                for place in list.clone() {
                    let row = &self.masses[feedback.first_pair[place]..];
                    let (zeros, ones) = sums_by(row, &column[feedback.worse_than(place, list)]);
                    let [right, wrong, tied] = match column[place] {
                        0 => [0.0, ones, zeros],
                        _ => [zeros, 0.0, ones],
                    };
                    sums[0] += right;
                    sums[1] += wrong;
                    sums[2] += tied;
                }
            }
            sums
        });
        let [right, wrong, tied] =
            sums.iter().fold([0.0; 3], |sum, piece| std::array::from_fn(|at| sum[at] + piece[at]));
        let all = right + wrong + tied;
        Masses { right: right / all, wrong: wrong / all, tied: tied / all }
    }

    fn tied(&self, output: &[u8]) -> [f64; 8] {
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let mut sums = [0.0; 256];
            for list in &feedback.lists[piece] {
                for place in list.clone() {
                    let row = &self.masses[feedback.first_pair[place]..];
                    let worse = feedback.worse_than(place, list);
                    let own = output[place];
                    for (other, mass) in output[worse].iter().zip(row) {
                        sums[usize::from(own ^ other)] += mass;
                    }
                }
            }
            sums
        });
        let mut tied = [0.0; 8];
        for (at, tied) in tied.iter_mut().enumerate() {
            for sums in &sums {
                let same = (0..256).filter(|differ| differ >> at & 1 == 0);
                *tied += same.map(|differ| sums[differ]).sum::<f64>();
            }
        }
        tied
    }

    fn update(&mut self, column: &Column, step: Step, masses: &Masses) {
        let z = step.z(masses);
        let [right, wrong, tied] =
            [(-step.alpha).exp(), step.alpha.exp(), step.tied].map(|f| f / z);
        let feedback = self.feedback;
        feedback.for_pairs(&mut self.masses, |piece, masses| {
            each_row(feedback, piece, masses, |place, worse, row| {
                // The factors by the output for the worse item.
                let [zero, one] = if column[place] == 0 { [tied, wrong] } else { [right, tied] };
                for (mass, output) in row.iter_mut().zip(&column[worse]) {
                    let least = MIN_MASS.min(*mass);
                    *mass = (*mass * if *output == 0 { zero } else { one }).max(least);
                }
            });
        });
        self.log_loss += z.ln();
        self.refresh();
    }

    fn loss(&self) -> f64 {
        self.log_loss.exp()
    }
}

/// Runs `work` for each place of a piece's lists, with the place, its worse partners, and the part
/// of `pairs` for these pairs.
fn each_row(
    feedback: &Feedback,
    piece: Range<usize>,
    mut pairs: &mut [f64],
    mut work: impl FnMut(usize, Range<usize>, &mut [f64]),
) {
    for list in &feedback.lists[piece] {
        for place in list.clone() {
            let worse = feedback.worse_than(place, list);
            let (row, rest) = std::mem::take(&mut pairs).split_at_mut(worse.len());
            work(place, worse, row);
            pairs = rest;
        }
    }
}

/// The number of independent partial sums, so that additions need not wait for each other.
const LANES: usize = 8;

fn sum(row: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let chunks = row.chunks_exact(LANES);
    let rest: f64 = chunks.remainder().iter().sum();
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, mass)| *sum += mass);
    }
    sums.iter().sum::<f64>() + rest
}

/// Returns the sums over the pairs for whose worse item the output is 0, and is 1.
fn sums_by(row: &[f64], output: &[u8]) -> (f64, f64) {
    let (mut zeros, mut ones) = ([0.0; LANES], [0.0; LANES]);
    let whole = output.len() / LANES * LANES;
    for (masses, output) in
        row[..whole].chunks_exact(LANES).zip(output[..whole].chunks_exact(LANES))
    {
        for lane in 0..LANES {
            zeros[lane] += if output[lane] == 0 { masses[lane] } else { 0.0 };
            ones[lane] += if output[lane] == 0 { 0.0 } else { masses[lane] };
        }
    }
    for (at, output) in output.iter().enumerate().skip(whole) {
        let sums = if *output == 0 { &mut zeros } else { &mut ones };
        sums[0] += row[at];
    }
    (zeros.iter().sum(), ones.iter().sum())
}
