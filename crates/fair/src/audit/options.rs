//! What is audited and how.

use stakes_core::cost::Policy;
use stakes_stats::Correction;

use crate::error::AuditError;
use crate::measure::{Measure, Needs};
use crate::rankings::Rankings;

/// What is audited and how.
#[derive(Debug, Clone)]
pub struct AuditOptions {
    /// The measures; without any, all that the data allow.
    pub measures: Vec<Measure>,
    /// The cut-off of measures that need one, if `measures` is empty.
    pub k: usize,
    /// The probability that a position is acted on, for measures with a cut-off.
    pub policy: Policy,
    /// The group to compare with the rest, as `value` or `column=value`; otherwise every group in turn.
    pub protected: Option<String>,
    /// A group that all others are also compared with, as `value` or `column=value`.
    pub reference: Option<String>,
    /// Resamples of lists, or of members where there is one list; 0: no intervals.
    pub resamples: usize,
    /// Draws of the relabelling test; 0: no test. Large data have fewer (see [`super`]).
    pub draws: usize,
    /// The confidence of the intervals.
    pub level: f64,
    /// The seed of all draws.
    pub seed: u64,
    /// Combinations of several columns are compared if they have at least this number of items.
    pub min_combined: usize,
    /// The correction of a measure's p values over the groups.
    pub correction: Correction,
    /// Whether the values of every list are kept.
    pub per_list: bool,
}

impl Default for AuditOptions {
    fn default() -> Self {
        AuditOptions {
            measures: Vec::new(),
            k: 10,
            policy: Policy::Linear,
            protected: None,
            reference: None,
            resamples: 1000,
            draws: 2000,
            level: 0.95,
            seed: 0,
            min_combined: 10,
            correction: Correction::Holm,
            per_list: false,
        }
    }
}

impl AuditOptions {
    /// Refuses numbers that make no sense.
    pub(super) fn check(&self) -> Result<(), AuditError> {
        const MOST: usize = 1_000_000;
        let within = |what, met: f64, low, high| match (low..=high).contains(&met) {
            true => Ok(()),
            false => Err(AuditError::Option { what, met, low, high }),
        };
        within("the number of resamples", self.resamples as f64, 0.0, MOST as f64)?;
        within("the number of draws", self.draws as f64, 0.0, MOST as f64)?;
        within("the level", self.level, 0.01, 0.9999)?;
        within("k", self.k as f64, 1.0, f64::from(u32::MAX - 1))
    }

    /// The measures that are computed.
    pub(super) fn chosen(&self, lists: &Rankings<'_>) -> Result<Vec<Measure>, AuditError> {
        let known = lists.known();
        let with_policy = |measure: Measure| measure.with_policy(&self.policy);
        if self.measures.is_empty() {
            let all = Measure::all(self.k).filter(|measure| measure.info.needs.are_met(known));
            return Ok(all.map(with_policy).collect());
        }
        for (i, measure) in self.measures.iter().enumerate() {
            let (name, needs): (String, Needs) = (measure.to_string(), measure.info.needs);
            if self.measures[..i].contains(measure) {
                return Err(AuditError::MeasureTwice { name });
            }
            if !needs.are_met(known) {
                return Err(AuditError::Needs { name, needs: needs.words() });
            }
        }
        Ok(self.measures.iter().cloned().map(with_policy).collect())
    }
}
