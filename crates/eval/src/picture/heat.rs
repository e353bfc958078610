//! A heat map of the mean score at every pair of values of two features.

use std::fmt::Write;

use super::svg::{cut_to, escape};
use stakes_core::display::nice_number;

/// From low to high; darker is higher, in greyscale as well.
const COLOURS: [[f64; 3]; 3] = [[245.0, 247.0, 250.0], [86.0, 160.0, 210.0], [8.0, 48.0, 92.0]];
const LEFT: f64 = 110.0;
const RIGHT: f64 = 150.0;
const HEAD: f64 = 40.0;
const FOOT: f64 = 56.0;
const CELL: f64 = 26.0;

/// Mean scores at pairs of values.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// The title above the map.
    pub title: String,
    /// The names of the horizontal and the vertical feature.
    pub names: [String; 2],
    /// The labels of their values.
    pub labels: [Vec<String>; 2],
    /// By value of the first feature, then by value of the second.
    pub means: Vec<Vec<f64>>,
}

/// The height of a map.
pub(super) fn height(map: &HeatMap, _width: f64) -> f64 {
    HEAD + CELL * map.labels[1].len() as f64 + FOOT
}

pub(super) fn draw(svg: &mut String, map: &HeatMap, width: f64) {
    let all = || map.means.iter().flatten().copied();
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::MIN, f64::max));
    let across = (width - LEFT - RIGHT) / map.labels[0].len().max(1) as f64;
    let rows = map.labels[1].len();
    let y = |row: usize| HEAD + CELL * (rows - 1 - row) as f64;
    let title = escape(&map.title);
    let _ = writeln!(svg, "<text x=\"16\" y=\"20\" font-weight=\"600\">{title}</text>");
    for (a, means) in map.means.iter().enumerate() {
        for (b, &mean) in means.iter().enumerate() {
            let share = if high > low { (mean - low) / (high - low) } else { 0.5 };
            let _ = write!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{CELL:.1}\" fill=\"{}\">\
                 <title>{} = {}, {} = {}: {}</title></rect>",
                LEFT + across * a as f64,
                y(b),
                across + 0.5,
                colour(share),
                escape(&map.names[0]),
                escape(&map.labels[0][a]),
                escape(&map.names[1]),
                escape(&map.labels[1][b]),
                nice_number(mean)
            );
        }
        svg.push('\n');
    }
    for (a, text) in map.labels[0].iter().enumerate() {
        let x = LEFT + across * (a as f64 + 0.5);
        let text = cut_to(text, (across / 6.5).max(3.0) as usize);
        write_text(svg, x, HEAD + CELL * rows as f64 + 16.0, "middle", &text);
    }
    for (b, text) in map.labels[1].iter().enumerate() {
        write_text(svg, LEFT - 6.0, y(b) + CELL / 2.0 + 4.0, "end", &cut_to(text, 9));
    }
    let middle = LEFT + (width - LEFT - RIGHT) / 2.0;
    write_text(svg, middle, HEAD + CELL * rows as f64 + 36.0, "middle", &cut_to(&map.names[0], 60));
    let _ = writeln!(
        svg,
        "<text transform=\"translate(20 {:.1}) rotate(-90)\" text-anchor=\"middle\" \
         font-size=\"11\">{}</text>",
        HEAD + CELL * rows as f64 / 2.0,
        escape(&cut_to(&map.names[1], 36))
    );
    legend(svg, width - RIGHT + 24.0, CELL * rows as f64, low, high);
}

/// Draws five steps from the lowest score to the highest.
fn legend(svg: &mut String, x: f64, height: f64, low: f64, high: f64) {
    const STEPS: usize = 5;
    let step = (height / STEPS as f64).min(CELL);
    for i in 0..STEPS {
        let share = i as f64 / (STEPS - 1) as f64;
        let y = HEAD + step * (STEPS - 1 - i) as f64;
        let fill = colour(share);
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"18\" height=\"{step:.1}\" fill=\"{fill}\"/>"
        );
        let text = nice_number(low + share * (high - low));
        write_text(svg, x + 24.0, y + step / 2.0 + 4.0, "start", &text);
    }
    write_text(svg, x, HEAD + step * STEPS as f64 + 18.0, "start", "mean score");
}

fn write_text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"11\">{}</text>",
        escape(text)
    );
}

/// Interpolates between the colours of the ends by way of the middle one.
fn colour(share: f64) -> String {
    let place = 2.0 * share.clamp(0.0, 1.0);
    let part = (place as usize).min(1);
    let [r, g, b] = [0, 1, 2].map(|i| {
        let (from, to) = (COLOURS[part][i], COLOURS[part + 1][i]);
        (from + (to - from) * (place - part as f64)).round() as u8
    });
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_is_darker() {
        assert_eq!([0.0, 0.5, 1.0, 7.0].map(colour), ["#f5f7fa", "#56a0d2", "#08305c", "#08305c"]);
    }
}
