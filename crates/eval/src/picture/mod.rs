//! Charts as self-contained SVG. They are written without a chart crate, because those either load scripts
//! from the network or add megabytes.

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
