//! The measures by their golden values, and audits.
#![allow(clippy::unwrap_used)]

mod audits;
mod by_group;
mod classes;
mod framework;
mod golden;
mod independent;
mod properties;
mod world;
