//! Guesses the roles of columns from their names and values, and says why.
//!
//! A guess is a proposal for a person to read: each has a reason, and what only a person can know is a
//! question. Roles that are given are not guessed.
//!
//! Columns that look like outcomes (a loss beside the damage, the time of repair) are left out: in new
//! data they are not known yet, so a model that used them would look good and fail. Those that
//! [`Inspection`](crate::Inspection) can detect by their values are not looked for here.
//!
//! ```
//! use stakes_core::data::{Columns, DatasetBuilder, Feature, Role, Row};
//! let months = Feature::categorical("month", vec!["jan".into(), "feb".into()]);
//! let columns = Columns::of_features(vec![months, Feature::numeric("wind"), Feature::numeric("customers_out")]);
//! let mut builder = DatasetBuilder::new("storms.csv", columns)?;
//! for line in 2..42u64 {
//!     let features = [(line % 2) as f32, line as f32, (line * line % 7) as f32];
//!     builder.push(Row { line, features: &features, ..Row::default() })?;
//! }
//! let guess = stakes_inspect::guess_roles(&builder.finish()?, &[], &[]);
//! assert_eq!(guess.column(Role::List), Some("month"));
//! assert_eq!(guess.column(Role::Impact), Some("customers_out"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod column;
mod roles;
mod vocabulary;

use stakes_core::data::{Dataset, Role};

use self::column::Column;
use self::roles::Guesser;
use crate::names::words;

/// The roles that columns may have, and what cannot be known from the data.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoleGuess {
    /// Columns with a role, in the order of [`Role::ALL`].
    pub roles: Vec<GuessedRole>,
    /// Other columns that could be the list, the likeliest first. Without a list these are columns of
    /// values that repeat, whose names say nothing.
    pub possible_lists: Vec<String>,
    /// Columns that should not be features, in the order of the data.
    pub left_out: Vec<LeftOut>,
    /// What only a person can know.
    pub questions: Vec<String>,
    /// The number of rows without an impact.
    pub missing_impacts: usize,
}

/// A column and the role that it may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuessedRole {
    /// The role.
    pub role: Role,
    /// The column.
    pub column: String,
    /// Why.
    pub why: String,
}

/// A column that should not be a feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The column.
    pub column: String,
    /// Why.
    pub why: String,
}

impl RoleGuess {
    /// The column with a role, if one was found.
    pub fn column(&self, role: Role) -> Option<&str> {
        let found = self.roles.iter().find(|guess| guess.role == role);
        found.map(|guess| guess.column.as_str())
    }
}

/// Guesses the roles of columns. The data are read without roles, best with exact numbers. `given`
/// are roles that are known, which are taken as they are; `features` are columns that need no role.
pub fn guess_roles(data: &Dataset, given: &[(Role, &str)], features: &[&str]) -> RoleGuess {
    Guesser::new(&Column::all(data), data.len(), given, features).guess()
}

/// Whether the name of a column says that it is an outcome, which is known only afterwards: a duration, a
/// loss. (A loss of last year is known before.)
pub fn looks_like_outcome(name: &str) -> bool {
    vocabulary::is_outcome(&words(name))
}
