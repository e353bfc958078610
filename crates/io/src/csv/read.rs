//! Reading CSV text into a data set.

use std::cell::Cell;
use std::io::{BufRead, BufReader};

use csv::ByteRecord;
use stakes_core::data::{Dataset, Role, Row};

use super::Records;
use super::kinds::{Kind, detect};
use super::pass::pass;
use super::record::At;
use super::rows::{NAMES, Rows};
use super::text::Text;
use super::written::Written;
use crate::categories::Coder;
use crate::input::{Input, MARK};
use crate::plan::Plan;
use crate::sink::Sink;
use crate::{Limits, ReadError, ReadOptions, Roles};

/// Reads a file, or whatever else was opened as `path`.
pub(crate) fn read(
    input: Input,
    path: &str,
    tsv: bool,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    // A second mark is left to the other way.
    if input.is_plain_file(path) && !input.head.starts_with(MARK) {
        let text = Text::File(path.to_owned(), input.mark);
        return from_records(&Records::of_text(path, text, tsv)?, options);
    }
    let (name, text) = input.into_bytes()?;
    parse(&name, text, tsv, options)
}

/// Reads a whole text.
pub(crate) fn parse(
    source: &str,
    text: Vec<u8>,
    tsv: bool,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    from_records(&Records::new(source, text, tsv)?, options)
}

/// Reads the records of a table.
pub(crate) fn from_records(
    records: &Records<'_>,
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let roles = &records.header.drop_repeats(&options.roles);
    let mut plan = Plan::new(records.source, records.names(), roles)?;
    let mut written = Written::new(records, &options.file);
    let numeric = plan.numeric();
    if written.has_commas() {
        written.look(numeric, false)?;
    }
    written.look([Role::List, Role::Time].into_iter().filter_map(|role| plan.role(role)), true)?;
    plan.role(Role::Time).map_or(Ok(()), |column| written.check(column))?;
    let mut kinds = detect(records, &plan, roles.exact, &mut written)?;
    if roles.exact {
        plan.keep_exact(|j| kinds[j] != Kind::Category);
        kinds.retain(|kind| *kind == Kind::Category);
    }
    loop {
        let mut not_plain = None;
        let reading = Reading { roles, limits: options.file.limits, not_plain: &mut not_plain };
        match build(records, &plan, reading, (&kinds, &written)) {
            Err(error) => match not_plain {
                Some(column) if !written.is_known(column) => {
                    written.look([column], false)?;
                    written.check(column)?;
                }
                _ => return Err(error),
            },
            done => return done,
        }
    }
}

/// How rows are read; the first column in which text stands instead of a number is told.
struct Reading<'r> {
    roles: &'r Roles,
    limits: Option<Limits>,
    not_plain: &'r mut Option<usize>,
}

/// Builds the data set.
fn build(
    records: &Records<'_>,
    plan: &Plan,
    Reading { roles, limits, not_plain }: Reading<'_>,
    (kinds, written): (&[Kind], &Written<'_>),
) -> Result<Dataset, ReadError> {
    let mut sink = Sink::new(records.source, plan.columns(records.names()), roles, limits)?;
    if roles.exact {
        sink.builder.set_column_order(records.names().to_vec());
    }
    sink.builder.set_notes(records.notes.iter().cloned().chain(written.notes()).collect());
    let coder = |kind: &Kind| (*kind == Kind::Category).then(Coder::default);
    let mut coders: Vec<Option<Coder>> = kinds.iter().map(coder).collect();
    let notations: Vec<_> = plan.features.iter().map(|(at, _)| written.notation(*at)).collect();
    let row = |rows: &mut Rows, line: u64, record: &ByteRecord| {
        let refused = Cell::new(None);
        let at = At { records, plan, line, record, written, not_plain: &refused };
        let added = at.add_to(rows, kinds, &notations);
        rows.not_plain = refused.get();
        added
    };
    let mut features = vec![0.0; plan.features.len()];
    let texts = NAMES + coders.iter().flatten().count();
    pass(records, row, |rows| {
        for (i, (&line, &[impact, weight, price])) in
            rows.lines.iter().zip(&rows.numbers).enumerate()
        {
            let mut texts = rows.texts(i, texts);
            let numbers = &rows.features[i * features.len()..];
            for (j, (value, coder)) in features.iter_mut().zip(&mut coders).enumerate() {
                *value = match coder {
                    Some(coder) => texts.next().flatten().map_or(f32::NAN, |text| coder.code(text)),
                    None => sink.builder.round_feature(j, numbers[j]),
                };
            }
            let mut name = || texts.next().flatten();
            let (list, id, group, time) = (name(), name(), name(), name());
            let extras = &rows.extras[i * plan.extras.len()..][..plan.extras.len()];
            let list = list.unwrap_or_default();
            let features = &features;
            sink.push(Row {
                line,
                list,
                impact,
                id,
                weight,
                group,
                price,
                time,
                features,
                extras,
            })?;
        }
        *not_plain = rows.not_plain;
        Ok(())
    })?;
    let coders = coders.into_iter().enumerate().filter_map(|(j, coder)| Some((j, coder?)));
    sink.finish(coders)
}

/// Returns the names in the header, reading no further than needed.
pub(crate) fn header(input: Input, tsv: bool) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    let mut reader = BufReader::new(input.into_reader());
    let mut text = Vec::new();
    loop {
        let read = reader.read_until(b'\n', &mut text).map_err(|e| ReadError::io(&name, e))?;
        let open = text.iter().filter(|b| **b == b'"').count() % 2 == 1;
        if read == 0 || !(open || text.trim_ascii().is_empty()) {
            break;
        }
    }
    Ok(Records::new(&name, text, tsv)?.header.names)
}
