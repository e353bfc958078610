//! The input of the builder: the columns of a data set, and one row of them.

use super::{Feature, Role};

/// The columns of a data set. A role that has a name here must have a value in every row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    /// The list an item belongs to; without it all items form one list.
    pub list: Option<String>,
    /// The observed impact (or relevance label).
    pub impact: Option<String>,
    /// The item's id, unique within its list.
    pub id: Option<String>,
    /// Importance independent of the impact.
    pub weight: Option<String>,
    /// The protected group.
    pub group: Option<String>,
    /// What acting on the item costs.
    pub price: Option<String>,
    /// When the item was observed.
    pub time: Option<String>,
    /// The feature that holds the class of a candidate, where every list holds the candidate
    /// classes of one row (multiclass). It is one of the features.
    pub class: Option<String>,
    /// The features, in order.
    pub features: Vec<Feature>,
    /// Numeric columns kept in full precision: scores, inputs of the cost.
    pub extras: Vec<String>,
}

impl Columns {
    /// Columns that are all features, without roles.
    pub fn of_features(features: Vec<Feature>) -> Self {
        Columns { features, ..Columns::default() }
    }

    /// Columns with the roles that `name` gives a name to, without features.
    pub fn of_roles(mut name: impl FnMut(Role) -> Option<String>) -> Self {
        Columns {
            list: name(Role::List),
            impact: name(Role::Impact),
            id: name(Role::Id),
            weight: name(Role::Weight),
            group: name(Role::Group),
            price: name(Role::Price),
            time: name(Role::Time),
            class: name(Role::Class),
            features: Vec::new(),
            extras: Vec::new(),
        }
    }

    /// The name of the column with a role, if there is one.
    pub fn role(&self, role: Role) -> Option<&str> {
        let name = match role {
            Role::List => &self.list,
            Role::Impact => &self.impact,
            Role::Id => &self.id,
            Role::Weight => &self.weight,
            Role::Group => &self.group,
            Role::Price => &self.price,
            Role::Time => &self.time,
            Role::Class => &self.class,
        };
        name.as_deref()
    }

    /// The roles that a column has, with the column's name, in the order of [`Role::ALL`].
    pub fn roles(&self) -> impl Iterator<Item = (Role, &str)> {
        Role::ALL.into_iter().filter_map(|role| Some((role, self.role(role)?)))
    }

    /// Returns every name, roles first. (An extra may share its name with a role.)
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.roles_and_features().chain(self.extras.iter().map(String::as_str))
    }

    /// The names that must differ.
    pub(super) fn roles_and_features(&self) -> impl Iterator<Item = &str> {
        // The class is one of the features; a list may be named by its time.
        let is_list = |name| self.list.as_deref() == Some(name);
        self.roles()
            .filter(move |(role, name)| match role {
                Role::Class => false,
                Role::Time => !is_list(*name),
                _ => true,
            })
            .map(|(_, name)| name)
            .chain(self.features.iter().map(|f| f.name.as_str()))
    }
}

/// One item to be added. Roles that [`Columns`] does not name are ignored.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row<'a> {
    /// Line of the source, from 1.
    pub line: u64,
    /// The list's id.
    pub list: &'a str,
    /// Observed impact.
    pub impact: Option<f64>,
    /// The item's id.
    pub id: Option<&'a str>,
    /// Importance.
    pub weight: Option<f64>,
    /// Protected group.
    pub group: Option<&'a str>,
    /// The price of acting on the item.
    pub price: Option<f64>,
    /// Time as written.
    pub time: Option<&'a str>,
    /// Feature values; `NaN` where missing.
    pub features: &'a [f32],
    /// Values of the extra columns; `NaN` where missing.
    pub extras: &'a [f64],
}
