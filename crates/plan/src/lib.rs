//! Which items to act on, within what there is: money, hours of crews, at most and at least so many of a
//! region, items that must or must not be taken.
//!
//! [`plan`] maximises the sum of values (what acting on an item is expected to save) subject to linear limits. It
//! finds prices of the limits whose Lagrangian bound is near the best plan (`prices.rs`), a good plan by
//! them (`fill.rs`), and then searches for the best one among the items that those prices do not decide
//! (`search.rs`). The value of a plan and a bound on all plans are always known; if they meet, it is proven best.
//! Everything is counted, nothing timed: the same problem has the same plan on every machine.
//!
//! ```
//! use stakes_plan::{Limit, Problem, plan};
//! // Three repairs, worth 10, 7 and 6; they take 5, 4 and 3 hours, and there are 7.
//! let hours = Limit::at_most("hours", 7.0, [5.0, 4.0, 3.0]);
//! let found = plan(&Problem::new(vec![10.0, 7.0, 6.0]).with(hours))?;
//! assert_eq!((found.chosen, found.value, found.is_proven), (vec![1, 2], 13.0, true));
//! # Ok::<(), stakes_plan::PlanError>(())
//! ```

mod fill;
mod prices;
mod problem;
mod rows;
mod search;

pub use problem::{Limit, PlanError, Problem};

use prices::Prices;
use rows::Rows;

/// The best plan that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The items, in their order.
    pub chosen: Vec<usize>,
    /// The sum of their values.
    pub value: f64,
    /// No plan has a higher value.
    pub bound: f64,
    /// Whether value and bound meet.
    pub is_proven: bool,
    /// How much of each limit is used.
    pub used: Vec<f64>,
    /// What one unit more of each limit would be worth, about (one unit less, where it is at least so many).
    pub worth: Vec<f64>,
}

impl Plan {
    /// How far the value may be from the best one, as a share of the bound.
    pub fn gap(&self) -> f64 {
        if self.bound > 0.0 { ((self.bound - self.value) / self.bound).max(0.0) } else { 0.0 }
    }
}

/// Values that differ by less than this share are the same.
const TOLERANCE: f64 = 1e-9;

/// Finds the plan with the highest value.
///
/// With one limit and a hundred thousand items this takes a fraction of a second. Beyond a number of
/// steps the search ends with what it has, and the bound says how much better a plan could be.
pub fn plan(problem: &Problem) -> Result<Plan, PlanError> {
    problem.check()?;
    let rows = Rows::new(problem);
    rows.check(problem)?;
    let prices = Prices::find(&rows);
    let mut best = fill::fill(&rows, &prices);
    let bound = search::improve(&rows, &prices, &mut best)?;
    let Some(best) = best else {
        return Err(PlanError::NoPlanFound);
    };
    let value = best.value + rows.forced_value;
    let bound = (bound + rows.forced_value).max(value);
    let mut chosen = rows.forced.clone();
    chosen.extend(best.taken.iter().map(|&place| rows.items[place as usize]));
    chosen.sort_unstable();
    Ok(Plan {
        used: problem.limits.iter().map(|limit| limit.used(&chosen)).collect(),
        worth: prices.price.clone(),
        is_proven: bound - value <= TOLERANCE * bound.abs(),
        chosen,
        value,
        bound,
    })
}

#[cfg(test)]
mod tests;
