//! How well the scores of a member explain costs, list by list.
//!
//! The best order is that by expected cost (docs/theory.md), so members can be compared by the costs of all items, and not
//! only by those of the items that are acted on: the same lists tell two members apart far more surely. Scores have
//! scales of their own, so what is judged is the expected cost exp(a + b log score), at the a and b that suit it best.
//!
//! The deviance is Tweedie's of power 1.5, for costs that are often 0 and sometimes huge: with e = a + b log score, an
//! item of cost y adds 2 y exp(-e/2) + 2 exp(e/2), but for what depends on y alone. Let S be the sum of
//! y exp(-b log score / 2) and T that of exp(b log score / 2). The best a is log(S / T), the whole deviance is then
//! 4 sqrt(S T), and its logarithm is convex in b: the best b is found by halving.

use stakes_core::metric::Part;

use crate::Lists;

/// The deviance of each list with costs and weights in units, lower is better; all 0 if nothing costs anything.
pub(super) fn by_list(lists: &Lists, log: &[f64]) -> Vec<Part> {
    let weight = |item: usize| lists.weight().map_or(1.0, |weights| weights[item]);
    let items: Vec<Item> = standardised(log)
        .into_iter()
        .zip(lists.cost())
        .enumerate()
        .map(|(item, (x, &cost))| Item { x, cost, weight: weight(item) })
        .collect();
    let power = best_power(&items);
    let Sums { costs, units, .. } = Sums::new(&items, power);
    let known = costs > 0.0 && (costs * units).is_finite();
    let half_level = (costs / units).sqrt();
    let of_item = |item: &Item| {
        let half = item.half(power) * half_level;
        2.0 * item.weight * (item.cost / half + half)
    };
    let of_list = |list: usize| match known {
        true => items[lists.items(list)].iter().map(of_item).sum(),
        false => 0.0,
    };
    (0..lists.len()).map(|list| Part { num: of_list(list), den: 1.0 }).collect()
}

/// An item with its log score.
struct Item {
    x: f64,
    cost: f64,
    weight: f64,
}

impl Item {
    /// exp(b x / 2), within what can be multiplied and summed.
    fn half(&self, power: f64) -> f64 {
        (0.5 * power * self.x).clamp(-300.0, 300.0).exp()
    }
}

/// Sums over all items: S and T, and the slope of log(S T) in the power.
struct Sums {
    costs: f64,
    units: f64,
    slope: f64,
}

impl Sums {
    fn new(items: &[Item], power: f64) -> Self {
        let (mut costs, mut units, mut of_costs, mut of_units) = (0.0, 0.0, 0.0, 0.0);
        for item in items {
            let half = item.half(power);
            let (cost, unit) = (item.weight * item.cost / half, item.weight * half);
            costs += cost;
            units += unit;
            of_costs += cost * item.x;
            of_units += unit * item.x;
        }
        Sums { costs, units, slope: of_units / units - of_costs / costs }
    }
}

/// The power at which the deviance is lowest, between 1/64 and 16.
fn best_power(items: &[Item]) -> f64 {
    let (mut low, mut high): (f64, f64) = (1.0 / 64.0, 16.0);
    // 20 halvings on a logarithmic scale find it to a hundred-thousandth.
    for _ in 0..20 {
        let middle = (low * high).sqrt();
        if Sums::new(items, middle).slope < 0.0 { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}

/// The same with mean 0 and standard deviation 1; all 0 if they are equal.
fn standardised(log: &[f64]) -> Vec<f64> {
    let n = log.len() as f64;
    let mean = log.iter().sum::<f64>() / n;
    let deviation = (log.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt();
    let unit = if deviation > 0.0 { deviation } else { 1.0 };
    log.iter().map(|x| (x - mean) / unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs that are exp(x), and some that are 0.
    fn items() -> Vec<Item> {
        let item = |number: u32| {
            let x = f64::from(number % 17) / 8.0 - 1.0;
            let cost = if number.is_multiple_of(3) { 0.0 } else { 1.5 * (0.7 * x).exp() };
            Item { x, cost, weight: 1.0 + f64::from(number % 2) }
        };
        (0..3 * 2 * 17 * 4).map(item).collect()
    }

    fn deviance(items: &[Item], level: f64, power: f64) -> f64 {
        let of = |item: &Item| {
            let e = level + power * item.x;
            2.0 * item.weight * (item.cost * (-e / 2.0).exp() + (e / 2.0).exp())
        };
        items.iter().map(of).sum()
    }

    #[test]
    fn level_and_power_are_where_the_deviance_is_lowest() {
        let items = items();
        let power = best_power(&items);
        let Sums { costs, units, .. } = Sums::new(&items, power);
        let level = (costs / units).ln();
        let lowest = deviance(&items, level, power);
        assert!((lowest - 4.0 * (costs * units).sqrt()).abs() < 1e-9 * lowest);
        assert!((power - 0.7).abs() < 1e-4, "{power}");
        for (a, b) in [(0.01, 0.0), (-0.01, 0.0), (0.0, 0.01), (0.0, -0.01), (0.01, -0.01)] {
            assert!(deviance(&items, level + a, power + b) > lowest);
        }
    }

    #[test]
    fn scales_are_taken_out() {
        assert_eq!(standardised(&[3.0, 5.0]), [-1.0, 1.0]);
        assert_eq!(standardised(&[2.0, 2.0]), [0.0, 0.0]);
    }
}
