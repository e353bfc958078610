//! Fairness of rankings: how a group is placed in lists, how it is treated beside where it should stand, and
//! whose cost is covered.
//!
//! [`FAIRNESS`] is the table of measures, [`mod@audit`] computes them for groups with intervals and tests, and
//! [`mod@by_group`] gives any metric by group, and
//! [`framework`] shows which ways of unequal treatment a measure can see and to which it is blind (Salomon 2020).
//! Nothing here says that a ranking is fair: measures differ from what chance gives, or do not, and each
//! is blind to something.

pub mod audit;
pub mod by_group;
mod classes;
mod constrained;
mod envy;
mod error;
pub mod framework;
mod groups;
mod individuals;
mod isotonic;
mod list;
mod measure;
mod members;
mod min_share;
mod pairs;
mod rankings;
mod weak_rankers;

pub use audit::{Audit, AuditOptions, Compared, Warning, audit};
pub use by_group::{ByGroupError, ByGroupOptions, GroupFigure, MetricFrame, by_group};
pub use classes::{ClassAudit, ClassRates, ClassesOfGroup, GivenClasses, audit_classes};
pub use constrained::{Constrained, ConstrainedError, GroupLimit, constrained};
pub use envy::{Envy, envy};
pub use error::AuditError;
pub use groups::{GroupColumn, Groups};
pub use individuals::{Individual, Individuals, individuals};
pub use measure::{Cutoff, Extreme, FAIRNESS, Kind, Measure, MeasureInfo, Needs, Pattern};
pub use min_share::{MinShare, with_min_shares};
pub use rankings::Rankings;
pub use weak_rankers::{GroupPreference, WeakRankers, weak_rankers};
