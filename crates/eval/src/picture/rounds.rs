//! Losses by round as SVG: how fast several trainings converge.

use std::fmt::Write;

use super::scale::nice_step;
use super::svg::{COLOURS, begin, cut, escape};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 195.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;
/// Lines along each axis, at most about this many.
const PARTS: usize = 5;
/// Of longer lines only so many points are drawn.
const MAX_POINTS: usize = 400;

/// The values of one training after each round.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundLine {
    /// The name beside it.
    pub name: String,
    /// The values, finite.
    pub values: Vec<f64>,
}

/// Draws values by round, from zero on. The file is self-contained.
pub fn rounds_svg(lines: &[RoundLine], axis: &str, title: &str) -> String {
    let rounds = lines.iter().map(|line| line.values.len()).max().unwrap_or(0).max(2);
    let values = lines.iter().flat_map(|line| line.values.iter().copied());
    let top = values.fold(f64::MIN_POSITIVE, f64::max);
    let x = |round: f64| LEFT + round / rounds as f64 * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value / top).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM);
    let mut svg = begin(title, WIDTH, HEIGHT, 24.0);
    let step = nice_step(top, PARTS);
    for part in 0..=(top / step) as usize {
        let value = part as f64 * step;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\" stroke=\"#e3e3e3\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            y(value),
            WIDTH - RIGHT,
            LEFT - 8.0,
            y(value) + 4.0,
            (value * 1e6).round() / 1e6
        );
    }
    let step = nice_step(rounds as f64, PARTS);
    for part in 0..=(rounds as f64 / step) as usize {
        let round = part as f64 * step;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{round}</text>",
            x(round),
            HEIGHT - BOTTOM + 20.0
        );
    }
    for (number, line) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let stride = line.values.len().div_ceil(MAX_POINTS).max(1);
        let points: Vec<String> = line
            .values
            .iter()
            .enumerate()
            .step_by(stride)
            .map(|(round, value)| format!("{:.1},{:.1}", x(round as f64 + 1.0), y(*value)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            WIDTH - RIGHT + 12.0,
            TOP + 14.0 + 20.0 * number as f64,
            escape(&cut(&line.name))
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">rounds</text>\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 14.0,
        (TOP + HEIGHT - BOTTOM) / 2.0,
        escape(axis)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_there_and_long_ones_are_thinned() {
        let line = |name: &str, n: usize| RoundLine {
            name: name.to_owned(),
            values: (1..=n).map(|round| 1.0 / round as f64).collect(),
        };
        let svg = rounds_svg(&[line("a<b", 3), line("long", 5000)], "loss", "T & U");
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.matches(',').count() < 2 * MAX_POINTS, "{}", svg.len());
        assert!(svg.contains("a&lt;b") && svg.contains("T &amp; U") && svg.ends_with("</svg>\n"));
        for lines in [vec![], vec![line("none", 0)]] {
            let svg = rounds_svg(&lines, "", "");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
