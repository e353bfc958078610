//! Whom the past is of: items, their regions, all of them; and what is known of an item before a list.

use std::collections::{BTreeMap, HashMap};

use super::history::{History, Past};
use super::panel::Panel;
use crate::Error;

/// What is known of each item from one event to the next.
pub(super) struct Known(HashMap<usize, Vec<(usize, f32)>>);

impl Known {
    pub(super) fn new(panel: &Panel<'_>, value: impl Fn(usize) -> Option<f32>) -> Known {
        let mut known: HashMap<usize, Vec<(usize, f32)>> = HashMap::new();
        for event in &panel.log.events {
            if let Some(value) = value(event.row) {
                known.entry(event.item).or_default().push((event.list, value));
            }
        }
        Known(known)
    }

    /// The last value before a list.
    pub(super) fn before(&self, item: usize, list: usize) -> Option<f32> {
        let values = self.0.get(&item)?;
        let end = values.partition_point(|(other, _)| *other < list);
        Some(values[end.checked_sub(1)?].1)
    }
}

/// The past of every item, of every region and of all.
pub(super) struct Pasts {
    items: Vec<Past>,
    regions: HashMap<String, Past>,
    all: Past,
    region_of: Regions,
}

/// The region of an item.
enum Regions {
    None,
    /// By a table of items.
    Fixed(Vec<Option<String>>),
    /// As of the last event before a list, by the log.
    Known(Known, Vec<String>),
}

impl Regions {
    fn new(panel: &Panel<'_>) -> Result<Regions, Error> {
        let Some(name) = &panel.options.region else { return Ok(Regions::None) };
        let of_join = panel.joins.iter().find_map(|join| join.regions(name, &panel.items));
        if let Some(regions) = of_join {
            return Ok(Regions::Fixed(regions));
        }
        let source = &panel.log.source;
        let column = source.find(name)?;
        let mut names: Vec<String> = Vec::new();
        let mut codes: HashMap<String, f32> = HashMap::new();
        for event in &panel.log.events {
            if let Some(text) = source.text(column, event.row) {
                codes.entry(text.into_owned()).or_insert_with_key(|name| {
                    names.push(name.clone());
                    names.len() as f32 - 1.0
                });
            }
        }
        let code = |row| codes.get(&*source.text(column, row)?).copied();
        Ok(Regions::Known(Known::new(panel, code), names))
    }

    /// The region of an item, as far as it is known before a list.
    fn of(&self, item: usize, list: usize) -> Option<&str> {
        match self {
            Regions::None => None,
            Regions::Fixed(regions) => regions[item].as_deref(),
            Regions::Known(known, names) => {
                Some(names[known.before(item, list)? as usize].as_str())
            }
        }
    }
}

impl Pasts {
    pub(super) fn new(panel: &Panel<'_>, histories: &[History<'_>]) -> Result<Pasts, Error> {
        let items = vec![Past::default(); panel.items.len()];
        let region_of = Regions::new(panel)?;
        let mut pasts = Pasts { items, regions: HashMap::new(), all: Past::default(), region_of };
        let Some(history) = histories.first() else { return Ok(pasts) };
        let mut counts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for event in &panel.log.events {
            *counts.entry((event.list, event.item)).or_default() += 1.0;
        }
        for ((list, item), amounts) in &panel.cells {
            let (events, cost) = (counts[&(*list, *item)], amounts[0]);
            history.add(&mut pasts.items[*item], *list, events, cost);
            // What is known of the region right after this list.
            if let Some(region) = pasts.region_of.of(*item, list + 1) {
                let past = pasts.regions.entry(region.to_owned()).or_default();
                history.add(past, *list, events, cost);
            }
            history.add(&mut pasts.all, *list, events, cost);
        }
        Ok(pasts)
    }

    /// Appends the features of a row.
    pub(super) fn push(
        &self,
        histories: &[History<'_>],
        list: usize,
        item: usize,
        row: &mut Vec<f32>,
    ) {
        let region = || self.regions.get(self.region_of.of(item, list)?);
        let nothing = Past::default();
        match histories {
            [own, all] => {
                own.push(self.items.get(item), list, row);
                all.push(Some(&self.all), list, row);
            }
            [own, regions, all] => {
                own.push(self.items.get(item), list, row);
                let is_known = self.region_of.of(item, list).is_some();
                regions.push(region().or(is_known.then_some(&nothing)), list, row);
                all.push(Some(&self.all), list, row);
            }
            _ => {}
        }
    }
}
