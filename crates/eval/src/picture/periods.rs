//! Shares by period as SVG: lines over time.

use super::frame::{Frame, INNER};
use super::svg::{COLOURS, REFERENCE};

/// Labels below the axis are at least this far apart.
const LABEL: f64 = 90.0;

/// A line over periods.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodLine {
    /// The name beside it.
    pub name: String,
    /// From 0 to 1; `None` where a period has no share.
    pub shares: Vec<Option<f64>>,
    /// Whether it is a reference, drawn in grey.
    pub reference: bool,
}

/// Draws lines over the periods of these labels. The file is self-contained.
pub fn periods_svg(lines: &[PeriodLine], labels: &[&str], title: &str) -> String {
    let last = labels.len().saturating_sub(1).max(1) as f64;
    let mut chart = Frame::new(title, last, 1.0);
    for percent in [0, 25, 50, 75, 100] {
        chart.grid_line(f64::from(percent) / 100.0, &format!("{percent}%"));
    }
    let step = (LABEL / (INNER / last)).ceil().max(1.0) as usize;
    for (period, label) in labels.iter().enumerate().step_by(step) {
        chart.label(period as f64, label);
    }
    let mut colours = COLOURS.iter().cycle();
    for line in lines {
        let (colour, dash) = match line.reference {
            true => (REFERENCE, " stroke-dasharray=\"6 4\""),
            false => (*colours.next().unwrap_or(&REFERENCE), ""),
        };
        let known = (0..).map(f64::from).zip(&line.shares);
        let points: Vec<(f64, f64)> =
            known.filter_map(|(period, share)| Some((period, (*share)?))).collect();
        chart.line(&line.name, colour, dash, &points);
        for point in points {
            chart.dot(colour, point);
        }
    }
    chart.end("as of", "share of what could be saved")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_without_a_share_are_left_out() {
        let line = |name: &str, shares: &[Option<f64>]| PeriodLine {
            name: name.to_owned(),
            shares: shares.to_vec(),
            reference: name == "now",
        };
        let lines = [
            line("a<b", &[Some(0.5), None, Some(0.7)]),
            line("now", &[Some(0.1), Some(0.2), None]),
        ];
        let svg = periods_svg(&lines, &["2019", "2020", "2021"], "T & U");
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (4, 2));
        assert!(svg.contains("a&lt;b") && svg.contains("T &amp; U") && svg.ends_with("</svg>\n"));
        for (lines, labels) in [(&lines[..0], &[][..]), (&lines[..1], &["one"][..])] {
            let svg = periods_svg(lines, labels, "");
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
