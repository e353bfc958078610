//! The settings that are tried: those that were given, and others drawn from the values that
//! parameters declare ([`ParamInfo::tries`](crate::params::ParamInfo)).
//!
//! All combinations of these values are numbered; numbers are drawn without
//! repetition, so no two trials are alike however few combinations there are. Parameters that were
//! given are not tuned.
//!
//! A low learning rate needs more rounds to get as far, so rounds are in proportion to
//! 1 / rate (at most four times as many): 500 rounds at 0.05 become 1250 at 0.02 and 125 at 0.2.
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
        let tuned = |key: &String, tries: &[&str]| !tries.is_empty() && !given.is_fixed(key);
        let values = given.learner.params().into_iter().map(|param| (param.key, param.tries));
        Space { given, values: values.filter(|(key, tries)| tuned(key, tries)).collect() }
    }

    /// The number of combinations.
    pub(super) fn size(&self) -> usize {
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

    /// The given settings and others, `trials` in all, or fewer if there are no more.
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
        let free = |key: &str| !self.given.is_fixed(key);
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
    use crate::Kind;
    use crate::{learner, learners};

    fn configured(name: &str, given: &[(&str, &str)]) -> Configured {
        Configured::new(learner(name).unwrap(), given.iter().copied()).unwrap()
    }

    fn text(learner: &dyn Learner, key: &str) -> String {
        learner.texts()[key].clone()
    }

    fn all_texts(learners: &[Box<dyn Learner>]) -> Vec<BTreeMap<String, String>> {
        learners.iter().map(|learner| learner.texts()).collect()
    }

    #[test]
    fn trials_differ_and_the_first_is_as_given() {
        for info in learners().filter(|info| info.kind() != Kind::Blend) {
            let given = Configured::new(info.clone(), []).unwrap();
            let space = Space::new(&given);
            let trials = space.draw(50, 7).unwrap();
            // As many as there are; the settings as given may be none of the combinations.
            assert!(trials.len() >= space.size().min(50), "{}", info.name());
            let has_leaves = info.params().iter().any(|param| param.key == "leaves");
            assert!(!has_leaves || trials.len() == 50);
            let texts = all_texts(&trials);
            assert!(texts[0] == given.learner.texts());
            for (i, a) in trials.iter().enumerate() {
                assert!(trials[..i].iter().all(|b| space.tuned(&**a) != space.tuned(&**b)));
            }
            // Others from another seed, the same from the same, and the first of more are the
            // same as fewer.
            let drawn = |trials, seed| all_texts(&space.draw(trials, seed).unwrap());
            assert!(drawn(50, 7) == texts);
            assert!(space.size() < 3 || drawn(50, 8) != texts);
            let few = trials.len().min(20);
            assert!(drawn(few, 7) == texts[..few]);
            // Every value has its turn.
            for (key, values) in &space.values {
                for value in *values {
                    assert!(texts.iter().any(|t| t[key] == *value), "{key}={value}");
                }
            }
        }
    }

    #[test]
    fn given_parameters_are_not_tuned() {
        // One of them is the default.
        let given = configured("cs-mart", &[("leaves", "31"), ("rate", "0.3")]);
        let trials = Space::new(&given).draw(30, 1).unwrap();
        for trial in &trials {
            let texts = ["leaves", "rate", "rounds", "patience"].map(|key| text(&**trial, key));
            assert_eq!(texts, ["31", "0.3", "500", "50"]);
        }
        assert!(trials.iter().any(|trial| text(&**trial, "min-rows") != "20"));
    }

    #[test]
    fn few_combinations_are_all_tried_once() {
        let usual = learner("two-part").unwrap().texts();
        let given = |leaves: Option<(&'static str, &'static str)>| {
            let fixed = ["min-rows", "l2", "features", "rows", "rate"];
            let fixed = fixed.into_iter().map(|key| (key, usual[key].as_str()));
            Configured::new(learner("two-part").unwrap(), fixed.chain(leaves)).unwrap()
        };
        let trials = Space::new(&given(None)).draw(20, 3).unwrap();
        let mut leaves: Vec<usize> =
            trials.iter().map(|trial| text(&**trial, "leaves").parse().unwrap()).collect();
        assert_eq!(leaves[0].to_string(), usual["leaves"]);
        leaves.sort_unstable();
        assert_eq!(leaves, [4, 7, 15, 31, 63]);
        let fixed = given(Some(("leaves", "9")));
        assert_eq!(Space::new(&fixed).draw(20, 3).unwrap().len(), 1);
    }

    #[test]
    fn low_rates_get_more_rounds() {
        let at = |rate, given: &[(&str, &str)]| {
            let given = configured("cs-mart", given);
            let mut learner = given.learner.clone();
            learner.set("rate", rate).unwrap();
            Space::new(&given).adapt_rounds(&mut *learner);
            ["rounds", "order-rounds", "patience"].map(|key| text(&*learner, key))
        };
        // Its own rate is 0.04.
        assert_eq!(at("0.04", &[]), ["500", "50", "50"]);
        assert_eq!(at("0.02", &[]), ["1000", "100", "100"]);
        assert_eq!(at("0.2", &[]), ["100", "10", "50"]);
        assert_eq!(at("0.001", &[]), ["2000", "200", "200"]);
        assert_eq!(at("0.02", &[("rounds", "40"), ("patience", "9")]), ["40", "100", "9"]);
    }
}
