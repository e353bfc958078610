//! Pictures as text: self-contained SVG, written by hand because the chart crates either
//! load a script from elsewhere or weigh megabytes.

mod curves;
mod effects;
mod heat;
mod reliability;
mod scale;
mod svg;

pub use curves::curves_svg;
pub use effects::{Effect, EffectPoint, effects_svg};
pub use heat::HeatMap;
pub use reliability::reliability_svg;
pub use scale::nice_step;
