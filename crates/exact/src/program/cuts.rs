//! Cuts: rows against orders that no weights can produce.
//!
//! If a combination of differences with positive multipliers is zero, sum over s of l_s (x_i - x_k)_s = 0, then no
//! w has w.(x_i - x_k)_s > 0 for all pairs s of the set S (Gordan's theorem). At least one of the pairs is not in
//! this order: sum over s of z_s <= |S| - 1. The big-M rows do not imply it: with w = 0 they allow nearly
//! all z = 1, and the bound remains that of the ideal order for very many nodes.
//!
//! A small linear program finds such sets: minimise the sum of (1 - z_s) l_s over l >= 0 with sum of l = 1 and
//! the combination of differences equal to 0 (at most 0 where w_j >= 0, at least 0 where w_j <= 0). Its vertices are
//! the minimal sets (Gleeson and Ryan 1990), with at most d + 1 pairs. Pairs that were used already cost more, so that
//! each search finds other pairs.
//!
//! Every set is checked before it is used: if all its pairs keep the margin, then margin x sum of l <=
//! w.(sum of l_s difference_s) for w in the box; a set is used only if the maximum of the right side is below half of
//! the left side.

use microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::Row;
use super::built::BuiltProgram;

/// The maximum number of searches per round.
const MAX_SEARCHES: usize = 40;
/// Multipliers below this count as 0.
const NEGLIGIBLE: f64 = 1e-9;
/// The minimum violation of a row for it to be added.
const MIN_VIOLATION: f64 = 1e-3;

/// Finds rows, for sets of pairs whose order no weights can produce, that these values of the columns violate. Returns
/// early once `is_late` is true.
pub(super) fn impossible_orders(
    built: &BuiltProgram,
    values: &[f64],
    is_late: &dyn Fn() -> bool,
) -> Vec<Row> {
    let strict = built.strict();
    let differences: Vec<Vec<f64>> =
        strict.iter().map(|(_, above, below)| built.space().difference(*above, *below)).collect();
    let mut used = vec![0.0; strict.len()];
    let mut rows: Vec<Row> = Vec::new();
    for search in 0..MAX_SEARCHES {
        if is_late() {
            break;
        }
        let cost = |at: usize| {
            // Equal costs would lead to the same pairs again and again: a fixed perturbation breaks ties.
            let perturbation = ((at * 7919 + search * 104_729) % 1009) as f64 / 1009.0;
            (1.0 - values[strict[at].0]).max(0.0) + 0.3 * used[at] + 1e-3 * (1.0 + perturbation)
        };
        let costs: Vec<f64> = (0..strict.len()).map(cost).collect();
        let Some(set) = cheapest_set(built, &differences, &costs) else { break };
        set.iter().for_each(|(at, _)| used[*at] += 1.0);
        let sum: f64 = set.iter().map(|(at, _)| values[strict[*at].0]).sum();
        let is_kept = sum < set.len() as f64 - 1.0 + MIN_VIOLATION;
        if is_kept || !is_impossible(built, &differences, &set) {
            continue;
        }
        let mut terms: Vec<(usize, f64)> = set.iter().map(|(at, _)| (strict[*at].0, 1.0)).collect();
        terms.sort_unstable_by_key(|term| term.0);
        let upper = terms.len() as f64 - 1.0;
        if rows.iter().all(|row| row.terms != terms) {
            rows.push(Row { lower: f64::NEG_INFINITY, upper, terms });
        }
    }
    rows
}

/// The cheapest combination of differences that is zero, as (pair, multiplier); `None` if there is none.
fn cheapest_set(
    built: &BuiltProgram,
    differences: &[Vec<f64>],
    costs: &[f64],
) -> Option<Vec<(usize, f64)>> {
    let mut program = Problem::new(OptimizationDirection::Minimize);
    let multipliers: Vec<_> =
        costs.iter().map(|cost| program.add_var(*cost, (0.0, f64::INFINITY))).collect();
    for (j, bounds) in built.space().bounds.iter().enumerate() {
        let comparison = match bounds {
            (0.0, 0.0) => continue,
            (0.0, _) => ComparisonOp::Le,
            (_, 0.0) => ComparisonOp::Ge,
            _ => ComparisonOp::Eq,
        };
        let terms =
            multipliers.iter().zip(differences).filter(|(_, difference)| difference[j] != 0.0);
        let terms: Vec<_> =
            terms.map(|(multiplier, difference)| (*multiplier, difference[j])).collect();
        program.add_constraint(terms, comparison, 0.0);
    }
    let all: Vec<_> = multipliers.iter().map(|multiplier| (*multiplier, 1.0)).collect();
    program.add_constraint(all, ComparisonOp::Eq, 1.0);
    // A failure of the small program only means one cut less.
    let outcome = program.solve().ok()?;
    let solution = outcome.solution()?;
    let values = multipliers.iter().map(|multiplier| solution.var_value(*multiplier)).enumerate();
    Some(values.filter(|(_, multiplier)| *multiplier > NEGLIGIBLE).collect())
}

/// Whether no weights in the box order all pairs of the set by the margin.
fn is_impossible(built: &BuiltProgram, differences: &[Vec<f64>], set: &[(usize, f64)]) -> bool {
    let mut sum = vec![0.0; built.space().bounds.len()];
    for (at, multiplier) in set {
        sum.iter_mut().zip(&differences[*at]).for_each(|(sum, x)| *sum += multiplier * x);
    }
    let multipliers: f64 = set.iter().map(|(_, multiplier)| multiplier).sum();
    built.space().range(&sum).1 < 0.5 * built.space().margin * multipliers
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::exhaustive::directions;
    use crate::problem::{Problem, Sum};
    use crate::program::{Formulation, build};
    use crate::rules::{Rules, Sign};
    use proptest::prelude::*;

    fn world(width: usize, rows: Vec<f64>, gains: Vec<f64>) -> Problem {
        let discounts = vec![(1..=gains.len()).map(|rank| 1.0 / rank as f64).collect()];
        let sum = Sum { gains, discounts, constant: 0.0 };
        Problem::new(width, vec![0, rows.len() / width], rows, sum).unwrap()
    }

    /// An item between two others cannot be below both of them.
    #[test]
    fn a_bad_item_between_two_good_ones() {
        let problem = world(1, vec![0.0, 1.0, 2.0], vec![1.0, 0.0, 1.0]);
        let built = build(&problem, &Rules::default(), 1e-4, Formulation::Levels);
        let ones = vec![1.0; built.program().columns.len()];
        let rows = impossible_orders(&built, &ones, &|| false);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].upper, 1.0);
        let pairs: Vec<_> = built.strict().iter().map(|pair| (pair.0, 1.0)).collect();
        assert_eq!(rows[0].terms, pairs);
        assert!(impossible_orders(&built, &ones, &|| true).is_empty());
    }

    /// With non-negative weights an item that is smaller in all features cannot be above.
    #[test]
    fn signs_count() {
        let rows = vec![0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
        let problem = world(2, rows, vec![1.0, 1.0, 0.0]);
        let signs = vec![Sign::NotNegative; 2];
        let rules = Rules { signs, ..Rules::default() };
        let built = build(&problem, &rules, 1e-4, Formulation::Levels);
        assert!(built.strict().is_empty());
    }

    proptest! {
        /// No order that some weights produce violates a row.
        #[test]
        fn orders_that_are_there_stay(
            rows in prop::collection::vec(0_u8..7, 14),
            good in prop::collection::vec(0_u8..3, 7),
            form in 0_usize..3,
            signed in any::<bool>(),
        ) {
            let gains = good.into_iter().map(f64::from).collect();
            let problem = world(2, rows.into_iter().map(f64::from).collect(), gains);
            let signs = if signed { vec![Sign::NotNegative, Sign::Free] } else { Vec::new() };
            let rules = Rules { signs, ..Rules::default() };
            let form = [Formulation::Subrank, Formulation::ResolvedRank, Formulation::Levels][form];
            let mut built = build(&problem, &rules, 1e-4, form);
            let ones = vec![1.0; built.program().columns.len()];
            let cuts = impossible_orders(&built, &ones, &|| false);
            built.program_mut().rows.extend(cuts);
            for weights in directions(&problem).iter().filter(|weights| rules.allow(weights)) {
                prop_assert!(built.start(&problem, weights).is_some(), "{weights:?}");
            }
        }
    }
}
