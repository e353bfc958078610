//! The best weak ranker: for every stump h the sum of potentials over the items it says 1 of,
//! which is eps+ - eps-, from sums by bin.
//!
//! One walk over the items of each feature makes the sums, O(items x features) for all stumps;
//! features are shared out among threads, and each one's items come in their order.
//!
//! Where there are classes, sums are by class and bin, and the best stump of a threshold follows at
//! once: it says 1 of exactly those classes, on each side, whose sum is above 0. (All potentials add
//! up to 0, so the rest has the same sum with the other sign.)

use rayon::prelude::*;

use super::weak::{Set, Sides, Weak};
use crate::tree::{BinnedMatrix, Binning, CategorySet, FeatureBins};

/// A feature, as the search sees it.
struct Sought {
    feature: usize,
    bins: usize,
    is_category: bool,
    has_missing: bool,
}

/// Where weak rankers are looked for.
pub(crate) struct Search<'s> {
    matrix: &'s BinnedMatrix,
    features: Vec<Sought>,
    /// Bins of classes by item, and how many classes there are.
    classes: Option<(&'s [u8], usize)>,
}

/// Sums of potentials by feature and bin, class by class.
pub(crate) struct Tally(Vec<Vec<f64>>);

impl<'s> Search<'s> {
    /// `class` is the feature that holds classes, if one does.
    pub(crate) fn new(matrix: &'s BinnedMatrix, binning: &Binning, class: Option<usize>) -> Self {
        let sought = |(feature, bins): (usize, &FeatureBins)| Sought {
            feature,
            bins: bins.len(),
            is_category: matches!(bins, FeatureBins::Categories(_)),
            has_missing: matrix.column(feature).contains(&0),
        };
        let features = binning.features().iter().enumerate();
        Search {
            matrix,
            features: features.filter(|(j, _)| Some(*j) != class).map(sought).collect(),
            classes: class.map(|c| (matrix.column(c), binning.features()[c].len() - 1)),
        }
    }

    /// Adds up potentials.
    pub(crate) fn tally(&self, potentials: &[f64]) -> Tally {
        let of = |sought: &Sought| {
            let column = self.matrix.column(sought.feature);
            let Some((classes, n)) = self.classes else {
                let mut sums = vec![0.0; sought.bins];
                for (bin, potential) in column.iter().zip(potentials) {
                    sums[usize::from(*bin)] += potential;
                }
                return sums;
            };
            // Bin after bin, as thresholds come, and first those of no class.
            let mut sums = vec![0.0; (n + 1) * sought.bins];
            for ((bin, class), potential) in column.iter().zip(classes).zip(potentials) {
                sums[usize::from(*bin) * (n + 1) + usize::from(*class)] += potential;
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
            let mut take = |difference: f64, weak: &dyn Fn() -> Weak| {
                if best.is_none_or(|(_, most)| difference.abs() > most.abs()) {
                    let weak = weak();
                    if free(&weak) {
                        best = Some((weak, difference));
                    }
                }
            };
            match self.classes {
                None => sought.each(sums, |weak, difference| take(difference, &|| weak)),
                Some((_, n)) => sought.each_by_class(sums, n, take),
            }
            best
        };
        let found: Vec<Option<(Weak, f64)>> =
            self.features.par_iter().zip(&tally.0).map(of).collect();
        found.into_iter().flatten().fold(None, |best, new| match best {
            Some((_, most)) if new.1.abs() <= f64::abs(most) => best,
            _ => Some(new),
        })
    }

    /// Every weak ranker, for oracles; with classes every set of bins, with no classes chosen.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<Weak> {
        let mut all = Vec::new();
        for sought in &self.features {
            sought.each(&vec![0.0; sought.bins], |weak, _| all.push(weak));
        }
        all
    }

    /// How many points weak rankers can tell apart in every way, at most: the largest d with 2^d no
    /// more than the subsets of d points that they make. See `bound.rs`.
    pub(crate) fn dimension(&self) -> u32 {
        // Each feature orders d points in a line with the missing ones at either end, and cuts it
        // at d + 1 places; with classes any of them may be chosen on either side.
        let classes = self.classes.map_or(0, |(_, n)| n) as f64;
        let lines = 2.0 * self.features.len() as f64;
        let shattered =
            |d: &u32| f64::from(*d) <= (lines * f64::from(d + 1)).log2() + 2.0 * classes;
        // The theorem that it is used in asks for 2 at least.
        (2..2000).take_while(shattered).last().unwrap_or(2)
    }
}

impl Sought {
    fn weak(&self, set: Set) -> Weak {
        Weak { feature: self.feature as u32, set, classes: None }
    }

    /// Hands out every weak ranker with its eps+ - eps-.
    fn each(&self, sums: &[f64], mut take: impl FnMut(Weak, f64)) {
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

    /// Hands out the best weak ranker of every set of bins, made on demand.
    fn each_by_class(
        &self,
        sums: &[f64],
        classes: usize,
        mut take: impl FnMut(f64, &dyn Fn() -> Weak),
    ) {
        // The sums of a bin by class, those of no class left out.
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
                Weak { classes: Some(sides), ..self.weak(set) }
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
