//! Inspection of data before training: what they contain, how much cost can be saved, and what looks
//! suspicious.
//!
//! [`Inspection::of_problem`] returns facts and [`Finding`]s; nothing is printed here. Everything is
//! [`serde::Serialize`]: the names of the fields are the names in `inspect --json`, and
//! [`Inspection::format`] changes when one of them is renamed or removed.
//!
//! Results do not depend on the number of threads: columns and lists are processed one by one and combined
//! in order.
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
//! let inspection = Inspection::of_problem(&problem, &InspectOptions::default());
//! assert_eq!(inspection.cost.unwrap().zeros, 1);
//! assert!(inspection.findings.iter().any(|f| f.columns == ["poles"])); // a constant column
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod captured;
mod checks;
mod column_ranking;
mod columns;
mod concordance;
mod cost;
mod data;
mod finding;
mod guess;
mod leaks;
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

pub use captured::Captured;
pub use column_ranking::ColumnRanking;
pub use columns::{ColumnFacts, ColumnKind, Varies, reads_as_dates};
pub use concordance::Concordance;
pub use cost::{CostFacts, Level, ListCost, Tail};
pub use data::{ColumnRole, DataFacts, Group, TimeSpan};
pub use finding::{Finding, FindingKind, Severity};
pub use guess::{GuessedRole, LeftOut, RoleGuess, guess_roles, looks_like_outcome};
pub use leaks::leaks;
pub use lists::ListFacts;
pub use repeats::RepeatedRows;
pub use spread::{Bin, Spread};

/// Options of an inspection.
#[derive(Debug, Clone, PartialEq)]
pub struct InspectOptions {
    /// The number of items of a list that can be acted on.
    pub k: Capacity,
    /// The name of the cost, if it is not the impact column.
    pub cost_name: Option<String>,
}

impl Default for InspectOptions {
    fn default() -> Self {
        InspectOptions { k: Capacity::Items(10), cost_name: None }
    }
}

/// The result of an inspection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// The version of these fields: 1.
    pub format: u32,
    /// The source of the data and what they contain.
    pub data: DataFacts,
    /// The numbers of items of the lists.
    pub lists: ListFacts,
    /// The distribution of the cost; `null` for data without an impact or cost.
    pub cost: Option<CostFacts>,
    /// The features, in the order of the data.
    pub columns: Vec<ColumnFacts>,
    /// Groups of columns with the same values in every row.
    pub same_columns: Vec<Vec<String>>,
    /// Features with integers that were rounded to 32-bit floats.
    pub rounded_columns: Vec<String>,
    /// Rows with the same features as an earlier row of their list.
    pub repeated_rows: RepeatedRows,
    /// How well the order of the rows agrees with the cost; `null` without pairs to compare.
    pub row_order: Option<Concordance>,
    /// The findings, warnings first.
    pub findings: Vec<Finding>,
}

impl Inspection {
    /// Inspects data and the costs of their items.
    pub fn of_problem(problem: &Problem<'_>, options: &InspectOptions) -> Self {
        Self::inspect(problem.data(), Some(problem), options)
    }

    /// Inspects data without a known cost, such as data to be scored.
    pub fn of_data(data: &Dataset, options: &InspectOptions) -> Self {
        Self::inspect(data, None, options)
    }

    fn inspect(data: &Dataset, problem: Option<&Problem<'_>>, options: &InspectOptions) -> Self {
        let k = captured::resolve(options.k, data);
        let (mut columns, hashes) = columns::describe(data, problem, k);
        let costs = problem.map(Problem::cost);
        let cost = problem.map(|problem| {
            let impact = data.columns().impact.as_deref().unwrap_or("cost");
            cost::describe(problem, k, options.cost_name.as_deref().unwrap_or(impact))
        });
        if let (Some(problem), Some(cost)) = (problem, &cost) {
            column_ranking::compare(problem, cost.captured.r_cs_random, &mut columns);
        }
        let same = repeats::columns(data, &columns, &hashes);
        let name = |&j: &usize| data.feature_info()[j].name.clone();
        let mut inspection = Inspection {
            format: 1,
            data: data::describe(data, costs),
            lists: lists::describe(data),
            cost,
            columns,
            same_columns: same.iter().map(|group| group.iter().map(name).collect()).collect(),
            rounded_columns: data.rounded_features().map(str::to_owned).collect(),
            repeated_rows: repeats::rows(data, costs),
            row_order: problem.and_then(row_order::describe),
            findings: Vec::new(),
        };
        inspection.findings = checks::run(&inspection);
        inspection
    }

    /// The columns that rank the cost best on their own, the best first.
    pub fn best_columns(&self) -> Vec<(&ColumnFacts, &ColumnRanking)> {
        let mut best: Vec<_> =
            self.columns.iter().filter_map(|c| c.alone.as_ref().map(|a| (c, a))).collect();
        best.sort_by(|(_, a), (_, b)| b.r_cs.total_cmp(&a.r_cs));
        best
    }
}
