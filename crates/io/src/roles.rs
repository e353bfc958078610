//! What the columns of a file stand for.

use std::str::FromStr;

use stakes_core::suggest;

use crate::{Format, ReadError};

/// Which column plays which part. Columns without a part are features.
///
/// LETOR files have fixed names: `qid` is the list, `label` the impact, `docid` the id, and
/// features are called by their index; these need not be given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// The list an item belongs to; without it all items form one list.
    pub list: Option<String>,
    /// The impact (or relevance label).
    pub impact: Option<String>,
    /// The item's id, unique within its list.
    pub id: Option<String>,
    /// The protected group.
    pub group: Option<String>,
    /// Importance independent of the impact.
    pub weight: Option<String>,
    /// What acting on the item costs.
    pub price: Option<String>,
    /// When the item was observed: numbers or ISO dates.
    pub time: Option<String>,
    /// Columns to leave out.
    pub drop: Vec<String>,
    /// Features whose values are names even where they look like numbers.
    pub categorical: Vec<String>,
    /// Features that must be numbers: text in them is an error, not a category.
    pub numeric: Vec<String>,
    /// Numeric columns kept in full precision and not used as features: scores, inputs of
    /// the cost. An extra may also be a role.
    pub extras: Vec<String>,
    /// Those of the extras that are outcomes, as the inputs of the cost are: where one is
    /// missing, the row is treated as one without an impact.
    pub outcomes: Vec<String>,
    /// Whether numbers without a part are kept in full precision: as extras instead of 32-bit
    /// features. Text stays categorical features (in CSV also whole numbers that 64 bits
    /// would round), and the order of the columns is remembered. For copying data; LETOR,
    /// whose features have 32 bits by nature, is read as always.
    pub exact: bool,
    /// What to do with rows whose impact, or another outcome, is missing.
    pub missing_impact: MissingImpact,
}

/// What to do with a row whose impact, or another outcome, is missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MissingImpact {
    /// Refuse the file.
    #[default]
    Refuse,
    /// Leave the row out.
    Drop,
    /// Count what is missing as 0.
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

/// How to read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// What the columns stand for.
    pub roles: Roles,
    /// The format; from the file's name (or its first bytes) when not given.
    pub format: Option<Format>,
}

impl Roles {
    /// The named single roles, for walking over them.
    pub(crate) fn named(&self) -> [(&'static str, Option<&str>); 7] {
        [
            ("list", self.list.as_deref()),
            ("impact", self.impact.as_deref()),
            ("id", self.id.as_deref()),
            ("group", self.group.as_deref()),
            ("weight", self.weight.as_deref()),
            ("price", self.price.as_deref()),
            ("time", self.time.as_deref()),
        ]
    }

    /// A column has one part only (an extra may repeat a role).
    pub(crate) fn check(&self, source: &str) -> Result<(), ReadError> {
        let mut taken: Vec<(&str, &str)> =
            self.named().into_iter().filter_map(|(role, name)| Some((name?, role))).collect();
        taken.extend(self.drop.iter().map(|name| (name.as_str(), "drop")));
        taken.extend(self.categorical.iter().map(|name| (name.as_str(), "categorical")));
        taken.extend(self.numeric.iter().map(|name| (name.as_str(), "numeric")));
        let plain = ["drop", "categorical", "numeric"];
        let extras = self.extras.iter().map(|name| (name.as_str(), "score or cost"));
        for (name, role) in extras {
            if let Some((_, other)) = taken.iter().find(|t| t.0 == name && plain.contains(&t.1)) {
                return Err(twice(source, name, other, role));
            }
        }
        for (i, (name, role)) in taken.iter().enumerate() {
            let other = taken[..i].iter().find(|t| t.0 == *name && t.1 != *role);
            if let Some((_, other)) = other {
                return Err(twice(source, name, other, role));
            }
        }
        match self.outcomes.iter().find(|name| !self.extras.contains(name)) {
            Some(name) => {
                let what = format!("column `{name}` is an outcome; it must be an extra, too");
                Err(ReadError::at(source, 0, what))
            }
            None => Ok(()),
        }
    }
}

fn twice(source: &str, name: &str, first: &str, second: &str) -> ReadError {
    let what = format!("column `{name}` is named as {first} and as {second}; give it one part");
    ReadError::at(source, 0, what)
}
