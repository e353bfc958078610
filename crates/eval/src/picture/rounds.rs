//! Losses by round as SVG: how fast several trainings converge.

use super::frame::Frame;
use super::scale::nice_step;
use super::svg::COLOURS;

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
    let mut chart = Frame::new(title, rounds as f64, top);
    let step = nice_step(top, PARTS);
    for part in 0..=(top / step) as usize {
        let value = part as f64 * step;
        chart.grid_line(value, &((value * 1e6).round() / 1e6).to_string());
    }
    let step = nice_step(rounds as f64, PARTS);
    for part in 0..=(rounds as f64 / step) as usize {
        let round = part as f64 * step;
        chart.label(round, &round.to_string());
    }
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let stride = line.values.len().div_ceil(MAX_POINTS).max(1);
        let points = (1..).map(f64::from).zip(line.values.iter().copied()).step_by(stride);
        chart.line(&line.name, colour, "", &points.collect::<Vec<_>>());
    }
    chart.end("rounds", axis)
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
