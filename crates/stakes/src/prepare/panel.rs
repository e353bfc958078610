//! The rows: an item in a list, its amounts, and what was known before.

use std::collections::{BTreeMap, HashSet};

use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row, TimeColumn};
use stakes_core::display::counted;

use super::history::History;
use super::join::Join;
use super::log::Log;
use super::source::Column;
use super::subjects::{Known, Pasts};
use super::{Measure, PrepareOptions, Prepared, Summary};
use crate::Error;

/// Rows that are made without being asked for.
const MAX_ROWS: usize = 5_000_000;
/// And so many for each event, beyond a number that does no harm.
const MAX_PER_EVENT: usize = 50;
const FREE_ROWS: usize = 100_000;

/// Everything that rows are made of.
pub(super) struct Panel<'o> {
    pub(super) options: &'o PrepareOptions,
    pub(super) log: Log,
    pub(super) joins: Vec<Join>,
    /// All items, with those of a join that had no event.
    pub(super) items: Vec<String>,
    /// Amounts of an item in a list.
    pub(super) cells: BTreeMap<(usize, usize), Vec<f64>>,
}

impl<'o> Panel<'o> {
    pub(super) fn new(log: Log, joins: Vec<Join>, options: &'o PrepareOptions) -> Self {
        let of_joins = joins.iter().filter_map(Join::items).flatten();
        let mut items = log.items.clone();
        if options.fill_zeros {
            // Items of the log come first, so that events keep their numbers.
            let known: HashSet<&String> = log.items.iter().collect();
            let mut others: Vec<String> = of_joins.filter(|item| !known.contains(item)).collect();
            others.sort();
            others.dedup();
            items.extend(others);
        }
        let mut cells: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
        for event in &log.events {
            let nothing = || vec![0.0; options.measures.len()];
            let amounts = cells.entry((event.list, event.item)).or_insert_with(nothing);
            for ((measure, amount), value) in
                options.measures.iter().zip(amounts).zip(&event.amounts)
            {
                measure.add(amount, *value);
            }
        }
        Panel { options, log, joins, items, cells }
    }

    /// Refuses a size that nobody meant.
    fn check_size(&self) -> Result<usize, Error> {
        let (lists, items, events) =
            (self.log.lists.len(), self.items.len(), self.log.events.len());
        if !self.options.fill_zeros {
            return Ok(self.cells.len());
        }
        let rows = lists.saturating_mul(items);
        let per_event = events.saturating_mul(MAX_PER_EVENT).max(FREE_ROWS);
        let allowed = self.options.max_rows.unwrap_or(MAX_ROWS.min(per_event));
        if rows <= allowed {
            return Ok(rows);
        }
        let [lists, items, events] = [(lists, "list"), (items, "item"), (events, "event")]
            .map(|(count, noun)| counted(count, noun));
        Err(Error::Prepare(format!(
            "a row for each of {items} in each of {lists} makes {rows} rows of {events}, and {allowed} are allowed; take \
             a longer period, or set `max_rows` to {rows}"
        )))
    }

    /// The names and kinds of the features, and how many are joined and carried along.
    fn features(&self, histories: &[History<'_>]) -> Result<(Vec<Feature>, usize), Error> {
        let options = self.options;
        let mut taken: HashSet<String> = HashSet::from([
            options.list.name().to_owned(),
            options.item.clone(),
            options.measures[0].name(),
        ]);
        let mut features = Vec::new();
        for join in &self.joins {
            join.check_names(&taken)?;
            features.extend(join.features());
            taken.extend(join.features().map(|feature| feature.name));
        }
        let joined = features.len();
        for name in &options.attributes {
            features.push(self.log.source.feature(name, self.log.source.find(name)?));
        }
        let names = histories.iter().flat_map(History::names);
        features.extend(names.map(Feature::numeric));
        for feature in &features[joined..] {
            if !taken.insert(feature.name.clone()) {
                return Err(Error::Prepare(format!(
                    "the column `{}` would be there twice; rename it in the log or in the joined file",
                    feature.name
                )));
            }
        }
        Ok((features, joined))
    }

    pub(super) fn build(self, path: &str) -> Result<Prepared, Error> {
        let rows = self.check_size()?;
        let options = self.options;
        let (windows, measure) = (&options.history, &options.measures[0]);
        let mut histories = Vec::new();
        if !windows.is_empty() {
            histories.push(History::new(windows, measure, ""));
            histories
                .extend(options.region.as_ref().map(|_| History::new(windows, measure, "region_")));
            histories.push(History::of_all(windows, measure));
        }
        let (features, joined) = self.features(&histories)?;
        let made = features.len() - joined - options.attributes.len();
        let pasts = Pasts::new(&self, &histories)?;
        let attributes = self.attributes()?;
        let outcomes: Vec<String> = match options.keep_outcomes {
            true => options.measures[1..].iter().map(Measure::name).collect(),
            false => Vec::new(),
        };
        let is_time = are_times(&self.log.lists);
        let list = options.list.name().to_owned();
        let columns = Columns {
            time: is_time.then(|| list.clone()),
            list: Some(list),
            id: Some(options.item.clone()),
            impact: Some(measure.name()),
            extras: outcomes.clone(),
            ..Columns::of_features(features)
        };
        let mut builder = DatasetBuilder::new(path, columns)?;
        let (mut unmatched, mut zeros, mut cost) = (vec![0; self.joins.len()], 0, 0.0);
        let nothing = vec![0.0; options.measures.len()];
        for (line, (at, item)) in (1..).zip(self.rows()) {
            let (id, name) = (&self.log.lists[at], &self.items[item]);
            let amounts = self.cells.get(&(at, item));
            zeros += usize::from(amounts.is_none());
            let amounts = amounts.unwrap_or(&nothing);
            cost += amounts[0];
            let mut row = Vec::with_capacity(joined + made);
            for (join, unmatched) in self.joins.iter().zip(&mut unmatched) {
                *unmatched += usize::from(!join.push(id, name, &mut row));
            }
            row.extend(attributes.iter().map(|values| values.before(item, at).unwrap_or(f32::NAN)));
            pasts.push(&histories, at, item, &mut row);
            let extras = if options.keep_outcomes { &amounts[1..] } else { &[] };
            builder.push(Row {
                line,
                list: id,
                id: Some(name),
                impact: Some(amounts[0]),
                time: is_time.then_some(id),
                features: &row,
                extras,
                ..Row::default()
            })?;
        }
        let notes = self.notes(&unmatched, rows);
        let summary = Summary {
            events: self.log.source.len(),
            left_out: self.log.left_out,
            lists: self.log.lists.len() - if options.fill_zeros { 0 } else { self.log.empty_lists },
            empty_lists: if options.fill_zeros { self.log.empty_lists } else { 0 },
            items: self.items.len(),
            rows,
            zeros,
            cost,
            joined,
            attributes: options.attributes.len(),
            history: made,
        };
        let data: Dataset = builder.finish()?;
        Ok(Prepared { data, summary, notes, questions: self.questions(), outcomes })
    }

    /// List and item of each row, in order.
    fn rows(&self) -> Box<dyn Iterator<Item = (usize, usize)> + '_> {
        match self.options.fill_zeros {
            true => {
                let items = self.items.len();
                Box::new(
                    (0..self.log.lists.len())
                        .flat_map(move |list| (0..items).map(move |item| (list, item))),
                )
            }
            false => Box::new(self.cells.keys().copied()),
        }
    }

    /// The values of attributes of each item, event by event.
    fn attributes(&self) -> Result<Vec<Known>, Error> {
        let source = &self.log.source;
        let columns = self.options.attributes.iter().map(|name| source.find(name));
        let known = |column: Column| {
            Known::new(self, |row| Some(source.value(column, row)).filter(|v| !v.is_nan()))
        };
        columns.map(|column| Ok(known(column?))).collect()
    }

    fn notes(&self, unmatched: &[usize], rows: usize) -> Vec<String> {
        let mut notes = self.log.source.notes().to_vec();
        for (measure, &missing) in self.options.measures.iter().zip(&self.log.without_amount) {
            if let (Some(column), 1..) = (measure.column(), missing) {
                let events = counted(missing, "event");
                notes.push(format!("{events} without {column}: counted, with an amount of 0"));
            }
        }
        for (join, &unmatched) in self.joins.iter().zip(unmatched) {
            notes.extend(join.notes(&self.log, (unmatched, rows)));
        }
        if !self.options.keep_outcomes && self.options.measures.len() > 1 {
            let names: Vec<String> = self.options.measures[1..].iter().map(Measure::name).collect();
            let names = names.join(", ");
            notes.push(format!("{names} left out: known only afterwards (`keep_outcomes` writes them beside the impact)"));
        }
        if !self.options.fill_zeros {
            notes.push(
                "items to which nothing happened have no row, so that which items are hit cannot be learnt (`fill_zeros` \
                 adds them)"
                    .to_owned(),
            );
        }
        notes
    }

    fn questions(&self) -> Vec<String> {
        let by_list = self.joins.iter().filter(|join| join.by_list);
        let names: Vec<String> =
            by_list.flat_map(Join::features).map(|feature| feature.name).collect();
        match names.is_empty() {
            true => Vec::new(),
            false => vec![format!(
                "Are these known before a list begins: {}? If not, leave them out.",
                names.join(", ")
            )],
        }
    }
}

/// Whether ids of lists are times: all of them numbers, or all of them dates.
fn are_times(ids: &[String]) -> bool {
    let numbers = ids.iter().filter(|id| id.parse::<f64>().is_ok()).count();
    let is_one_kind = numbers == 0 || numbers == ids.len();
    is_one_kind && ids.iter().all(|id| TimeColumn::key_of(id).is_some())
}
