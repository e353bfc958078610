//! Rankings: in files, and on a terminal.

pub(crate) mod screen;
pub(crate) mod write;
