//! Pairs by what it costs to get them wrong (Salomon 2020, section 4.3.1): the share of pairs in order among those of
//! low, medium and high cost.
//!
//! A pair is two items of one list with different impacts; its cost follows from the weights of the two, or else from
//! their costs. Up to three different pair costs are classes of their own; otherwise classes are thirds of all pairs.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::display::nice_number;
use stakes_eval::study::Scores;
use stakes_learn::rankboost::PairCostRule;

use super::Evaluation;
use crate::Error;
use crate::text::{Cell, Page, Table, short};

/// The maximum number of pairs that are looked at, with 8 bytes each.
const MAX_PAIRS: usize = 100_000_000;

/// The pairs of a score by cost class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByPairCost {
    /// The score.
    pub score: String,
    /// The classes, that of the lowest cost first.
    pub classes: Vec<PairClass>,
}

/// Pairs of one class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairClass {
    /// Their lowest cost.
    pub from: f64,
    /// Their highest cost.
    pub to: f64,
    /// Their number.
    pub pairs: u64,
    /// The share that is in order; tied ones count half.
    pub in_order: f64,
}

/// The pairs of all lists by cost class, for every score.
pub(super) fn by_pair_cost(
    problem: &Problem<'_>,
    scores: &[Scores],
    rule: PairCostRule,
) -> Result<Vec<ByPairCost>, Error> {
    let mut costs = Vec::new();
    each_pair(problem, rule, |_, _, cost| costs.push(cost), MAX_PAIRS)?;
    costs.sort_unstable_by(f64::total_cmp);
    let tops = class_tops(&costs);
    let class_of = |cost: f64| tops.partition_point(|top| *top < cost);
    let mut found = Vec::new();
    for score in scores {
        let mut classes: Vec<(u64, f64)> = vec![(0, 0.0); tops.len()];
        let count = |better: usize, worse: usize, cost: f64| {
            let class = &mut classes[class_of(cost)];
            class.0 += 1;
            class.1 += match score.values[better].total_cmp(&score.values[worse]) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        };
        each_pair(problem, rule, count, MAX_PAIRS)?;
        let class = |(at, &(pairs, right)): (usize, &(u64, f64))| {
            let first = costs.partition_point(|cost| at > 0 && *cost <= tops[at - 1]);
            let in_order = right / pairs as f64;
            PairClass { from: costs[first], to: tops[at], pairs, in_order }
        };
        let classes = classes.iter().enumerate().map(class).collect();
        found.push(ByPairCost { score: score.name.clone(), classes });
    }
    Ok(found)
}

/// The highest cost of each class.
fn class_tops(sorted: &[f64]) -> Vec<f64> {
    let distinct: Vec<f64> = sorted.chunk_by(|a, b| a == b).map(|same| same[0]).take(4).collect();
    if distinct.len() <= 3 {
        return distinct;
    }
    let third = |at: usize| sorted[(at * sorted.len()).div_ceil(3) - 1];
    let mut tops = vec![third(1), third(2), third(3)];
    // Where many pairs cost the same, thirds fall together.
    tops.dedup();
    tops
}

/// Calls `take` with the better item, the worse item and the cost of every pair.
fn each_pair(
    problem: &Problem<'_>,
    rule: PairCostRule,
    mut take: impl FnMut(usize, usize, f64),
    most: usize,
) -> Result<(), Error> {
    let data = problem.data();
    let impact = data.impact().unwrap_or(problem.cost());
    let importance = data.weight().unwrap_or(problem.cost());
    let mut pairs = 0;
    for items in data.lists() {
        pairs += items.len() * items.len().saturating_sub(1) / 2;
        if pairs > most {
            return Err(Error::TooManyPairs(format!(
                "there are more than {} million pairs of items; --by-pair-cost looks at each of them, so give fewer or \
                 shorter lists",
                most / 1_000_000
            )));
        }
        for i in items.clone() {
            for j in items.clone().filter(|&j| impact[i] > impact[j]) {
                take(i, j, rule.of(importance[i], importance[j]));
            }
        }
    }
    Ok(())
}

pub(super) fn write(page: &mut Page, evaluation: &Evaluation) {
    let Some(first) = evaluation.by_pair_cost.first() else { return };
    page.heading("Pairs in order by their cost");
    let bounds = |class: &PairClass| match class.from == class.to {
        true => nice_number(class.from),
        false => format!("{} to {}", nice_number(class.from), nice_number(class.to)),
    };
    let names = std::iter::once("score".to_owned()).chain(first.classes.iter().map(bounds));
    let mut table = Table::new(names);
    for row in &evaluation.by_pair_cost {
        let cells = row.classes.iter().map(|class| Cell::from(short(class.in_order)));
        table.row(std::iter::once(Cell::from(row.score.as_str())).chain(cells));
    }
    page.table(&table);
}
