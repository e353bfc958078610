//! RankBoost with real-valued weak rankers (Freund et al. 2003, section 3): each is an input, scaled to
//! 0 to 1 over the training items, or one less it.
//!
//! r = sum over pairs of D (h(better) - h(worse)). A round takes the input with the largest |r|, with
//! the weight alpha = 1/2 ln((1 + r) / (1 - r)), and multiplies D by exp(-alpha (h(better) - h(worse))).
//! The model is a linear score.
//!
//! An item without a value has the mean, and an input that says so. With **abstention** there is no such
//! input, and the pairs of such an item are tied: they are not in the sum and keep their mass.
//!
//! Example: three items, best first, with h = 1, 0, 1/2: the pairs have h differences 1, 1/2 and -1/2,
//! so that r = 1/3 and alpha = 1/2 ln 2.

use rayon::prelude::*;
use stakes_model::Input;

use super::feedback::Feedback;
use crate::dense::Dense;
use crate::error::FitError;
use crate::run::Steps;

/// The |r| below which an input is taken for useless.
const MIN_EDGE: f64 = 1e-12;
/// The maximum of |r|, so that alpha is finite.
const MAX_EDGE: f64 = 1.0 - 1e-6;

/// An input as a weak ranker.
struct Ranker {
    /// h by place; NaN where it abstains.
    outputs: Vec<f64>,
    /// The number of the input, and the weight in the score of a weight of 1 here.
    input: usize,
    scale: f64,
    abstains: bool,
}

/// RankBoost of inputs after some rounds.
pub(super) struct FeatureBoost<'f> {
    feedback: &'f Feedback,
    rankers: Vec<Ranker>,
    /// The mass of every pair; it adds up to 1.
    mass: Vec<f64>,
    weights: Vec<f64>,
    /// What was chosen, and its weight: all that resuming needs.
    chosen: Vec<f64>,
}

impl<'f> FeatureBoost<'f> {
    /// Prepares the first round. `is_missing` says of an item whether the feature of an input has no
    /// value, where it abstains.
    pub(super) fn new(
        feedback: &'f Feedback,
        (inputs, data): (&[Input], &Dense),
        is_missing: Option<&(dyn Fn(usize, usize) -> bool + Sync)>,
    ) -> Self {
        let ranker = |(input, column): (usize, Vec<f64>)| -> Option<Ranker> {
            if is_missing.is_some() && matches!(inputs[input], Input::Missing { .. }) {
                return None;
            }
            let missing = |item: u32| is_missing.is_some_and(|of| of(input, item as usize));
            let known = || feedback.items.iter().filter(|item| !missing(**item));
            let values = known().map(|&item| column[item as usize]);
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            let scale = (high - low).recip();
            let output = |&item: &u32| match missing(item) {
                true => f64::NAN,
                false => (column[item as usize] - low) * scale,
            };
            let outputs: Vec<f64> = feedback.items.iter().map(output).collect();
            let abstains = outputs.iter().any(|h| h.is_nan());
            (scale.is_finite() && high > low).then_some(Ranker { outputs, input, scale, abstains })
        };
        let columns: Vec<(usize, Vec<f64>)> = data.columns().into_iter().enumerate().collect();
        let rankers = columns.into_par_iter().filter_map(ranker).collect();
        let mut mass = vec![0.0; feedback.pairs()];
        each_pair(feedback, |pair, better, worse| {
            mass[pair] = feedback.weight[better] * feedback.weight[worse];
        });
        normalise(&mut mass);
        let weights = vec![0.0; data.width()];
        FeatureBoost { feedback, rankers, mass, weights, chosen: Vec::new() }
    }

    /// The mass of pairs in which a place is the better one, less that in which it is the worse one.
    fn potentials(&self) -> Vec<f64> {
        let mut potentials = vec![0.0; self.feedback.len()];
        each_pair(self.feedback, |pair, better, worse| {
            potentials[better] += self.mass[pair];
            potentials[worse] -= self.mass[pair];
        });
        potentials
    }

    /// r of an input.
    fn edge(&self, ranker: &Ranker, potentials: &[f64]) -> f64 {
        if !ranker.abstains {
            return ranker.outputs.iter().zip(potentials).map(|(h, potential)| h * potential).sum();
        }
        let mut sum = 0.0;
        each_pair(self.feedback, |pair, better, worse| {
            sum += self.mass[pair] * ranker.difference(better, worse);
        });
        sum
    }

    fn add(&mut self, number: usize, alpha: f64) {
        let ranker = &self.rankers[number];
        let mass = &mut self.mass;
        each_pair(self.feedback, |pair, better, worse| {
            mass[pair] *= (-alpha * ranker.difference(better, worse)).exp();
        });
        self.weights[ranker.input] += alpha * ranker.scale;
        self.chosen.extend([number as f64, alpha]);
        normalise(&mut self.mass);
    }
}

impl Ranker {
    /// h(better) - h(worse); 0 where it abstains.
    fn difference(&self, better: usize, worse: usize) -> f64 {
        let difference = self.outputs[better] - self.outputs[worse];
        if difference.is_nan() { 0.0 } else { difference }
    }
}

impl Steps for FeatureBoost<'_> {
    fn step(&mut self, _round: usize) -> Result<bool, FitError> {
        let potentials = self.potentials();
        let edges: Vec<f64> =
            self.rankers.par_iter().map(|ranker| self.edge(ranker, &potentials)).collect();
        let best = edges.iter().enumerate().fold(None, |best: Option<(usize, f64)>, (i, &r)| {
            if best.is_none_or(|(_, most)| r.abs() > most.abs()) { Some((i, r)) } else { best }
        });
        let Some((number, r)) = best.filter(|(_, r)| r.abs() > MIN_EDGE) else { return Ok(false) };
        self.add(number, r.clamp(-MAX_EDGE, MAX_EDGE).atanh());
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.weights
    }

    fn memory(&self) -> Vec<f64> {
        self.chosen.clone()
    }

    fn can_remember(&self, len: usize, rounds: usize) -> bool {
        len == 2 * rounds
    }

    fn resume(&mut self, _numbers: &[f64], memory: &[f64]) {
        for pair in memory.chunks_exact(2) {
            self.add((pair[0] as usize).min(self.rankers.len().saturating_sub(1)), pair[1]);
        }
    }
}

/// Calls `of` with the number of each pair and its two places.
fn each_pair(feedback: &Feedback, mut of: impl FnMut(usize, usize, usize)) {
    for list in &feedback.lists {
        for better in list.clone() {
            let first = feedback.first_pair[better];
            for (at, worse) in feedback.worse_than(better, list).enumerate() {
                of(first + at, better, worse);
            }
        }
    }
}

fn normalise(mass: &mut [f64]) {
    let largest = mass.iter().copied().fold(0.0, f64::max);
    mass.iter_mut().for_each(|mass| *mass /= largest);
    let all: f64 = mass.iter().sum();
    mass.iter_mut().for_each(|mass| *mass /= all);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::newton::tests::lists;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn the_first_rounds_by_hand() {
        let feedback = Feedback::new(&lists(&[vec![3.0, 2.0, 1.0]], None), true);
        // h = 1, 0, 1/2 by the first input, of which values are twice h; the second is constant.
        let data = Dense::new(vec![2.0, 7.0, 0.0, 7.0, 1.0, 7.0], 2);
        let inputs = [0, 1].map(|feature| Input::Number { feature, mean: 0.0, deviation: 1.0 });
        let mut boost = FeatureBoost::new(&feedback, (&inputs, &data), None);
        assert!(boost.step(0).unwrap());
        let alpha = 0.5 * 2f64.ln();
        assert!(near(boost.numbers()[0], alpha / 2.0) && boost.numbers()[1] == 0.0);
        // Pairs of differences 1, 1/2, -1/2 have the factors 2^-1/2, 2^-1/4, 2^1/4.
        let factors = [-0.5, -0.25, 0.25].map(f64::exp2);
        let all: f64 = factors.iter().sum();
        assert!(boost.mass.iter().zip(factors).all(|(mass, by)| near(*mass, by / all)));
        // Resumed it goes on as it would have.
        let mut other = FeatureBoost::new(&feedback, (&inputs, &data), None);
        other.resume(boost.numbers(), &boost.memory());
        assert!(other.step(1).unwrap() && boost.step(1).unwrap());
        assert_eq!(other.numbers(), boost.numbers());
    }

    #[test]
    fn pairs_of_an_item_without_a_value_are_tied() {
        let feedback = Feedback::new(&lists(&[vec![3.0, 2.0, 1.0]], None), true);
        let data = Dense::new(vec![1.0, 0.0, 0.0], 1);
        let inputs = [Input::Number { feature: 0, mean: 0.0, deviation: 1.0 }];
        let is_missing = |_: usize, item: usize| item == 1;
        let mut boost = FeatureBoost::new(&feedback, (&inputs, &data), Some(&is_missing));
        // Only the first and the last item are compared: r = 1/3, as one pair of three is right.
        assert!(boost.step(0).unwrap());
        assert!(near(boost.numbers()[0], 0.5 * 2f64.ln()), "{:?}", boost.numbers());
        // The pairs (1, 2) and (2, 3) keep their mass, that of (1, 3) falls by e^-alpha.
        let [a, b, c] = boost.mass[..] else { panic!("three pairs") };
        assert!(near(a, c) && near(b / a, 0.5f64.sqrt()), "{:?}", boost.mass);
    }
}
