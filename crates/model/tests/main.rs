//! Model files, scoring, calibration, and descriptions of models.
#![allow(clippy::unwrap_used)]

mod calibration;
mod columns;
mod describe;
mod fingerprint;
mod golden;
mod make;
mod profile;
mod random;
mod refusals;
mod scoring;
