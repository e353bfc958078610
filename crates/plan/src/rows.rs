//! The problem as the search sees it: rows of sums that must not exceed their ends, by item.
//!
//! "At least" is a row of negative amounts. Items that must be taken are taken off the ends of the rows, and
//! those that must not, or do not fit by themselves, are left out.

use crate::problem::{Limit, PlanError, Problem};

/// A row may be exceeded by rounding only: by this share of its end.
const ROUNDING: f64 = 1e-9;

/// Items that are free to be taken or not, with their amounts in each row.
pub(crate) struct Rows {
    /// The number of each free item in the problem.
    pub(crate) items: Vec<usize>,
    pub(crate) values: Vec<f64>,
    /// What is left of each row.
    pub(crate) ends: Vec<f64>,
    /// How much each row may be exceeded by rounding.
    slack: Vec<f64>,
    /// Rows and amounts of each item, one after the other.
    entries: Vec<(u32, f64)>,
    starts: Vec<usize>,
    /// Items that are taken in any case, and what they are worth.
    pub(crate) forced: Vec<usize>,
    pub(crate) forced_value: f64,
}

impl Rows {
    pub(crate) fn new(problem: &Problem) -> Self {
        let n = problem.values.len();
        let mut forced = problem.must.clone();
        forced.sort_unstable();
        forced.dedup();
        let mut is_free = vec![true; n];
        forced.iter().chain(&problem.must_not).for_each(|&item| is_free[item] = false);
        let sign = |limit: &Limit| if limit.is_least { -1.0 } else { 1.0 };
        let ends: Vec<f64> = problem
            .limits
            .iter()
            .map(|limit| sign(limit) * (limit.amount - limit.used(&forced)))
            .collect();
        let slack: Vec<f64> =
            problem.limits.iter().map(|limit| ROUNDING * limit.amount.max(1.0)).collect();
        let mut of_item: Vec<Vec<(u32, f64)>> = vec![Vec::new(); n];
        for (row, limit) in (0..).zip(&problem.limits) {
            for &(item, amount) in limit.uses.iter().filter(|(_, amount)| *amount > 0.0) {
                of_item[item].push((row, sign(limit) * amount));
            }
        }
        let fits = |entries: &Vec<(u32, f64)>| {
            entries.iter().all(|&(row, a)| a <= ends[row as usize] + slack[row as usize] || a < 0.0)
        };
        let items: Vec<usize> = (0..n).filter(|&i| is_free[i] && fits(&of_item[i])).collect();
        let mut rows = Rows {
            values: items.iter().map(|&item| problem.values[item]).collect(),
            ends,
            slack,
            entries: Vec::new(),
            starts: vec![0],
            forced_value: forced.iter().map(|&item| problem.values[item]).sum(),
            forced,
            items,
        };
        for &item in &rows.items {
            rows.entries.extend(&of_item[item]);
            rows.starts.push(rows.entries.len());
        }
        rows
    }

    /// Refuses limits that cannot hold whatever is taken.
    pub(crate) fn check(&self, problem: &Problem) -> Result<(), PlanError> {
        let least = self.least_sums(0..self.items.len());
        for (row, limit) in problem.limits.iter().enumerate() {
            let all = limit.used(&self.forced) - least[row];
            match limit.is_least {
                false if self.ends[row] < -self.slack[row] => {
                    return Err(PlanError::MustNotFit {
                        limit: limit.name.clone(),
                        needed: limit.used(&self.forced),
                        amount: limit.amount,
                    });
                }
                true if all < limit.amount - self.slack[row] => {
                    return Err(PlanError::TooFew {
                        limit: limit.name.clone(),
                        amount: limit.amount,
                        all,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The rows and amounts of an item.
    pub(crate) fn of(&self, place: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[place]..self.starts[place + 1]]
    }

    /// Whether these sums keep all ends.
    pub(crate) fn keeps(&self, used: &[f64]) -> bool {
        (0..self.ends.len()).all(|row| self.has_room(row, used[row]))
    }

    pub(crate) fn has_room(&self, row: usize, used: f64) -> bool {
        used <= self.ends[row] + self.slack[row]
    }

    /// Whether an item fits beside these sums. Rows that ask for more never stand against it.
    pub(crate) fn fits(&self, place: usize, used: &[f64]) -> bool {
        self.of(place).iter().all(|&(row, amount)| {
            amount < 0.0 || self.has_room(row as usize, used[row as usize] + amount)
        })
    }

    /// Takes an item.
    pub(crate) fn take(&self, place: usize, used: &mut [f64]) {
        self.of(place).iter().for_each(|&(row, amount)| used[row as usize] += amount);
    }

    /// Takes it off again.
    pub(crate) fn leave(&self, place: usize, used: &mut [f64]) {
        self.of(place).iter().for_each(|&(row, amount)| used[row as usize] -= amount);
    }

    /// The rows that ask for more of an item, and its (negative) amounts there.
    pub(crate) fn asked_of(&self, place: usize) -> impl Iterator<Item = (usize, f64)> {
        let asked = self.of(place).iter().filter(|(_, amount)| *amount < 0.0);
        asked.map(|&(row, amount)| (row as usize, amount))
    }

    /// The least that these items can add to each row.
    pub(crate) fn least_sums(&self, places: impl IntoIterator<Item = usize>) -> Vec<f64> {
        let mut sums = vec![0.0; self.ends.len()];
        for place in places {
            self.asked_of(place).for_each(|(row, amount)| sums[row] += amount);
        }
        sums
    }
}
