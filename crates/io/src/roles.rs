//! The roles of a file's columns, and the options of reading.

use std::str::FromStr;

use stakes_core::data::Role;
use stakes_core::suggest;

use crate::{FileOptions, Format, ReadError};

/// The roles of a file's columns. Columns without a role are features.
///
/// LETOR files have fixed names: `qid` is the list, `label` the impact, `docid` the id, and
/// features are named by their index; these roles need not be given.
///
/// ```
/// use stakes_io::Roles;
/// let roles = Roles::new().list("storm").impact("customers").id("network").drop(["notes"]);
/// assert_eq!(roles.list.as_deref(), Some("storm"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// The list an item belongs to; without it all items form one list.
    pub list: Option<String>,
    /// The observed impact (or relevance label).
    pub impact: Option<String>,
    /// The item's id, unique within its list.
    pub id: Option<String>,
    /// The protected group.
    pub group: Option<String>,
    /// Importance that is independent of the impact.
    pub weight: Option<String>,
    /// The price of acting on the item.
    pub price: Option<String>,
    /// When the item was observed: numbers or ISO dates.
    pub time: Option<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Features that are categorical even where their values look like numbers.
    pub categorical: Vec<String>,
    /// Features that must be numbers: text in them is an error, not a category.
    pub numeric: Vec<String>,
    /// Numeric columns kept in full precision and not used as features: scores, inputs of
    /// the cost. An extra may also have a role.
    pub extras: Vec<String>,
    /// The extras that are outcomes, such as the inputs of the cost: a row in which one is
    /// missing is treated as a row without an impact.
    pub outcomes: Vec<String>,
    /// Whether numbers without a role are kept in full precision: as extras instead of 32-bit
    /// features. Text stays categorical features (in CSV also integers that 64 bits would
    /// round), and the order of the columns is remembered. For copying data; LETOR, whose
    /// features have 32 bits by definition, is read as always.
    pub exact: bool,
    /// The treatment of rows whose impact, or another outcome, is missing.
    pub missing_impact: MissingImpact,
}

/// The treatment of a row whose impact, or another outcome, is missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MissingImpact {
    /// Refuse the file.
    #[default]
    Refuse,
    /// Leave the row out.
    Drop,
    /// Treat the missing value as 0.
    Zero,
}

impl FromStr for MissingImpact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const NAMES: [(&str, MissingImpact); 3] = [
            ("refuse", MissingImpact::Refuse),
            ("drop", MissingImpact::Drop),
            ("zero", MissingImpact::Zero),
        ];
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, value)| *value).ok_or_else(|| {
            let hint = suggest::hint(text, NAMES.map(|(name, _)| name));
            format!("there is no treatment of missing impacts `{text}`; {hint}")
        })
    }
}

/// The options of reading. Functions that take them also accept [`Roles`] alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The roles of the columns.
    pub roles: Roles,
    /// How the file is read.
    pub file: FileOptions,
    /// If features of Parquet files would take more bytes than this in memory, they stay in the files and are read piece by
    /// piece whenever they are needed ([`stakes_core::data::FeatureSource`]): the files must stay as they are. By default
    /// all features are in memory, as those of other formats always are.
    pub stream_above: Option<u64>,
}

impl ReadOptions {
    /// Sets the format, whatever the file's extension.
    pub fn format(self, format: Format) -> Self {
        ReadOptions { file: FileOptions { format: Some(format), ..self.file }, ..self }
    }
}

impl From<Roles> for ReadOptions {
    fn from(roles: Roles) -> Self {
        ReadOptions { roles, ..ReadOptions::default() }
    }
}

impl From<&ReadOptions> for ReadOptions {
    fn from(options: &ReadOptions) -> Self {
        options.clone()
    }
}

impl Roles {
    /// No roles: every column is a feature (but for the fixed columns of LETOR).
    pub fn new() -> Self {
        Roles::default()
    }

    /// Sets the column of the list an item belongs to.
    pub fn list(self, column: impl Into<String>) -> Self {
        Roles { list: Some(column.into()), ..self }
    }

    /// Sets the column of the observed impact (or relevance label).
    pub fn impact(self, column: impl Into<String>) -> Self {
        Roles { impact: Some(column.into()), ..self }
    }

    /// Sets the column of the item's id, unique within its list.
    pub fn id(self, column: impl Into<String>) -> Self {
        Roles { id: Some(column.into()), ..self }
    }

    /// Sets the column of the protected group.
    pub fn group(self, column: impl Into<String>) -> Self {
        Roles { group: Some(column.into()), ..self }
    }

    /// Sets the column of an importance that is independent of the impact.
    pub fn weight(self, column: impl Into<String>) -> Self {
        Roles { weight: Some(column.into()), ..self }
    }

    /// Sets the column of the price of acting on the item.
    pub fn price(self, column: impl Into<String>) -> Self {
        Roles { price: Some(column.into()), ..self }
    }

    /// Sets the column of the time of observation: numbers or ISO dates.
    pub fn time(self, column: impl Into<String>) -> Self {
        Roles { time: Some(column.into()), ..self }
    }

    /// Sets the column of any role, for roles that are known only at run time. The column of
    /// [`Role::Class`] becomes a categorical feature.
    pub fn with_role(self, role: Role, column: impl Into<String>) -> Self {
        match role {
            Role::List => self.list(column),
            Role::Impact => self.impact(column),
            Role::Id => self.id(column),
            Role::Weight => self.weight(column),
            Role::Group => self.group(column),
            Role::Price => self.price(column),
            Role::Time => self.time(column),
            Role::Class => self.categorical([column]),
        }
    }

    /// Also leaves these columns out.
    pub fn drop(mut self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.drop.extend(columns.into_iter().map(Into::into));
        self
    }

    /// Makes these features categorical even where their values look like numbers.
    pub fn categorical(mut self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.categorical.extend(columns.into_iter().map(Into::into));
        self
    }

    /// Requires these features to be numbers: text in them is an error, not a category.
    pub fn numeric(mut self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.numeric.extend(columns.into_iter().map(Into::into));
        self
    }

    /// Keeps these numeric columns in full precision instead of using them as features.
    pub fn extras(mut self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.extras.extend(columns.into_iter().map(Into::into));
        self
    }

    /// Makes these columns outcomes, and so extras: a row in which one is missing is treated
    /// as a row without an impact.
    pub fn outcomes(mut self, columns: impl IntoIterator<Item = impl Into<String>>) -> Self {
        for column in columns.into_iter().map(Into::into) {
            if !self.extras.contains(&column) {
                self.extras.push(column.clone());
            }
            self.outcomes.push(column);
        }
        self
    }

    /// Keeps all numbers without a role in full precision, for copying data.
    pub fn exact(self) -> Self {
        Roles { exact: true, ..self }
    }

    /// Sets the treatment of rows whose impact, or another outcome, is missing.
    pub fn missing_impact(self, treatment: MissingImpact) -> Self {
        Roles { missing_impact: treatment, ..self }
    }

    /// The column with a role, if it is given. (None for [`Role::Class`], which is read as a
    /// feature.)
    pub fn column(&self, role: Role) -> Option<&str> {
        let column = match role {
            Role::List => &self.list,
            Role::Impact => &self.impact,
            Role::Id => &self.id,
            Role::Weight => &self.weight,
            Role::Group => &self.group,
            Role::Price => &self.price,
            Role::Time => &self.time,
            Role::Class => &None,
        };
        column.as_deref()
    }

    /// The roles that are given, with their columns, in the order of [`Role::ALL`].
    pub fn columns(&self) -> impl Iterator<Item = (Role, &str)> {
        Role::ALL.into_iter().filter_map(|role| Some((role, self.column(role)?)))
    }

    /// Refuses a column that is given twice (an extra may also have a role, and a list may be named by its
    /// time).
    pub(crate) fn check(&self, file: &str) -> Result<(), ReadError> {
        let twice = |column: &str, first: &'static str, second: &'static str| {
            let (file, column) = (file.to_owned(), column.to_owned());
            ReadError::RoleConflict { file, column, first, second }
        };
        let lists =
            [("drop", &self.drop), ("categorical", &self.categorical), ("numeric", &self.numeric)];
        let listed = || {
            lists.iter().flat_map(|(field, columns)| columns.iter().map(|c| (c.as_str(), *field)))
        };
        for extra in &self.extras {
            if let Some((column, field)) = listed().find(|(column, _)| column == extra) {
                return Err(twice(column, field, "extras"));
            }
        }
        let roles = self.columns().map(|(role, column)| (column, role.name()));
        let given: Vec<(&str, &'static str)> = roles.chain(listed()).collect();
        for (i, (column, field)) in given.iter().enumerate() {
            let is_both = |other: &str| (other, *field) == (Role::List.name(), Role::Time.name());
            let other = given[..i].iter().find(|(c, f)| c == column && f != field && !is_both(f));
            if let Some((_, other)) = other {
                return Err(twice(column, other, field));
            }
        }
        match self.outcomes.iter().find(|column| !self.extras.contains(column)) {
            Some(column) => {
                let what =
                    format!("column `{column}` is in `outcomes` but not in `extras`; add it");
                Err(ReadError::at(file, 0, what))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setter_of_a_role_and_its_column_belong_together() {
        for role in Role::ALL {
            let roles = Roles::new().with_role(role, "x");
            match role {
                Role::Class => assert_eq!(roles, Roles::new().categorical(["x"])),
                _ => assert_eq!(roles.columns().collect::<Vec<_>>(), [(role, "x")]),
            }
        }
    }

    #[test]
    fn outcomes_are_extras() {
        let roles = Roles::new().extras(["hours"]).outcomes(["hours", "crew"]);
        assert_eq!(roles.extras, ["hours", "crew"]);
        assert!(roles.check("memory").is_ok());
    }
}
