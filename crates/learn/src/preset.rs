//! Settings of learners by one name: `paper` is a learner as its paper has it, where our defaults depart
//! from it on purpose. The one place where they are declared.
//!
//! McBride et al. (2019) took the learners of RankLib and changed what they optimise. They do not say how
//! these were set, so the numbers of rounds, leaves, rates and tolerances are the defaults that RankLib's
//! own help prints (from version 2.2 on, where coordinate ascent has 5 starts); whether McBride et al. kept
//! them is **uncertain**. What RankLib has and we have not: AdaRank ends there at the first round that lowers the training metric by the tolerance,
//! here when none of `patience` rounds has raised it by that; forests draw rows there with replacement,
//! here 63.2 % of them without; hidden units are logistic there, here tanh, which is the same function up
//! to scale.
//!
//! CS-AdaRank is as it is printed, although McBride et al. mean another objective
//! ([`Reading`](crate::direct::Reading)).
//!
//! Of He's ListMLE only the rate and the tolerances are printed; the maximum number of passes is ours.
//! Strengths and tolerances are chosen by the goal's metric on validation lists, which in He's experiments
//! is avgndcg@10.

use crate::params::ParamError;

/// The key by which a preset is set.
pub const KEY: &str = "preset";
/// The defaults of a learner, as they are.
pub const DEFAULT: &str = "default";
/// A learner as its paper has it.
pub const PAPER: &str = "paper";

/// Parameters and their values.
pub type Settings = &'static [(&'static str, &'static str)];

const RANKLIB_TREES: Settings = &[
    ("rounds", "1000"),
    ("leaves", "10"),
    ("rate", "0.1"),
    ("min-rows", "1"),
    ("patience", "100"),
];
const RANKLIB_FOREST: Settings = &[
    ("rounds", "300"),
    ("leaves", "100"),
    ("min-rows", "1"),
    ("features", "0.3"),
    ("features-per-split", "1"),
];
const RANKLIB_ASCENT: Settings = &[("rounds", "25"), ("restarts", "5"), ("tolerance", "0.001")];
const RANKLIB_ADARANK: Settings = &[("rounds", "500"), ("tolerance", "0.002"), ("selections", "5")];
const RANKLIB_NET: Settings =
    &[("rounds", "100"), ("hidden", "10"), ("activation", "tanh"), ("rate", "0.00005")];
const RANKLIB_LISTNET: Settings = &[("rounds", "1500"), ("hidden", "0"), ("rate", "0.00001")];
/// One net, list by list, to the end.
const DESCENT: Settings =
    &[("optimiser", "descent"), ("nets", "1"), ("batch", "1"), ("l2", "0"), ("patience", "0")];
const EXP2: Settings = &[("gain", "exp2")];

/// The settings of each learner by its paper, group by group.
const PAPERS: &[(&str, &[Settings])] = &[
    (
        "cs-mart",
        &[&[("start", "none"), ("levels", "0"), ("rows", "1"), ("features", "1")], RANKLIB_TREES],
    ),
    ("cr-mart", &[EXP2, RANKLIB_TREES]),
    ("lambdamart", &[EXP2, RANKLIB_TREES]),
    ("mart", &[RANKLIB_TREES]),
    ("random-forest", &[RANKLIB_FOREST]),
    ("cs-coordinate-ascent", &[RANKLIB_ASCENT]),
    ("cr-coordinate-ascent", &[EXP2, RANKLIB_ASCENT]),
    ("coordinate-ascent", &[EXP2, RANKLIB_ASCENT]),
    ("cs-adarank", &[&[("reading", "printed")], RANKLIB_ADARANK]),
    ("adarank", &[EXP2, RANKLIB_ADARANK]),
    ("ranknet", &[&[("list-loss", "sum")], RANKLIB_NET, DESCENT]),
    ("cr-ranknet", &[&[("list-loss", "sum")], RANKLIB_NET, DESCENT]),
    ("listnet", &[&[("cost-unit", "raw")], RANKLIB_LISTNET, DESCENT]),
    ("cr-listnet", &[&[("cost-unit", "raw")], RANKLIB_LISTNET, DESCENT]),
    ("lambdarank", &[EXP2, RANKLIB_NET, DESCENT]),
    ("cr-lambdarank", &[EXP2, RANKLIB_NET, DESCENT]),
    (
        "listmle",
        &[&[
            ("solver", "descent"),
            ("ties", "order"),
            ("feature-unit", "raw"),
            ("rate", "0.001"),
            ("tolerance", "0.00001,0.00005,0.0001,0.0005,0.001,0.005"),
            ("rounds", "1000"),
        ]],
    ),
    (
        "cs-rglist",
        &[&[("ties", "order"), ("feature-unit", "raw"), ("c", "0.0001,0.001,0.01,0.1,1")]],
    ),
];

/// The names of presets, with their settings, that a learner has beside [`DEFAULT`].
pub fn of(learner: &str) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let found = PAPERS.iter().filter(|(name, _)| *name == learner);
    found.map(|(_, groups)| (PAPER, groups.concat())).collect()
}

/// The names of all learners that have [`PAPER`].
pub fn with_paper() -> impl Iterator<Item = &'static str> {
    PAPERS.iter().map(|(name, _)| *name)
}

/// The settings of a learner by the name of a preset.
pub(crate) fn settings(
    learner: &str,
    preset: &str,
) -> Result<Vec<(&'static str, &'static str)>, ParamError> {
    let found = of(learner).into_iter().find(|(name, _)| *name == preset);
    match (preset, found) {
        (DEFAULT, _) => Ok(Vec::new()),
        (_, Some((_, settings))) => Ok(settings),
        (PAPER, None) => {
            let learners = with_paper().collect::<Vec<_>>().join(", ");
            Err(ParamError::NoPreset { learner: learner.to_owned(), learners })
        }
        _ => Err(ParamError::Value {
            learner: learner.to_owned(),
            key: KEY.to_owned(),
            met: preset.to_owned(),
            allowed: format!("{DEFAULT} | {PAPER}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Configured, learner, learners};

    #[test]
    fn every_setting_is_a_parameter_that_differs_from_its_default_or_says_so() {
        for name in with_paper() {
            let plain = learner(name).unwrap();
            let set = Configured::new(plain.clone(), [(KEY, PAPER)]).unwrap().learner;
            for (key, value) in &of(name)[0].1 {
                assert_eq!(set.texts()[*key], *value, "{name} {key}");
            }
            assert!(set.texts() != plain.texts(), "{name}");
            let same = Configured::new(plain.clone(), [(KEY, DEFAULT)]).unwrap().learner;
            assert_eq!(same.texts(), plain.texts(), "{name}");
            assert!(learners().any(|learner| learner.name() == name));
        }
    }

    #[test]
    fn values_that_are_given_win_in_any_order() {
        for pairs in [[(KEY, PAPER), ("leaves", "4")], [("leaves", "4"), (KEY, PAPER)]] {
            let configured = Configured::new(learner("cs-mart").unwrap(), pairs).unwrap();
            let texts = configured.learner.texts();
            assert_eq!([&texts["leaves"], &texts["start"], &texts["rate"]], ["4", "none", "0.1"]);
            assert!(configured.is_fixed("leaves") && configured.is_fixed("rate"));
            assert!(!configured.is_fixed("l2") && !configured.given.contains("rate"));
        }
        // What stands in a file is given, too, and a preset there is only the last resort.
        let mut configured =
            Configured::new(learner("cs-mart").unwrap(), [("rate", "0.2")]).unwrap();
        configured.set_defaults([("rate", "0.3"), (KEY, PAPER), ("leaves", "9")]).unwrap();
        let texts = configured.learner.texts();
        assert_eq!([&texts["rate"], &texts["leaves"], &texts["levels"]], ["0.2", "9", "0"]);
        let mut configured =
            Configured::new(learner("cs-mart").unwrap(), [(KEY, DEFAULT)]).unwrap();
        configured.set_defaults([(KEY, PAPER)]).unwrap();
        assert_eq!(configured.learner.texts()["start"], "two-part");
    }

    #[test]
    fn learners_without_a_paper_and_other_names_are_refused() {
        let refused = |name: &str, pairs: &[(&str, &str)]| {
            Configured::new(learner(name).unwrap(), pairs.iter().copied()).unwrap_err().to_string()
        };
        let error = refused("two-part", &[(KEY, PAPER)]);
        assert!(error.contains("two-part") && error.contains("cs-mart, cr-mart"), "{error}");
        let error = refused("cs-mart", &[(KEY, "papers")]);
        assert!(error.contains("allowed is default | paper"), "{error}");
        let error = refused("cs-mart", &[(KEY, PAPER), (KEY, DEFAULT)]);
        assert!(error.contains("`preset` is given twice"), "{error}");
        assert!(Configured::new(learner("auto").unwrap(), [(KEY, DEFAULT)]).is_ok());
    }
}
