//! Models as files and as scorers.
#![allow(clippy::unwrap_used)]

mod calibration;
mod columns;
mod describe;
mod fingerprint;
mod golden;
mod make;
mod random;
mod refusals;
mod scoring;
