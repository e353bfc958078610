//! Which trials continue, and how far: successive halving (Jamieson and Talwalkar 2016).
//!
//! On the lowest rung all trials get a small part of their rounds; the better half continues to
//! the next rung with twice as many, and so on until the remaining ones have all of them. The
//! settings as given always continue, in the place of the last of the better half if necessary: the
//! result of tuning is never worse on these lists than the given settings.
//!
//! Example: 20 trials of 500 rounds. 20 make 32 rounds, 10 continue to 63, 5 to 125, 3 to 250 and
//! 2 to 500, which is the work of about four and a half whole trainings.

use stakes_core::metric::Direction;

/// The lowest rung has at least a sixteenth of the rounds: fewer are too little to compare trials by.
/// (From 33 trials on more than two make all of them.)
const MAX_RUNGS: usize = 5;

/// The number of rungs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ladder {
    pub(super) rungs: usize,
}

impl Ladder {
    /// The number of rungs that it takes to get from this many trials to two.
    pub(super) fn of(mut trials: usize) -> Self {
        let mut rungs = 1;
        while trials > 2 && rungs < MAX_RUNGS {
            trials = trials.div_ceil(2);
            rungs += 1;
        }
        Ladder { rungs }
    }

    /// The rounds on a rung, counted from 0, of a training of `all` rounds.
    pub(super) fn rounds(self, all: usize, rung: usize) -> usize {
        all.div_ceil(1 << (self.rungs - 1 - rung)).max(1)
    }
}

/// The better half of trials with their values, and always the first trial; of equals the
/// earlier one.
pub(super) fn better_half(mut values: Vec<(usize, f64)>, direction: Direction) -> Vec<usize> {
    let kept = values.len().div_ceil(2);
    values.sort_by(|a, b| best_first(a, b, direction));
    let mut trials: Vec<usize> = values.into_iter().map(|(trial, _)| trial).collect();
    let given = trials.iter().position(|&trial| trial == 0);
    trials.truncate(kept);
    if given.is_some_and(|place| place >= kept) {
        trials[kept - 1] = 0;
    }
    trials.sort_unstable();
    trials
}

/// The best trial; of equals the earlier one.
pub(super) fn best(values: &[(usize, f64)], direction: Direction) -> Option<(usize, f64)> {
    values.iter().copied().min_by(|a, b| best_first(a, b, direction))
}

/// Better values before others, then earlier trials.
pub(super) fn best_first(
    a: &(usize, f64),
    b: &(usize, f64),
    direction: Direction,
) -> std::cmp::Ordering {
    let by_value = match direction {
        Direction::Higher => b.1.total_cmp(&a.1),
        Direction::Lower => a.1.total_cmp(&b.1),
    };
    by_value.then(a.0.cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many trials are on each rung.
    fn crowd(trials: usize) -> Vec<usize> {
        let mut alive: Vec<usize> = (0..trials).collect();
        let mut counts = vec![alive.len()];
        for _ in 1..Ladder::of(trials).rungs {
            let values = alive.iter().map(|&trial| (trial, trial as f64)).collect();
            alive = better_half(values, Direction::Higher);
            counts.push(alive.len());
        }
        counts
    }

    #[test]
    fn halves_down_to_two() {
        assert_eq!(crowd(2), [2]);
        assert_eq!(crowd(3), [3, 2]);
        assert_eq!(crowd(6), [6, 3, 2]);
        assert_eq!(crowd(20), [20, 10, 5, 3, 2]);
        assert_eq!(crowd(32), [32, 16, 8, 4, 2]);
        assert_eq!(crowd(33), [33, 17, 9, 5, 3]);
        assert_eq!(crowd(1), [1]);
    }

    #[test]
    fn rungs_double_the_rounds() {
        let rounds = |trials, all| {
            let ladder = Ladder::of(trials);
            (0..ladder.rungs).map(|rung| ladder.rounds(all, rung)).collect::<Vec<_>>()
        };
        assert_eq!(rounds(20, 500), [32, 63, 125, 250, 500]);
        assert_eq!(rounds(6, 12), [3, 6, 12]);
        assert_eq!(rounds(20, 3), [1, 1, 1, 2, 3]);
        assert_eq!(rounds(2, 7), [7]);
    }

    #[test]
    fn the_better_half_goes_on_and_the_first_always() {
        let values = vec![(0, 5.0), (1, 1.0), (2, 9.0), (4, 7.0), (6, 7.0)];
        assert_eq!(better_half(values.clone(), Direction::Higher), [0, 2, 4]);
        assert_eq!(better_half(values.clone(), Direction::Lower), [0, 1, 4]);
        assert_eq!(best(&values, Direction::Higher), Some((2, 9.0)));
        assert_eq!(best(&values[3..], Direction::Higher), Some((4, 7.0)));
        // In the place of the last that would have continued.
        let values = vec![(0, 0.0), (1, 1.0), (2, 9.0), (4, 7.0)];
        assert_eq!(better_half(values, Direction::Higher), [0, 2]);
        // Of equals the earlier one.
        let values = vec![(3, 1.0), (0, 1.0), (2, 1.0), (1, 1.0)];
        assert_eq!(better_half(values, Direction::Lower), [0, 1]);
    }
}
