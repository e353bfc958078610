//! How a ranking treats groups: measures of placement, treatment and cost for each group beside the rest, with
//! intervals and relabelling tests, and what the measures cannot see.
//!
//! The audit never says that a ranking is fair. It says which measures differ from what chance would give, and
//! to which kinds of unequal treatment the measures are blind ([`stakes_fair::framework`]).
//!
//! ```
//! use stakes::audit::{AuditOptions, MissingGroup, audit_scores, item_groups};
//! use stakes::evaluate::scores;
//! use stakes::prelude::*;
//! let csv = b"id,y,g,s\n1,9,A,1\n2,8,B,5\n3,4,A,3\n4,1,B,4\n";
//! let people = parse_csv_bytes(csv, Roles::new().impact("y").id("id").group("g"))?;
//! let groups = item_groups(&people, &["g".to_owned()], MissingGroup::Refuse)?;
//! let order = scores::column(&people, "s")?;
//! let options = AuditOptions { k: 2, ..AuditOptions::default() };
//! let found = audit_scores(&people, &Goal::act_on(2), &order, None, &groups, &options)?;
//! let row = found.audit.row("A", "cost-recall@2").expect("a figure");
//! assert_eq!((row.value, row.rest), (Some(0.0), Some(1.0))); // the first two cover B's cost alone
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod html;
mod matrix;
mod others;
mod plain;
mod table;

use std::fmt;

use serde::Serialize;
use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::Dataset;
use stakes_core::display::counted;
use stakes_core::goal::Goal;
use stakes_eval::picture::{PositionRow, positions_svg};
use stakes_eval::study::Scores;
pub use stakes_fair::audit::AuditedGroup;
pub use stakes_fair::framework::{FrameworkOptions, Matrix, ScenarioOptions, framework};
pub use stakes_fair::{
    Audit, AuditError, AuditOptions, Compared, FAIRNESS, Groups, Measure, Pattern, Rankings,
};

pub use crate::item_groups::{ItemGroups, MissingGroup, NO_GROUP, item_groups};
pub use matrix::{write_cells, write_matrix};
pub use others::{
    WithIndividuals, audit_class_columns, audit_envy, audit_individuals, write_classes, write_envy,
    write_individuals,
};

use crate::Error;
use crate::evaluate::{DataSize, cost_name};
use crate::text::{DIFFERS, Layout, Page};

/// An audit of scores on data.
///
/// As JSON it is the contract of `stakes audit --json`.
#[derive(Debug, Clone, Serialize)]
pub struct AuditReport {
    /// The version of this library.
    pub stakes: &'static str,
    /// The size of the data.
    pub data: DataSize,
    /// The score whose order is audited.
    pub score: String,
    /// The cost; none if outcomes are not known, and only placement is audited.
    pub cost: Option<String>,
    /// Items that are left out, as their group is missing.
    pub left_out: usize,
    /// What was found.
    #[serde(flatten)]
    pub audit: Audit,
    /// The ids of the lists that were audited.
    #[serde(skip)]
    pub list_ids: Vec<String>,
}

/// Audits the order that scores give. `expected` are expected costs, to be compared with the observed ones by
/// group. Without an impact or another cost, only placement is audited.
pub fn audit_scores(
    data: &Dataset,
    goal: &Goal,
    score: &Scores,
    expected: Option<&[f64]>,
    groups: &ItemGroups,
    options: &AuditOptions,
) -> Result<AuditReport, Error> {
    let kept = &groups.kept;
    let take = |values: &[f64]| kept.iter().map(|&item| values[item]).collect::<Vec<f64>>();
    let (offsets, list_ids) = lists_of(data, kept);
    let knows_costs = data.impact().is_some() || goal.cost != CostModel::Impact;
    let problem = knows_costs.then(|| Problem::new(data, goal)).transpose()?;
    let cost = problem.as_ref().map(|problem| take(problem.cost()));
    // The true order is that of what was observed, whatever it costs.
    let truth = data.impact().map(take).or_else(|| cost.clone());
    let (scores, expected) = (take(&score.values), expected.map(take));
    let mut lists = Rankings::new(&offsets, &scores)?;
    if let (Some(truth), Some(cost)) = (&truth, &cost) {
        lists = lists.truth(truth)?.cost(cost)?;
    }
    if let Some(expected) = &expected {
        lists = lists.expected(expected)?;
    }
    let audit = stakes_fair::audit(&lists, &Groups::new(groups.columns.clone())?, options)?;
    Ok(AuditReport {
        stakes: env!("CARGO_PKG_VERSION"),
        data: data.into(),
        score: score.name.clone(),
        cost: problem.as_ref().map(cost_name),
        left_out: data.len() - kept.len(),
        audit,
        list_ids,
    })
}

/// The lists of the kept items: where each begins, the end of the last, and their ids.
fn lists_of(data: &Dataset, kept: &[usize]) -> (Vec<usize>, Vec<String>) {
    let (mut offsets, mut ids, mut last) = (Vec::new(), Vec::new(), None);
    for (place, &item) in kept.iter().enumerate() {
        let list = data.list_of(item);
        if last != Some(list) {
            offsets.push(place);
            ids.push(data.list_id(list).to_owned());
            last = Some(list);
        }
    }
    offsets.push(kept.len());
    (offsets, ids)
}

impl AuditReport {
    /// Writes the audit as a page: a table per group, what differs from chance, what cannot be seen.
    pub fn write(&self, page: &mut Page) {
        table::write(page, self);
    }

    /// The audit as one self-contained page for a browser.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// Where the groups stand in their lists, as SVG.
    pub fn positions_svg(&self) -> String {
        let row = |group: &AuditedGroup| PositionRow {
            name: group.group.clone(),
            remark: counted(group.n, "item"),
            shares: group.positions.clone(),
        };
        let rows: Vec<PositionRow> = self.audit.groups.iter().map(row).collect();
        positions_svg(&rows, &format!("Where groups stand in the order of {}", self.score))
    }

    /// Whether several groups are compared, so that corrected p values are the ones to read.
    pub(crate) fn has_several_groups(&self) -> bool {
        self.audit.groups.len() > 1
    }

    /// A group in a few plain sentences.
    pub fn sentences(&self, group: &AuditedGroup) -> Vec<String> {
        plain::sentences(self, group)
    }

    /// The measures of a group, each with its figures.
    pub fn rows<'a>(
        &'a self,
        group: &'a AuditedGroup,
    ) -> impl Iterator<Item = (Measure, &'a Compared)> {
        table::rows(self, group)
    }

    /// What the measures cannot see, as a sentence.
    pub fn unseen(&self) -> String {
        let unseen = table::unseen_words(self);
        format!("{}{}.", unseen[..1].to_uppercase(), &unseen[1..])
    }

    /// The p value to read.
    pub fn p_of(&self, row: &Compared) -> Option<f64> {
        if self.has_several_groups() { row.p_corrected } else { row.p }
    }

    /// The measures of a group that differ from what chance gives.
    pub(crate) fn differing<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a Compared> {
        let differs = |row: &&Compared| self.p_of(row).is_some_and(|p| p < DIFFERS);
        self.audit.measures.iter().filter(move |row| row.group == group).filter(differs)
    }
}

impl fmt::Display for AuditReport {
    /// See [`AuditReport::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
