//! LETOR / SVMlight: `label [qid:ID] index:value ... [# comment]`, one item per line.
//!
//! - `label` is the impact, `qid` the list (any text without blanks). If the lines have no qid,
//!   the reader looks for LightGBM's query file (the number of lines of each list):
//!   `X.query` beside `X`, `X.gz` or `X.zst`. Its lists are named 1, 2, ...; without it all
//!   lines form one list.
//! - Features are named by their index. All from 1 (or 0, if it occurs) to the largest exist;
//!   a feature that a line does not give is 0 there. `nan` or `NA` is missing.
//! - The comment holds the item's id: `#docid = GX1 ...`, `# docid:GX1` or just the first
//!   word. Unless every line has one there are no ids; ids that repeat within a list are
//!   refused (to ignore them, drop the column `docid`).
//!
//! Text is read in blocks, a few at a time, which are parsed in parallel and added to the data
//! set in order: the text is never held as a whole, and the result does not depend on the
//! number of threads.

mod blocks;
mod comment;
mod parse;
mod query;
mod quick;
mod read;
mod slots;
mod write;

use stakes_core::data::Dataset;

use crate::input::Input;
use crate::{ReadError, ReadOptions};

pub(crate) use read::{names, read};
pub(crate) use write::{objection, write};

/// Reads LETOR from memory.
pub fn parse_letor_bytes(
    bytes: &[u8],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    read(Input::in_memory(bytes)?, "-", &options.into().roles)
}
