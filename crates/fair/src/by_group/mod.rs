//! Any metric by group, in the shape that people know from classification: a figure of every group, the figure of
//! all items, and the difference and ratio of the groups' figures (fairlearn's `MetricFrame`; Bird et al. 2020).
//!
//! **What a metric within a group means**: every list is restricted to the members of the group, in the order that
//! their scores give, as if nobody else were there. `rcs@10` looks at the first 10 members then. Lists without
//! members are left out, and counted. So the figures say how well the members are ordered among themselves; who
//! stands above whom is what the measures of an audit ([`mod@crate::audit`]) say.
//!
//! The test relabels: as many items of every list as the group has there are drawn at random, and p is the share
//! of draws in which the difference to the rest is at least as extreme.
//!
//! ```
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{Metric, Scale};
//! use stakes_fair::{ByGroupOptions, GroupColumn, Groups, by_group};
//! let cost = [9.0, 8.0, 4.0, 1.0];
//! let lists = [ListView::of_impact(&cost)];
//! let groups = Groups::one(GroupColumn::of("g", ["A", "B", "A", "B"]))?;
//! let metric = Metric::parse("rcs@1", Scale::default())?;
//! // The order is the true one for B, and the wrong way round for A.
//! let found = by_group(&metric, &lists, &[1.0, 5.0, 3.0, 4.0], &groups, &ByGroupOptions::default())?;
//! let of = |group: usize| found[0].by_group[group].value;
//! assert_eq!((of(0), of(1)), (Some(4.0 / 9.0), Some(1.0)));
//! assert_eq!(found[0].difference, Some(1.0 - 4.0 / 9.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod restricted;

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::data::ListView;
use stakes_core::metric::{Direction, EvaluateError, Evaluation, Metric, Part, evaluate_lists};
use stakes_core::random::{Stream, purpose};
use stakes_stats::{Column, Correction, IntervalOptions, Intervals, StatsError};

use crate::audit::relabel::{Relabelled, shuffle};
use crate::error::AuditError;
use crate::groups::{Groups, Partition};
use crate::measure::Extreme;
use restricted::Restricted;

/// Items that are evaluated over all draws, from which on draws are limited, and the fewest draws.
const MOST_DRAWN: usize = 20_000_000;
const FEWEST: usize = 100;

/// How metrics are compared by group.
#[derive(Debug, Clone)]
pub struct ByGroupOptions {
    /// The options of intervals; `None` leaves them out.
    pub intervals: Option<IntervalOptions>,
    /// Draws of the relabelling test; 0: no test. Large data have fewer.
    pub draws: usize,
    /// The seed of the draws.
    pub seed: u64,
    /// Combinations of several columns are looked at if they have at least this number of items.
    pub min_combined: usize,
    /// The correction of p values over the groups.
    pub correction: Correction,
}

impl Default for ByGroupOptions {
    fn default() -> Self {
        ByGroupOptions {
            intervals: Some(IntervalOptions::default()),
            draws: 2000,
            seed: 0,
            min_combined: 10,
            correction: Correction::Holm,
        }
    }
}

/// A metric by the groups of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricFrame {
    /// The metric.
    pub metric: String,
    /// The column, or columns, of the groups.
    pub column: String,
    /// Whether higher values are better.
    pub higher_is_better: bool,
    /// The figure of all items.
    pub overall: Option<f64>,
    /// The largest figure of a group less the smallest.
    pub difference: Option<f64>,
    /// The smallest over the largest, if none is negative.
    pub ratio: Option<f64>,
    /// The share of relabellings in which groups differ at least as much.
    pub p: Option<f64>,
    /// The number of relabellings.
    pub draws: usize,
    /// The figures of the groups.
    pub by_group: Vec<GroupFigure>,
}

/// The figure of a group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroupFigure {
    /// The group.
    pub group: String,
    /// Its items.
    pub n: usize,
    /// The lists that have a value.
    pub lists: usize,
    /// The lists without members, which are left out.
    pub left_out: usize,
    /// The figure.
    pub value: Option<f64>,
    /// The lower end of its interval over lists.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The figure of all other items.
    pub rest: Option<f64>,
    /// The figure less that of the rest.
    pub difference: Option<f64>,
    /// The lower end of the interval of the difference, paired over lists.
    pub difference_low: Option<f64>,
    /// The upper end.
    pub difference_high: Option<f64>,
    /// The figure over that of the rest, if neither is negative.
    pub ratio: Option<f64>,
    /// The share of relabellings in which the difference is at least as extreme.
    pub p: Option<f64>,
    /// p, corrected for the number of groups.
    pub p_corrected: Option<f64>,
}

/// Why a metric has no figures by group.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum ByGroupError {
    #[error(transparent)]
    Groups(#[from] AuditError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Stats(#[from] StatsError),
}

/// Measures scores by a metric within the groups of every column, and of combinations of columns. `scores` and
/// groups hold the items of the lists in the same order.
///
/// # Errors
/// If there are no groups to compare, or the metric has no value for want of a column.
pub fn by_group(
    metric: &Metric,
    lists: &[ListView<'_>],
    scores: &[f64],
    groups: &Groups,
    options: &ByGroupOptions,
) -> Result<Vec<MetricFrame>, ByGroupError> {
    let overall = evaluate_lists(metric, lists, scores)?.figure;
    let partitions = groups.partitions(None, None, options.min_combined)?;
    let compared = partitions.iter().filter(|partition| partition.compared.len() > 1);
    let frame = |partition| frame(metric, lists, scores, partition, overall, options);
    compared.map(frame).collect()
}

fn frame(
    metric: &Metric,
    lists: &[ListView<'_>],
    scores: &[f64],
    partition: &Partition,
    overall: Option<f64>,
    options: &ByGroupOptions,
) -> Result<MetricFrame, ByGroupError> {
    let codes = &partition.column.codes;
    let within = |keep: &dyn Fn(u32) -> bool| Restricted::new(lists, scores, codes, keep);
    // Groups first, and the rest of each after them.
    let groups = &partition.compared;
    let mut restricted: Vec<Restricted> =
        groups.iter().map(|&group| within(&|code| code == group)).collect();
    restricted.extend(groups.iter().map(|&group| within(&|code| code != group)));
    let all = restricted.iter().map(|part| part.evaluate(metric));
    let evaluations = all.collect::<Result<Vec<(Evaluation, Vec<Part>)>, EvaluateError>>()?;
    let columns: Vec<Column<'_>> = evaluations
        .iter()
        .map(|(_, parts)| Column {
            parts,
            finish: metric.aggregate().finish(),
            range: metric.range(),
        })
        .collect();
    let intervals = options.intervals.as_ref().map(|o| Intervals::new(&columns, o)).transpose()?;
    let figure = |i: usize| evaluations[i].0.figure;
    let values: Vec<Option<f64>> = (0..groups.len()).map(figure).collect();
    let (difference, ratio) = spread(&values);
    let drawn = match options.draws {
        0 => Vec::new(),
        _ => relabelled(metric, lists, scores, partition, options)?,
    };
    let draws = drawn.len();
    let drawn = Relabelled::of(drawn);
    let mut by_group = Vec::new();
    for (g, &group) in groups.iter().enumerate() {
        let (value, rest) = (values[g], figure(groups.len() + g));
        let interval = intervals.as_ref().and_then(|all| all.interval(g));
        let apart = intervals.as_ref().and_then(|all| all.difference(g, groups.len() + g));
        let difference = value.zip(rest).map(|(a, b)| a - b);
        let test = drawn.test(g, difference.unwrap_or(f64::NAN), Extreme::Either);
        let lists_of = &restricted[g].members;
        by_group.push(GroupFigure {
            group: partition.column.values[group as usize].clone(),
            n: partition.sizes[group as usize],
            lists: evaluations[g].0.lists.iter().filter(|list| list.value.is_some()).count(),
            left_out: lists_of.iter().filter(|members| members.is_empty()).count(),
            value,
            low: interval.map(|i| i.low),
            high: interval.map(|i| i.high),
            rest,
            difference,
            difference_low: apart.map(|i| i.low),
            difference_high: apart.map(|i| i.high),
            ratio: value.zip(rest).filter(|(a, b)| *a >= 0.0 && *b > 0.0).map(|(a, b)| a / b),
            p: test.map(|(_, p)| p),
            p_corrected: None,
        });
    }
    correct(&mut by_group, options.correction);
    Ok(MetricFrame {
        metric: metric.name(),
        column: partition.column.name.clone(),
        higher_is_better: metric.direction() == Direction::Higher,
        overall,
        difference,
        ratio,
        p: drawn.test(groups.len(), difference.unwrap_or(f64::NAN), Extreme::Above).map(|(_, p)| p),
        draws,
        by_group,
    })
}

/// The largest value less the smallest, and the smallest over the largest.
fn spread(values: &[Option<f64>]) -> (Option<f64>, Option<f64>) {
    let known = || values.iter().flatten().copied();
    if known().count() < 2 {
        return (None, None);
    }
    let (low, high) =
        known().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    (Some(high - low), (low >= 0.0 && high > 0.0).then(|| low / high))
}

fn correct(groups: &mut [GroupFigure], correction: Correction) {
    let mut rows: Vec<(&mut GroupFigure, f64)> =
        groups.iter_mut().filter_map(|row| row.p.map(|p| (row, p))).collect();
    let p_values: Vec<f64> = rows.iter().map(|(_, p)| *p).collect();
    // All of them are between 0 and 1.
    let Ok(corrected) = correction.adjust(&p_values) else { return };
    rows.iter_mut().zip(corrected).for_each(|((row, _), p)| row.p_corrected = Some(p));
}

/// In every draw the differences of all groups to the rest, and after them how far the groups are apart.
fn relabelled(
    metric: &Metric,
    lists: &[ListView<'_>],
    scores: &[f64],
    partition: &Partition,
    options: &ByGroupOptions,
) -> Result<Vec<Vec<f64>>, EvaluateError> {
    let seed = purpose(options.seed, b"relabel\0");
    let groups = &partition.compared;
    // Of two groups one is the rest of the other.
    let two = groups.len() == 2 && partition.sizes.iter().filter(|&&size| size > 0).count() == 2;
    let evaluated = if two { 1 } else { groups.len() } * scores.len();
    let draws = options.draws.min((MOST_DRAWN / evaluated.max(1)).max(FEWEST));
    let one = |draw: usize| {
        let stream = Stream::new(seed, draw as u64);
        let mut codes = partition.column.codes.clone();
        let mut start = 0;
        for list in lists {
            shuffle(&mut codes[start..start + list.len()], stream, start);
            start += list.len();
        }
        let of = |keep: &dyn Fn(u32) -> bool| -> Result<Option<f64>, EvaluateError> {
            Ok(Restricted::new(lists, scores, &codes, keep).evaluate(metric)?.0.figure)
        };
        let values =
            groups.iter().map(|&g| of(&|code| code == g)).collect::<Result<Vec<_>, _>>()?;
        let rests = match two {
            true => vec![values[1], values[0]],
            false => groups.iter().map(|&g| of(&|code| code != g)).collect::<Result<_, _>>()?,
        };
        let apart = values.iter().zip(rests).map(|(value, rest)| Some((*value)? - rest?));
        let all = apart.chain([spread(&values).0]);
        Ok(all.map(|value| value.unwrap_or(f64::NAN)).collect())
    };
    (0..draws).into_par_iter().map(one).collect()
}
