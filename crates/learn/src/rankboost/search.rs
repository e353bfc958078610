//! The search for the best weak ranker: eps+ - eps- of a stump h is the sum of the potentials of
//! the items for which its output is 1, and follows from sums by bin.
//!
//! One pass over the items for each feature computes the sums, in O(items x features) for all
//! stumps; features are processed in parallel, and the items of each in order.
//!
//! In multiclass tasks sums are by class and bin, and the best stump of a threshold follows
//! directly: on each side its output is 1 for exactly those classes whose sum is above 0. (All
//! potentials add up to 0, so the others have the same sum with the opposite sign.)

use std::cmp::Ordering;

use rayon::prelude::*;

use super::weak::{Set, Sides, WeakRanker};
use crate::tree::{BinnedMatrix, Binning, CategorySet, FeatureBins};

/// What the search needs to know of a feature.
struct SearchedFeature {
    feature: usize,
    bins: usize,
    is_category: bool,
    has_missing: bool,
}

/// The search for weak rankers on a matrix.
pub(crate) struct Search<'s> {
    matrix: &'s BinnedMatrix,
    features: Vec<SearchedFeature>,
    /// The class bin of each item, and the number of classes.
    classes: Option<(&'s [u8], usize)>,
}

/// Sums of potentials by feature and bin, class by class.
pub(crate) struct Tally(Vec<Vec<f64>>);

impl<'s> Search<'s> {
    /// `class` is the feature that holds classes, if one does.
    pub(crate) fn new(matrix: &'s BinnedMatrix, binning: &Binning, class: Option<usize>) -> Self {
        let searched = |(feature, bins): (usize, &FeatureBins)| SearchedFeature {
            feature,
            bins: bins.len(),
            is_category: matches!(bins, FeatureBins::Categories(_)),
            has_missing: matrix.column(feature).contains(&0),
        };
        let features = binning.features().iter().enumerate();
        Search {
            matrix,
            features: features.filter(|(j, _)| Some(*j) != class).map(searched).collect(),
            classes: class.map(|c| (matrix.column(c), binning.features()[c].len() - 1)),
        }
    }

    /// Sums up potentials by bin.
    pub(crate) fn tally(&self, potentials: &[f64]) -> Tally {
        let of = |searched: &SearchedFeature| {
            let column = self.matrix.column(searched.feature);
            let Some((classes, n)) = self.classes else {
                let mut sums = vec![0.0; searched.bins];
                for (bin, potential) in column.iter().zip(potentials) {
                    sums[usize::from(*bin)] += potential;
                }
                return sums;
            };
            // Bin by bin, in the order of thresholds; within a bin the items without a class first.
            let mut sums = vec![0.0; (n + 1) * searched.bins];
            for ((bin, class), potential) in column.iter().zip(classes).zip(potentials) {
                sums[usize::from(*bin) * (n + 1) + usize::from(*class)] += potential;
            }
            sums
        };
        Tally(self.features.par_iter().map(of).collect())
    }

    /// Returns the weak ranker with the largest absolute eps+ - eps- among those that are
    /// `allowed`, and that difference; the first among equals.
    pub(crate) fn best(
        &self,
        tally: &Tally,
        allowed: impl Fn(&WeakRanker) -> bool + Sync,
    ) -> Option<(WeakRanker, f64)> {
        self.best_from(tally, 0.0, allowed)
    }

    /// The same with differences counted from a level.
    pub(crate) fn best_from(
        &self,
        tally: &Tally,
        level: f64,
        allowed: impl Fn(&WeakRanker) -> bool + Sync,
    ) -> Option<(WeakRanker, f64)> {
        let of = |(searched, sums): (&SearchedFeature, &Vec<f64>)| {
            let mut best: Option<(WeakRanker, f64)> = None;
            let mut take = |difference: f64, weak: &dyn Fn() -> WeakRanker| {
                if best.is_none_or(|(_, largest)| difference.abs() > largest.abs()) {
                    let weak = weak();
                    if allowed(&weak) {
                        best = Some((weak, difference));
                    }
                }
            };
            match self.classes {
                None => searched.each(sums, |weak, sum| take(sum - level, &|| weak)),
                Some((_, n)) => searched.each_by_class(sums, n, take),
            }
            best
        };
        let found: Vec<Option<(WeakRanker, f64)>> =
            self.features.par_iter().zip(&tally.0).map(of).collect();
        found.into_iter().flatten().fold(None, |best, new| match best {
            Some((_, largest)) if new.1.abs() <= f64::abs(largest) => best,
            _ => Some(new),
        })
    }

    /// Returns the weak ranker of the largest benefit among those, as they are or turned around, whose eps+ - eps-
    /// is at least `least`, and whether it is turned; of several the one with the largest difference, then the first.
    /// Not for classes.
    pub(crate) fn preferred(
        &self,
        tally: &Tally,
        benefits: &Tally,
        least: f64,
    ) -> Option<(WeakRanker, bool)> {
        type Found = (WeakRanker, bool, [f64; 2]);
        let better =
            |new: &[f64; 2], old: &[f64; 2]| new.partial_cmp(old) == Some(Ordering::Greater);
        let of = |(searched, (sums, benefits)): (&SearchedFeature, (&Vec<f64>, &Vec<f64>))| {
            let mut gains = Vec::new();
            searched.each(benefits, |_, benefit| gains.push(benefit));
            let (mut best, mut gains): (Option<Found>, _) = (None, gains.into_iter());
            searched.each(sums, |weak, difference| {
                let gain = gains.next().unwrap_or(0.0);
                for (turned, sign) in [(false, 1.0), (true, -1.0)] {
                    let value = [sign * gain, sign * difference];
                    if value[1] >= least && best.is_none_or(|(_, _, old)| better(&value, &old)) {
                        best = Some((weak, turned, value));
                    }
                }
            });
            best
        };
        let features = self.features.par_iter().zip(tally.0.par_iter().zip(&benefits.0));
        let found: Vec<Option<Found>> = features.map(of).collect();
        let best = found
            .into_iter()
            .flatten()
            .reduce(|best, new| if better(&new.2, &best.2) { new } else { best });
        best.map(|(weak, turned, _)| (weak, turned))
    }

    /// Every weak ranker, for oracles; with classes every set of bins, with no classes chosen.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<WeakRanker> {
        let mut all = Vec::new();
        for searched in &self.features {
            searched.each(&vec![0.0; searched.bins], |weak, _| all.push(weak));
        }
        all
    }

    /// Returns an upper bound of the VC dimension of the weak rankers: the largest d such that 2^d
    /// is at most the number of subsets of d points that they can separate. See `bound.rs`.
    pub(crate) fn dimension(&self) -> u32 {
        // Each feature orders d points on a line, with the missing ones at either end, and cuts it
        // at one of d + 1 places; with classes, any set of them may be chosen on either side.
        let classes = self.classes.map_or(0, |(_, n)| n) as f64;
        let lines = 2.0 * self.features.len() as f64;
        let shattered =
            |d: &u32| f64::from(*d) <= (lines * f64::from(d + 1)).log2() + 2.0 * classes;
        // The theorem in which it is used requires at least 2.
        (2..2000).take_while(shattered).last().unwrap_or(2)
    }
}

impl SearchedFeature {
    fn weak(&self, set: Set) -> WeakRanker {
        WeakRanker { feature: self.feature as u32, set, classes: None }
    }

    /// Calls `take` with every weak ranker and its eps+ - eps-.
    fn each(&self, sums: &[f64], mut take: impl FnMut(WeakRanker, f64)) {
        let last = self.bins - 1;
        if self.is_category {
            for (bin, sum) in sums.iter().enumerate().skip(1) {
                take(self.weak(Set::Is(bin as u8)), *sum);
            }
        } else {
            let mut above = 0.0;
            for bin in (1..last).rev() {
                above += sums[bin + 1];
                let set = |missing| Set::Above { bin: bin as u8, missing };
                take(self.weak(set(false)), above);
                if self.has_missing {
                    take(self.weak(set(true)), above + sums[0]);
                }
            }
        }
        if self.has_missing {
            take(self.weak(Set::Above { bin: last as u8, missing: true }), sums[0]);
        }
    }

    /// Calls `take` with eps+ - eps- of the best weak ranker of every set of bins, and a function
    /// that creates it.
    fn each_by_class(
        &self,
        sums: &[f64],
        classes: usize,
        mut take: impl FnMut(f64, &dyn Fn() -> WeakRanker),
    ) {
        // The sums of a bin by class, without the items of no class.
        let of_bin = |bin: usize| &sums[bin * (classes + 1) + 1..(bin + 1) * (classes + 1)];
        let mut all = vec![0.0; classes];
        (0..self.bins).for_each(|bin| add(&mut all, of_bin(bin)));
        let mut consider = |set: Set, inside: &[f64]| {
            let parts = || inside.iter().zip(&all).map(|(inside, all)| (*inside, all - inside));
            let difference = parts().map(|(a, b)| a.max(0.0) + b.max(0.0)).sum();
            take(difference, &|| {
                let chosen = |of: fn((f64, f64)) -> f64| -> CategorySet {
                    let codes = parts().map(of).enumerate().filter(|(_, sum)| *sum > 0.0);
                    codes.map(|(code, _)| code as u8).collect()
                };
                let sides = Sides { inside: chosen(|p| p.0), outside: chosen(|p| p.1) };
                WeakRanker { classes: Some(sides), ..self.weak(set) }
            });
        };
        let last = self.bins - 1;
        let mut inside = vec![0.0; classes];
        if self.is_category {
            (1..self.bins).for_each(|bin| consider(Set::Is(bin as u8), of_bin(bin)));
        } else {
            for bin in (1..last).rev() {
                add(&mut inside, of_bin(bin + 1));
                let set = |missing| Set::Above { bin: bin as u8, missing };
                consider(set(false), &inside);
                if self.has_missing {
                    let mut with_missing = inside.clone();
                    add(&mut with_missing, of_bin(0));
                    consider(set(true), &with_missing);
                }
            }
        }
        if self.has_missing {
            consider(Set::Above { bin: last as u8, missing: true }, of_bin(0));
        }
    }
}

fn add(sums: &mut [f64], more: &[f64]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}
