//! Orders that no weights can produce.
//!
//! If some positive multiples of differences add up to nothing, sum over s of l_s (x_i - x_k)_s = 0, then no
//! w has w.(x_i - x_k)_s > 0 for all of them (Gordan's theorem): of these pairs s one at least is not in
//! this order, sum over s of z_s <= |S| - 1. The big-M rows know nothing of it: with w = 0 they allow nearly
//! all z = 1, and the bound is that of the ideal order until very many nodes are looked at.
//!
//! Sets are sought by a small linear program: minimise sum of (1 - z_s) l_s over l >= 0 with sum of l = 1 and
//! the sum of differences 0 (not above 0 where w_j >= 0, not below where w_j <= 0). Its vertices are the
//! smallest such sets (Gleeson and Ryan, 1990), d + 1 pairs at most. What is used already costs more, so that
//! each search finds other pairs.
//!
//! Every set is checked before it is used: for w in the box, margin x sum of l <= w.(sum of l_s difference_s)
//! if all pairs keep the margin; a set is taken only if the greatest right side is below half of the left.

use microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::Row;
use super::built::Built;

/// How many sets are sought in a round.
const SEARCHES: usize = 40;
/// Multiples below this are nothing.
const NOTHING: f64 = 1e-9;
/// By how much a set's row must be broken to be worth its place.
const BROKEN: f64 = 1e-3;

/// Rows that these values of the columns break, for pairs whose order no weights can produce. Ends early where
/// it is late.
pub(super) fn impossible_orders(
    built: &Built,
    values: &[f64],
    is_late: &dyn Fn() -> bool,
) -> Vec<Row> {
    let strict = built.strict();
    let differences: Vec<Vec<f64>> =
        strict.iter().map(|(_, above, below)| built.space().difference(*above, *below)).collect();
    let mut used = vec![0.0; strict.len()];
    let mut rows: Vec<Row> = Vec::new();
    for search in 0..SEARCHES {
        if is_late() {
            break;
        }
        let cost = |at: usize| {
            // Ties among costs would find the same pairs again and again: a fixed scatter breaks them.
            let scatter = ((at * 7919 + search * 104_729) % 1009) as f64 / 1009.0;
            (1.0 - values[strict[at].0]).max(0.0) + 0.3 * used[at] + 1e-3 * (1.0 + scatter)
        };
        let costs: Vec<f64> = (0..strict.len()).map(cost).collect();
        let Some(set) = smallest(built, &differences, &costs) else { break };
        set.iter().for_each(|(at, _)| used[*at] += 1.0);
        let held: f64 = set.iter().map(|(at, _)| values[strict[*at].0]).sum();
        if held < set.len() as f64 - 1.0 + BROKEN || !is_impossible(built, &differences, &set) {
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

/// The cheapest multiples of differences that add up to nothing, as (pair, multiple); `None` if there
/// are none.
fn smallest(built: &Built, differences: &[Vec<f64>], costs: &[f64]) -> Option<Vec<(usize, f64)>> {
    let mut program = Problem::new(OptimizationDirection::Minimize);
    let multiples: Vec<_> =
        costs.iter().map(|cost| program.add_var(*cost, (0.0, f64::INFINITY))).collect();
    for (j, bounds) in built.space().bounds.iter().enumerate() {
        let way = match bounds {
            (0.0, 0.0) => continue,
            (0.0, _) => ComparisonOp::Le,
            (_, 0.0) => ComparisonOp::Ge,
            _ => ComparisonOp::Eq,
        };
        let terms =
            multiples.iter().zip(differences).filter(|(_, difference)| difference[j] != 0.0);
        let terms: Vec<_> =
            terms.map(|(multiple, difference)| (*multiple, difference[j])).collect();
        program.add_constraint(terms, way, 0.0);
    }
    let all: Vec<_> = multiples.iter().map(|multiple| (*multiple, 1.0)).collect();
    program.add_constraint(all, ComparisonOp::Eq, 1.0);
    // A failure of the small program costs a cut, nothing else.
    let outcome = program.solve().ok()?;
    let solution = outcome.solution()?;
    let values = multiples.iter().map(|multiple| solution.var_value(*multiple)).enumerate();
    Some(values.filter(|(_, multiple)| *multiple > NOTHING).collect())
}

/// Whether no weights in the box put all pairs of the set in order by the margin.
fn is_impossible(built: &Built, differences: &[Vec<f64>], set: &[(usize, f64)]) -> bool {
    let mut sum = vec![0.0; built.space().bounds.len()];
    for (at, multiple) in set {
        sum.iter_mut().zip(&differences[*at]).for_each(|(sum, x)| *sum += multiple * x);
    }
    let multiples: f64 = set.iter().map(|(_, multiple)| multiple).sum();
    built.space().reach(&sum).1 < 0.5 * built.space().margin * multiples
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
        let sum = Sum { gains, discounts, unmoved: 0.0 };
        Problem::new(width, vec![0, rows.len() / width], rows, sum).unwrap()
    }

    /// What is in the middle cannot be below both ends.
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

    /// With both weights not negative, nothing that is less in both features can be above.
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
        /// No order that some weights produce breaks a row.
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
