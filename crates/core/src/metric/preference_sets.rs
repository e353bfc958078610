//! Two sets of preferences, neither total nor closed (Fürnkranz and Hüllermeier 2010, general partial structures):
//! which of the target's are predicted, and which are predicted the other way round.
//!
//! With C preferences in both sets, D that are turned around, S of the target alone and T predicted alone, the Kendall
//! distance is D + S/2 and gamma (C - D)/(C + D); Jaccard, precision, recall and F1 are those of the two sets. Over
//! several lists the counts add up.
//!
//! ```
//! use stakes_core::metric::PreferenceSets;
//! let target = [("", "E", "B"), ("", "B", "C")];
//! let predicted = [("", "B", "E"), ("", "B", "C"), ("", "E", "C")];
//! let sets = PreferenceSets::compare(target, predicted);
//! assert_eq!((sets.gamma, sets.jaccard, sets.recall), (0.0, 0.25, 0.5));
//! assert!((sets.precision - 1.0 / 3.0).abs() < 1e-15);
//! ```

use std::collections::HashSet;

use serde::Serialize;

use super::pair_counts::PairCounts;
use super::{distance, pairs};

/// How two sets of preferences agree.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PreferenceSets {
    /// Preferences of the target.
    pub target: u64,
    /// Predicted preferences.
    pub predicted: u64,
    /// Those in both.
    pub agreed: u64,
    /// Those of the target that are predicted the other way round.
    pub inverted: u64,
    /// Inverted preferences, and half of those of the target that are not predicted at all.
    pub kendall: f64,
    /// Agreed less inverted over both; 0 if there are none.
    pub gamma: f64,
    /// Preferences in both sets over those in either.
    pub jaccard: f64,
    /// The share of the predicted preferences that are true.
    pub precision: f64,
    /// The share of the true preferences that are predicted.
    pub recall: f64,
    /// The harmonic mean of precision and recall.
    pub f1: f64,
}

impl PreferenceSets {
    /// Compares two sets of (list, better, worse). A preference that is given twice counts once.
    pub fn compare<'p>(
        target: impl IntoIterator<Item = (&'p str, &'p str, &'p str)>,
        predicted: impl IntoIterator<Item = (&'p str, &'p str, &'p str)>,
    ) -> Self {
        let target: HashSet<_> = target.into_iter().collect();
        let predicted: HashSet<_> = predicted.into_iter().collect();
        let turned = |&(list, better, worse): &(&'p str, &'p str, &'p str)| (list, worse, better);
        let concordant = target.intersection(&predicted).count() as u64;
        let discordant =
            target.iter().filter(|one| predicted.contains(&turned(one))).count() as u64;
        let (of_target, of_predicted) = (target.len() as u64, predicted.len() as u64);
        let counts = PairCounts {
            concordant,
            discordant,
            tied_score: of_target.saturating_sub(concordant + discordant),
            tied_target: of_predicted.saturating_sub(concordant + discordant),
            tied_both: 0,
        };
        PreferenceSets {
            target: of_target,
            predicted: of_predicted,
            agreed: concordant,
            inverted: discordant,
            kendall: distance::kendall(&counts),
            gamma: pairs::gamma(&counts),
            jaccard: pairs::jaccard(&counts),
            precision: pairs::precision(&counts),
            recall: pairs::recall(&counts),
            f1: pairs::f1(&counts),
        }
    }
}
