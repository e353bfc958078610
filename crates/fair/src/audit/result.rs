//! What an audit found.

use std::fmt;

use serde::Serialize;
use stakes_core::display::counted;

use crate::measure::Pattern;

/// The number of equal parts of a list in which positions are counted.
pub(super) const PARTS: usize = 20;

/// What an audit found. As JSON it is the contract of `stakes audit --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Audit {
    /// The number of items.
    pub items: usize,
    /// The number of lists.
    pub lists: usize,
    /// The unit of mean ranks, displacements and noise: positions, or shares of the list over several lists.
    pub unit: &'static str,
    /// The confidence of the intervals.
    pub level: f64,
    /// The number of resamples.
    pub resamples: usize,
    /// The number of draws of the relabelling test.
    pub draws: usize,
    /// The seed.
    pub seed: u64,
    /// The groups, and where they stand.
    pub groups: Vec<AuditedGroup>,
    /// Every measure of every group.
    pub measures: Vec<Compared>,
    /// What to keep in mind.
    pub warnings: Vec<Warning>,
    /// What none of the measures can see.
    pub unseen: Vec<Pattern>,
    /// The values of every list, if they were asked for.
    #[serde(skip)]
    pub per_list: Vec<ListValue>,
}

/// A group that was compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditedGroup {
    /// Its column, or columns.
    pub column: String,
    /// Its name.
    pub group: String,
    /// The number of its items.
    pub n: usize,
    /// The number of lists that have both members and others.
    pub lists: usize,
    /// The share of its items in twentieths of the lists, from the top.
    pub positions: Vec<f64>,
}

/// A measure of a group beside the rest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The column of the group.
    pub column: String,
    /// The group.
    pub group: String,
    /// The measure, with its cut-off.
    pub measure: String,
    /// Its value; none if it is not defined, such as distances in a group of one.
    pub value: Option<f64>,
    /// The lower end of the bootstrap interval.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// The share of relabellings at least as extreme.
    pub p: Option<f64>,
    /// p, corrected for the number of groups.
    pub p_corrected: Option<f64>,
    /// The number of items of the group.
    pub n: usize,
    /// The value of the same measure for all others.
    pub rest: Option<f64>,
    /// The value less that of the rest.
    pub difference: Option<f64>,
    /// The value over that of the rest, for measures that are never negative.
    pub ratio: Option<f64>,
    /// The mean over relabellings of what is tested: what chance gives.
    pub by_chance: Option<f64>,
    /// The group beside the reference group, if there is one in its column and it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_reference: Option<ToReference>,
}

/// A measure of a group beside the same measure of the reference group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToReference {
    /// The reference group.
    pub group: String,
    /// Its value.
    pub value: Option<f64>,
    /// The value of the group less that of the reference group.
    pub difference: Option<f64>,
    /// The lower end of the interval of the difference.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The value of the group over that of the reference group, for measures that are never negative.
    pub ratio: Option<f64>,
}

/// A measure of a group in one list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListValue {
    /// The list, by number.
    pub list: usize,
    /// The column of the group.
    pub column: String,
    /// The group.
    pub group: String,
    /// The measure.
    pub measure: String,
    /// The number of members in the list.
    pub n: usize,
    /// The value.
    pub value: Option<f64>,
}

/// What to keep in mind when reading an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A group has few members.
    SmallGroup {
        /// The group.
        group: String,
        /// Its members.
        n: usize,
    },
    /// A group is beside others in few lists.
    FewLists {
        /// The group.
        group: String,
        /// The lists.
        lists: usize,
    },
    /// Groups of one member, which are not compared.
    OneMember {
        /// Their column.
        column: String,
        /// The groups.
        groups: Vec<String>,
    },
    /// Combinations with too few members, which are not compared.
    SmallCombinations {
        /// Their columns.
        column: String,
        /// The combinations.
        groups: Vec<String>,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::SmallGroup { group, n } => {
                write!(f, "`{group}` has {n} members: its figures say little, and tests see little")
            }
            Warning::FewLists { group, lists } => {
                let lists = counted(*lists, "list");
                write!(
                    f,
                    "`{group}` stands beside others in {lists}: resampling so few says little"
                )
            }
            Warning::OneMember { column, groups } => {
                write!(f, "not compared, as they have one member: {} of `{column}`", names(groups))
            }
            Warning::SmallCombinations { column, groups } => {
                write!(
                    f,
                    "not compared, as they have too few items: {} of `{column}`",
                    names(groups)
                )
            }
        }
    }
}

fn names(groups: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown = groups.iter().take(SHOWN).map(|group| format!("`{group}`")).collect::<Vec<_>>();
    match groups.len() > SHOWN {
        true => format!("{} and {} more", shown.join(", "), groups.len() - SHOWN),
        false => shown.join(", "),
    }
}

impl Serialize for Warning {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Pattern {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.words())
    }
}

impl Audit {
    /// The row of a group and a measure.
    #[must_use]
    pub fn row(&self, group: &str, measure: &str) -> Option<&Compared> {
        self.measures.iter().find(|row| row.group == group && row.measure == measure)
    }

    /// The values of a measure by group.
    pub fn by_group<'a>(
        &'a self,
        measure: &'a str,
    ) -> impl Iterator<Item = (&'a str, Option<f64>)> {
        let rows = self.measures.iter().filter(move |row| row.measure == measure);
        rows.map(|row| (row.group.as_str(), row.value))
    }
}
