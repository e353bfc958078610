//! Features as numbers, for scores that are no trees: linear ones and nets.

mod data;
mod inputs;
mod matrix;
mod params;

pub(crate) use data::DenseData;
pub(crate) use matrix::Dense;
pub use params::{Inputs, Unit};
