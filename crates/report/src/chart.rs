//! The curve over the slider's positions, as SVG whose colours are the page's and whose marker the page moves.
//!
//! The picture says where its axes are (`data-` attributes), so that the script places the marker by the numbers of
//! the page without drawing anything itself. The band is where the model lies beyond the other order (95 % intervals of
//! the difference over lists): lists differ far more from each other than the two orders do within them.

use std::fmt::Write;

use stakes::display::nice_number;
use stakes::eval::picture::{escape, nice_step};

use crate::Words;
use crate::evidence::Curve;
use crate::slider::{Kind, Slider};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 340.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 48.0;
/// Labels of an axis, about.
const LABELS: usize = 6;

/// Where numbers are in the picture.
struct Axes {
    last: f64,
    top: f64,
}

impl Axes {
    fn x(&self, position: f64) -> f64 {
        LEFT + position / self.last * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, amount: f64) -> f64 {
        HEIGHT - BOTTOM - amount / self.top * (HEIGHT - TOP - BOTTOM)
    }

    fn points(&self, positions: &[f64], amounts: &[f64]) -> String {
        let known = positions.iter().zip(amounts).filter(|(_, amount)| amount.is_finite());
        let point = |(p, a): (&f64, &f64)| {
            format!("{:.1},{:.1}", self.x(*p), self.y(a.clamp(0.0, self.top)))
        };
        known.map(point).collect::<Vec<_>>().join(" ")
    }
}

/// Draws what the model, the other order and the ideal one reach at each position.
pub(crate) fn curve_svg(curve: &Curve, slider: &Slider, words: &Words) -> String {
    let last = slider.positions.last().copied().filter(|last| *last > 0.0).unwrap_or(1.0);
    let most = curve.ideal.iter().copied().fold(0.0, f64::max);
    let axes = Axes { last, top: most.max(f64::MIN_POSITIVE) };
    let title =
        format!("What is reached in all {} together, by how much can be done in each", words.lists);
    let mut svg = format!(
        "<svg id=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\" data-left=\"{LEFT}\" \
         data-right=\"{}\" data-bottom=\"{}\" data-top=\"{TOP}\" data-last=\"{last}\" data-most=\"{}\">\n",
        escape(&title),
        WIDTH - RIGHT,
        HEIGHT - BOTTOM,
        axes.top,
    );
    grid(&mut svg, &axes, slider.kind, words);
    let positions = &slider.positions;
    let beyond = |ends: &[f64]| -> Vec<f64> {
        curve.now.iter().zip(ends).map(|(now, more)| now + more).collect()
    };
    let (mut lows, mut back) = (beyond(&curve.more_low), positions.clone());
    lows.reverse();
    back.reverse();
    let highs = beyond(&curve.more_high);
    let band = format!("{} {}", axes.points(positions, &highs), axes.points(&back, &lows));
    let _ = writeln!(svg, "<polygon class=\"band\" points=\"{band}\"/>");
    for (class, amounts) in [("ideal", &curve.ideal), ("now", &curve.now), ("model", &curve.model)]
    {
        let points = axes.points(positions, amounts);
        let _ = writeln!(svg, "<polyline class=\"{class}\" points=\"{points}\"/>");
    }
    let (x, y) = (axes.x(positions[slider.start]), axes.y(curve.model[slider.start]));
    let _ = writeln!(
        svg,
        "<line id=\"marker\" class=\"marker\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{}\"/>\
         <circle id=\"dot\" class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>",
        HEIGHT - BOTTOM
    );
    svg + "</svg>"
}

fn grid(svg: &mut String, axes: &Axes, kind: Kind, words: &Words) {
    let step = nice_step(axes.top, LABELS);
    for number in 0.. {
        let amount = f64::from(number) * step;
        if amount > axes.top {
            break;
        }
        let y = axes.y(amount);
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
             <text class=\"axis\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0,
            brief(amount, axes.top)
        );
    }
    let step = nice_step(axes.last, LABELS);
    let step = if kind == Kind::Items { step.max(1.0) } else { step };
    for number in 0.. {
        let position = f64::from(number) * step;
        if position > axes.last {
            break;
        }
        let x = axes.x(position);
        let _ = writeln!(
            svg,
            "<text class=\"axis\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM + 18.0,
            nice_number(position)
        );
    }
    let below = match kind {
        Kind::Items => format!("{} acted on in each {}", words.items, words.list),
        Kind::Money => format!("money spent in each {}", words.list),
    };
    let _ = writeln!(
        svg,
        "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 8.0,
        escape(&below)
    );
}

/// A number of an axis, in millions or thousands where the axis reaches that far.
fn brief(amount: f64, top: f64) -> String {
    let (unit, name) = match top {
        top if top >= 2e9 => (1e9, " bn"),
        top if top >= 2e6 => (1e6, "M"),
        top if top >= 2e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    match amount {
        0.0 => "0".to_owned(),
        amount => format!("{}{name}", nice_number(amount / unit)),
    }
}
