//! Lists set aside for validation or testing.
//!
//! A list is held out when a number in [0, 1) drawn for (seed, its id) is below the share. So
//! neither the order of the file nor the other lists decide, and a list does not change sides
//! when next month's are added. (Only where lists are few and the draw strays by more than
//! half of what was asked, those with the next higher or lower draws change sides.) Where times are
//! known, the latest lists are held out instead: predictions are about the future, and lists close in
//! time are similar.
//!
//! Example: of 100 lists, 20 % are about 20 by draw and exactly 20 by time.

use std::fmt;
use std::str::FromStr;

use super::list_keys::ListKeys;
use crate::data::Dataset;
use crate::random::purpose;
use crate::shards::Shards;

/// How much to hold out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HoldOut {
    /// Nothing.
    None,
    /// This share of the lists, in (0, 1).
    Share(f64),
    /// This many lists.
    Lists(usize),
}

/// A part that cannot be parsed, or that the data do not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum HoldOutError {
    #[error(
        "`{0}` is not a part of the lists; allowed are a percentage (20%), a share (0.2), a \
         number of lists (30), or none"
    )]
    Syntax(String),
    #[error(
        "the part to hold out is empty; allowed are a percentage (20%), a share (0.2), or a number of \
         lists (30)"
    )]
    Nothing,
    #[error(
        "{asked} cannot be held out of {lists} in {source_name}: at least one list must be on \
         either side; hold out less, or give validation lists in a separate file"
    )]
    TooFew { asked: String, lists: String, source_name: String },
}

impl FromStr for HoldOut {
    type Err = HoldOutError;

    fn from_str(text: &str) -> Result<Self, HoldOutError> {
        let bad = || HoldOutError::Syntax(text.to_owned());
        let share = |text: &str, of: f64| {
            let share = text.trim().parse::<f64>().map_err(|_| bad())? / of;
            (share > 0.0 && share < 1.0).then_some(HoldOut::Share(share)).ok_or_else(bad)
        };
        match text.trim() {
            "none" | "0%" => Ok(HoldOut::None),
            text if text.ends_with('%') => share(&text[..text.len() - 1], 100.0),
            text if text.contains('.') => share(text, 1.0),
            text => match text.parse() {
                Ok(0) => Ok(HoldOut::None),
                Ok(lists) => Ok(HoldOut::Lists(lists)),
                Err(_) => Err(bad()),
            },
        }
    }
}

impl fmt::Display for HoldOut {
    /// As text that means the same: a share as a percentage, unless that would be another number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HoldOut::None => f.write_str("none"),
            HoldOut::Share(share) => {
                // 7, not 7.000000000000001.
                let percent = (1e11 * share).round() / 1e9;
                match percent / 100.0 == *share {
                    true => write!(f, "{percent}%"),
                    false => write!(f, "{share}"),
                }
            }
            HoldOut::Lists(lists) => write!(f, "{lists}"),
        }
    }
}

/// Lists on two sides, each in the order of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sides {
    pub(super) kept: Vec<usize>,
    /// Empty if nothing was to be held out.
    pub(super) held_out: Vec<usize>,
    /// Whether they are the latest.
    pub(super) by_time: bool,
}

impl HoldOut {
    /// Divides the lists. `useful` says which of them have a cost to save: at least one of those
    /// comes to either side.
    pub(super) fn divide(
        self,
        data: &Dataset,
        useful: &[bool],
        seed: u64,
        shards: &Shards,
    ) -> Result<Sides, HoldOutError> {
        let by_time = data.time().is_some();
        let seed = purpose(seed, b"hold-out");
        let keys = ListKeys::of(data, useful, seed, shards);
        let n = keys.all.len();
        let useful: Vec<bool> = keys.all.iter().map(|key| key.useful).collect();
        // The lists in the order in which they would be held out.
        let mut order: Vec<usize> = (0..n).collect();
        let draws: Vec<f64> = keys.all.iter().map(|key| key.draw).collect();
        let last: Vec<f64> = keys.all.iter().map(|key| key.time).collect();
        order.sort_by(|&a, &b| last[b].total_cmp(&last[a]).then(draws[a].total_cmp(&draws[b])));
        let mut count = match self {
            HoldOut::None => 0,
            HoldOut::Lists(lists) => lists,
            HoldOut::Share(share) if by_time => (share * n as f64).round() as usize,
            HoldOut::Share(share) => {
                let asked = share * n as f64;
                let drawn = draws.iter().filter(|&&draw| draw < share).count();
                drawn.clamp((0.5 * asked).ceil() as usize, (1.5 * asked).ceil() as usize)
            }
        };
        let some = |lists: &[usize]| lists.iter().any(|&list| useful[list]);
        if self != HoldOut::None {
            let fits = useful.iter().filter(|&&useful| useful).count() >= 2;
            if !fits || matches!(self, HoldOut::Lists(lists) if lists >= n) {
                let asked = match self {
                    HoldOut::Lists(lists) => crate::display::counted(lists, "list"),
                    share => share.to_string(),
                };
                let lists = match fits {
                    true => crate::display::counted(n, "list"),
                    false => {
                        let useful = useful.iter().filter(|&&useful| useful).count();
                        format!(
                            "{} with something to save",
                            crate::display::counted(useful, "list")
                        )
                    }
                };
                let source_name = data.source().to_owned();
                return Err(HoldOutError::TooFew { asked, lists, source_name });
            }
            while !some(&order[..count]) {
                count += 1;
            }
            while !some(&order[count..]) {
                count -= 1;
            }
        }
        let own = |lists: &[usize]| {
            let mut own: Vec<usize> = lists.iter().filter_map(|&list| keys.own(list)).collect();
            own.sort_unstable();
            own
        };
        let (held_out, kept) = (own(&order[..count]), own(&order[count..]));
        Ok(Sides { kept, held_out, by_time })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::data::{Columns, DatasetBuilder, Row};

    fn data(ids: impl Iterator<Item = usize>, time: bool) -> Dataset {
        let time = time.then(|| "day".to_owned());
        let columns = Columns { list: Some("storm".into()), time, ..Columns::default() };
        let mut b = DatasetBuilder::new("s.csv", columns).unwrap();
        for id in ids {
            let (list, day) = (format!("storm {id}"), (1000 - id).to_string());
            b.push(Row { list: &list, time: Some(&day), ..Row::default() }).unwrap();
        }
        b.finish().unwrap()
    }

    fn held(text: &str, data: &Dataset, seed: u64) -> Vec<String> {
        let sides = text.parse::<HoldOut>().unwrap();
        let sides =
            sides.divide(data, &vec![true; data.n_lists()], seed, &Shards::alone()).unwrap();
        assert_eq!(sides.kept.len() + sides.held_out.len(), data.n_lists());
        assert!(sides.kept.iter().all(|list| !sides.held_out.contains(list)));
        let mut ids: Vec<String> =
            sides.held_out.iter().map(|&list| data.list_id(list).to_owned()).collect();
        ids.sort();
        ids
    }

    #[test]
    fn a_list_keeps_its_side_whatever_stands_around_it() {
        let all = held("20%", &data(0..1000, false), 7);
        assert_eq!(held("0.2", &data((0..1000).rev(), false), 7), all);
        let of_some = held("20%", &data(300..500, false), 7);
        assert!(of_some.iter().all(|id| all.contains(id)));
        // 200 expected, standard deviation 12.6.
        assert!((150..250).contains(&all.len()), "{}", all.len());
        assert_ne!(held("20%", &data(0..1000, false), 8), all);
        assert_eq!(held("37", &data(0..1000, false), 7).len(), 37);
        assert!(held("none", &data(0..10, false), 7).is_empty());
    }

    #[test]
    fn text_and_value_are_inverse() {
        for (text, written) in [
            ("7%", "7%"),
            ("0.07", "7%"),
            ("0.007", "0.007"),
            ("12.5%", "12.5%"),
            ("30", "30"),
            ("+0", "none"),
            ("00", "none"),
        ] {
            let part: HoldOut = text.parse().unwrap();
            assert_eq!(part.to_string(), written);
            assert_eq!(written.parse::<HoldOut>().unwrap(), part);
        }
        for share in (1..1000).map(|i| f64::from(i) / 1000.0) {
            let part = HoldOut::Share(share);
            assert_eq!(part.to_string().parse::<HoldOut>().unwrap(), part);
        }
        for bad in ["0.0", "-0", "1.0", "100%", "nan%", ""] {
            assert!(bad.parse::<HoldOut>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_draw_from_few_lists_does_not_stray_far() {
        for seed in 0..200 {
            let held = held("20%", &data(0..18, false), seed).len();
            assert!((2..=6).contains(&held), "{held}");
        }
    }

    #[test]
    fn times_hold_out_the_latest() {
        // Ids count backwards in time.
        let ids = held("30%", &data(0..10, true), 1);
        assert_eq!(ids, ["storm 0", "storm 1", "storm 2"]);
    }

    #[test]
    fn either_side_has_something_to_save() {
        for seed in 0..50 {
            let data = data(0..12, seed % 2 == 0);
            let useful: Vec<bool> = (0..12).map(|list| list == 3 || list == 8).collect();
            let sides = HoldOut::Share(0.2).divide(&data, &useful, seed, &Shards::alone()).unwrap();
            let one = |lists: &[usize]| lists.iter().filter(|&&list| useful[list]).count() == 1;
            assert!(one(&sides.kept) && one(&sides.held_out), "{sides:?}");
        }
    }

    #[test]
    fn what_cannot_be_had_is_refused() {
        for bad in ["", "all", "120%", "-1", "-20%", "1.5", "100%", "nan%", "0.0"] {
            assert!(bad.parse::<HoldOut>().is_err(), "{bad}");
        }
        let refused = |hold_out: HoldOut, useful: &[bool]| {
            let data = data(0..useful.len(), false);
            hold_out.divide(&data, useful, 1, &Shards::alone()).unwrap_err().to_string()
        };
        let words = "3 lists cannot be held out of 3 lists in s.csv: at least one list";
        assert!(refused(HoldOut::Lists(3), &[true; 3]).starts_with(words));
        let words = "20% cannot be held out of 1 list with something to save in s.csv";
        assert!(refused(HoldOut::Share(0.2), &[true, false]).starts_with(words));
    }
}
