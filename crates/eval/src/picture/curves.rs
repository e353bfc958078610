//! Cumulative cost curves as SVG.

use std::fmt::Write;

use super::scale::nice_step;
use super::svg::{COLOURS, REFERENCE, begin, cut, escape};
use crate::curve::Curve;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 195.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 56.0;

/// Draws the curves and marks `k`, if given. The file is self-contained.
pub fn curves_svg(curves: &[Curve], k: Option<usize>, title: &str) -> String {
    let depth = curves.iter().map(|c| c.shares.len().saturating_sub(1)).max().unwrap_or(1).max(1);
    let x = |p: f64| LEFT + p / depth as f64 * (WIDTH - LEFT - RIGHT);
    let y = |share: f64| HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    let mut svg = begin(title, WIDTH, HEIGHT, LEFT);
    axes(&mut svg, depth, &x, &y);
    if let Some(k) = k.filter(|k| *k <= depth) {
        let at = x(k as f64);
        let (top, bottom) = (y(1.0), y(0.0));
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{top:.1}\" x2=\"{at:.1}\" y2=\"{bottom:.1}\" \
             stroke=\"#444\" stroke-dasharray=\"2 3\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444\">k = {k}</text>",
            top - 5.0
        );
    }
    let labels = label_places(curves, &y);
    let mut colours = COLOURS.iter().cycle();
    for (curve, label_y) in curves.iter().zip(labels) {
        let (colour, dash) = match curve.reference {
            true => (REFERENCE, " stroke-dasharray=\"6 4\""),
            false => (*colours.next().unwrap_or(&REFERENCE), ""),
        };
        let points: Vec<String> = curve
            .shares
            .iter()
            .enumerate()
            .map(|(p, &share)| format!("{:.1},{:.1}", x(p as f64), y(share)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{} {:.1}%</text>",
            points.join(" "),
            x(depth as f64) + 8.0,
            label_y + 4.0,
            escape(&cut(&curve.name)),
            100.0 * curve.shares.last().copied().unwrap_or(0.0),
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn axes(svg: &mut String, depth: usize, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
    let (left, right) = (x(0.0), x(depth as f64));
    for tenth in (0..=10).step_by(2) {
        let (share, at) = (tenth * 10, y(f64::from(tenth) / 10.0));
        let _ = writeln!(
            svg,
            "<line x1=\"{left:.1}\" y1=\"{at:.1}\" x2=\"{right:.1}\" y2=\"{at:.1}\" \
             stroke=\"#e3e3e3\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{share}%</text>",
            left - 8.0,
            at + 4.0
        );
    }
    let step = nice_step(depth as f64, 8).max(1.0);
    let mut p = 0.0;
    while p <= depth as f64 {
        let (at, bottom) = (x(p), y(0.0));
        let _ = writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{p}</text>",
            bottom + 20.0
        );
        p += step;
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">items acted on in each list</text>\
         <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">\
         share of all cost reached</text>",
        (left + right) / 2.0,
        HEIGHT - 14.0,
        (y(0.0) + y(1.0)) / 2.0
    );
}

/// The vertical positions of the labels at the right, moved apart where curves end close together.
fn label_places(curves: &[Curve], y: &dyn Fn(f64) -> f64) -> Vec<f64> {
    const DISTANCE: f64 = 17.0;
    let mut places: Vec<f64> =
        curves.iter().map(|c| y(c.shares.last().copied().unwrap_or(0.0))).collect();
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    for pair in 1..order.len() {
        let above = places[order[pair - 1]];
        let below = &mut places[order[pair]];
        *below = below.max(above + DISTANCE);
    }
    // Labels that were moved below the bottom move the others up again.
    let mut limit = HEIGHT - BOTTOM + DISTANCE;
    for &i in order.iter().rev() {
        places[i] = places[i].min(limit);
        limit = places[i] - DISTANCE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_curves_drawn() {
        let curve = |name: &str, reference| Curve {
            name: name.into(),
            reference,
            shares: vec![0.0, 0.5, 1.0],
        };
        let long = curve("ünïcode_name_that_is_far_too_long", false);
        let svg =
            curves_svg(&[curve("a<b>", false), long, curve("random", true)], Some(1), "T & U");
        assert_eq!(svg.matches("<polyline").count(), 3);
        assert!(svg.contains("ünïcode_name_that_is… "));
        assert!(svg.contains("a&lt;b&gt;") && svg.contains("T &amp; U") && svg.contains("k = 1"));
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn labels_do_not_overlap() {
        let curves: Vec<Curve> = (0..8)
            .map(|i| Curve { name: i.to_string(), reference: false, shares: vec![0.0, 0.5] })
            .collect();
        let mut places = label_places(&curves, &|share| 400.0 - 300.0 * share);
        places.sort_by(f64::total_cmp);
        assert!(places.windows(2).all(|w| w[1] - w[0] >= 16.9), "{places:?}");
    }
}
