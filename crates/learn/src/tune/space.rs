//! The settings that are tried: those that were given, and others drawn from the values that
//! parameters declare ([`LearnerInfo::tries`]).
//!
//! All combinations of these values are numbered; numbers are drawn without one twice, so no
//! two trials are alike however few combinations there are. What somebody gave is not tuned.
//!
//! A low learning rate needs more rounds to come as far, so rounds are in proportion to
//! 1 / rate (four times as many at most): 500 rounds at 0.05 become 1250 at 0.02 and 125 at 0.2.
//! Rounds that were given stay as they are.

use std::collections::{BTreeMap, HashMap};

use stakes_core::random::{Stream, purpose};

use crate::learner::{Configured, Learner};
use crate::params::ParamError;

/// The maximum factor on the number of rounds that were given.
const MAX_FACTOR: f64 = 4.0;

/// The values that tuning draws from.
pub(super) struct Space<'s> {
    given: &'s Configured,
    /// Parameters that are tuned, and their values.
    values: Vec<(String, &'static [&'static str])>,
}

impl<'s> Space<'s> {
    pub(super) fn new(given: &'s Configured) -> Self {
        let tuned = |key: &String, tries: &[&str]| !tries.is_empty() && !given.given.contains(key);
        let values = given.learner.params().into_iter().map(|param| (param.key, param.tries));
        Space { given, values: values.filter(|(key, tries)| tuned(key, tries)).collect() }
    }

    /// The number of combinations.
    fn size(&self) -> usize {
        self.values.iter().fold(1, |product: usize, (_, v)| product.saturating_mul(v.len()))
    }

    /// The combination of a number: its digits, each to the base of the number of values.
    fn combination(&self, mut number: usize) -> Result<Box<dyn Learner>, ParamError> {
        let mut learner = self.given.learner.clone();
        for (key, values) in &self.values {
            learner.set(key, values[number % values.len()])?;
            number /= values.len();
        }
        Ok(learner)
    }

    /// The given settings and others, `trials` in all or as many as there are.
    pub(super) fn draw(
        &self,
        trials: usize,
        seed: u64,
    ) -> Result<Vec<Box<dyn Learner>>, ParamError> {
        let mut drawn = vec![self.given.learner.clone()];
        let as_given = self.given.learner.texts();
        let stream = Stream::new(purpose(seed, b"tuning  "), 0);
        // The first places of a shuffle, without a table of all combinations: what was moved to the
        // places that were drawn from.
        let mut moved: HashMap<usize, usize> = HashMap::new();
        let size = self.size();
        for place in 0..size {
            if drawn.len() >= trials {
                break;
            }
            let from = place + stream.below(place as u64, size - place);
            let at = |place: usize| moved.get(&place).copied().unwrap_or(place);
            let (taken, left) = (at(from), at(place));
            moved.insert(from, left);
            let mut learner = self.combination(taken)?;
            if learner.texts() != as_given {
                self.adapt_rounds(&mut *learner);
                drawn.push(learner);
            }
        }
        Ok(drawn)
    }

    /// The values of the parameters that are tuned.
    pub(super) fn tuned(&self, learner: &dyn Learner) -> BTreeMap<String, String> {
        let mut texts = learner.texts();
        texts.retain(|key, _| self.values.iter().any(|(tuned, _)| tuned == key));
        texts
    }

    /// More rounds for a lower rate, and more patience; fewer rounds for a higher one.
    fn adapt_rounds(&self, learner: &mut dyn Learner) {
        let mut given = self.given.learner.clone();
        let (given, mut pace) = (given.pace(), learner.pace());
        let (Some(before), Some(rate)) = (given.rate, &pace.rate) else { return };
        let factor = (*before / **rate).min(MAX_FACTOR);
        let more = |number: usize, factor: f64| (number as f64 * factor).round() as usize;
        let free = |key: &str| !self.given.given.contains(key);
        for ((key, rounds), (_, before)) in pace.rounds.iter_mut().zip(given.rounds) {
            if free(key) {
                **rounds = more(*before, factor);
            }
        }
        if let (Some(patience), Some(before)) = (&mut pace.patience, given.patience)
            && free("patience")
        {
            **patience = more(*before, factor.max(1.0));
        }
    }
}

/// The learner with a part of the rounds of each stage.
pub(super) fn with_rounds(
    learner: &dyn Learner,
    part: impl Fn(usize) -> usize,
) -> Box<dyn Learner> {
    let mut learner = learner.boxed();
    for (_, rounds) in learner.pace().rounds {
        *rounds = part(*rounds);
    }
    learner
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{learner, learners};

    fn has_leaves(info: &LearnerInfo) -> bool {
        info.params().any(|(param, _)| param.key == "leaves")
    }

    #[test]
    fn trials_differ_and_the_first_is_as_given() {
        for info in learners().filter(|info| !info.is_blend()) {
            let given = Settings::new(info, []).unwrap();
            let space = Space::new(info, &given);
            let trials = space.draw(50, 7).unwrap();
            // As many as there are; the settings as given may be none of the combinations.
            assert!(trials.len() >= space.size().min(50), "{}", info.name);
            assert!(!has_leaves(info) || trials.len() == 50);
            assert!(trials[0] == given);
            for (i, a) in trials.iter().enumerate() {
                assert!(trials[..i].iter().all(|b| space.tuned(a) != space.tuned(b)));
            }
            // Others from another seed, the same from the same, and the first of more are the
            // same as fewer.
            assert!(space.draw(50, 7).unwrap() == trials);
            assert!(space.size() < 3 || space.draw(50, 8).unwrap() != trials);
            let few = trials.len().min(20);
            assert!(space.draw(few, 7).unwrap() == trials[..few]);
            // Every value has its turn.
            for (key, values) in &space.values {
                for value in *values {
                    assert!(trials.iter().any(|t| t.text(key) == *value), "{key}={value}");
                }
            }
        }
    }

    #[test]
    fn what_was_given_is_not_tuned() {
        let info = learner("cs-mart").unwrap();
        // One of them is the default.
        let given = Settings::new(info, [("leaves", "31"), ("rate", "0.3")]).unwrap();
        let trials = Space::new(info, &given).draw(30, 1).unwrap();
        for trial in &trials {
            assert_eq!((trial.text("leaves"), trial.text("rate")), ("31", "0.3"));
            assert_eq!((trial.text("rounds"), trial.text("patience")), ("500", "50"));
        }
        assert!(trials.iter().any(|trial| trial.text("min-rows") != "20"));
    }

    #[test]
    fn few_combinations_are_all_tried_once() {
        let info = learner("two-part").unwrap();
        let given = |leaves| {
            let fixed = ["min-rows", "l2", "features", "rows", "rate"];
            let default = |key: &'static str| {
                let of =
                    |(p, value): (&crate::params::ParamInfo, _)| (p.key == key).then_some(value);
                (key, info.params().find_map(of).unwrap())
            };
            let fixed = fixed.into_iter().map(default);
            Settings::new(info, fixed.chain(leaves)).unwrap()
        };
        let free = given(None);
        let trials = Space::new(info, &free).draw(20, 3).unwrap();
        let mut leaves: Vec<usize> = trials.iter().map(|trial| trial.whole("leaves")).collect();
        assert_eq!(leaves[0], free.whole("leaves"));
        leaves.sort_unstable();
        assert_eq!(leaves, [4, 7, 15, 31, 63]);
        let fixed = given(Some(("leaves", "9")));
        assert_eq!(Space::new(info, &fixed).draw(20, 3).unwrap().len(), 1);
    }

    #[test]
    fn low_rates_get_more_rounds() {
        let info = learner("cs-mart").unwrap();
        let at = |rate, given: &[(&'static str, &'static str)]| {
            let given = Settings::new(info, given.iter().copied()).unwrap();
            let mut settings = given.clone();
            settings.change("rate", rate).unwrap();
            comparable(&mut settings, &given).unwrap();
            ["rounds", "order-rounds", "patience"].map(|key| settings.whole(key))
        };
        // Its own rate is 0.04.
        assert_eq!(at("0.04", &[]), [500, 50, 50]);
        assert_eq!(at("0.02", &[]), [1000, 100, 100]);
        assert_eq!(at("0.2", &[]), [100, 10, 50]);
        assert_eq!(at("0.001", &[]), [2000, 200, 200]);
        assert_eq!(at("0.02", &[("rounds", "40"), ("patience", "9")]), [40, 100, 9]);
    }
}
