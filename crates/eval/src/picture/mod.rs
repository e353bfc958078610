//! Pictures as text: self-contained SVG, written by hand because the chart crates either
//! load a script from elsewhere or weigh megabytes.

mod curves;
mod scale;

pub use curves::curves_svg;
pub use scale::{counted, nice_number, nice_step};
