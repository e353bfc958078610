//! Figures with their intervals as SVG, one below the other.

use std::fmt::Write;

use super::scale::ticks;
use super::svg::{COLOURS, REFERENCE, begin, cut_to, escape};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 210.0;
const RIGHT: f64 = 40.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 52.0;
const ROW: f64 = 26.0;
const MAX_NAME: usize = 28;

/// A figure and its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct IntervalRow {
    /// The name beside it.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// The ends of its interval, if it has one.
    pub interval: Option<(f64, f64)>,
    /// Whether it is a reference, drawn in grey.
    pub reference: bool,
}

/// Draws figures from top to bottom. The file is self-contained.
pub fn intervals_svg(rows: &[IntervalRow], axis: &str, title: &str) -> String {
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let ends = rows.iter().flat_map(|row| {
        let (low, high) = row.interval.unwrap_or((row.value, row.value));
        [low.min(row.value), high.max(row.value)]
    });
    let (low, high) = ends
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
    let margin = 0.04 * (high - low);
    let (low, high) = (low - margin, high + margin);
    let x = |value: f64| LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT);
    let bottom = height - BOTTOM;
    let mut svg = begin(title, WIDTH, height, 24.0);
    for tick in ticks(low, high, 6) {
        let at = x(tick);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" stroke=\"#e3e3e3\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            stakes_core::display::nice_number(tick)
        );
    }
    for (number, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (number as f64 + 0.5);
        let colour = if row.reference { REFERENCE } else { COLOURS[0] };
        let name = escape(&cut_to(&row.name, MAX_NAME));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            LEFT - 10.0,
            y + 4.0
        );
        if let Some((low, high)) = row.interval {
            let (low, high) = (x(low), x(high));
            let _ = writeln!(
                svg,
                "<line x1=\"{low:.1}\" y1=\"{y:.1}\" x2=\"{high:.1}\" y2=\"{y:.1}\" \
                 stroke=\"{colour}\" stroke-width=\"2\"/>"
            );
        }
        let at = x(row.value);
        let _ = writeln!(svg, "<circle cx=\"{at:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>");
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        height - 12.0,
        escape(axis)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_drawn() {
        let row = |name: &str, value, interval| IntervalRow {
            name: name.to_owned(),
            value,
            interval,
            reference: interval.is_none(),
        };
        let rows = [row("a<b", 0.5, Some((0.4, 0.7))), row("ideal", 1.0, None)];
        let svg = intervals_svg(&rows, "rcs@5", "T & U");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("stroke-width=\"2\"").count(), 1);
        assert!(svg.contains("a&lt;b") && svg.contains("T &amp; U") && svg.ends_with("</svg>\n"));
        let one = intervals_svg(&rows[1..], "", "");
        assert!(!one.contains("NaN") && !one.contains("inf"), "{one}");
        assert!(intervals_svg(&[], "", "").ends_with("</svg>\n"));
    }
}
