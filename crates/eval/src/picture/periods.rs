//! Shares by period as SVG: lines over time.

use std::fmt::Write;

use super::svg::{COLOURS, REFERENCE, begin, cut, escape};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 195.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;
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
    let x = |period: usize| LEFT + period as f64 / last * (WIDTH - LEFT - RIGHT);
    let y = |share: f64| HEIGHT - BOTTOM - share.clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM);
    let mut svg = begin(title, WIDTH, HEIGHT, 24.0);
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e3e3e3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{percent}%</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }
    let step = (LABEL / ((WIDTH - LEFT - RIGHT) / last)).ceil().max(1.0) as usize;
    for (period, label) in labels.iter().enumerate().step_by(step) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(period),
            HEIGHT - BOTTOM + 20.0,
            escape(&cut(label))
        );
    }
    let mut colours = COLOURS.iter().cycle();
    for (number, line) in lines.iter().enumerate() {
        let (colour, dash) = match line.reference {
            true => (REFERENCE, " stroke-dasharray=\"6 4\""),
            false => (*colours.next().unwrap_or(&REFERENCE), ""),
        };
        let known = line.shares.iter().enumerate().filter_map(|(p, share)| Some((p, (*share)?)));
        let points: Vec<String> =
            known.clone().map(|(p, share)| format!("{:.1},{:.1}", x(p), y(share))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>",
            points.join(" ")
        );
        for (p, share) in known {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>",
                x(p),
                y(share)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            WIDTH - RIGHT + 12.0,
            TOP + 14.0 + 20.0 * number as f64,
            escape(&cut(&line.name))
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">as of</text>\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         share of what could be saved</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 14.0,
        (TOP + HEIGHT - BOTTOM) / 2.0
    );
    svg
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
