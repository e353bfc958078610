//! What holds for all lists, on random ones.

use proptest::prelude::*;
use stakes_core::metric::Reads;
use stakes_core::rank::{Rank, Ranking};

use super::specs::{Ties, all, ties};
use super::world::{Items, close, items, orders, total};
use super::{beats, every, outside_range};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_the_input_does_not_matter(list in items(1..12), seed in any::<u64>()) {
        let moved = list.shuffled(seed);
        every(all(), |metric| {
            let value = |items: &Items| items.value(metric, &items.scores);
            let (before, after) = (value(&list), value(&moved));
            let same = before.is_some() == after.is_some()
                && close(before.unwrap_or(0.0), after.unwrap_or(0.0));
            (ties(metric) != Ties::Stable && !same).then(|| format!("{before:?} {after:?}"))
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn only_the_order_is_read_where_only_the_order_should(list in items(1..12)) {
        // Small whole numbers: the arithmetic is exact and creates no ties.
        let moved: Vec<f64> = list.scores.iter().map(|s| s * 4.0 - 3.0).collect();
        let bent: Vec<f64> = list.scores.iter().map(|s| s.powi(3)).collect();
        every(all(), |metric| {
            let value = |scores: &[f64]| list.value(metric, scores);
            let values = [&list.scores, &moved, &bent].map(|s| value(s));
            let same = values[0] == values[1] && values[0] == values[2];
            (metric.reads() == Reads::Order && !same).then(|| format!("{values:?}"))
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn the_ideal_order_is_best(list in items(1..6), seed in any::<u64>()) {
        let others: Vec<Items> = (0..6).map(|i| list.shuffled(seed.wrapping_add(i))).collect();
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let ideal = metric.ideal_scores(&view);
            let mut best = prepared.of_scores(&ideal)?;
            if ties(metric) == Ties::Other {
                // Tied items may count less than any order of them.
                let resolved = Ranking::from_scores(&ideal).swapped(Rank(0), Rank(0));
                let resolved = prepared.of_ranking(&resolved)?;
                best = if beats(metric, resolved, best) { resolved } else { best };
            }
            // Any scores where the order is read; where values are, the ideal's own.
            let rival = |order: &Vec<usize>| match metric.reads() {
                Reads::Order => prepared.of_ranking(&total(order)),
                Reads::Values => {
                    let scores: Vec<f64> = order.iter().map(|&i| ideal[i]).collect();
                    prepared.of_scores(&scores)
                }
            };
            let rivals = orders(list.len()).iter().filter_map(rival);
            let tied = others.iter().filter(|_| metric.reads() == Reads::Order);
            let tied = tied.filter_map(|other| prepared.of_scores(&other.scores));
            rivals.chain(tied).find_map(|value| {
                if outside_range(metric, value) {
                    return Some(format!("{value} is outside of {:?}", metric.range()));
                }
                beats(metric, value, best).then(|| format!("{value} beats the ideal {best}"))
            })
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_swap_is_what_reevaluation_says(list in items(1..7)) {
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let ranking = Ranking::from_scores(&list.scores);
            let now = prepared.of_ranking(&ranking.swapped(Rank(0), Rank(0))).unwrap_or(0.0);
            let ranks = || (0..list.len() as u32).map(Rank);
            ranks().flat_map(|a| ranks().map(move |b| (a, b))).find_map(|(a, b)| {
                let said = prepared.swap_delta(&ranking, a, b);
                let found = prepared.of_ranking(&ranking.swapped(a, b)).unwrap_or(0.0) - now;
                (!close(said, found)).then(|| format!("{a:?} {b:?}: {said}, found {found}"))
            })
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn additive_parts_say_what_a_swap_says(list in items(1..7)) {
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let parts = prepared.additive()?;
            let ranking = Ranking::from_scores(&list.scores);
            let now = prepared.of_ranking(&ranking.swapped(Rank(0), Rank(0))).unwrap_or(0.0);
            let gain = |rank: Rank| parts.gains[ranking.item_at(rank).at()];
            let discount = |rank: Rank| parts.discounts.get(rank.at()).copied().unwrap_or(0.0);
            let ranks = || (0..list.len() as u32).map(Rank);
            ranks().flat_map(|a| ranks().map(move |b| (a, b))).find_map(|(a, b)| {
                let said = parts.scale * (gain(b) - gain(a)) * (discount(a) - discount(b));
                let found = prepared.of_ranking(&ranking.swapped(a, b)).unwrap_or(0.0) - now;
                (!close(said, found)).then(|| format!("{a:?} {b:?}: {said}, found {found}"))
            })
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn ties_are_treated_as_they_are_named(list in items(1..6)) {
        let by_score = Ranking::from_scores(&list.scores);
        let place = |item: usize| by_score.order().iter().position(|i| i.at() == item).unwrap();
        let sorted: Vec<&Vec<usize>> = orders(list.len())
            .iter()
            .filter(|order| order.is_sorted_by(|a, b| list.scores[*a] >= list.scores[*b]))
            .collect();
        let input_order = sorted.iter().find(|o| o.is_sorted_by_key(|i| place(*i))).unwrap();
        every(all(), |metric| {
            let view = list.view();
            let prepared = metric.prepare(&view);
            let value = prepared.of_scores(&list.scores)?;
            let of = |order: &Vec<usize>| prepared.of_ranking(&total(order));
            let values: Option<Vec<f64>> = sorted.iter().map(|order| of(order)).collect();
            let values = values?;
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let expected = match ties(metric) {
                Ties::Mean => mean,
                Ties::Stable => of(input_order)?,
                Ties::Worst => values.iter().copied().reduce(|a, b| {
                    if beats(metric, a, b) { b } else { a }
                })?,
                _ => return None,
            };
            (!close(value, expected)).then(|| format!("{value}, by all orders {expected}"))
        })
        .map_err(TestCaseError::fail)?;
    }

    #[test]
    fn a_constant_scorer_never_looks_good(list in items(1..6)) {
        let constant = vec![0.5; list.len()];
        every(all(), |metric| {
            let exempt = matches!(ties(metric), Ties::Stable | Ties::Mid);
            if metric.reads() == Reads::Values || exempt {
                return None;
            }
            let view = list.view();
            let prepared = metric.prepare(&view);
            let value = prepared.of_scores(&constant)?;
            let of = |order: &Vec<usize>| prepared.of_ranking(&total(order));
            let values: Option<Vec<f64>> = orders(list.len()).iter().map(of).collect();
            let mean = values?.iter().sum::<f64>() / orders(list.len()).len() as f64;
            beats(metric, value, mean).then(|| format!("{value} beats random order, {mean}"))
        })
        .map_err(TestCaseError::fail)?;
    }
}
