//! The roles of columns: one enumeration for data sets, readers, models and the program.

use std::fmt;
use std::str::FromStr;

use crate::suggest;

/// What a column means for ranking. A column without a role is a feature.
///
/// ```
/// use stakes_core::data::Role;
/// assert_eq!("price".parse(), Ok(Role::Price));
/// let error = "pice".parse::<Role>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no role `pice`; did you mean `price`?");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The list an item belongs to; without it all items form one list.
    List,
    /// The observed impact (or relevance label).
    Impact,
    /// The item's id, unique within its list.
    Id,
    /// Importance that is independent of the impact.
    Weight,
    /// The protected group.
    Group,
    /// The price of acting on the item.
    Price,
    /// When the item was observed.
    Time,
    /// The class, for multiclass models. Its column is also a categorical feature.
    Class,
}

impl Role {
    /// All roles, in the order in which they are listed.
    pub const ALL: [Role; 8] = [
        Role::List,
        Role::Impact,
        Role::Id,
        Role::Weight,
        Role::Group,
        Role::Price,
        Role::Time,
        Role::Class,
    ];

    /// The name of the role, as in model files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Role::List => "list",
            Role::Impact => "impact",
            Role::Id => "id",
            Role::Weight => "weight",
            Role::Group => "group",
            Role::Price => "price",
            Role::Time => "time",
            Role::Class => "class",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let found = Role::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| {
            let hint = suggest::hint(text, Role::ALL.map(Role::name));
            UnknownRole { name: text.to_owned(), hint }
        })
    }
}

/// The error of a name that is not a role's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no role `{name}`; {hint}")]
pub struct UnknownRole {
    /// The name that was met.
    pub name: String,
    /// A similar role, or all of them.
    pub hint: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_holds_each_role_at_its_own_number() {
        for (i, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, i);
            assert_eq!(role.name().parse(), Ok(role));
        }
    }
}
