//! The generalisation bound of the RankBoost family (Salomon 2020, section 3.3.2, after Freund et
//! al. 2003, theorem 5): with confidence 1 - delta,
//!
//!   abs(training loss - loss on new pairs) <= sum over q of g(m_q) + g(n_q),
//!   g(m) = 2 sqrt((d' (ln(2m / d') + 1) + ln(18 / delta_q)) / m),
//!   d' = 2 q (d + 1) (T + 1) log2(e (T + 1)),
//!
//! where the score is a sum of T weak rankers of VC dimension d, and the sum runs over classes of
//! pairs that cost q each (in units of the mean), with m_q better and n_q worse items, and delta_q
//! = delta x their share of the pairs. Without costs there is one class with q = 1.
//!
//! Real costs do not fall into few classes. As in Salomon 2020, items are of low or high cost, here
//! by whether the mean cost of their pairs is above that of all pairs; q of a class of pairs is the
//! largest of its costs. Where there are fewer items than half of d', the number of labellings of
//! 2m points, 2^(2m), replaces its bound, and g is above 1: the bound is then vacuous, as it is for
//! most data. It is reported with its parts to show the reason.

use super::costs::PairCosts;
use super::feedback::Feedback;
use stakes_model::{Bound, BoundPart};

/// The probability that the bound holds.
const CONFIDENCE: f64 = 0.95;

/// The maximum number of pairs with different costs for which the bound is computed.
const MAX_PAIRS: usize = 100_000_000;

/// The classes of pairs, by the number of their items of high cost.
const CLASSES: [&str; 3] = ["low-low", "low-high", "high-high"];

/// Returns the bound for a sum of this number of weak rankers; `None` if there are no pairs, or too
/// many with different costs.
pub(crate) fn bound(
    feedback: &Feedback,
    costs: &PairCosts,
    loss: f64,
    rankers: usize,
    dimension: u32,
) -> Option<Bound> {
    if feedback.pairs() == 0 {
        return None;
    }
    let parts = match costs.is_uniform() {
        true => {
            let better = feedback
                .lists
                .iter()
                .flat_map(|list| list.clone().filter(|&place| feedback.worse[place] < list.end));
            let worse = feedback.lists.iter().map(|list| list.end - feedback.worse[list.start]);
            let counts = [better.count(), worse.sum()];
            vec![part("all", 1.0, counts, 1.0, (rankers, dimension))]
        }
        false if feedback.pairs() > MAX_PAIRS => return None,
        false => by_cost(feedback, costs, (rankers, dimension)),
    };
    let rankers = rankers as u64;
    Some(Bound { confidence: CONFIDENCE, loss, rankers, dimension, parts })
}

/// Returns the parts of those of the three classes that have pairs.
fn by_cost(feedback: &Feedback, costs: &PairCosts, size: (usize, u32)) -> Vec<BoundPart> {
    let (mut sums, mut counts) = (vec![0.0; feedback.len()], vec![0u32; feedback.len()]);
    each_pair(feedback, costs, |better, worse, cost| {
        for place in [better, worse] {
            sums[place] += cost;
            counts[place] += 1;
        }
    });
    let mean = sums.iter().sum::<f64>() / counts.iter().map(|n| f64::from(*n)).sum::<f64>();
    let is_high: Vec<bool> =
        sums.iter().zip(&counts).map(|(sum, n)| *sum > mean * f64::from(*n)).collect();
    let (mut pairs, mut largest) = ([0.0; 3], [0.0_f64; 3]);
    let mut seen = vec![[[false; 2]; 3]; feedback.len()];
    each_pair(feedback, costs, |better, worse, cost| {
        let class = usize::from(is_high[better]) + usize::from(is_high[worse]);
        pairs[class] += 1.0;
        largest[class] = largest[class].max(cost / mean);
        seen[better][class][0] = true;
        seen[worse][class][1] = true;
    });
    let all = feedback.pairs() as f64;
    let of = |class: usize| {
        let count = |side: usize| seen.iter().filter(|seen| seen[class][side]).count();
        part(CLASSES[class], largest[class], [count(0), count(1)], pairs[class] / all, size)
    };
    (0..3).filter(|&class| pairs[class] > 0.0).map(of).collect()
}

fn each_pair(feedback: &Feedback, costs: &PairCosts, mut take: impl FnMut(usize, usize, f64)) {
    let mut row = Vec::new();
    for list in &feedback.lists {
        for place in list.clone() {
            let worse = feedback.worse_than(place, list);
            row.resize(worse.len(), 0.0);
            costs.of_row(feedback, place, &mut row);
            worse.zip(&row).for_each(|(other, cost)| take(place, other, *cost));
        }
    }
}

fn part(
    pairs: &str,
    cost: f64,
    [better, worse]: [usize; 2],
    share: f64,
    (rankers, dimension): (usize, u32),
) -> BoundPart {
    let t = rankers as f64 + 1.0;
    let complexity =
        2.0 * cost * (f64::from(dimension) + 1.0) * t * (std::f64::consts::E * t).log2();
    let delta = (1.0 - CONFIDENCE) * share;
    let gap = gap(better as f64, complexity, delta) + gap(worse as f64, complexity, delta);
    let (better, worse) = (better as u64, worse as u64);
    BoundPart { pairs: pairs.to_owned(), cost, better, worse, complexity, gap }
}

/// g(m).
fn gap(items: f64, complexity: f64, delta: f64) -> f64 {
    let ways = match 2.0 * items >= complexity {
        // A difference of logarithms: the ratio of a tiny complexity is infinite.
        true if complexity > 0.0 => complexity * ((2.0 * items).ln() - complexity.ln() + 1.0),
        true => 0.0,
        false => 2.0 * items * std::f64::consts::LN_2,
    };
    2.0 * ((ways + (18.0 / delta).ln()) / items).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // d = 2, T = 1: d' = 2 x 3 x 2 x log2(2e) = 12 x 2.4427 = 29.312.
        let found = part("all", 1.0, [1_000_000, 10], 1.0, (1, 2));
        assert!((found.complexity - 29.312).abs() < 1e-3, "{found:?}");
        // 29.312 (ln(2e6 / 29.312) + 1) + ln(360) = 361.57; 20 ln 2 + ln(360) = 19.749.
        let expected = 2.0 * (361.57_f64 / 1e6).sqrt() + 2.0 * (19.749_f64 / 10.0).sqrt();
        assert!((found.gap - expected).abs() < 1e-3, "{found:?} {expected}");
    }

    #[test]
    fn a_class_of_nearly_free_pairs_has_a_gap() {
        let found = part("low-low", 1e-315, [1000, 1000], 0.5, (3, 2));
        assert!(found.gap.is_finite() && found.gap > 0.0, "{found:?}");
    }
}
