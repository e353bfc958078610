//! The cumulative cost curves in the terminal.

use std::fmt::Write;

use stakes::eval::curve::Curve;

const HEIGHT: usize = 12;
const MARKS: &[char] = &['●', '▲', '■', '◆', '★', '○', '△', '□', '◇', '☆'];
const REFERENCE_MARKS: &[char] = &['·', '╌'];

/// Draws the curves in `width` columns; k is marked on the axis, if given.
pub(crate) fn render(curves: &[Curve], k: Option<usize>, width: usize) -> String {
    let depth = curves.iter().map(|c| c.shares.len() - 1).max().unwrap_or(0);
    if depth == 0 {
        return String::new();
    }
    let columns = width.saturating_sub(8).clamp(20, 72).min(depth.max(20));
    // Up to the next quarter above the highest curve.
    let highest = curves.iter().flat_map(|c| &c.shares).copied().fold(0.0, f64::max);
    let top = ((highest * 4.0 - 1e-9).ceil() / 4.0).clamp(0.25, 1.0);
    // References first, so that scores are drawn over them.
    let mut order: Vec<(usize, &Curve)> = curves.iter().enumerate().collect();
    order.sort_by_key(|(_, c)| !c.reference);
    let mut canvas = vec![vec![' '; columns + 1]; HEIGHT + 1];
    for (i, curve) in &order {
        let places = (0..=columns).map(|column| column as f64 / columns as f64 * depth as f64);
        for (column, at) in places.enumerate() {
            let share = interpolate(&curve.shares, at);
            let row = HEIGHT - (share / top * HEIGHT as f64).round() as usize;
            canvas[row][column] = mark(curves, *i);
        }
    }
    let mut text = String::from("share of all cost reached\n");
    for (row, line) in canvas.iter().enumerate() {
        // A label at every quarter; HEIGHT can be divided by 1 to 4.
        let rows_per_quarter = HEIGHT * 25 / (100.0 * top).round() as usize;
        let label = match row.is_multiple_of(rows_per_quarter) {
            true => format!("{:>4.0}%", 100.0 * top * (HEIGHT - row) as f64 / HEIGHT as f64),
            false => "     ".into(),
        };
        let line: String = line.iter().collect();
        let _ = writeln!(text, "{label} │{}", line.trim_end());
    }
    let _ = writeln!(text, "      └{}", "─".repeat(columns + 1));
    let mut axis = vec![' '; columns + 8];
    let mut put = |at: usize, label: String| {
        for (i, c) in label.chars().enumerate() {
            if let Some(slot) = axis.get_mut(at + i) {
                *slot = c;
            }
        }
    };
    put(0, "0".into());
    put(columns.saturating_sub(depth.to_string().len() - 1), depth.to_string());
    if let Some(k) = k.filter(|k| *k <= depth) {
        let at = (k as f64 / depth as f64 * columns as f64).round() as usize;
        put(at, format!("^k={k}"));
    }
    let axis: String = axis.iter().collect();
    let _ = writeln!(text, "       {}  items acted on in each list", axis.trim_end());
    let legend: Vec<String> = curves
        .iter()
        .enumerate()
        .map(|(i, c)| format!("{} {}", mark(curves, i), stakes::evaluate::shown(&c.name)))
        .collect();
    let _ = writeln!(text, "       {}", legend.join("   "));
    text
}

/// Scores and references each have their own marks, in order.
fn mark(curves: &[Curve], i: usize) -> char {
    let kind = curves[i].reference;
    let number = curves[..i].iter().filter(|c| c.reference == kind).count();
    let marks = if kind { REFERENCE_MARKS } else { MARKS };
    marks[number % marks.len()]
}

fn interpolate(shares: &[f64], at: f64) -> f64 {
    let below = (at.floor() as usize).min(shares.len() - 1);
    let above = (below + 1).min(shares.len() - 1);
    shares[below] + (shares[above] - shares[below]) * (at - below as f64).clamp(0.0, 1.0)
}
