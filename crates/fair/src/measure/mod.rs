//! Measures of how a ranking places and treats a group.
//!
//! What a list adds to a measure is up to four numbers ([`Sums`]); they are added over lists, and the figure is a
//! function of the sums. So one kind of resampling and one kind of relabelling serve all measures. Lists without
//! the group, or with nothing else, add nothing, except to shares of the whole.

mod displacement;
mod info;
mod money;
mod order;
mod place;
mod runs;
mod spacing;
mod table;

use std::fmt;
use std::str::FromStr;

use stakes_core::cost::{Capacity, Policy};
use stakes_core::suggest;

pub use info::{Cutoff, Extreme, Kind, MeasureInfo, Needs, Pattern};
pub use table::FAIRNESS;

use crate::error::AuditError;
use crate::members::Members;

/// What a list adds to a measure.
pub(crate) type Sums = [f64; 4];

/// A measure, with its cut-off if it has one: `mean-rank`, `four-fifths@20`.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The row of the table.
    pub info: &'static MeasureInfo,
    /// The cut-off; 0 without one.
    pub(crate) k: usize,
    /// Pr(1) + ... + Pr(p) at p, from 0 to k: the action policy.
    reach: Vec<f64>,
}

impl Measure {
    /// A measure by name, such as `four-fifths@20`; one that needs a cut-off and has none gets `k`.
    ///
    /// # Errors
    /// If there is no such measure, or the cut-off is wrong or missing.
    pub fn parse(text: &str, k: Option<usize>) -> Result<Self, AuditError> {
        let (name, cutoff) = match text.trim().split_once('@') {
            Some((name, cutoff)) => (name, Some(cutoff)),
            None => (text.trim(), None),
        };
        let info = FAIRNESS.iter().find(|info| info.name == name).ok_or_else(|| {
            let names = FAIRNESS.iter().map(|info| info.name);
            let hint = suggest::hint(name, names);
            AuditError::UnknownMeasure { name: name.to_owned(), hint }
        })?;
        let parse = |cutoff: &str| {
            let k = cutoff.parse().ok().filter(|&k: &usize| k > 0 && k < u32::MAX as usize);
            k.ok_or_else(|| AuditError::BadCutoff { text: text.to_owned() })
        };
        match (
            info.cutoff,
            cutoff.map(parse).transpose()?.or(k.filter(|_| info.cutoff == Cutoff::Required)),
        ) {
            (Cutoff::None, Some(_)) => Err(AuditError::Cutoff { name: name.to_owned() }),
            (Cutoff::Required, None) => Err(AuditError::NoCutoff { name: name.to_owned() }),
            (_, k) => Ok(Measure::of(info, k)),
        }
    }

    /// All measures, those with a cut-off at `k`.
    pub fn all(k: usize) -> impl Iterator<Item = Self> {
        let forms = move |info: &'static MeasureInfo| match info.cutoff {
            Cutoff::None => [Some(None), None],
            Cutoff::Required => [Some(Some(k)), None],
            Cutoff::Optional => [Some(None), Some(Some(k))],
        };
        FAIRNESS.iter().flat_map(move |info| {
            forms(info).into_iter().flatten().map(move |k| Measure::of(info, k))
        })
    }

    fn of(info: &'static MeasureInfo, k: Option<usize>) -> Self {
        Measure { info, k: k.unwrap_or(0), reach: Vec::new() }.with_policy(&Policy::Linear)
    }

    /// The measure with this probability that a position is acted on.
    #[must_use]
    pub fn with_policy(self, policy: &Policy) -> Self {
        let chances = match self.k {
            0 => Vec::new(),
            k => policy.probabilities(Capacity::Items(k), k),
        };
        let sums = chances.iter().scan(0.0, |sum, chance| {
            *sum += chance;
            Some(*sum)
        });
        Measure { reach: std::iter::once(0.0).chain(sums).collect(), ..self }
    }

    /// The cut-off, if it has one.
    #[must_use]
    pub fn cutoff(&self) -> Option<usize> {
        (self.k > 0).then_some(self.k)
    }

    /// The mean probability that places `first` to `last` are acted on.
    fn chance(&self, first: usize, last: usize) -> f64 {
        let end = self.reach.len() - 1;
        (self.reach[last.min(end)] - self.reach[(first - 1).min(end)]) / (last + 1 - first) as f64
    }

    /// What a list adds.
    pub(crate) fn sums(&self, group: &Members<'_>) -> Sums {
        let has_both = group.len() > 0 && group.others() > 0;
        match has_both || self.info.every_list {
            true => (self.info.sums)(group, self),
            false => [0.0; 4],
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cutoff() {
            Some(k) => write!(f, "{}@{k}", self.info.name),
            None => f.write_str(self.info.name),
        }
    }
}

impl FromStr for Measure {
    type Err = AuditError;

    fn from_str(text: &str) -> Result<Self, AuditError> {
        Measure::parse(text, None)
    }
}

/// The first sum over the second.
fn ratio(sums: &Sums) -> Option<f64> {
    (sums[1] > 0.0).then(|| sums[0] / sums[1])
}
