//! What appears in the terminal: text, tables, pictures, progress, notes.

pub(crate) mod draw;
pub(crate) mod hints;
pub(crate) mod interrupt;
pub(crate) mod live;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod proof;
pub(crate) mod ranking;
pub(crate) mod screen;
pub(crate) mod shell;
pub(crate) mod style;
pub(crate) mod verbosity;
