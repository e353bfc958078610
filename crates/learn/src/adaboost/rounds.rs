//! The rounds of AdaBoost: the stump with the least weighted error eps (or the largest: then its
//! weight is negative) gets the weight a = 1/2 ln((1 - eps) / eps), and D is multiplied by the factors
//! of the variant.
//!
//! h is 1 or -1; trees have 2a and 0, which is the same up to a constant that orders nothing. Half the
//! share of one item is added to eps and 1 - eps, so that a stump without errors has a finite weight.
//!
//! Example: four items, y = (1, 1, -1, -1), the stump is wrong on the second: eps = 1/4, and without
//! smoothing a = 1/2 ln 3; then D = (1/6, 1/2, 1/6, 1/6).

use super::variant::Variant;
use crate::prepared::{Prepared, Scores};
use crate::rankboost::{Counts, Search, StumpStats, WeakRanker, outputs, unweighted, weight_of};
use crate::run::NextTree;
use crate::tree::Tree;
use stakes_model::Ended;

/// The edge below which a stump is taken for useless.
const MIN_EDGE: f64 = 1e-12;

/// The two classes and what they cost.
pub(super) struct Classes {
    /// Whether each training item is costly.
    pub(super) costly: Vec<bool>,
    /// Whether there are items of both classes.
    pub(super) both: bool,
    /// The costs of costly items and of the others.
    pub(super) costs: [f64; 2],
    pub(super) variant: Variant,
    /// The number of rounds that there are going to be.
    pub(super) rounds: usize,
}

/// AdaBoost after some rounds.
pub(super) struct Boosting<'p> {
    prepared: &'p Prepared<'p>,
    search: Search<'p>,
    classes: Classes,
    /// D, which adds up to 1.
    distribution: Vec<f64>,
    smoothing: f64,
}

impl Classes {
    fn cost(&self, item: usize) -> f64 {
        self.costs[usize::from(!self.costly[item])]
    }

    fn sign(&self, item: usize) -> f64 {
        if self.costly[item] { 1.0 } else { -1.0 }
    }
}

impl<'p> Boosting<'p> {
    /// Prepares the first round.
    pub(super) fn new(prepared: &'p Prepared<'p>, classes: Classes) -> Self {
        let weight = prepared.training.unit_lists.weight();
        let first = |item: usize| {
            let weight = weight.map_or(1.0, |w| w[item]);
            weight * classes.variant.first(classes.cost(item), classes.rounds)
        };
        let items = classes.costly.len();
        let mut boosting = Boosting {
            search: Search::new(&prepared.training.matrix, &prepared.binning, None),
            prepared,
            distribution: (0..items).map(first).collect(),
            smoothing: 0.5 / items as f64,
            classes,
        };
        boosting.normalise();
        boosting
    }

    fn normalise(&mut self) {
        let largest = self.distribution.iter().copied().fold(0.0, f64::max);
        self.distribution.iter_mut().for_each(|d| *d /= largest);
        let all: f64 = self.distribution.iter().sum();
        self.distribution.iter_mut().for_each(|d| *d /= all);
    }

    /// The stump with the largest edge: the weight of what it has right less what it has wrong, or the
    /// other way round.
    fn choose(&self) -> Option<WeakRanker> {
        let signed: Vec<f64> =
            self.distribution.iter().enumerate().map(|(i, d)| d * self.classes.sign(i)).collect();
        // All items beside the set have the output -1: its sum counts twice, less that of all.
        let all: f64 = signed.iter().sum();
        let found = self.search.best_from(&self.search.tally(&signed), 0.5 * all, |_| true);
        let found = found.filter(|_| self.classes.both);
        found.filter(|(_, edge)| 2.0 * edge.abs() > MIN_EDGE).map(|(weak, _)| weak)
    }

    /// The weight of a stump with these outputs.
    fn alpha(&self, output: &[u8]) -> f64 {
        let of = |(item, d): (usize, &f64)| if self.is_right(item, output) { *d } else { 0.0 };
        let right: f64 = self.distribution.iter().enumerate().map(of).sum();
        0.5 * ((right + self.smoothing) / (1.0 - right.min(1.0) + self.smoothing)).ln()
    }

    fn is_right(&self, item: usize, output: &[u8]) -> bool {
        self.classes.costly[item] == (output[item] != 0)
    }

    fn update(&mut self, output: &[u8], alpha: f64) {
        let Classes { variant, rounds, .. } = self.classes;
        for item in 0..output.len() {
            let is_right = self.is_right(item, output);
            let factor = variant.factor(self.classes.cost(item), is_right, alpha, rounds);
            self.distribution[item] *= factor;
        }
        self.normalise();
    }
}

impl NextTree for Boosting<'_> {
    fn resume(&mut self, trees: &[Tree]) {
        let Prepared { training, binning, .. } = self.prepared;
        for tree in trees {
            let output = training.scores_after(binning, &[unweighted(tree)], 0.0);
            let output: Vec<u8> = output.iter().map(|one| u8::from(*one != 0.0)).collect();
            self.update(&output, 0.5 * weight_of(tree));
        }
    }

    fn next(&mut self, _round: u64, scores: &mut Scores) -> Result<Vec<Tree>, Ended> {
        let weak = self.choose().ok_or(Ended::NothingLeft)?;
        let Prepared { training, validation, binning, .. } = self.prepared;
        let output = outputs(weak, &training.matrix, None);
        let alpha = self.alpha(&output);
        if alpha == 0.0 {
            return Err(Ended::NothingLeft);
        }
        self.update(&output, alpha);
        let add = |scores: &mut [f64], output: &[u8]| {
            let outputs = scores.iter_mut().zip(output);
            outputs.for_each(|(score, one)| *score += 2.0 * alpha * f64::from(*one));
        };
        add(&mut scores.training, &output);
        if let Some(validation) = validation {
            add(&mut scores.validation, &outputs(weak, &validation.matrix, None));
        }
        let ones = output.iter().map(|one| u32::from(*one)).sum();
        let all = output.len() as u32;
        let counts = Counts { all, inside: ones, ones_inside: ones, ones_outside: 0 };
        let stats = StumpStats { alpha: 2.0 * alpha, gain: alpha.abs(), counts };
        Ok(vec![weak.tree(binning, None, &stats)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Choice;

    /// The first round of the example, for every variant by hand: y = (1, 1, -1, -1), wrong on the
    /// second, with costs 1 and 1/2 (for CSB 2 and 1).
    #[test]
    fn first_rounds_by_hand() {
        let (costly, output) = ([true, true, false, false], [1u8, 0, 0, 0]);
        let e = f64::exp;
        for variant in Variant::VALUES {
            let costs = variant.costs(2.0);
            let cost = |i: usize| costs[usize::from(!costly[i])];
            let first: Vec<f64> = (0..4).map(|i| variant.first(cost(i), 2)).collect();
            let half = 0.5f64.sqrt();
            let expected = match variant {
                Variant::AdaBoost => [1.0, 1.0],
                Variant::AsymAda => [1.0, half],
                Variant::Csb0 | Variant::Csb1 | Variant::Csb2 => [2.0, 1.0],
                _ => [1.0, 0.5],
            };
            assert_eq!([first[0], first[2]], expected, "{variant:?}");
            let a = 0.5 * 3f64.ln();
            let factor = |i: usize| variant.factor(cost(i), costly[i] == (output[i] != 0), a, 2);
            // Right and costly, wrong and costly, right and not costly.
            let expected = match variant {
                Variant::AdaBoost | Variant::CgAda => [e(-a), e(a), e(-a)],
                Variant::AsymAda => [e(-a), e(a), half * e(-a)],
                Variant::AdaC1 => [e(-a), e(a), e(-a / 2.0)],
                Variant::AdaC2 => [e(-a), e(a), 0.5 * e(-a)],
                Variant::AdaC3 => [e(-a), e(a), 0.5 * e(-a / 2.0)],
                Variant::Csb0 => [1.0, 2.0, 1.0],
                Variant::Csb1 => [e(-1.0), 2.0 * e(1.0), e(-1.0)],
                Variant::Csb2 => [e(-a), 2.0 * e(a), e(-a)],
                Variant::AdaCost => [1.0, e(a), e(-a / 4.0)],
            };
            for (i, expected) in expected.iter().enumerate() {
                assert!((factor(i) - expected).abs() < 1e-12, "{variant:?} {i}: {}", factor(i));
            }
        }
        // Of plain AdaBoost half the weight is then on what was wrong.
        let plain = Variant::AdaBoost;
        let a = 0.5 * 3f64.ln();
        let d = [true, false, true, true].map(|right| plain.factor(1.0, right, a, 1));
        let all: f64 = d.iter().sum();
        assert!((d[1] / all - 0.5).abs() < 1e-12 && (d[0] / all - 1.0 / 6.0).abs() < 1e-12);
    }
}
