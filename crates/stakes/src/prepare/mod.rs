//! From a log of events to lists that can be learnt from.
//!
//! A log has a row for each event: an outage, a fire, a complaint. A list has a row for each item that could have been
//! hit, and what was known before. [`prepare()`] makes the one of the other: a list is a period of a date, or the values
//! of columns; the events of an item in a list are summed, counted, or their highest amount is taken; **items to which
//! nothing happened get a row with 0**, without which nobody can learn which items are hit; and features say what
//! happened to the item, its region and all others in **earlier lists alone** (`history`). Columns of the log
//! are known with the event and not before it, so they are left out, but for attributes that are named: those have
//! their last value before the list. Other tables are joined by the names of columns.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("outages.csv");
//! # let path = path.to_str().ok_or("a path")?;
//! # std::fs::write(path, "date,state,customers\n2011-07-01,Texas,100\n2011-07-09,Texas,50\n2011-09-30,Maine,7\n")?;
//! use stakes::prepare::{Measure, PrepareOptions, prepare};
//! let options = PrepareOptions {
//!     list: "month:date".parse()?,
//!     item: "state".into(),
//!     measures: vec![Measure::Sum("customers".into())],
//!     fill_zeros: true,
//!     history: vec![1, 3],
//!     ..PrepareOptions::default()
//! };
//! let panel = prepare(path, &options)?;
//! // July, August and September; Maine and Texas.
//! assert_eq!((panel.summary.lists, panel.summary.items, panel.summary.zeros), (3, 2, 4));
//! # Ok(())
//! # }
//! ```

mod calendar;
mod history;
mod join;
mod log;
mod options;
mod panel;
mod result;
mod source;
mod subjects;

pub use calendar::Unit;
pub use log::LeftOut;
pub use options::{ListOf, Measure, PrepareOptions};
pub use result::{Prepared, Summary};

use join::Join;
use log::Log;
use panel::Panel;

use crate::Error;

/// Makes lists of a log.
pub fn prepare(path: &str, options: &PrepareOptions) -> Result<Prepared, Error> {
    let mut options = options.clone();
    if options.measures.is_empty() {
        options.measures.push(Measure::Count);
    }
    check(&options)?;
    options.history.sort_unstable();
    options.history.dedup();
    let log = Log::read(path, &options)?;
    let joins = options.joins.iter().map(|file| Join::read(file, &options));
    let joins = joins.collect::<Result<Vec<_>, _>>()?;
    Panel::new(log, joins, &options).build(path)
}

/// Refuses options that contradict each other or do nothing.
fn check(options: &PrepareOptions) -> Result<(), Error> {
    let refused = |what: String| Err(Error::Prepare(what));
    let names: Vec<String> = options.measures.iter().map(Measure::name).collect();
    let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
    match twice {
        Some((_, name)) => return refused(format!("`{name}` is asked for twice; give it once")),
        None if options.item.trim().is_empty() => {
            return refused("`item` is empty; name the column of the items".into());
        }
        None => {}
    }
    if options.history.contains(&0) {
        return refused(
            "a window of the history is 0 (`history`); it is a number of lists, at least 1".into(),
        );
    }
    if options.region.is_some() && options.history.is_empty() {
        return refused("`region` is for history features; name their windows (`history`)".into());
    }
    if options.keep_outcomes && options.measures.len() == 1 {
        return refused(
            "`keep_outcomes` is for further sums and counts, and there is only one".into(),
        );
    }
    if options.max_rows.is_some() && !options.fill_zeros {
        return refused(
            "`max_rows` is for rows of zeros; they are made only where zeros are asked for (`fill_zeros`)".into(),
        );
    }
    Ok(())
}
