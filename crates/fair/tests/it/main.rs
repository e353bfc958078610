//! The measures by their golden values, and audits.
#![allow(clippy::unwrap_used)]

mod audits;
mod golden;
mod properties;
mod world;
