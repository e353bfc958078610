//! The preference-based audit (Zafar et al. 2017; Salomon 2020, sections 1.2.2 and 2.2.5): does a group do better by the
//! order of another group's model than by that of its own?
//!
//! The benefit B_z(g) of the order g for the group z is the mean, over its members a and the others b of their
//! lists, of 1 if a stands above b, -1 if below and 0 if they are tied: 2 x rank parity - 1. A group envies another if
//! the other's order has a larger benefit for it than its own; orders are envy-free if none does. (A group that prefers
//! another's order may do so because that order is wrong in its favour: envy says nothing of right or wrong.)
//!
//! ```
//! use stakes_fair::{GroupColumn, envy};
//! let groups = GroupColumn::of("g", ["A", "A", "B", "B"]);
//! let (by_a, by_b) = ([4.0, 1.0, 3.0, 2.0], [4.0, 3.0, 2.0, 1.0]);
//! let found = envy(&[0, 4], &groups, &[&by_a, &by_b])?;
//! // A stands above B in half of the pairs of its own order, and in all of those of B's.
//! assert_eq!(found.benefits, [vec![0.0, 1.0], vec![0.0, -1.0]]);
//! assert_eq!(found.envies, [Some(1), Some(0)]);
//! # Ok::<(), stakes_fair::AuditError>(())
//! ```

use serde::Serialize;

use crate::audit::{AuditOptions, audit};
use crate::error::AuditError;
use crate::groups::{GroupColumn, Groups};
use crate::measure::Measure;
use crate::rankings::Rankings;

/// The benefits of orders for groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Envy {
    /// The groups; the order of the same number is their own.
    pub groups: Vec<String>,
    /// For every group the benefit of every order.
    pub benefits: Vec<Vec<f64>>,
    /// For every group the order that it prefers most, if that is not its own.
    pub envies: Vec<Option<usize>>,
}

impl Envy {
    /// Whether no group prefers the order of another.
    pub fn is_envy_free(&self) -> bool {
        self.envies.iter().all(Option::is_none)
    }
}

/// Compares the orders of one model per group, in the order of the groups; `offsets` are where lists begin and end.
pub fn envy(
    offsets: &[usize],
    column: &GroupColumn,
    scores: &[&[f64]],
) -> Result<Envy, AuditError> {
    if scores.len() != column.values.len() {
        let (what, met, items) = ("orders, one for each group", scores.len(), column.values.len());
        return Err(AuditError::Length { what, met, items });
    }
    let options = AuditOptions {
        measures: vec![Measure::parse("rank-parity", None)?],
        resamples: 0,
        draws: 0,
        ..AuditOptions::default()
    };
    let groups = Groups::one(column.clone())?;
    let mut benefits = vec![Vec::new(); column.values.len()];
    for scores in scores {
        let found = audit(&Rankings::new(offsets, scores)?, &groups, &options)?;
        for (group, benefits) in column.values.iter().zip(&mut benefits) {
            let parity = found.row(group, "rank-parity").and_then(|row| row.value).unwrap_or(0.5);
            benefits.push(2.0 * parity - 1.0);
        }
    }
    let envies = benefits.iter().enumerate().map(|(own, benefits)| {
        let best = (0..benefits.len()).max_by(|&a, &b| benefits[a].total_cmp(&benefits[b]))?;
        (benefits[best] > benefits[own] + 1e-12).then_some(best)
    });
    let envies = envies.collect();
    Ok(Envy { groups: column.values.clone(), benefits, envies })
}
