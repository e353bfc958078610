//! A look at data before anything is learnt from it: what there is, what can be saved, and
//! what should make one stop and ask.
//!
//! [`Inspection::of_problem`] gives facts and [`Finding`]s; nothing is printed here. All of
//! it is [`serde::Serialize`]: the names of the fields are the names in `inspect --json`, and
//! [`Inspection::format`] changes when one of them does.
//!
//! Figures do not depend on the number of threads: columns and lists are looked at one by
//! one and put together in order.
//!
//! ```
//! use stakes_core::cost::{CostModel, Problem};
//! use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
//! use stakes_inspect::{Inspection, InspectOptions};
//! let columns = Columns {
//!     impact: Some("customers".into()),
//!     ..Columns::of_features(vec![Feature::numeric("wind"), Feature::numeric("poles")])
//! };
//! let mut builder = DatasetBuilder::new("storm.csv", columns)?;
//! for (line, impact, wind) in [(2, 70.0, 9.0), (3, 0.0, 5.0), (4, 30.0, 7.0)] {
//!     let features = [wind, 1.0];
//!     builder.push(Row { line, impact: Some(impact), features: &features, ..Row::default() })?;
//! }
//! let data = builder.finish()?;
//! let problem = Problem::new(&data, &CostModel::Impact)?;
//! let seen = Inspection::of_problem(&problem, &InspectOptions::default());
//! assert_eq!(seen.cost.unwrap().zeros, 1);
//! assert!(seen.findings.iter().any(|f| f.columns == ["poles"])); // the same everywhere
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alone;
mod captured;
mod columns;
mod concordance;
mod cost;
mod data;
mod finding;
mod judge;
mod lists;
mod names;
mod repeats;
mod row_order;
mod spread;
#[cfg(test)]
mod tests;

use serde::Serialize;
use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::Dataset;

pub use alone::Alone;
pub use captured::Captured;
pub use columns::{ColumnFacts, Kind, Varies, reads_as_dates};
pub use concordance::Concordance;
pub use cost::{CostFacts, Level, ListCost, Tail};
pub use data::{DataFacts, Group, Role, TimeSpan};
pub use finding::{Finding, FindingKind, Severity};
pub use lists::ListFacts;
pub use repeats::Repeats;
pub use spread::{Bin, Spread};

/// What the inspection needs to be told.
#[derive(Debug, Clone, PartialEq)]
pub struct InspectOptions {
    /// How many items of a list can be acted on.
    pub k: Capacity,
    /// What the cost is called, where it is not the impact column itself.
    pub cost_name: Option<String>,
}

impl Default for InspectOptions {
    fn default() -> Self {
        InspectOptions { k: Capacity::Items(10), cost_name: None }
    }
}

/// All that was seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// Version of these fields; 1.
    pub format: u32,
    /// Where the data came from and what it holds.
    pub data: DataFacts,
    /// How items are spread over lists.
    pub lists: ListFacts,
    /// What can be saved; `null` for data without an impact or cost.
    pub cost: Option<CostFacts>,
    /// The features, in the order of the data.
    pub columns: Vec<ColumnFacts>,
    /// Groups of columns that hold the same values in every row.
    pub same_columns: Vec<Vec<String>>,
    /// Features of whole numbers that 32 bits rounded.
    pub rounded_columns: Vec<String>,
    /// Rows of a list that repeat all features of an earlier one.
    pub repeated_rows: Repeats,
    /// How well the order of the rows orders the cost; `null` without pairs to compare.
    pub row_order: Option<Concordance>,
    /// What to look at, warnings first.
    pub findings: Vec<Finding>,
}

impl Inspection {
    /// Looks at data and what its items cost.
    pub fn of_problem(problem: &Problem<'_>, options: &InspectOptions) -> Self {
        Self::look(problem.data(), Some(problem), options)
    }

    /// Looks at data of which no cost is known, such as data to be scored.
    pub fn of_data(data: &Dataset, options: &InspectOptions) -> Self {
        Self::look(data, None, options)
    }

    fn look(data: &Dataset, problem: Option<&Problem<'_>>, options: &InspectOptions) -> Self {
        let k = captured::settle(options.k, data);
        let (mut columns, hashes) = columns::look(data, problem, k);
        let costs = problem.map(Problem::cost);
        let cost = problem.map(|problem| {
            let impact = data.columns().impact.as_deref().unwrap_or("cost");
            cost::look(problem, k, options.cost_name.as_deref().unwrap_or(impact))
        });
        if let (Some(problem), Some(cost)) = (problem, &cost) {
            alone::compare(problem, cost.captured.r_cs_random, &mut columns);
        }
        let same = repeats::columns(data, &columns, &hashes);
        let name = |&j: &usize| data.feature_info()[j].name.clone();
        let mut seen = Inspection {
            format: 1,
            data: data::look(data, costs),
            lists: lists::look(data),
            cost,
            columns,
            same_columns: same.iter().map(|group| group.iter().map(name).collect()).collect(),
            rounded_columns: data.rounded_features().map(str::to_owned).collect(),
            repeated_rows: repeats::rows(data, costs),
            row_order: problem.and_then(row_order::look),
            findings: Vec::new(),
        };
        seen.findings = judge::judge(&seen);
        seen
    }

    /// The columns that order the cost best by themselves, best first.
    pub fn best_alone(&self) -> Vec<(&ColumnFacts, &Alone)> {
        let mut best: Vec<_> =
            self.columns.iter().filter_map(|c| c.alone.as_ref().map(|a| (c, a))).collect();
        best.sort_by(|(_, a), (_, b)| b.r_cs.total_cmp(&a.r_cs));
        best
    }
}
