//! Metrics by group: figures, and how they are shown.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::ListView;
use stakes_core::display::counted;
use stakes_core::metric::Metric;
use stakes_eval::study::{Scores, StudyOptions};
use stakes_fair::{ByGroupOptions, GroupFigure, Groups, MetricFrame, by_group};

use super::Evaluation;
use super::table::with_interval;
use crate::Error;
use crate::item_groups::ItemGroups;
use crate::text::{Cell, DIFFERS, Page, Table, Tone, p_value, short};

/// A metric of a score by the groups of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreFrame {
    /// The score.
    pub score: String,
    /// The figures.
    #[serde(flatten)]
    pub frame: MetricFrame,
}

pub(super) fn frames(
    problem: &Problem<'_>,
    metrics: &[Metric],
    scores: &[Scores],
    groups: &ItemGroups,
    options: &StudyOptions,
) -> Result<Vec<ScoreFrame>, Error> {
    let kept = Kept::new(problem, &groups.kept);
    let (views, columns) = (kept.views(), Groups::new(groups.columns.clone())?);
    let usual = ByGroupOptions::default();
    let options = ByGroupOptions {
        intervals: options.intervals,
        // Without tests no relabellings.
        draws: if options.tests.is_empty() { 0 } else { usual.draws },
        seed: options.test_options.seed,
        correction: options.correction,
        ..usual
    };
    let mut frames = Vec::new();
    for score in scores {
        let values: Vec<f64> = groups.kept.iter().map(|&item| score.values[item]).collect();
        for metric in metrics {
            let found = by_group(metric, &views, &values, &columns, &options)?;
            let named = |frame| ScoreFrame { score: score.name.clone(), frame };
            frames.extend(found.into_iter().map(named));
        }
    }
    Ok(frames)
}

/// The items whose group is known, list after list.
struct Kept {
    /// The number of items of each list.
    lengths: Vec<usize>,
    impact: Vec<f64>,
    cost: Vec<f64>,
    weight: Option<Vec<f64>>,
    price: Option<Vec<f64>>,
}

impl Kept {
    fn new(problem: &Problem<'_>, kept: &[usize]) -> Self {
        let data = problem.data();
        let take = |values: &[f64]| kept.iter().map(|&item| values[item]).collect::<Vec<f64>>();
        let lists = kept.chunk_by(|&a, &b| data.list_of(a) == data.list_of(b));
        Kept {
            lengths: lists.map(<[usize]>::len).collect(),
            impact: take(data.impact().unwrap_or(problem.cost())),
            cost: take(problem.cost()),
            weight: data.weight().map(take),
            price: data.price().map(take),
        }
    }

    fn views(&self) -> Vec<ListView<'_>> {
        let mut start = 0;
        let view = |&length: &usize| {
            let items = start..start + length;
            start = items.end;
            ListView {
                impact: &self.impact[items.clone()],
                cost: &self.cost[items.clone()],
                weight: self.weight.as_ref().map(|weight| &weight[items.clone()]),
                price: self.price.as_ref().map(|price| &price[items.clone()]),
            }
        };
        self.lengths.iter().map(view).collect()
    }
}

/// Writes a table per column and score.
pub(super) fn write(page: &mut Page, evaluation: &Evaluation) {
    let frames = &evaluation.by;
    let Some(first) = frames.first() else { return };
    let same = |a: &ScoreFrame, b: &ScoreFrame| a.score == b.score;
    for of_score in frames.chunk_by(same) {
        let mut columns: Vec<&str> = Vec::new();
        for frame in of_score {
            if !columns.contains(&frame.frame.column.as_str()) {
                columns.push(&frame.frame.column);
            }
        }
        for column in columns {
            page.heading(&format!("{} by {column}", of_score[0].score));
            let of_column = of_score.iter().filter(|frame| frame.frame.column == column);
            page.table(&table(of_column.map(|frame| &frame.frame)));
        }
    }
    page.heading("How to read it");
    let metric = &first.frame.metric;
    page.line("value", &format!(
        "of the group's members among themselves: lists restricted to them, in the order of the score, so that {metric} \
         looks at members alone. Lists without members are left out. Who stands above whom is what stakes audit shows"
    ));
    page.line("difference", "to the rest, the same figure of all other items; of all groups: the largest less the smallest");
    if first.frame.draws > 0 {
        let draws = counted(first.frame.draws, "relabelling");
        page.line("p", &format!(
            "the share of {draws} in which a group of as many items drawn at random from each list differs at least as \
             much from the rest (all: in which groups are as far apart), corrected for the number of groups"
        ));
    }
}

fn table<'f>(frames: impl Iterator<Item = &'f MetricFrame>) -> Table {
    let mut table =
        Table::new(["group", "items", "lists", "value", "rest", "difference", "ratio", "p"]);
    let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
    let p = |p: Option<f64>| match p {
        Some(p) if p < DIFFERS => Cell::toned(p_value(p), Tone::Warning),
        p => p.map_or_else(|| "-".to_owned(), p_value).into(),
    };
    for frame in frames {
        table.group(&frame.metric);
        for row in &frame.by_group {
            let GroupFigure { value, low, high, rest, .. } = row;
            let value = value.map_or_else(|| "-".to_owned(), |v| with_interval(v, *low, *high));
            table.row([
                Cell::from(row.group.as_str()),
                row.n.to_string().into(),
                row.lists.to_string().into(),
                value.into(),
                figure(*rest).into(),
                figure(row.difference).into(),
                figure(row.ratio).into(),
                p(row.p_corrected),
            ]);
        }
        let dash = || Cell::from("");
        table.row([
            Cell::from("all"),
            dash(),
            dash(),
            figure(frame.overall).into(),
            dash(),
            figure(frame.difference).into(),
            figure(frame.ratio).into(),
            p(frame.p),
        ]);
    }
    table
}
