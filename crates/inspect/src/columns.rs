//! The features, one by one.

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::metric::{Metric, Scale};

use super::alone::Alone;
use super::concordance::Concordance;
use super::row_order::over_lists;
use stakes_core::rank::ColumnDirection;

/// Columns looked at together: their values in a row share a cache line.
const BLOCK: usize = 16;

/// Numbers or categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Numbers.
    Numeric,
    /// Categories.
    Categorical,
}

/// Where a column has more than one value; "missing" counts as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Varies {
    /// Nowhere: all rows are alike.
    Never,
    /// Only from list to list, so it cannot order the items of any list by itself.
    BetweenLists,
    /// Within at least one list.
    WithinLists,
}

/// One feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnFacts {
    /// Its name.
    pub name: String,
    /// Numbers or categories.
    pub kind: Kind,
    /// Rows without a value.
    pub missing: usize,
    /// Their share.
    pub missing_share: f64,
    /// Different values, missing aside.
    pub distinct: usize,
    /// Where it has more than one value.
    pub varies: Varies,
    /// Lists in which it has more than one value.
    pub lists_varying: usize,
    /// The smallest number; `null` for categories.
    pub min: Option<f64>,
    /// The middle number; `null` for categories.
    pub median: Option<f64>,
    /// The largest number; `null` for categories.
    pub max: Option<f64>,
    /// Whether all values are whole numbers.
    pub whole: bool,
    /// Whether its categories read as dates, such as `2016-02-29`.
    pub dates: bool,
    /// Whether values rise from every row to the next.
    pub rising: bool,
    /// What it orders by itself; `null` for categories and without a cost.
    pub alone: Option<Alone>,
    /// Whether values are there where the cost is higher; `null` if none are missing.
    pub present: Option<Concordance>,
}

/// The facts and a hash of the values of every column.
pub(super) fn look(
    data: &Dataset,
    problem: Option<&Problem<'_>>,
    k: Capacity,
) -> (Vec<ColumnFacts>, Vec<u64>) {
    let width = data.features().width();
    let metric = Metric::parse(&format!("rcs@{k}"), Scale::of(data)).expect("in the table");
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

/// R_CS@k of each column in its better direction, if there is anything to save.
fn alone(problem: &Problem<'_>, metric: &Metric, columns: &[Vec<f32>]) -> Vec<Option<Alone>> {
    const DIRECTIONS: [ColumnDirection; 2] =
        [ColumnDirection::HighFirst, ColumnDirection::LowFirst];
    let mut saved = vec![[0.0; 2]; columns.len()];
    let mut ideal = 0.0;
    let mut scores = Vec::new();
    // Costs reach the metric as they are; their ratios, and so these sums, stay below 1.
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
        let alone = Alone { direction: better, r_cs, skill: 0.0, concordance: None };
        (ideal > 0.0 && r_cs.is_finite()).then_some(alone)
    };
    saved.into_iter().map(best).collect()
}

/// A key that orders numbers; all missing values are one, after all others.
pub(super) fn key(value: f32) -> u32 {
    if value.is_nan() {
        return u32::MAX;
    }
    let bits = (value + 0.0).to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Takes one more value into a hash.
pub(super) fn mix(hash: u64, key: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(key)).wrapping_mul(0x517c_c1b7_2722_0a95)
}

fn one(
    data: &Dataset,
    problem: Option<&Problem<'_>>,
    j: usize,
    values: Vec<f32>,
    alone: Option<Alone>,
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
    let there = |item: usize| f64::from(u8::from(!values[item].is_nan()));
    let facts = ColumnFacts {
        name: feature.name.clone(),
        kind: if numeric { Kind::Numeric } else { Kind::Categorical },
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
        present: problem.filter(|_| some_missing).and_then(|p| over_lists(p, there)),
    };
    (facts, hash)
}

/// Whether all names are dates, such as `2016-02-29`.
pub fn reads_as_dates(names: &[String]) -> bool {
    let pattern = |name: &String| {
        let digits = |range: std::ops::Range<usize>| {
            name.as_bytes().get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
        };
        digits(0..4) && digits(5..7) && digits(8..10) && name[4..5] == *"-" && name[7..8] == *"-"
    };
    !names.is_empty() && names.iter().all(pattern)
}

/// Columns of different kinds are never the same.
fn seed_of(numeric: bool) -> u64 {
    if numeric { 1 } else { 2 }
}

/// The number behind a key.
fn value_of(key: u32) -> f64 {
    let bits = if key >> 31 == 1 { key & !(1 << 31) } else { !key };
    f64::from(f32::from_bits(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_numbers_and_lead_back() {
        let values = [f32::MIN, -1.5, -0.0, 0.0, 1e-40, 2.0, f32::MAX];
        assert!(values.windows(2).all(|p| key(p[0]) <= key(p[1])));
        assert!(values.iter().all(|&v| value_of(key(v)) == f64::from(v)));
        assert_eq!(key(-0.0), key(0.0));
        assert!(key(f32::NAN) > key(f32::MAX));
    }
}
