//! Partial dependence as SVG: a small panel for each feature, all on one scale, and below them a heat map of
//! two features.
//!
//! A panel shows the mean as a line, the middle 80 % of the items as a band, and a tick mark for each value
//! below; there are equally many items between neighbouring ticks. Categories and missing values have dots
//! and whiskers instead.

use std::fmt::Write;

use super::heat::{self, HeatMap};
use super::scale::ticks;
use super::svg::{COLOURS, begin, cut_to, escape};
use stakes_core::display::nice_number;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 62.0;
/// The number of panels in a row.
const PER_ROW: usize = 3;
/// The width and height of a panel including its labels.
const PANEL: (f64, f64) = ((WIDTH - LEFT) / PER_ROW as f64, 190.0);
/// The width and height of the plot in a panel.
const INNER: (f64, f64) = (PANEL.0 - 22.0, 118.0);
/// The height of the title of a panel.
const HEAD: f64 = 24.0;
/// The width at the right for missing values.
const MISSING: f64 = 26.0;

/// A feature and the scores at its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The name of the feature.
    pub name: String,
    /// Numbers in ascending order, or categories; missing last.
    pub points: Vec<EffectPoint>,
}

/// The scores at one value.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectPoint {
    /// The label of the value.
    pub label: String,
    /// The value, if it is a number.
    pub number: Option<f64>,
    /// Whether it represents missing values.
    pub missing: bool,
    /// The mean score.
    pub mean: f64,
    /// The lower end of the band.
    pub low: f64,
    /// The upper end of the band.
    pub high: f64,
}

/// Draws the panels and, if given, a heat map of two features. The file is self-contained.
pub fn effects_svg(effects: &[Effect], map: Option<&HeatMap>, title: &str) -> String {
    let below = TOP + effects.len().div_ceil(PER_ROW) as f64 * PANEL.1;
    let height = below + map.map_or(0.0, |map| heat::height(map, WIDTH));
    let mut svg = begin(title, WIDTH, height, 16.0);
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"44\" font-size=\"11\" fill=\"#444\">line: mean score if all items had \
         this value; band: middle 80 % of items, centred; ticks: equally many items apart</text>"
    );
    let range = range(effects);
    for (i, effect) in effects.iter().enumerate() {
        let x = LEFT + (i % PER_ROW) as f64 * PANEL.0;
        let y = TOP + (i / PER_ROW) as f64 * PANEL.1;
        let _ = writeln!(svg, "<g transform=\"translate({x:.1} {y:.1})\">");
        panel(&mut svg, effect, range, i % PER_ROW == 0);
        svg.push_str("</g>\n");
    }
    if let Some(map) = map {
        let _ = writeln!(svg, "<g transform=\"translate(0 {below:.1})\">");
        heat::draw(&mut svg, map, WIDTH);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// The range of all bands, never empty.
fn range(effects: &[Effect]) -> (f64, f64) {
    let points = || effects.iter().flat_map(|effect| &effect.points);
    let low = points().map(|p| p.low.min(p.mean)).fold(f64::INFINITY, f64::min);
    let high = points().map(|p| p.high.max(p.mean)).fold(f64::NEG_INFINITY, f64::max);
    if low < high { (low, high) } else { (low.min(0.0) - 0.5, low.max(0.0) + 0.5) }
}

fn panel(svg: &mut String, effect: &Effect, (low, high): (f64, f64), labelled: bool) {
    let (width, height) = INNER;
    let y = |score: f64| HEAD + height - (score - low) / (high - low) * height;
    let name = escape(&cut_to(&effect.name, 26));
    let _ = writeln!(svg, "<text y=\"12\" font-weight=\"600\">{name}</text>");
    for at in ticks(low, high, 5) {
        let (label, y) = (nice_number(at), y(at));
        let _ =
            write!(svg, "<line y1=\"{y:.1}\" x2=\"{width:.1}\" y2=\"{y:.1}\" stroke=\"#e3e3e3\"/>");
        if labelled {
            let _ = write!(
                svg,
                "<text x=\"-6\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{label}</text>",
                y + 4.0
            );
        }
    }
    svg.push('\n');
    let numbers: Vec<(f64, &EffectPoint)> =
        effect.points.iter().filter_map(|p| Some((p.number?, p))).collect();
    let others: Vec<&EffectPoint> = effect.points.iter().filter(|p| p.number.is_none()).collect();
    match numbers.is_empty() {
        true => dots(svg, &others, 0.0, width, &y),
        false => {
            let plot_width = if others.is_empty() { width } else { width - MISSING };
            line(svg, &numbers, plot_width, &y);
            dots(svg, &others, plot_width, width, &y);
        }
    }
}

/// Draws the line, its band, and ticks and labels below.
fn line(svg: &mut String, points: &[(f64, &EffectPoint)], width: f64, y: &dyn Fn(f64) -> f64) {
    let (first, last) = (points[0].0, points[points.len() - 1].0);
    let x = |number: f64| match last > first {
        true => (number - first) / (last - first) * width,
        false => width / 2.0,
    };
    let place = |number: f64, score: f64| format!("{:.1},{:.1}", x(number), y(score));
    let above = points.iter().map(|(number, p)| place(*number, p.high));
    let below = points.iter().rev().map(|(number, p)| place(*number, p.low));
    let band: Vec<String> = above.chain(below).collect();
    let means: Vec<String> = points.iter().map(|(number, p)| place(*number, p.mean)).collect();
    let _ = writeln!(
        svg,
        "<polygon points=\"{}\" fill=\"{1}\" fill-opacity=\"0.18\"/>\
         <polyline points=\"{2}\" fill=\"none\" stroke=\"{1}\" stroke-width=\"2\"/>",
        band.join(" "),
        COLOURS[0],
        means.join(" ")
    );
    if points.len() == 1 {
        dot(svg, x(first), points[0].1, y);
    }
    let bottom = HEAD + INNER.1;
    for (number, _) in points {
        let at = x(*number);
        let _ = write!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{bottom:.1}\" x2=\"{at:.1}\" y2=\"{:.1}\" stroke=\"#444\"/>",
            bottom + 5.0
        );
    }
    svg.push('\n');
    for tick in ticks(first, last, 5) {
        label(svg, x(tick), &nice_number(tick));
    }
}

/// Draws values without a position on the axis, evenly spaced.
fn dots(svg: &mut String, points: &[&EffectPoint], from: f64, to: f64, y: &dyn Fn(f64) -> f64) {
    let apart = (to - from) / points.len().max(1) as f64;
    // As many labels as fit.
    let every = (30.0 / apart).ceil().max(1.0) as usize;
    for (i, point) in points.iter().enumerate() {
        let at = from + (i as f64 + 0.5) * apart;
        dot(svg, at, point, y);
        if i % every == 0 {
            let max_chars = (apart * every as f64 / 6.5).max(4.0) as usize;
            let text = if point.missing && points.len() == 1 { "none" } else { &point.label };
            label(svg, at, &cut_to(text, max_chars));
        }
    }
}

fn dot(svg: &mut String, x: f64, point: &EffectPoint, y: &dyn Fn(f64) -> f64) {
    let colour = COLOURS[0];
    let _ = writeln!(
        svg,
        "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\" stroke=\"{colour}\" \
         stroke-opacity=\"0.35\" stroke-width=\"4\"/>\
         <circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"><title>{}</title></circle>",
        y(point.high),
        y(point.low),
        y(point.mean),
        escape(&point.label)
    );
}

fn label(svg: &mut String, x: f64, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"11\">{}</text>",
        HEAD + INNER.1 + 18.0,
        escape(text)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, number: Option<f64>, mean: f64) -> EffectPoint {
        let missing = label == "missing";
        let label = label.to_owned();
        EffectPoint { label, number, missing, mean, low: mean - 1.0, high: mean + 1.0 }
    }

    #[test]
    fn every_kind_of_value_is_drawn() {
        let numbers = vec![
            point("1", Some(1.0), 0.0),
            point("2", Some(2.0), 4.0),
            point("missing", None, 2.0),
        ];
        let names = vec![point("a<b", None, 1.0), point("c", None, 2.0)];
        let effect = |name: &str, points| Effect { name: name.into(), points };
        let map = HeatMap {
            title: "x & y".into(),
            names: ["x".into(), "y".into()],
            labels: [vec!["1".into(), "2".into()], vec!["a<b".into()]],
            means: vec![vec![0.0], vec![3.0]],
        };
        let effects = [effect("x", numbers), effect("y", names)];
        let svg = effects_svg(&effects, Some(&map), "T & U");
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 5);
        assert!(svg.contains("T &amp; U") && svg.contains("a&lt;b") && svg.contains("x &amp; y"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    /// A constant model, and a feature with one value.
    #[test]
    fn constant_scores_are_drawn() {
        let mut point = point("5", Some(5.0), 3.0);
        (point.low, point.high) = (3.0, 3.0);
        let svg = effects_svg(&[Effect { name: "x".into(), points: vec![point] }], None, "T");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(effects_svg(&[], None, "T").ends_with("</svg>\n"));
    }
}
