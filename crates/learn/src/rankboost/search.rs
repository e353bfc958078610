//! The best weak ranker: for every stump h the sum of potentials over the items it says 1 of,
//! which is eps+ - eps-, from sums by bin.
//!
//! One walk over the items of each feature makes the sums, O(items x features) for all stumps;
//! features are shared out among threads, and each one's items come in their order.

use rayon::prelude::*;

use super::weak::{Set, Weak};
use crate::tree::{BinnedMatrix, Binning, FeatureBins};

/// A feature, as the search sees it.
struct Sought {
    feature: usize,
    bins: usize,
    is_category: bool,
    has_missing: bool,
    /// Whether stumps speak of one class each.
    by_class: bool,
}

/// Where weak rankers are looked for.
pub(crate) struct Search<'s> {
    matrix: &'s BinnedMatrix,
    features: Vec<Sought>,
    /// Bins of classes, the missing one among them, and by item; empty without classes.
    classes: (usize, &'s [u8]),
}

/// Sums of potentials by feature and, class by class, bin.
pub(crate) struct Tally(Vec<Vec<f64>>);

impl<'s> Search<'s> {
    /// `class` is the feature that holds classes, if stumps are to speak of one class each.
    pub(crate) fn new(matrix: &'s BinnedMatrix, binning: &Binning, class: Option<usize>) -> Self {
        let sought = |(feature, bins): (usize, &FeatureBins)| Sought {
            feature,
            bins: bins.len(),
            is_category: matches!(bins, FeatureBins::Categories(_)),
            has_missing: matrix.column(feature).contains(&0),
            by_class: class.is_some_and(|class| class != feature),
        };
        let classes = class.map(|class| (binning.features()[class].len(), matrix.column(class)));
        Search {
            matrix,
            features: binning.features().iter().enumerate().map(sought).collect(),
            classes: classes.unwrap_or((1, &[])),
        }
    }

    /// Adds up potentials.
    pub(crate) fn tally(&self, potentials: &[f64]) -> Tally {
        let of = |sought: &Sought| {
            let column = self.matrix.column(sought.feature);
            if !sought.by_class {
                let mut sums = vec![0.0; sought.bins];
                for (bin, potential) in column.iter().zip(potentials) {
                    sums[usize::from(*bin)] += potential;
                }
                return sums;
            }
            let mut sums = vec![0.0; self.classes.0 * sought.bins];
            for ((bin, class), potential) in column.iter().zip(self.classes.1).zip(potentials) {
                sums[usize::from(*class) * sought.bins + usize::from(*bin)] += potential;
            }
            sums
        };
        Tally(self.features.par_iter().map(of).collect())
    }

    /// The weak ranker of the largest eps+ - eps-, either sign, among those that are `free`, and
    /// that difference; of equals the first.
    pub(crate) fn best(
        &self,
        tally: &Tally,
        free: impl Fn(&Weak) -> bool + Sync,
    ) -> Option<(Weak, f64)> {
        let of = |(sought, sums): (&Sought, &Vec<f64>)| {
            let mut best: Option<(Weak, f64)> = None;
            sought.each(sums, |weak, difference| {
                let better = best.is_none_or(|(_, most)| difference.abs() > most.abs());
                if better && free(&weak) {
                    best = Some((weak, difference));
                }
            });
            best
        };
        let found: Vec<Option<(Weak, f64)>> =
            self.features.par_iter().zip(&tally.0).map(of).collect();
        found.into_iter().flatten().fold(None, |best, new| match best {
            Some((_, most)) if new.1.abs() <= f64::abs(most) => best,
            _ => Some(new),
        })
    }

    /// Every weak ranker, for oracles.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<Weak> {
        let mut all = Vec::new();
        for sought in &self.features {
            let classes = if sought.by_class { self.classes.0 } else { 1 };
            sought.each(&vec![0.0; classes * sought.bins], |weak, _| all.push(weak));
        }
        all
    }

    /// How many sets of points weak rankers can tell apart, at most: the largest d with 2^d no
    /// more than the subsets of d points that they make. See `bound.rs`.
    pub(crate) fn dimension(&self) -> u32 {
        // Each feature orders d points in a line with the missing ones at either end, and cuts it
        // at d + 1 places; with classes each class has its own points, and either side counts.
        let by_class = self.features.iter().filter(|f| f.by_class).count() as f64;
        let plain = self.features.len() as f64 - by_class;
        let lines = 2.0 * (plain + 2.0 * (self.classes.0 as f64 - 1.0) * by_class);
        let shattered = |d: &u32| 2f64.powi(*d as i32) <= lines * f64::from(d + 1);
        // The theorem that it is used in asks for 2 at least.
        (2..200).take_while(shattered).last().unwrap_or(2).max(2)
    }
}

impl Sought {
    /// Hands out every weak ranker with its eps+ - eps-.
    fn each(&self, sums: &[f64], mut take: impl FnMut(Weak, f64)) {
        for (class, sums) in sums.chunks(self.bins).enumerate() {
            // Candidates of no known class are not spoken of.
            if self.by_class && class == 0 {
                continue;
            }
            let weak = |set| Weak { class: class as u8, feature: self.feature as u32, set };
            let last = self.bins - 1;
            let mut two = |set: &dyn Fn(bool) -> Set, sum: f64| {
                take(weak(set(false)), sum);
                if self.has_missing {
                    take(weak(set(true)), sum + sums[0]);
                }
            };
            if !self.is_category {
                let mut above = 0.0;
                for bin in (1..last).rev() {
                    above += sums[bin + 1];
                    two(&|missing| Set::Above { bin: bin as u8, missing }, above);
                }
                let mut up_to = 0.0;
                for bin in (1..last).filter(|_| self.by_class) {
                    up_to += sums[bin];
                    two(&|missing| Set::UpTo { bin: bin as u8, missing }, up_to);
                }
            } else {
                for (bin, sum) in sums.iter().enumerate().skip(1) {
                    take(weak(Set::Is(bin as u8)), *sum);
                }
            }
            if self.has_missing {
                take(weak(Set::Above { bin: last as u8, missing: true }), sums[0]);
            }
        }
    }
}
