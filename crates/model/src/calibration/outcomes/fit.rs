//! Ratios of the lists that a function was fitted to.

use std::ops::Range;

use stakes_core::display::significant;

use super::super::Calibration;
use super::super::isotonic::{self, Item};
use super::totals::ends;
use super::{Band, DEPTHS, DIGITS, Depth, MAX_BANDS, MAX_DEPTHS, MAX_LISTS, Outcomes, Total};

/// The fewest items of a band.
const MIN_ITEMS: usize = 50;
/// The number of folds in which the function is fitted without some of the lists.
const FOLDS: usize = 10;

impl Outcomes {
    /// Of sorted items and the function that was fitted to them, in their unit.
    pub(in super::super) fn of(fitted: &Calibration, items: &[Item], lists: usize) -> Self {
        let expected = without_own_list(fitted, items, lists);
        let mut by_list: Vec<Vec<usize>> = vec![Vec::new(); lists];
        // The highest score first.
        for (i, item) in items.iter().enumerate().rev() {
            by_list[item.list as usize].push(i);
        }
        by_list.retain(|own| !own.is_empty());
        let longest = by_list.iter().map(Vec::len).max().unwrap_or(0);
        // Up to the first depth that is at least the longest list.
        let needed =
            DEPTHS.iter().position(|depth| *depth >= longest).map_or(MAX_DEPTHS, |last| last + 1);
        let depth = |depth: &usize| Depth {
            items: *depth as u64,
            lists: totals(items, &expected, &by_list, *depth),
        };
        Outcomes {
            bands: bands(items, &expected),
            depths: DEPTHS[..needed].iter().map(depth).collect(),
        }
    }
}

/// The expected cost of each item by a function that was fitted without its list.
fn without_own_list(fitted: &Calibration, items: &[Item], lists: usize) -> Vec<f64> {
    let folds = FOLDS.min(lists);
    let functions: Vec<Option<Calibration>> = (0..folds)
        .map(|fold| {
            let others: Vec<Item> =
                items.iter().filter(|item| item.list as usize % folds != fold).copied().collect();
            Calibration::of_items(&others, lists)
        })
        .collect();
    let expected = |item: &Item| {
        // Without some of few lists there may be too few; then all of them must do.
        functions[item.list as usize % folds].as_ref().unwrap_or(fitted).expected(item.score).mean
    };
    items.iter().map(expected).collect()
}

fn totals(items: &[Item], expected: &[f64], by_list: &[Vec<usize>], depth: usize) -> Vec<Total> {
    let total = |own: &Vec<usize>| {
        let (mut cost, mut of_all, mut left) = (0.0, 0.0, depth);
        for equal in own.chunk_by(|&a, &b| items[a].score == items[b].score) {
            // Of equal scores any may be taken: their mean.
            let part = left.min(equal.len()) as f64 / equal.len() as f64;
            cost += part * equal.iter().map(|&i| items[i].cost).sum::<f64>();
            of_all += part * equal.iter().map(|&i| expected[i]).sum::<f64>();
            left -= left.min(equal.len());
        }
        Total { expected: of_all, ratio: ratio(cost, of_all) }
    };
    let mut all: Vec<Total> = by_list.iter().map(total).collect();
    all.sort_by(|a, b| a.expected.total_cmp(&b.expected).then(a.ratio.total_cmp(&b.ratio)));
    if all.len() > MAX_LISTS {
        all = (0..MAX_LISTS).map(|i| all[(2 * i + 1) * all.len() / (2 * MAX_LISTS)]).collect();
    }
    all
}

fn bands(items: &[Item], expected: &[f64]) -> Vec<Band> {
    let wanted = items.len() / (items.len() / MIN_ITEMS).clamp(1, MAX_BANDS);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    for equal in items.chunk_by(|a, b| a.score == b.score) {
        let start = end;
        end += equal.len();
        match ranges.last_mut() {
            Some(last) if last.len() < wanted || items.len() - start < wanted / 2 => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    // Chances are pooled as costs are, so that they never decrease.
    let shares: Vec<Item> = ranges
        .iter()
        .map(|range| {
            let own = &items[range.clone()];
            let costly = own.iter().filter(|item| item.cost > 0.0).count();
            Item {
                score: isotonic::centre(own, own.iter().map(|item| item.weight).sum()),
                cost: costly as f64 / own.len() as f64,
                weight: own.len() as f64,
                list: 0,
            }
        })
        .collect();
    let pooled = isotonic::pooled(&shares);
    let chances = pooled.iter().flat_map(|block| block.items.clone().map(|_| block.mean()));
    let band = |((range, share), chance): ((Range<usize>, &Item), f64)| {
        let ratios: Vec<f64> = range.map(|i| ratio(items[i].cost, expected[i])).collect();
        let largest = ratios.iter().copied().fold(0.0, f64::max);
        let (low, high) = ends(ratios).unwrap_or((0.0, largest));
        Band {
            score: share.score,
            chance: significant(chance.min(1.0), DIGITS),
            low: significant(low, DIGITS),
            high: significant(high, DIGITS),
        }
    };
    ranges.into_iter().zip(&shares).zip(chances).map(band).collect()
}

/// The cost over what was expected.
fn ratio(cost: f64, expected: f64) -> f64 {
    let ratio = cost / expected;
    if ratio.is_finite() { significant(ratio, DIGITS) } else { 0.0 }
}
