//! Times of observation: numbers and dates.

use stakes_core::data::{Columns, DataError, Dataset, DatasetBuilder, Row};
use stakes_core::split::HoldOut;

use crate::{accepted, lines};

/// Times, one per line. Each has a key, whatever stands beside it; those that are of one kind order lists.
pub fn time(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let good: Vec<&str> =
        lines(text).filter(|time| accepted(dated([*time].into_iter())).is_some()).collect();
    let Some(data) = accepted(dated(good.iter().copied())) else { return };
    let times = data.time().expect("every row has one");
    for (row, &time) in good.iter().enumerate() {
        let alone = dated([time].into_iter()).expect("it was accepted");
        let key = alone.time().expect("its row has one").keys()[0];
        assert!(key.is_finite() && times.keys()[row] == key && times.text(row) == time, "{time:?}");
    }
    let Some((kept, held_out)) = accepted(data.hold_out(HoldOut::Lists(1))) else { return };
    let last = |data: &Dataset, list| data.last_time(list).expect("every row has a time");
    let latest = (0..kept.n_lists()).map(|list| last(&kept, list)).fold(f64::MIN, f64::max);
    assert!(latest <= last(&held_out, 0), "{latest}");
}

/// A list of one item for each time.
fn dated<'t>(times: impl Iterator<Item = &'t str>) -> Result<Dataset, DataError> {
    let (list, impact) = (Some("list".into()), Some("y".into()));
    let columns = Columns { list, impact, time: Some("time".into()), ..Columns::default() };
    let mut builder = DatasetBuilder::new("times", columns)?;
    for (row, time) in times.enumerate() {
        let list = format!("{row:06}");
        let row = Row { list: &list, impact: Some(1.0), time: Some(time), ..Row::default() };
        builder.push(row)?;
    }
    builder.finish()
}
