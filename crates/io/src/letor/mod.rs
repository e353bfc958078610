//! LETOR / SVMlight: `label [qid:ID] index:value ... [# comment]`, one item a line.
//!
//! - `label` is the impact, `qid` the list (any text without blanks). Where no line has a
//!   qid, a LightGBM side file `X.query` (the number of lines of each list) is looked for
//!   beside `X`, `X.gz` or `X.zst`; lists are then called 1, 2, ...; without it all is one list.
//! - Features are called by their index. All from 1 (or 0, if it occurs) to the largest
//!   exist; where a line does not name one it is 0. `nan` or `NA` is missing.
//! - The comment carries the item's id: `#docid = GX1 ...`, `# docid:GX1` or just the first
//!   word. Unless every line has one there are no ids; ids that repeat within a list are
//!   refused (leave them out by dropping the column `docid`).
//!
//! Text is read in blocks, a few at a time, which are parsed in parallel and handed over in
//! order: the text is never held as a whole, and the result does not depend on the number
//! of threads.

mod blocks;
mod comment;
mod parse;
mod query;
mod read;
mod slots;
mod write;

use std::io::Cursor;

use stakes_core::data::Dataset;

use crate::input::Input;
use crate::{ReadError, ReadOptions};

pub(crate) use read::{names, read};
pub(crate) use write::{objection, write};

/// Reads LETOR from memory, without touching any file.
pub fn parse_letor_bytes(bytes: &[u8], options: &ReadOptions) -> Result<Dataset, ReadError> {
    let input = Input::new("memory".into(), Box::new(Cursor::new(bytes.to_vec())))
        .map_err(|e| ReadError::io("memory", e))?;
    read(input, "-", &options.roles)
}
