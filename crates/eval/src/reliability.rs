//! Reliability: whether a score that is an expected cost agrees with the observed cost.
//!
//! Items are binned by their score, more finely towards the top, where most cost is and actions are taken:
//! tenths up to 90 %, then 95, 97.5, 99 and 99.5 %. In each bin the mean score is compared with the mean
//! cost, which has an interval over lists. Two figures summarise the bins:
//!
//! * **ratio** (calibration in the large): sum of expected / sum of observed cost; ideally 1.
//! * **error**: sum over bins of |expected - observed| / sum of observed: the share of all cost that is
//!   expected in the wrong bin. Ideally 0, which finite data never reach.
//!
//! By hand: 20 items, ten with score 1 and cost 2, ten with score 4 and cost 3. Both sums are 50: the ratio
//! is 1, and the error is (10 + 10) / 50 = 0.4.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::metric::Part;

use stakes_stats::intervals;
use stakes_stats::{Column, Interval, IntervalOptions, Intervals, StatsError};

/// How well a score agrees with the cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reliability {
    /// The score's name.
    pub name: String,
    /// The sum of the score over all items.
    pub expected: f64,
    /// The sum of the cost.
    pub observed: f64,
    /// expected / observed; `None` if there is no cost.
    pub ratio: Option<f64>,
    /// The lower end of the ratio's interval over lists, if requested and possible.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The share of all cost that is expected in the wrong bin; `None` if there is no cost.
    pub error: Option<f64>,
    /// The bins, from the lowest scores to the highest.
    pub bins: Vec<Bin>,
}

/// Items of neighbouring scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bin {
    /// The number of items.
    pub items: usize,
    /// Their mean score.
    pub expected: f64,
    /// Their mean cost.
    pub observed: f64,
    /// The lower end of the mean cost's interval over lists, if requested and possible.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The shares of items at which bins end.
const CUTS: [f64; 13] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.99, 0.995];
/// Costs are at least 0.
const COSTS: (f64, f64) = (0.0, f64::INFINITY);
/// The minimum number of items in a bin.
const MIN_ITEMS: usize = 10;

/// Compares a score, one finite number per item, with the cost.
///
/// # Errors
/// If an option of the intervals is out of range, or sums overflow.
pub fn reliability(
    problem: &Problem<'_>,
    name: &str,
    scores: &[f64],
    options: Option<&IntervalOptions>,
) -> Result<Reliability, StatsError> {
    let (data, cost) = (problem.data(), problem.cost());
    let mut list_of = vec![0; data.len()];
    data.lists().enumerate().for_each(|(list, items)| list_of[items].fill(list));
    // Equal scores stay in one bin, so their order matters only for rounding.
    let mut order: Vec<usize> = (0..data.len()).collect();
    order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
    let ends = ends(&order, scores);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let bins: Vec<&[usize]> = starts.zip(&ends).map(|(start, &end)| &order[start..end]).collect();

    let sum = |items: &[usize], of: &[f64]| items.iter().map(|&i| of[i]).sum::<f64>();
    let n_lists = problem.n_lists();
    let parts_of_bin = |items: &&[usize]| {
        let mut parts = vec![Part::EMPTY; n_lists];
        for &i in *items {
            let part = &mut parts[list_of[i]];
            *part = Part::new(part.num + cost[i], part.den + 1.0);
        }
        parts
    };
    let parts: Vec<Vec<Part>> = bins.iter().map(parts_of_bin).collect();
    let columns: Vec<Column<'_>> = parts.iter().map(|p| Column::new(p).within(COSTS)).collect();
    let (mut of_bins, mut ends) = (Vec::new(), (None, None));
    if let Some(options) = options {
        let found = Intervals::new(&columns, options)?;
        of_bins.extend((0..columns.len()).map(|column| found.interval(column)));
        ends = ratio_interval(&ratio_parts(problem, scores), options)?;
    }
    let interval_of = |at: usize| -> Option<Interval> { of_bins.get(at).copied().flatten() };

    let wrong: f64 = bins.iter().map(|b| (sum(b, scores) - sum(b, cost)).abs()).sum();
    let (expected, observed) = (sum(&order, scores), sum(&order, cost));
    let share = |of: f64| (observed > 0.0).then(|| of / observed);
    Ok(Reliability {
        name: name.to_owned(),
        expected,
        observed,
        ratio: share(expected),
        low: ends.0,
        high: ends.1,
        error: share(wrong),
        bins: bins
            .iter()
            .enumerate()
            .map(|(at, items)| Bin {
                items: items.len(),
                expected: sum(items, scores) / items.len() as f64,
                observed: sum(items, cost) / items.len() as f64,
                low: interval_of(at).map(|i| i.low),
                high: interval_of(at).map(|i| i.high),
            })
            .collect(),
    })
}

/// Observed and expected cost of each list.
pub fn ratio_parts(problem: &Problem<'_>, scores: &[f64]) -> Vec<Part> {
    let cost = problem.cost();
    let lists = problem.data().lists();
    lists
        .map(|items| Part::new(cost[items.clone()].iter().sum(), scores[items].iter().sum()))
        .collect()
}

/// The lower and the upper end of the interval of expected / observed over lists with these [parts](ratio_parts), if it
/// has them.
///
/// # Errors
/// If an option is out of range, or sums overflow.
pub fn ratio_interval(
    parts: &[Part],
    options: &IntervalOptions,
) -> Result<(Option<f64>, Option<f64>), StatsError> {
    // Observed / expected is inverted: a list's cost may be 0, but not its expected cost.
    let can_divide = parts.iter().all(|part| part.den > 0.0);
    let found = match can_divide {
        true => intervals::interval(Column::new(parts).within(COSTS), options)?,
        false => None,
    };
    let inverse = |value: f64| (value > 0.0).then(|| 1.0 / value);
    Ok((found.and_then(|found| inverse(found.high)), found.and_then(|found| inverse(found.low))))
}

/// Where bins end among items in the order of their scores: never between equal scores, and never with too
/// few items on either side.
fn ends(order: &[usize], scores: &[f64]) -> Vec<usize> {
    let n = order.len();
    let mut ends = Vec::new();
    for cut in CUTS {
        let at = (cut * n as f64).round() as usize;
        if at >= n {
            continue;
        }
        let cut = order.partition_point(|&i| scores[i] < scores[order[at]]);
        if cut >= ends.last().copied().unwrap_or(0) + MIN_ITEMS && cut + MIN_ITEMS <= n {
            ends.push(cut);
        }
    }
    ends.push(n);
    ends
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use stakes_core::cost::CostModel;
    use stakes_core::data::{Columns, Dataset, DatasetBuilder, Row};

    use super::*;

    /// Lists of ten items with these costs.
    fn data(costs: &[f64]) -> Dataset {
        let columns =
            Columns { list: Some("l".into()), impact: Some("y".into()), ..Columns::default() };
        let mut builder = DatasetBuilder::new("t", columns).unwrap();
        for (i, &cost) in costs.iter().enumerate() {
            let list = (i / 10).to_string();
            builder.push(Row { list: &list, impact: Some(cost), ..Row::default() }).unwrap();
        }
        builder.finish().unwrap()
    }

    fn of(costs: &[f64], scores: &[f64]) -> Reliability {
        let data = data(costs);
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        reliability(&problem, "s", scores, Some(&IntervalOptions::default())).unwrap()
    }

    #[test]
    fn by_hand() {
        let of = of(&[[2.0; 10], [3.0; 10]].concat(), &[[1.0; 10], [4.0; 10]].concat());
        assert_eq!(
            (of.expected, of.observed, of.ratio, of.error),
            (50.0, 50.0, Some(1.0), Some(0.4))
        );
        let bins: Vec<_> = of.bins.iter().map(|b| (b.items, b.expected, b.observed)).collect();
        assert_eq!(bins, [(10, 1.0, 2.0), (10, 4.0, 3.0)]);
        // Each bin has one list, which cannot vary.
        assert!(of.bins.iter().all(|b| b.low.is_none()));
        // Two lists, 10 / 20 and 40 / 30, say next to nothing.
        assert!(of.low.is_some_and(|low| low < 0.1) && of.high.is_some_and(|high| high > 10.0));
    }

    #[test]
    fn bins_are_finer_on_top_and_keep_ties_together() {
        let n = 4000;
        let costs: Vec<f64> = (0..n).map(|i| f64::from((i * 7919) % n)).collect();
        let perfect = of(&costs, &costs);
        let items: Vec<usize> = perfect.bins.iter().map(|b| b.items).collect();
        assert_eq!(items, [vec![400; 9], vec![200, 100, 60, 20, 20]].concat());
        assert_eq!((perfect.ratio, perfect.error), (Some(1.0), Some(0.0)));
        for bin in &perfect.bins {
            assert!(bin.low.unwrap() <= bin.observed && bin.observed <= bin.high.unwrap());
        }
        let coarse: Vec<f64> =
            costs.iter().map(|c| (c / 1000.0).floor() * 1000.0 + 500.0).collect();
        let coarse = of(&costs, &coarse);
        assert_eq!(coarse.bins.iter().map(|b| b.items).collect::<Vec<_>>(), [1000; 4]);
        let twice: Vec<f64> = costs.iter().map(|c| 2.0 * c).collect();
        let twice = of(&costs, &twice);
        assert_eq!((twice.ratio, twice.error), (Some(2.0), Some(1.0)));
        assert_eq!((twice.low, twice.high), (Some(2.0), Some(2.0)));
    }

    #[test]
    fn nothing_observed_nothing_expected_and_less_than_nothing() {
        let free = of(&[0.0; 30], &[1.0; 30]);
        assert_eq!((free.ratio, free.error, free.high), (None, None, None));
        assert_eq!(free.bins.len(), 1);
        let hopeful = of(&[1.0; 30], &[-1.0; 30]);
        assert_eq!((hopeful.ratio, hopeful.error, hopeful.low), (Some(-1.0), Some(2.0), None));
        assert_eq!(of(&[1.0; 3], &[1.0; 3]).bins[0].items, 3);
    }
}
