//! Charts as self-contained SVG. They are written without a chart crate, because those either load scripts
//! from the network or add megabytes.

mod curves;
mod effects;
mod folds;
mod frame;
mod heat;
mod intervals;
mod periods;
mod positions;
mod reliability;
mod rounds;
mod scale;
mod svg;
mod trade_off;

pub use curves::curves_svg;
pub use effects::{Effect, EffectPoint, effects_svg};
pub use folds::{FoldRow, Side, folds_svg};
pub use heat::HeatMap;
pub use intervals::{IntervalRow, intervals_svg};
pub use periods::{PeriodLine, periods_svg};
pub use positions::{PositionRow, positions_svg};
pub use reliability::reliability_svg;
pub use rounds::{RoundLine, rounds_svg};
pub use scale::nice_step;
pub use svg::escape;
pub use trade_off::{Spanned, TradePanel, TradePoint, trade_off_svg};
