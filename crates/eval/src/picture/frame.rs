//! The frame of charts of lines: axes from 0 on, a grid, names of the lines at the right.

use std::fmt::Write;

use super::svg::{begin, cut, escape};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 195.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// The width of the part with the lines.
pub(super) const INNER: f64 = WIDTH - LEFT - RIGHT;

/// A chart that is being drawn. Lines begin at 0 and end at these values, along and up.
pub(super) struct Frame {
    svg: String,
    along: f64,
    up: f64,
    names: usize,
}

impl Frame {
    pub(super) fn new(title: &str, along: f64, up: f64) -> Self {
        Frame { svg: begin(title, WIDTH, HEIGHT, 24.0), along, up, names: 0 }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + value / self.along * INNER
    }

    fn y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (value / self.up).clamp(0.0, 1.0) * (HEIGHT - TOP - BOTTOM)
    }

    /// A line across at this height, with what stands before it.
    pub(super) fn grid_line(&mut self, value: f64, text: &str) {
        let at = self.y(value);
        let _ = writeln!(
            self.svg,
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e3e3e3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0
        );
    }

    /// What stands below the axis at this place.
    pub(super) fn label(&mut self, value: f64, text: &str) {
        let _ = writeln!(
            self.svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            self.x(value),
            HEIGHT - BOTTOM + 20.0,
            escape(&cut(text))
        );
    }

    /// A line, and its name; `style` is added to its attributes.
    pub(super) fn line(&mut self, name: &str, colour: &str, style: &str, points: &[(f64, f64)]) {
        let places: Vec<String> =
            points.iter().map(|&(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y))).collect();
        let _ = writeln!(
            self.svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{style}/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            places.join(" "),
            WIDTH - RIGHT + 12.0,
            TOP + 14.0 + 20.0 * self.names as f64,
            escape(&cut(name))
        );
        self.names += 1;
    }

    pub(super) fn dot(&mut self, colour: &str, (x, y): (f64, f64)) {
        let (x, y) = (self.x(x), self.y(y));
        let _ =
            writeln!(self.svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
    }

    /// The file, with what the axes are.
    pub(super) fn end(mut self, along: &str, up: &str) -> String {
        let _ = writeln!(
            self.svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>",
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 14.0,
            escape(along),
            (TOP + HEIGHT - BOTTOM) / 2.0,
            escape(up)
        );
        self.svg
    }
}
