//! A distribution over pairs that are written down, one number for each.
//!
//! RankBoost+ multiplies tied pairs, too, and then a pair's mass is no product of its items'
//! (`factored.rs`). Nor is it with some pair costs. Pairs of an item stand side by side
//! (`feedback.rs`), so a round is a few walks over plain memory: O(pairs).
//!
//! The masses that each of many weak rankers leaves tied are found eight at a time: what eight of
//! them say of an item is a byte, two bytes differ in the bits of those that order the pair, and
//! 256 sums, one for each such difference, hold what all eight leave tied.

use std::ops::Range;

use super::costs::PairCosts;
use super::distribution::{Column, Distribution, Masses, Step};
use super::feedback::Feedback;

/// Masses do not fall below: smaller ones only make arithmetic slow.
const LEAST: f64 = 1e-280;

/// The distribution.
pub(crate) struct Listed<'f> {
    feedback: &'f Feedback,
    masses: Vec<f64>,
    /// What masses are multiplied by in the next rounds, and how often, where costs come in by
    /// and by.
    by_and_by: Option<(Vec<f64>, usize)>,
    potentials: Vec<f64>,
    /// The logarithm of what masses were divided by.
    log_loss: f64,
}

impl<'f> Listed<'f> {
    /// With pair costs at once.
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
            by_and_by: None,
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

    /// With masses multiplied in each of so many rounds by the costs' root of that degree.
    pub(crate) fn by_and_by(mut self, costs: &PairCosts, rounds: usize) -> Self {
        let feedback = self.feedback;
        let mut roots = vec![0.0; feedback.pairs()];
        feedback.for_pairs(&mut roots, |piece, roots| {
            each_row(feedback, piece, roots, |place, _, row| {
                costs.of_row(feedback, place, row);
                row.iter_mut().for_each(|cost| *cost = cost.powf(1.0 / rounds as f64));
            });
        });
        self.by_and_by = Some((roots, rounds));
        self
    }

    /// Renews potentials, and gives the sum of all masses.
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

    fn divide(&mut self, by: f64) {
        self.feedback.for_pairs(&mut self.masses, |_, masses| {
            masses.iter_mut().for_each(|mass| *mass /= by);
        });
        self.potentials.iter_mut().for_each(|potential| *potential /= by);
    }
}

impl Distribution for Listed<'_> {
    fn begin_round(&mut self) {
        let Some((roots, rounds @ 1..)) = &mut self.by_and_by else { return };
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

    fn tied(&self, said: &[u8]) -> [f64; 8] {
        let feedback = self.feedback;
        let sums = feedback.map_pieces(|piece| {
            let mut sums = [0.0; 256];
            for list in &feedback.lists[piece] {
                for place in list.clone() {
                    let row = &self.masses[feedback.first_pair[place]..];
                    let worse = feedback.worse_than(place, list);
                    let own = said[place];
                    for (other, mass) in said[worse].iter().zip(row) {
                        sums[usize::from(own ^ other)] += mass;
                    }
                }
            }
            sums
        });
        let mut tied = [0.0; 8];
        for (at, tied) in tied.iter_mut().enumerate() {
            for sums in &sums {
                let alike = (0..256).filter(|differ| differ >> at & 1 == 0);
                *tied += alike.map(|differ| sums[differ]).sum::<f64>();
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
                // By what is said of the worse item.
                let [zero, one] = if column[place] == 0 { [tied, wrong] } else { [right, tied] };
                for (mass, said) in row.iter_mut().zip(&column[worse]) {
                    let least = LEAST.min(*mass);
                    *mass = (*mass * if *said == 0 { zero } else { one }).max(least);
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

/// Runs `work` for the pairs of each place of a piece's lists: the place, its worse partners, and
/// the part of `pairs` that is theirs.
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

/// Sums that are kept side by side, so that additions need not wait for each other.
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

/// The sums over pairs whose worse item is said 0, and 1, of.
fn sums_by(row: &[f64], said: &[u8]) -> (f64, f64) {
    let (mut zeros, mut ones) = ([0.0; LANES], [0.0; LANES]);
    let whole = said.len() / LANES * LANES;
    for (masses, said) in row[..whole].chunks_exact(LANES).zip(said[..whole].chunks_exact(LANES)) {
        for lane in 0..LANES {
            zeros[lane] += if said[lane] == 0 { masses[lane] } else { 0.0 };
            ones[lane] += if said[lane] == 0 { 0.0 } else { masses[lane] };
        }
    }
    for (at, said) in said.iter().enumerate().skip(whole) {
        let sums = if *said == 0 { &mut zeros } else { &mut ones };
        sums[0] += row[at];
    }
    (zeros.iter().sum(), ones.iter().sum())
}
