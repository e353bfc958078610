//! What happened before a list: features of items, of their regions and of all, from earlier lists alone.
//!
//! | name | of the item, in lists before this one |
//! |---|---|
//! | `events_last_3` | its events in the last 3 lists |
//! | `sum_last_3` | its cost in the last 3 lists |
//! | `lists_since_event` | lists since its last event; missing if there was none |
//! | `sum_weighted` | its cost in all of them; weights halve over half of the longest window |
//!
//! The same of its region with `region_` before it; `all_events_last_1` and `all_sum_last_1` (for the shortest
//! window) are of all items. Where the cost is the number of events, sums are left out: they would repeat it
//! (`events_weighted` takes the place of `sum_weighted`).

use super::Measure;

/// Events and cost of one subject (an item, a region), list by list.
#[derive(Debug, Clone, Default)]
pub(super) struct Past {
    /// Lists with events, ascending.
    lists: Vec<usize>,
    /// What happened in each of them.
    events: Vec<f64>,
    cost: Vec<f64>,
    /// The weighted cost right after each of them.
    weighted: Vec<f64>,
}

/// The features of one kind of subject.
pub(super) struct History<'o> {
    windows: &'o [usize],
    prefix: &'static str,
    counts_alone: bool,
    /// Whether recency and weighted costs belong to it.
    is_full: bool,
    decay: f64,
}

impl<'o> History<'o> {
    /// Of items or regions.
    pub(super) fn new(windows: &'o [usize], measure: &Measure, prefix: &'static str) -> Self {
        let longest = windows.iter().copied().max().unwrap_or(1);
        History {
            windows,
            prefix,
            counts_alone: *measure == Measure::Count,
            is_full: true,
            decay: 0.5_f64.powf(2.0 / longest as f64),
        }
    }

    /// Of all items together: the shortest window.
    pub(super) fn of_all(windows: &'o [usize], measure: &Measure) -> Self {
        let windows = windows.get(..1).unwrap_or_default();
        History { is_full: false, ..History::new(windows, measure, "all_") }
    }

    pub(super) fn names(&self) -> Vec<String> {
        let prefix = self.prefix;
        let mut names = Vec::new();
        for n in self.windows {
            names.push(format!("{prefix}events_last_{n}"));
            if !self.counts_alone {
                names.push(format!("{prefix}sum_last_{n}"));
            }
        }
        if self.is_full {
            let what = if self.counts_alone { "events" } else { "sum" };
            names.push(format!("{prefix}lists_since_event"));
            names.push(format!("{prefix}{what}_weighted"));
        }
        names
    }

    /// Appends the features of a row of list `list`; all are missing if the subject is not known.
    pub(super) fn push(&self, past: Option<&Past>, list: usize, row: &mut Vec<f32>) {
        let Some(past) = past else {
            row.extend(std::iter::repeat_n(f32::NAN, self.names().len()));
            return;
        };
        for &n in self.windows {
            let (events, cost) = past.last(n, list);
            row.push(events as f32);
            if !self.counts_alone {
                row.push(cost as f32);
            }
        }
        if self.is_full {
            row.push(past.since(list).map_or(f32::NAN, |lists| lists as f32));
            row.push(past.weighted(self.decay, list) as f32);
        }
    }

    /// Adds events to a subject; lists must come in order.
    pub(super) fn add(&self, past: &mut Past, list: usize, events: f64, cost: f64) {
        let amount = if self.counts_alone { events } else { cost };
        if past.lists.last() != Some(&list) {
            let before = past.weighted(self.decay, list);
            past.lists.push(list);
            past.events.push(0.0);
            past.cost.push(0.0);
            past.weighted.push(before);
        }
        let add = |sums: &mut Vec<f64>, amount: f64| {
            if let Some(sum) = sums.last_mut() {
                *sum += amount;
            }
        };
        add(&mut past.events, events);
        add(&mut past.cost, cost);
        add(&mut past.weighted, amount);
    }
}

impl Past {
    /// The number of its lists before `list`.
    fn before(&self, list: usize) -> usize {
        self.lists.partition_point(|other| *other < list)
    }

    /// Events and cost in the `n` lists before `list`.
    fn last(&self, n: usize, list: usize) -> (f64, f64) {
        let (first, end) = (self.before(list.saturating_sub(n)), self.before(list));
        // Summed anew: differences of running sums would leave traces where there is nothing.
        (self.events[first..end].iter().sum(), self.cost[first..end].iter().sum())
    }

    fn since(&self, list: usize) -> Option<usize> {
        Some(list - self.lists[self.before(list).checked_sub(1)?])
    }

    fn weighted(&self, decay: f64, list: usize) -> f64 {
        let Some(at) = self.before(list).checked_sub(1) else { return 0.0 };
        self.weighted[at] * decay.powf((list - self.lists[at]) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_of_the_lists_before() {
        let windows = [1, 3];
        let history = History::new(&windows, &Measure::Sum("cost".into()), "");
        let mut past = Past::default();
        // Lists 2 (twice), 3 and 5.
        for (list, cost) in [(2, 10.0), (2, 5.0), (3, 1.0), (5, 100.0)] {
            history.add(&mut past, list, 1.0, cost);
        }
        let of = |list| {
            let mut row = Vec::new();
            history.push(Some(&past), list, &mut row);
            row
        };
        assert_eq!(
            history.names(),
            [
                "events_last_1",
                "sum_last_1",
                "events_last_3",
                "sum_last_3",
                "lists_since_event",
                "sum_weighted"
            ]
        );
        assert_eq!(of(2)[..4], [0.0; 4]);
        assert!(of(2)[4].is_nan());
        assert_eq!(of(3)[..5], [2.0, 15.0, 2.0, 15.0, 1.0]);
        assert_eq!(of(5)[..5], [0.0, 0.0, 3.0, 16.0, 2.0]);
        assert_eq!(of(6)[..5], [1.0, 100.0, 2.0, 101.0, 1.0]);
        // The slow way.
        let decay = 0.5_f64.powf(2.0 / 3.0);
        let slow = 15.0 * decay.powi(4) + decay.powi(3) + 100.0 * decay;
        assert!((f64::from(of(6)[5]) - slow).abs() < 1e-4);
    }

    #[test]
    fn a_count_has_no_sums() {
        let windows = [2];
        let history = History::new(&windows, &Measure::Count, "region_");
        let names = ["region_events_last_2", "region_lists_since_event", "region_events_weighted"];
        assert_eq!(history.names(), names);
    }
}
