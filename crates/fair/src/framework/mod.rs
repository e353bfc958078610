//! What a measure can see (Salomon 2020, section 2.2.1).
//!
//! A measure is judged by rankings that treat a group unequally in one way each: if it has nearly the same value as
//! for the even ranking, it is blind to that way. A difference counts as **seen** if it is larger than what
//! relabelling allows: the distance to the mean that 95 of 100 random groups of the same ranking keep within. A
//! measure that rises with any error, or whose level rises while the difference of group and rest that it is
//! tested by does not, sees a **level**: that something is wrong, not what.
//!
//! ```
//! use stakes_fair::framework::{FrameworkOptions, Verdict, framework};
//! use stakes_fair::{Measure, Pattern};
//! let measures = vec!["mean-rank".parse::<Measure>()?, "gap".parse()?];
//! let found = framework(&FrameworkOptions { measures, ..FrameworkOptions::default() })?;
//! assert_eq!(found.rows[0].verdict(&found, Pattern::Ends), Verdict::Blind); // Observation 1
//! assert_eq!(found.rows[1].verdict(&found, Pattern::Ends), Verdict::Seen);
//! # Ok::<(), stakes_fair::AuditError>(())
//! ```

mod matrix;
mod own;
mod scenario;

pub use matrix::{Cell, FrameworkOptions, Matrix, MatrixRow, Verdict, framework};
pub use own::{OwnMeasure, Value};
pub use scenario::{Scenario, ScenarioOptions, scenarios};
