//! The search for the best plan among the items that prices do not decide.
//!
//! By prices the natural thing is to take the items with a margin above 0 and no others. Every other choice
//! lowers the bound by the item's margin. So a plan that is better than the best one known makes other choices
//! only where margins are small: all items whose margin is at least the gap are decided. The others are tried
//! depth first, the largest margins first, the natural choice before the other one.

use crate::TOLERANCE;
use crate::fill::Taken;
use crate::prices::Prices;
use crate::problem::PlanError;
use crate::rows::Rows;

/// Choices that are tried before the search ends with what it has.
const MAX_CHOICES: usize = 4_000_000;
/// Of the items that are nearest to the margin, so many are exchanged one for one.
const MAX_EXCHANGED: usize = 400;

/// Improves the plan, and returns a bound on all plans.
pub(crate) fn improve(
    rows: &Rows,
    prices: &Prices,
    best: &mut Option<Taken>,
) -> Result<f64, PlanError> {
    if let Some(plan) = best {
        exchange(rows, prices, plan);
    }
    let mut search = Search::new(rows, prices, best.take());
    search.run();
    if search.best.is_none() && search.is_complete() {
        return Err(PlanError::Infeasible);
    }
    let bound = search.bound();
    *best = search.best;
    Ok(bound)
}

/// Exchanges one item that is taken for one that is not, as long as that helps.
fn exchange(rows: &Rows, prices: &Prices, plan: &mut Taken) {
    let mut near: Vec<usize> = (0..rows.len()).collect();
    let distance = |place: &usize| prices.margin[*place].abs();
    near.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
    near.truncate(MAX_EXCHANGED);
    let mut is_taken = vec![false; rows.len()];
    let mut used = vec![0.0; rows.ends.len()];
    for &place in &plan.taken {
        is_taken[place as usize] = true;
        rows.take(place as usize, &mut used);
    }
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for &new in &near {
            if is_taken[new] {
                continue;
            }
            for &old in &near {
                if !is_taken[old] || rows.values[new] <= rows.values[old] {
                    continue;
                }
                rows.leave(old, &mut used);
                rows.take(new, &mut used);
                if rows.keeps(&used) {
                    (is_taken[old], is_taken[new]) = (false, true);
                    has_changed = true;
                    break;
                }
                rows.leave(new, &mut used);
                rows.take(old, &mut used);
            }
        }
    }
    let taken = (0..rows.len() as u32).filter(|&place| is_taken[place as usize]).collect();
    *plan = Taken::new(rows, taken);
}

struct Search<'p> {
    rows: &'p Rows,
    prices: &'p Prices,
    best: Option<Taken>,
    /// Items that are open, the largest margin first.
    open: Vec<u32>,
    /// Items that are taken because their margin decides it.
    decided: Vec<u32>,
    used: Vec<f64>,
    /// What the open items that nothing is decided about can add to rows that ask for more, at the least.
    left: Vec<f64>,
    /// The value of what is taken now.
    value: f64,
    choices: usize,
    /// The highest bound of what was left untried.
    untried: f64,
}

impl<'p> Search<'p> {
    fn new(rows: &'p Rows, prices: &'p Prices, best: Option<Taken>) -> Self {
        let gap = best.as_ref().map_or(f64::INFINITY, |plan| prices.bound - plan.value);
        let margin = |place: usize| prices.margin[place];
        let is_open = |place: usize| margin(place).abs() < gap;
        let mut open: Vec<u32> = Vec::new();
        let mut decided = Vec::new();
        let mut used = vec![0.0; rows.ends.len()];
        let mut value = 0.0;
        for place in 0..rows.len() {
            if is_open(place) {
                open.push(place as u32);
            } else if margin(place) > 0.0 {
                decided.push(place as u32);
                rows.take(place, &mut used);
                value += rows.values[place];
            }
        }
        let size = |place: &u32| margin(*place as usize).abs();
        open.sort_by(|a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
        let left = rows.least_sums(open.iter().map(|&place| place as usize));
        let untried = f64::NEG_INFINITY;
        Search { rows, prices, best, open, decided, used, left, value, choices: 0, untried }
    }

    /// Whether everything was tried or shown to be no better.
    fn is_complete(&self) -> bool {
        self.untried == f64::NEG_INFINITY
    }

    fn bound(&self) -> f64 {
        let found = self.best.as_ref().map_or(f64::NEG_INFINITY, |plan| plan.value);
        found.max(self.untried)
    }

    fn run(&mut self) {
        // What was chosen at each depth: `None` if nothing yet.
        let mut chosen: Vec<Option<bool>> = vec![None; self.open.len()];
        let mut bound = self.prices.bound;
        let mut depth = 0;
        if !(0..self.used.len()).all(|row| self.has_room(row)) {
            return;
        }
        loop {
            if depth == self.open.len() {
                self.found(&chosen);
            } else {
                let place = self.open[depth] as usize;
                let margin = self.prices.margin[place];
                let natural = margin > 0.0;
                let next = match chosen[depth] {
                    None => Some(natural),
                    Some(was) if was == natural => Some(!natural),
                    Some(_) => None,
                };
                if let Some(was) = chosen[depth] {
                    self.undo(place, was);
                    bound += if was == natural { 0.0 } else { margin.abs() };
                }
                chosen[depth] = next;
                if let Some(takes) = next {
                    self.choices += 1;
                    self.choose(place, takes);
                    bound -= if takes == natural { 0.0 } else { margin.abs() };
                    if self.is_worth(bound) && self.rows_hold(place) {
                        match self.choices < MAX_CHOICES {
                            true => depth += 1,
                            false => self.untried = self.untried.max(bound),
                        }
                    }
                    continue;
                }
            }
            // Everything below is done: back to the last choice.
            match depth {
                0 => return,
                _ => depth -= 1,
            }
        }
    }

    /// Takes an open item or leaves it.
    fn choose(&mut self, place: usize, takes: bool) {
        self.rows.asked_of(place).for_each(|(row, amount)| self.left[row] -= amount);
        if takes {
            self.rows.take(place, &mut self.used);
            self.value += self.rows.values[place];
        }
    }

    /// Takes a choice back.
    fn undo(&mut self, place: usize, takes: bool) {
        self.rows.asked_of(place).for_each(|(row, amount)| self.left[row] += amount);
        if takes {
            self.rows.leave(place, &mut self.used);
            self.value -= self.rows.values[place];
        }
    }

    /// Whether a better plan may be below this bound.
    fn is_worth(&self, bound: f64) -> bool {
        let enough = |plan: &Taken| plan.value + TOLERANCE * plan.value.abs();
        self.best.as_ref().is_none_or(|plan| bound > enough(plan))
    }

    /// Whether a row can still hold: what is left may be enough for one that asks for more.
    fn has_room(&self, row: usize) -> bool {
        self.rows.has_room(row, self.used[row] + self.left[row])
    }

    /// Whether the rows of an item can still hold; a choice about it moves no others.
    fn rows_hold(&self, place: usize) -> bool {
        self.rows.of(place).iter().all(|&(row, _)| self.has_room(row as usize))
    }

    fn found(&mut self, chosen: &[Option<bool>]) {
        if !self.is_worth(self.value) || !self.rows.keeps(&self.used) {
            return;
        }
        let mut taken = self.decided.clone();
        let own = self.open.iter().zip(chosen).filter(|(_, chosen)| **chosen == Some(true));
        taken.extend(own.map(|(place, _)| *place));
        let plan = Taken::new(self.rows, taken);
        if self.best.as_ref().is_none_or(|best| plan.value > best.value) {
            self.best = Some(plan);
        }
    }
}
