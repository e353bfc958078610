//! Facts about each feature.

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::metric::{Metric, Scale, Spec};

use super::column_ranking::ColumnRanking;
use super::concordance::Concordance;
use super::row_order::over_lists;
use stakes_core::rank::ColumnDirection;

/// The number of columns that are read together: their values in a row share a cache line.
const BLOCK: usize = 16;

/// The kind of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Numbers.
    Numeric,
    /// Categories.
    Categorical,
}

/// Where a column varies; missing is treated as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Varies {
    /// Nowhere: all rows have the same value.
    Never,
    /// Only between lists, so it cannot order the items of a list on its own.
    BetweenLists,
    /// Within at least one list.
    WithinLists,
}

/// Facts about one feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnFacts {
    /// The name.
    pub name: String,
    /// Whether it holds numbers or categories.
    pub kind: ColumnKind,
    /// The number of rows without a value.
    pub missing: usize,
    /// The share of rows without a value.
    pub missing_share: f64,
    /// The number of different values, not counting missing.
    pub distinct: usize,
    /// Where it varies.
    pub varies: Varies,
    /// The number of lists in which it varies.
    pub lists_varying: usize,
    /// The smallest number; `null` for categories.
    pub min: Option<f64>,
    /// The median; `null` for categories.
    pub median: Option<f64>,
    /// The largest number; `null` for categories.
    pub max: Option<f64>,
    /// Whether all values are integers.
    pub whole: bool,
    /// Whether its categories are dates such as `2016-02-29`.
    pub dates: bool,
    /// Whether values increase from every row to the next.
    pub rising: bool,
    /// How well it ranks the cost on its own; `null` for categories and without a cost.
    pub alone: Option<ColumnRanking>,
    /// The concordance of "has a value" with the cost; `null` if no value is missing.
    pub present: Option<Concordance>,
}

/// Returns the facts and a hash of the values of every column.
pub(super) fn describe(
    data: &Dataset,
    problem: Option<&Problem<'_>>,
    k: Capacity,
) -> (Vec<ColumnFacts>, Vec<u64>) {
    let width = data.features().width();
    let metric = Spec::named("rcs").at(k).build(Scale::of(data)).expect("it has a cutoff");
    let per_thread = width.div_ceil(2 * rayon::current_num_threads());
    let block = per_thread.clamp(1, BLOCK);
    let starts: Vec<usize> = (0..width).step_by(block).collect();
    let blocks: Vec<Vec<(ColumnFacts, u64)>> = starts
        .into_par_iter()
        .map(|first| {
            let columns = gather(data, first..(first + block).min(width));
            let alone = match problem {
                Some(problem) => alone(problem, &metric, &columns),
                None => vec![None; columns.len()],
            };
            let numbered = columns.into_iter().zip(alone).enumerate();
            numbered
                .map(|(i, (values, alone))| one(data, problem, first + i, values, alone))
                .collect()
        })
        .collect();
    blocks.into_iter().flatten().unzip()
}

fn gather(data: &Dataset, wanted: std::ops::Range<usize>) -> Vec<Vec<f32>> {
    let mut columns = vec![Vec::with_capacity(data.len()); wanted.len()];
    for item in 0..data.len() {
        let row = &data.features().row(item)[wanted.clone()];
        columns.iter_mut().zip(row).for_each(|(column, &value)| column.push(value));
    }
    columns
}

/// The R_CS@k of each column in its better direction; `None` if there is no cost.
fn alone(
    problem: &Problem<'_>,
    metric: &Metric,
    columns: &[Vec<f32>],
) -> Vec<Option<ColumnRanking>> {
    const DIRECTIONS: [ColumnDirection; 2] =
        [ColumnDirection::HighFirst, ColumnDirection::LowFirst];
    let mut saved = vec![[0.0; 2]; columns.len()];
    let mut ideal = 0.0;
    let mut scores = Vec::new();
    // Weights are relative to the largest cost, so that their sums do not overflow.
    let scale = problem.cost().iter().copied().fold(0.0, f64::max);
    for list in 0..problem.n_lists() {
        let view = problem.list(list);
        let prepared = metric.prepare(&view);
        let weight = prepared.weight() / scale;
        let items = problem.data().items(list);
        for (column, saved) in columns.iter().zip(&mut saved) {
            for (direction, saved) in DIRECTIONS.into_iter().zip(saved) {
                scores.clear();
                scores.extend(column[items.clone()].iter().map(|&v| direction.score(v)));
                *saved += prepared.of_scores(&scores).map_or(0.0, |share| share * weight);
            }
        }
        ideal += if weight > 0.0 { weight } else { 0.0 };
    }
    let best = |[high, low]: [f64; 2]| {
        let better =
            if low > high { ColumnDirection::LowFirst } else { ColumnDirection::HighFirst };
        let r_cs = high.max(low) / ideal;
        let alone = ColumnRanking { direction: better, r_cs, skill: 0.0, concordance: None };
        (ideal > 0.0 && r_cs.is_finite()).then_some(alone)
    };
    saved.into_iter().map(best).collect()
}

/// A sort key of numbers; all missing values have the same, which is the largest.
pub(super) fn key(value: f32) -> u32 {
    if value.is_nan() {
        return u32::MAX;
    }
    let bits = (value + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Adds a value to a hash.
pub(super) fn mix(hash: u64, key: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(key)).wrapping_mul(0x517c_c1b7_2722_0a95)
}

fn one(
    data: &Dataset,
    problem: Option<&Problem<'_>>,
    j: usize,
    values: Vec<f32>,
    alone: Option<ColumnRanking>,
) -> (ColumnFacts, u64) {
    let feature = &data.feature_info()[j];
    let numeric = feature.kind == FeatureKind::Numeric;
    let mut keys: Vec<u32> = values.iter().map(|&v| key(v)).collect();
    let hash = keys.iter().fold(seed_of(numeric), |hash, &key| mix(hash, key));
    let differs = |items: std::ops::Range<usize>| {
        let list = &keys[items];
        list.iter().any(|&key| key != list[0])
    };
    let lists_varying = data.lists().filter(|items| differs(items.clone())).count();
    let rising = keys.windows(2).all(|pair| pair[0] < pair[1]);
    let missing = values.iter().filter(|v| v.is_nan()).count();
    keys.sort_unstable();
    let known = &keys[..keys.len() - missing];
    let distinct = known.chunk_by(|a, b| a == b).count();
    let at = |i: usize| known.get(i).filter(|_| numeric).map(|&key| value_of(key));
    let varies = match (lists_varying, distinct + usize::from(missing > 0)) {
        (_, 0 | 1) => Varies::Never,
        (0, _) => Varies::BetweenLists,
        _ => Varies::WithinLists,
    };
    let some_missing = missing > 0 && missing < values.len();
    let present = |item: usize| f64::from(u8::from(!values[item].is_nan()));
    let facts = ColumnFacts {
        name: feature.name.clone(),
        kind: if numeric { ColumnKind::Numeric } else { ColumnKind::Categorical },
        missing,
        missing_share: missing as f64 / values.len() as f64,
        distinct,
        varies,
        lists_varying,
        min: at(0),
        median: at(known.len().saturating_sub(1) / 2),
        max: at(known.len().saturating_sub(1)),
        whole: values.iter().all(|v| v.is_nan() || v.fract() == 0.0),
        dates: matches!(&feature.kind, FeatureKind::Categorical(names) if reads_as_dates(names)),
        rising,
        alone: alone.filter(|_| numeric && varies == Varies::WithinLists),
        present: problem.filter(|_| some_missing).and_then(|p| over_lists(p, present)),
    };
    (facts, hash)
}

/// Whether all names are dates such as `2016-02-29`.
pub fn reads_as_dates(names: &[String]) -> bool {
    let pattern = |name: &String| {
        let digits = |range: std::ops::Range<usize>| {
            name.as_bytes().get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
        };
        digits(0..4) && digits(5..7) && digits(8..10) && name[4..5] == *"-" && name[7..8] == *"-"
    };
    !names.is_empty() && names.iter().all(pattern)
}

/// The seed of a column's hash: columns of different kinds are never equal.
fn seed_of(numeric: bool) -> u64 {
    if numeric { 1 } else { 2 }
}

/// The number of a sort key.
fn value_of(key: u32) -> f64 {
    let bits = if key >> 31 == 1 { key & !(1 << 31) } else { !key };
    f64::from(f32::from_bits(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_numbers_and_can_be_inverted() {
        let values = [f32::MIN, -1.5, -0.0, 0.0, 1e-40, 2.0, f32::MAX];
        assert!(values.windows(2).all(|p| key(p[0]) <= key(p[1])));
        assert!(values.iter().all(|&v| value_of(key(v)) == f64::from(v)));
        assert_eq!(key(-0.0), key(0.0));
        assert!(key(f32::NAN) > key(f32::MAX));
    }
}
