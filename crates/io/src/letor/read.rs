//! Reading LETOR text into a data set.

use std::io::{self, Read};

use rayon::prelude::*;
use stakes_core::data::{Columns, DataError, DataProblem, Dataset, Place, Role, Row};

use super::blocks::Blocks;
use super::parse::{Block, Line};
use super::query::QueryFile;
use super::slots::{EXTRAS, IMPACT, PRICE, Slots, WEIGHT};
use crate::input::Input;
use crate::plan::unknown_column;
use crate::sink::Sink;
use crate::{ReadError, Roles};

/// The maximum number of cells (256 MiB) of a matrix of any sparsity.
const MAX_SPARSE_CELLS: u64 = 1 << 26;
/// The maximum number of cells per value in a larger matrix: matrices are dense, and a few
/// bytes of text must not allocate all memory.
const MAX_SPARSITY: u64 = 1000;

/// Enough blocks that a free thread finds another one to parse.
const BLOCKS_PER_THREAD: usize = 3;

/// Reads a stream; `path` is for finding the query file.
pub(crate) fn read(input: Input, path: &str, roles: &Roles) -> Result<Dataset, ReadError> {
    // On a thread of the pool: from any other, each `join` would wake one and wait for it.
    rayon::scope(|_| read_here(input, path, roles))
}

fn read_here(input: Input, path: &str, roles: &Roles) -> Result<Dataset, ReadError> {
    let name = input.name.clone();
    let mut blocks = Blocks::new(input.into_reader());
    let mut reader = Reader::new(&name, path, roles)?;
    // A pipeline of three batches: one thread reads the next and adds the last one to the data
    // set, while the other threads parse the one between.
    let batch = || -> Vec<Block> {
        (0..BLOCKS_PER_THREAD * rayon::current_num_threads()).map(|_| Block::default()).collect()
    };
    let (mut parsed, mut now, mut next) = (batch(), batch(), batch());
    fill(&mut blocks, &mut now).map_err(|e| ReadError::io(&name, e))?;
    while !now[0].text.is_empty() {
        let (front, ()) = rayon::join(
            || {
                parsed.iter().try_for_each(|block| reader.push(block))?;
                Ok::<_, ReadError>(fill(&mut blocks, &mut next))
            },
            || now.par_iter_mut().for_each(Block::parse),
        );
        if let Err(error) = front? {
            // An error in the text before may explain this one.
            now.iter().try_for_each(|block| reader.push(block))?;
            return Err(ReadError::io(&name, error));
        }
        (parsed, now, next) = (now, next, parsed);
    }
    parsed.iter().try_for_each(|block| reader.push(block))?;
    reader.finish()
}

/// Returns the names of the columns that occur in the first block.
pub(crate) fn names(input: Input) -> Result<Vec<String>, ReadError> {
    let name = input.name.clone();
    let roles = Roles::default();
    let mut block = Block::default();
    let mut blocks = Blocks::new(input.into_reader());
    blocks.next(&mut block.text).map_err(|e| ReadError::io(&name, e))?;
    block.parse();
    if let Some(fault) = block.fault {
        return Err(ReadError::at(&name, fault.line + 1, fault.what));
    }
    let mut slots = Slots::new(&roles);
    slots.grow(block.max_index.unwrap_or(0), block.has_zero);
    Ok(slots.names())
}

fn fill(blocks: &mut Blocks<impl Read>, batch: &mut [Block]) -> io::Result<()> {
    batch.iter_mut().try_for_each(|block| blocks.next(&mut block.text))
}

struct Reader<'r> {
    source: &'r str,
    path: &'r str,
    roles: &'r Roles,
    slots: Slots<'r>,
    /// The data set, once the first line has determined its columns.
    open: Option<Open>,
    /// The number of lines in the blocks before.
    lines: u64,
    rows: u64,
    entries: u64,
    numbers: Vec<f64>,
}

struct Open {
    sink: Sink,
    has_qid: bool,
    has_id: bool,
    query: Option<QueryFile>,
}

impl<'r> Reader<'r> {
    fn new(source: &'r str, path: &'r str, roles: &'r Roles) -> Result<Self, ReadError> {
        roles.check(source)?;
        for (role, name) in roles.columns() {
            let allowed = match role {
                Role::List => name == "qid",
                Role::Id => name == "docid",
                Role::Impact | Role::Weight | Role::Price => true,
                Role::Group | Role::Time | Role::Class => false,
            };
            if !allowed {
                return Err(unknown_column(source, name, ["label", "qid", "docid"]));
            }
        }
        let numbers = vec![0.0; EXTRAS + roles.extras.len()];
        let slots = Slots::new(roles);
        Ok(Reader {
            source,
            path,
            roles,
            slots,
            open: None,
            lines: 0,
            rows: 0,
            entries: 0,
            numbers,
        })
    }

    fn dropped(&self, name: &str) -> bool {
        self.roles.drop.iter().any(|n| n == name)
    }

    fn label_is_impact(&self) -> bool {
        match &self.roles.impact {
            None => !self.dropped("label"),
            Some(name) => name == "label",
        }
    }

    fn open(&self, first: &Line) -> Result<Open, ReadError> {
        let has_qid = first.qid.is_some();
        let has_id = first.id.is_some() && !self.dropped("docid");
        let one_list = self.dropped("qid");
        let query = if has_qid || one_list { None } else { QueryFile::beside(self.path)? };
        let has_list = !one_list && (has_qid || query.is_some());
        if self.roles.list.is_some() && !has_list {
            let what = "the lines have no qid; write one after each label, or put the sizes of \
                        the lists into a file of the same name with the extension .query";
            return Err(ReadError::at(self.source, first.line + 1, what));
        }
        let impact = self.label_is_impact().then(|| "label".to_owned());
        let columns = Columns {
            list: has_list.then(|| "qid".to_owned()),
            impact: self.roles.impact.clone().or(impact),
            id: has_id.then(|| "docid".to_owned()),
            weight: self.roles.weight.clone(),
            price: self.roles.price.clone(),
            extras: self.roles.extras.clone(),
            ..Columns::default()
        };
        let sink = Sink::new(self.source, columns, self.roles, None)?;
        Ok(Open { sink, has_qid, has_id, query })
    }

    fn push(&mut self, block: &Block) -> Result<(), ReadError> {
        if let Some(first) = block.rows.first() {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => self.open(first)?,
            };
            self.make_room(&mut open, block)?;
            let mut start = 0;
            for row in &block.rows {
                self.push_row(&mut open, block, row, start)?;
                start = row.end;
            }
            self.open = Some(open);
        }
        if let Some(fault) = &block.fault {
            return Err(ReadError::at(self.source, self.lines + fault.line + 1, &*fault.what));
        }
        self.lines += block.lines;
        Ok(())
    }

    fn make_room(&mut self, open: &mut Open, block: &Block) -> Result<(), ReadError> {
        let new = self.slots.grow(block.max_index.unwrap_or(0), block.has_zero);
        self.rows += block.rows.len() as u64;
        self.entries += block.indices.len() as u64;
        let cells = self.rows * self.slots.width as u64;
        if cells > MAX_SPARSE_CELLS && self.entries < cells / MAX_SPARSITY {
            let what = format!(
                "{} features for {} rows, but fewer than one in {MAX_SPARSITY} cells has a value: \
                 too sparse to be held as a matrix; number the features without gaps, or drop \
                 rare ones",
                self.slots.width, self.rows
            );
            return Err(ReadError::at(self.source, 0, what));
        }
        if !new.is_empty() {
            open.sink.builder.widen(new)?;
        }
        Ok(())
    }

    fn push_row(
        &mut self,
        open: &mut Open,
        block: &Block,
        row: &Line,
        start: usize,
    ) -> Result<(), ReadError> {
        let line = self.lines + row.line + 1;
        if row.qid.is_some() != open.has_qid {
            let what = "some lines have a qid and some have none; give every line a qid";
            return Err(ReadError::at(self.source, line, what));
        }
        if open.has_id && row.id.is_none() {
            open.has_id = false;
            open.sink.builder.forget_ids();
        }
        // Already checked to be UTF-8.
        let text = |range: &Option<std::ops::Range<usize>>| {
            range.clone().and_then(|range| std::str::from_utf8(&block.text[range]).ok())
        };
        let list = match &mut open.query {
            Some(query) => query.next()?,
            None if self.roles.drop.iter().any(|n| n == "qid") => "",
            None => text(&row.qid).unwrap_or_default(),
        };
        let (indices, values) = (&block.indices[start..row.end], &block.values[start..row.end]);
        if self.slots.has_numbers() {
            self.slots.numbers(indices, values, &mut self.numbers);
        }
        for (value, name) in self.numbers[EXTRAS..].iter_mut().zip(&self.roles.extras) {
            if name == "label" {
                *value = row.label;
            }
        }
        let impact = if self.label_is_impact() { row.label } else { self.numbers[IMPACT] };
        let item = Row {
            line,
            list,
            impact: Some(impact),
            id: text(&row.id).filter(|_| open.has_id),
            weight: Some(self.numbers[WEIGHT]),
            price: Some(self.numbers[PRICE]),
            extras: &self.numbers[EXTRAS..],
            ..Row::default()
        };
        let slots = &mut self.slots;
        open.sink.push_with(item, |features| {
            if !(row.is_run && slots.fill_run(indices.first(), values, features)) {
                slots.fill(indices, values, features);
            }
        })
    }

    fn finish(self) -> Result<Dataset, ReadError> {
        let Some(open) = self.open else {
            let place = Place::source(self.source);
            return Err(DataError::new(place, DataProblem::Empty).into());
        };
        if let Some(query) = open.query {
            query.finish()?;
        }
        let names = self.slots.names();
        let roles = self.roles;
        let single = roles.columns().map(|(_, name)| name);
        let lists = [&roles.drop, &roles.categorical, &roles.numeric, &roles.extras];
        for name in single.chain(lists.into_iter().flatten().map(String::as_str)) {
            if !names.iter().any(|n| n == name.trim()) {
                return Err(unknown_column(self.source, name, names.iter().map(String::as_str)));
            }
        }
        open.sink.finish(self.slots.coders)
    }
}
