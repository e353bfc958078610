//! The positions of the slider: how much can be done in each list, from nothing to about three times what was
//! asked for.

use serde::Serialize;
use stakes::act::Limit;
use stakes::cost::Capacity;
use stakes::data::Dataset;
use stakes::goal::Reach;

use crate::round::six;

/// The most positions: as many as a pixel each on a phone.
const MOST: usize = 150;
/// Money is cut into this many parts up to what was asked for.
const PARTS: usize = 20;
/// Plans, each of which is solved, have fewer.
const PLAN_PARTS: usize = 8;
/// A slider of items reaches at least this far.
const MIN_ITEMS: usize = 10;

/// What the slider moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A number of items in each list.
    Items,
    /// Money in each list.
    Money,
}

/// The positions of the slider.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slider {
    /// What it moves.
    pub kind: Kind,
    /// The numbers of items, or the amounts, ascending.
    #[serde(serialize_with = "six")]
    pub positions: Vec<f64>,
    /// Where it starts: what was asked for.
    pub start: usize,
}

impl Slider {
    /// The positions for a reach in the terms of the data.
    pub(crate) fn new(limit: Limit<'_>, data: &Dataset) -> Self {
        let longest = data.lists().map(|items| items.len()).max().unwrap_or(1);
        match limit {
            Limit::Items(k) => Self::items(k.clamp(1, longest.max(1)), longest),
            Limit::Money(money, _) => Self::parts(Kind::Money, money, PARTS, 2 * PARTS),
        }
    }

    /// The positions of a plan for so many items, or so much money.
    pub(crate) fn of_plan(kind: Kind, amount: f64) -> Self {
        match kind {
            Kind::Items if amount <= PLAN_PARTS as f64 => {
                let last = (2.0 * amount).max(1.0) as u32;
                let positions: Vec<f64> = (0..=last).map(f64::from).collect();
                Slider { kind, positions, start: amount as usize }
            }
            _ => Self::parts(kind, amount, PLAN_PARTS, 2 * PLAN_PARTS),
        }
    }

    fn items(k: usize, longest: usize) -> Self {
        let last = (3 * k).max(MIN_ITEMS).min(longest);
        if last <= MOST {
            let positions = (0..=last).map(|k| k as f64).collect();
            return Slider { kind: Kind::Items, positions, start: k };
        }
        Self::parts(Kind::Items, k as f64, MOST / 3, MOST)
    }

    /// Multiples of a part of the amount; those of items are whole and differ.
    fn parts(kind: Kind, amount: f64, parts: usize, last: usize) -> Self {
        let at = |part: usize| match (kind, part) {
            (_, part) if part == parts => amount,
            (Kind::Items, part) => (amount * part as f64 / parts as f64).round(),
            (Kind::Money, part) => amount * part as f64 / parts as f64,
        };
        let mut positions: Vec<f64> = (0..=last).map(at).collect();
        positions.dedup();
        let start = positions.iter().position(|position| *position == amount).unwrap_or(0);
        Slider { kind, positions, start }
    }

    /// The reach at a position; `None` where nothing is done.
    pub(crate) fn reach(&self, position: usize) -> Option<Reach> {
        match (self.kind, self.positions[position]) {
            (_, 0.0) => None,
            (Kind::Items, k) => Some(Reach::Items(Capacity::Items(k as usize))),
            (Kind::Money, money) => Some(Reach::Money(money)),
        }
    }

    /// The most items of any position, if it moves items.
    pub(crate) fn most_items(&self) -> Option<usize> {
        (self.kind == Kind::Items).then(|| self.positions.last().map_or(0, |k| *k as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_is_a_position() {
        for (k, longest) in [(1, 1), (10, 24), (10, 500), (77, 1000), (1000, 100_000)] {
            let slider = Slider::items(k, longest);
            assert_eq!(slider.positions[slider.start], k as f64);
            assert!(slider.positions.len() <= MOST + 1);
            assert!(slider.positions.is_sorted_by(|a, b| a < b), "{slider:?}");
        }
        for amount in [80.0, 0.1, 12_345.678] {
            let slider = Slider::parts(Kind::Money, amount, PARTS, 2 * PARTS);
            assert_eq!(slider.positions[slider.start], amount);
        }
        for amount in [1.0, 3.0, 8.0, 24.0] {
            let slider = Slider::of_plan(Kind::Items, amount);
            assert_eq!(slider.positions[slider.start], amount);
        }
    }
}
