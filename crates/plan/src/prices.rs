//! Prices of the rows: what a unit of each is worth.
//!
//! For any prices p >= 0 no plan is worth more than
//!
//!   L(p) = sum over rows of p x end + sum over items of max(0, value - sum over rows of p x amount)
//!
//! (Lagrange's bound; Fisher 1981). An item's **margin** is its value less what it uses at these prices: items
//! far above 0 are in the best plan, items far below are not. With one row the best price is known: the
//! value per unit of the item that no longer fits as a whole (Dantzig 1957). With several, subgradient steps
//! lower the bound.

use crate::fill;
use crate::rows::Rows;

/// Steps of the subgradient method.
const STEPS: usize = 600;
/// The length of steps is halved after so many without a better bound.
const PATIENCE: usize = 15;
/// A plan is made after so many steps, so that they know how far the bound is from one.
const EVERY: usize = 30;

pub(crate) struct Prices {
    /// The price of a unit of each row.
    pub(crate) price: Vec<f64>,
    /// The margin of each item.
    pub(crate) margin: Vec<f64>,
    /// L.
    pub(crate) bound: f64,
}

impl Prices {
    pub(crate) fn find(rows: &Rows) -> Prices {
        match rows.ends.len() {
            0 => Prices::new(rows, Vec::new()),
            1 if rows.ends[0] >= 0.0 => Prices::new(rows, vec![one_price(rows)]),
            _ => by_steps(rows),
        }
    }

    pub(crate) fn new(rows: &Rows, price: Vec<f64>) -> Prices {
        let cost = |place: usize| -> f64 {
            rows.of(place).iter().map(|&(row, amount)| price[row as usize] * amount).sum()
        };
        let margin: Vec<f64> =
            (0..rows.len()).map(|place| rows.values[place] - cost(place)).collect();
        let ends: f64 = price.iter().zip(&rows.ends).map(|(price, end)| price * end).sum();
        let bound = ends + margin.iter().map(|margin| margin.max(0.0)).sum::<f64>();
        Prices { price, margin, bound }
    }
}

/// The value per unit at which what is better fills the row.
fn one_price(rows: &Rows) -> f64 {
    let amount = |place: usize| rows.of(place).first().map_or(0.0, |entry| entry.1);
    let mut order: Vec<usize> = (0..rows.len()).filter(|&place| amount(place) > 0.0).collect();
    let ratio = |place: usize| rows.values[place] / amount(place);
    order.sort_by(|&a, &b| ratio(b).total_cmp(&ratio(a)).then(a.cmp(&b)));
    let mut left = rows.ends[0];
    for place in order {
        left -= amount(place);
        if left < 0.0 {
            return ratio(place);
        }
    }
    0.0
}

fn by_steps(rows: &Rows) -> Prices {
    let n = rows.ends.len();
    // In units of their ends rows are alike.
    let mut largest = vec![0.0_f64; n];
    for place in 0..rows.len() {
        for &(row, amount) in rows.of(place) {
            largest[row as usize] = largest[row as usize].max(amount.abs());
        }
    }
    let unit: Vec<f64> = rows
        .ends
        .iter()
        .zip(&largest)
        .map(|(end, most)| end.abs().max(*most).max(1e-300))
        .collect();
    let mut best = Prices::new(rows, vec![0.0; n]);
    let mut current = best.price.clone();
    let (mut length, mut waited) = (1.0, 0);
    let mut known = fill::fill(rows, &best).map_or(0.0, |plan| plan.value);
    for step in 1..=STEPS {
        let found = Prices::new(rows, current.clone());
        let mut excess: Vec<f64> = rows.ends.iter().map(|end| -end).collect();
        for place in (0..rows.len()).filter(|&place| found.margin[place] > 0.0) {
            rows.take(place, &mut excess);
        }
        let excess: Vec<f64> = excess.iter().zip(&unit).map(|(e, unit)| e / unit).collect();
        let is_better = found.bound < best.bound * (1.0 - 1e-12);
        if is_better {
            best = found;
            waited = 0;
        } else {
            waited += 1;
            if waited >= PATIENCE {
                (length, waited) = (length / 2.0, 0);
                current.clone_from(&best.price);
            }
        }
        if step % EVERY == 0
            && let Some(plan) = fill::fill(rows, &best)
        {
            known = known.max(plan.value);
        }
        let square: f64 = excess.iter().map(|e| e * e).sum();
        if square == 0.0 || best.bound <= known {
            break;
        }
        let size = length * (best.bound - known) / square;
        for ((price, excess), unit) in current.iter_mut().zip(&excess).zip(&unit) {
            *price = (*price + size * excess / unit).max(0.0);
        }
    }
    best
}
