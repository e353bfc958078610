//! Reliability diagrams as SVG: expected against observed cost, with a point and an interval for each bin, and
//! the diagonal where they are equal.
//!
//! Costs span orders of magnitude, so both axes are logarithmic, with the same decades. Values that are 0,
//! negative, or more than eight decades below the largest are drawn at a separate position before the first
//! decade.

use std::fmt::Write;

use super::svg::{COLOURS, REFERENCE, begin, cut, escape};
use crate::reliability::{Bin, Reliability};
use stakes_core::display::nice_number;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 580.0;
const LEFT: f64 = 84.0;
const TOP: f64 = 48.0;
/// The length of both axes.
const SIDE: f64 = 468.0;
const MAX_DECADES: i32 = 8;
/// The share of an axis between the position of 0 and the first decade.
const ZERO: f64 = 0.07;

/// Draws one score or several. The file is self-contained.
pub fn reliability_svg(scores: &[Reliability], title: &str) -> String {
    let axis = Axis::of(scores.iter().flat_map(|score| &score.bins));
    let mut svg = begin(title, WIDTH, HEIGHT, LEFT);
    axes(&mut svg, &axis);
    for (i, score) in scores.iter().enumerate() {
        draw(&mut svg, score, &axis, COLOURS[i % COLOURS.len()], i);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Maps costs to shares of an axis.
struct Axis {
    /// The first and last decade as exponents of ten.
    first: i32,
    last: i32,
    /// The share at which the first decade begins: greater than 0 if 0 needs a position.
    offset: f64,
}

impl Axis {
    fn of<'b>(bins: impl Iterator<Item = &'b Bin>) -> Axis {
        let values: Vec<f64> = bins
            .flat_map(|b| [Some(b.expected), Some(b.observed), b.low, b.high])
            .flatten()
            .collect();
        let positive = || values.iter().copied().filter(|value| *value > 0.0);
        let max = positive().fold(0.0, f64::max);
        let (first, last) = match max > 0.0 {
            true => {
                let min = positive().fold(max, f64::min);
                let last = max.log10().ceil() as i32;
                ((min.log10().floor() as i32).max(last - MAX_DECADES), last)
            }
            false => (0, 1),
        };
        let last = last.max(first + 1);
        let all_are_drawn = values.iter().all(|value| *value >= 10_f64.powi(first));
        Axis { first, last, offset: if all_are_drawn { 0.0 } else { ZERO } }
    }

    fn share(&self, value: f64) -> f64 {
        let decades = value.log10() - f64::from(self.first);
        // The logarithm of a negative number is NaN, for which this is false.
        if decades >= 0.0 {
            let of_decades = decades / f64::from(self.last - self.first);
            self.offset + (1.0 - self.offset) * of_decades.min(1.0)
        } else {
            0.0
        }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + SIDE * self.share(value)
    }

    fn y(&self, value: f64) -> f64 {
        TOP + SIDE * (1.0 - self.share(value))
    }
}

fn axes(svg: &mut String, axis: &Axis) {
    let (left, right, top, bottom) = (LEFT, LEFT + SIDE, TOP, TOP + SIDE);
    let zero = (axis.offset > 0.0).then_some(0.0);
    let decades = (axis.first..=axis.last).map(|decade| 10_f64.powi(decade));
    for value in zero.into_iter().chain(decades) {
        let (x, y, label) = (axis.x(value), axis.y(value), nice_number(value));
        let _ = writeln!(
            svg,
            "<path d=\"M{left:.1} {y:.1}H{right:.1}M{x:.1} {top:.1}V{bottom:.1}\" \
             stroke=\"#e3e3e3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            left - 8.0,
            y + 4.0,
            bottom + 20.0
        );
    }
    let middle = SIDE / 2.0;
    let _ = writeln!(
        svg,
        "<path d=\"M{left:.1} {bottom:.1}L{right:.1} {top:.1}\" stroke=\"{REFERENCE}\" \
         stroke-dasharray=\"6 4\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{REFERENCE}\">expected = observed</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">expected cost of an item</text>\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         observed mean cost</text>",
        right + 8.0,
        top + 4.0,
        left + middle,
        HEIGHT - 14.0,
        top + middle
    );
}

fn draw(svg: &mut String, score: &Reliability, axis: &Axis, colour: &str, number: usize) {
    let place = |bin: &Bin| (axis.x(bin.expected), axis.y(bin.observed));
    let points: Vec<String> =
        score.bins.iter().map(place).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.4\"/>",
        points.join(" ")
    );
    for bin in &score.bins {
        let (x, y) = place(bin);
        if let Some((low, high)) = bin.low.zip(bin.high) {
            let _ = write!(
                svg,
                "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                axis.y(low),
                axis.y(high)
            );
        }
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>");
    }
    let ratio = score.ratio.map_or(String::new(), |ratio| format!(" {ratio:.2} x"));
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}{ratio}</text>",
        LEFT + SIDE + 8.0,
        TOP + 30.0 + 18.0 * number as f64,
        escape(&cut(&score.name))
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(expected: f64, observed: f64, interval: Option<(f64, f64)>) -> Bin {
        let (low, high) = interval.unzip();
        Bin { items: 10, expected, observed, low, high }
    }

    fn score(name: &str, bins: Vec<Bin>) -> Reliability {
        let (expected, observed) = (12.0, 10.0);
        let (ratio, low, high, error) = (Some(1.2), None, None, Some(0.1));
        Reliability { name: name.into(), expected, observed, ratio, low, high, error, bins }
    }

    #[test]
    fn points_intervals_and_names_are_there() {
        let bins = vec![bin(0.5, 2.0, Some((1.0, 3.0))), bin(80.0, 90.0, None)];
        let svg = reliability_svg(&[score("a<b>", bins)], "T & U");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("a&lt;b&gt; 1.20 x") && svg.contains("T &amp; U"));
        for label in [">0.1<", ">1<", ">10<", ">100<"] {
            assert_eq!(svg.matches(label).count(), 2, "{label}");
        }
        assert!(!svg.contains(">0<") && !svg.contains(">1,000<"));
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn zero_has_a_separate_position() {
        let bins = [bin(-3.0, 0.0, None), bin(1e-12, 5.0, None), bin(50.0, 5000.0, None)];
        let axis = Axis::of(bins.iter());
        assert_eq!((axis.first, axis.last, axis.offset), (-4, 4, ZERO));
        assert_eq!([-3.0, 0.0, 1e-12, f64::NAN].map(|v| axis.share(v)), [0.0; 4]);
        assert_eq!((axis.share(1e-4), axis.share(1e4)), (ZERO, 1.0));
        let none = Axis::of([bin(0.0, 0.0, None)].iter());
        assert!(none.share(0.0) == 0.0 && none.share(1.0) == ZERO);
        let svg = reliability_svg(&[score("s", bins.to_vec())], "");
        assert!(svg.contains(">0<") && !svg.contains("NaN"));
    }
}
