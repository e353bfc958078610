//! The rows of the table of measures.

use std::fmt;

use super::{Measure, Sums};
use crate::members::Members;

/// A row of [`super::FAIRNESS`].
pub struct MeasureInfo {
    /// The name.
    pub name: &'static str,
    /// What it is about.
    pub kind: Kind,
    /// The measure in a few words.
    pub title: &'static str,
    /// The formula in plain text.
    pub formula: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// What it needs beside an order and groups.
    pub needs: Needs,
    /// Whether it takes `@k`.
    pub cutoff: Cutoff,
    /// How a value is read: which direction means what.
    pub reading: &'static str,
    /// What it is if the group stands at random.
    pub chance: &'static str,
    /// Which values the relabelling test counts as extreme.
    pub extreme: Extreme,
    /// Smallest and largest value.
    pub range: (f64, f64),
    /// What it sees in the published rankings (see [`crate::framework`], which finds the same).
    pub sees: &'static [Pattern],
    /// Whether it rises with any error, whatever its kind: then it sees a level and not a pattern.
    pub level_only: bool,
    /// Whether lists without the group, or with nothing else, count as well.
    pub every_list: bool,
    /// Whether the first sum grows with the number of members where the figure does not divide by it.
    pub(crate) extensive: bool,
    /// Whether groups that are compared in turn are each compared with the one of the largest rate.
    pub(crate) against_largest: bool,
    pub(crate) sums: fn(&Members<'_>, &Measure) -> Sums,
    pub(crate) figure: fn(&Sums) -> Option<f64>,
    /// What the relabelling test looks at, where it is not the figure.
    pub(crate) test: fn(&Sums) -> Option<f64>,
}

impl fmt::Debug for MeasureInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Names are unique in the table.
impl PartialEq for MeasureInfo {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// What a measure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Where the group stands; no truth is needed.
    Placement,
    /// Where it stands beside where it should.
    Treatment,
    /// Who suffers the cost, and whose cost is covered.
    Cost,
}

impl Kind {
    /// All kinds, in the order of the table.
    pub const ALL: [Kind; 3] = [Kind::Placement, Kind::Treatment, Kind::Cost];

    /// The heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Kind::Placement => "Placement: where the group stands",
            Kind::Treatment => "Treatment: beside where it should stand",
            Kind::Cost => "Cost: who suffers it, whose is covered",
        }
    }
}

/// What a measure needs beside an order and groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: it works for future lists.
    Order,
    /// A true order.
    Truth,
    /// The cost of every item.
    Cost,
    /// The cost of every item and what it was expected to be.
    Expected,
}

impl Needs {
    /// What is needed, in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Needs::Order => "an order",
            Needs::Truth => "a true order, such as observed impacts",
            Needs::Cost => "the cost of every item",
            Needs::Expected => "the cost and the expected cost of every item",
        }
    }

    /// Whether it is there, if truth, costs and expected costs are.
    pub(crate) fn are_met(self, [truth, cost, expected]: [bool; 3]) -> bool {
        match self {
            Needs::Order => true,
            Needs::Truth => truth,
            Needs::Cost => cost,
            Needs::Expected => cost && expected,
        }
    }
}

/// Whether a measure takes a cut-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cutoff {
    /// No.
    None,
    /// The whole list without one.
    Optional,
    /// It is not defined without one.
    Required,
}

/// Which values of draws are at least as extreme as the one that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// Those at least as far from the mean of the draws.
    Either,
    /// Those at least as large.
    Above,
    /// Those at least as small.
    Below,
}

/// Ways in which a ranking treats a group unequally (Salomon 2020, chapter 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// All members stand lower than they should.
    Shift,
    /// All members are drawn to the middle.
    Middle,
    /// Members stand at both ends.
    Ends,
    /// Members stand in clusters.
    Clusters,
    /// A few members are pushed up and the others down.
    Tokens,
    /// Members are displaced at random.
    Noise,
    /// Members stand where they should, but in any order.
    Arbitrary,
}

impl Pattern {
    /// All patterns.
    pub const ALL: [Pattern; 7] = [
        Pattern::Shift,
        Pattern::Middle,
        Pattern::Ends,
        Pattern::Clusters,
        Pattern::Tokens,
        Pattern::Noise,
        Pattern::Arbitrary,
    ];

    /// The pattern in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Pattern::Shift => "all members lower than they should be",
            Pattern::Middle => "all members drawn to the middle",
            Pattern::Ends => "members at both ends of the list",
            Pattern::Clusters => "members in clusters",
            Pattern::Tokens => "a few members pushed up and the others down (tokens)",
            Pattern::Noise => "members displaced at random",
            Pattern::Arbitrary => "members in the right places in an arbitrary order",
        }
    }
}
