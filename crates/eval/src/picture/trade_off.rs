//! Trade-offs as SVG: what is saved against a measure, one picture per measure, one below the other.

use std::fmt::Write;

use super::scale::ticks;
use super::svg::{COLOURS, REFERENCE, begin, escape};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 52.0;
const PANEL: f64 = 250.0;
/// Between two panels: the numbers and the name of the axis.
const BELOW: f64 = 56.0;

/// A value with the ends of its interval, if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spanned {
    /// The value.
    pub value: f64,
    /// The ends.
    pub interval: Option<(f64, f64)>,
}

/// A point of a trade-off.
#[derive(Debug, Clone, PartialEq)]
pub struct TradePoint {
    /// What stands beside it: the strength.
    pub label: String,
    /// The measure.
    pub measure: Spanned,
    /// What is saved.
    pub saved: Spanned,
    /// Whether it is the point without mitigation, drawn in grey.
    pub reference: bool,
}

/// The trade-off of one measure.
#[derive(Debug, Clone, PartialEq)]
pub struct TradePanel {
    /// The measure.
    pub measure: String,
    /// Its value that is even, if there is one.
    pub even: Option<f64>,
    /// The points, in the order of the strengths.
    pub points: Vec<TradePoint>,
}

/// Draws trade-offs. The file is self-contained.
pub fn trade_off_svg(panels: &[TradePanel], saved: &str, title: &str) -> String {
    let height = TOP + (PANEL + BELOW) * panels.len() as f64;
    let mut svg = begin(title, WIDTH, height, 24.0);
    for (number, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, saved, TOP + (PANEL + BELOW) * number as f64);
    }
    svg.push_str("</svg>\n");
    svg
}

/// A little more than all values and intervals.
fn range(values: impl Iterator<Item = Spanned>, even: Option<f64>) -> (f64, f64) {
    let ends = values.flat_map(|point| {
        let (low, high) = point.interval.unwrap_or((point.value, point.value));
        [low, high, point.value]
    });
    let (low, high) = ends
        .chain(even)
        .filter(|end| end.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    match (low < high, low.is_finite()) {
        (true, _) => (low - 0.06 * (high - low), high + 0.06 * (high - low)),
        (false, true) => (low - 0.5, low + 0.5),
        (false, false) => (0.0, 1.0),
    }
}

fn draw(svg: &mut String, panel: &TradePanel, saved: &str, top: f64) {
    let bottom = top + PANEL;
    let (left, right) = range(panel.points.iter().map(|point| point.measure), panel.even);
    let (low, high) = range(panel.points.iter().map(|point| point.saved), None);
    let x = |value: f64| LEFT + (value - left) / (right - left) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| bottom - (value - low) / (high - low) * PANEL;
    for tick in ticks(left, right, 6) {
        let (at, number) = (x(tick), stakes_core::display::nice_number(tick));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{top:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" stroke=\"#e3e3e3\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>",
            bottom + 18.0
        );
    }
    for tick in ticks(low, high, 4) {
        let (at, number) = (y(tick), stakes_core::display::nice_number(tick));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e3e3e3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{number}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    if let Some(even) = panel.even {
        let at = x(even);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{top:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" stroke=\"{REFERENCE}\" \
             stroke-dasharray=\"4 4\"/><text x=\"{:.1}\" y=\"{:.1}\" fill=\"{REFERENCE}\">even</text>",
            at + 4.0,
            top + 12.0
        );
    }
    let at =
        |point: &TradePoint| format!("{:.1},{:.1}", x(point.measure.value), y(point.saved.value));
    let line: Vec<String> = panel.points.iter().map(at).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.4\"/>",
        line.join(" "),
        COLOURS[0]
    );
    for point in &panel.points {
        let colour = if point.reference { REFERENCE } else { COLOURS[0] };
        let (px, py) = (x(point.measure.value), y(point.saved.value));
        if let Some((low, high)) = point.measure.interval {
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{py:.1}\" x2=\"{:.1}\" y2=\"{py:.1}\" stroke=\"{colour}\" \
                 stroke-opacity=\"0.5\"/>",
                x(low),
                x(high)
            );
        }
        if let Some((low, high)) = point.saved.interval {
            let _ = writeln!(
                svg,
                "<line x1=\"{px:.1}\" y1=\"{:.1}\" x2=\"{px:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
                 stroke-opacity=\"0.5\"/>",
                y(low),
                y(high)
            );
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4.5\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            px + 7.0,
            py - 7.0,
            escape(&point.label)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        bottom + 38.0,
        escape(&panel.measure),
        (top + bottom) / 2.0,
        escape(saved)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_drawn() {
        let spanned = |value: f64| Spanned { value, interval: Some((value - 0.1, value + 0.2)) };
        let point = |strength: f64| TradePoint {
            label: format!("<{strength}>"),
            measure: spanned(strength),
            saved: spanned(1.0 - 0.1 * strength),
            reference: strength == 0.0,
        };
        let panel = |points: Vec<TradePoint>| TradePanel {
            measure: "exposure@10".to_owned(),
            even: Some(1.0),
            points,
        };
        let all =
            [panel([0.0, 1.0, 2.0].map(point).to_vec()), panel(vec![]), panel(vec![point(1.0)])];
        let svg = trade_off_svg(&all, "rcs@10", "A & B");
        assert_eq!((svg.matches("<circle").count(), svg.matches("exposure@10").count()), (4, 3));
        assert!(
            svg.contains("&lt;2&gt;") && svg.contains("A &amp; B") && svg.ends_with("</svg>\n")
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
