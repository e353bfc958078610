//! The cumulative cost curves in the terminal.

use stakes::eval::curve::Curve;
use stakes::text::{Page, cut, width};

const HEIGHT: usize = 12;
const MARKS: &[char] = &['●', '▲', '■', '◆', '★', '○', '△', '□', '◇', '☆'];
const REFERENCE_MARKS: &[char] = &['·', '╌'];

/// The columns left of the picture.
const LABELS: usize = 7;

/// Draws the curves; k is marked on the axis, if given.
pub(crate) fn write(page: &mut Page, curves: &[Curve], k: Option<usize>) {
    let depth = curves.iter().map(|c| c.shares.len() - 1).max().unwrap_or(0);
    if depth == 0 {
        return;
    }
    let columns = page.width().saturating_sub(LABELS + 1).clamp(20, 72).min(depth.max(20));
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
    page.text("share of all cost reached, by items acted on in each list");
    for (row, line) in canvas.iter().enumerate() {
        // A label at every quarter; HEIGHT can be divided by 1 to 4.
        let rows_per_quarter = HEIGHT * 25 / (100.0 * top).round() as usize;
        let label = match row.is_multiple_of(rows_per_quarter) {
            true => format!("{:>4.0}%", 100.0 * top * (HEIGHT - row) as f64 / HEIGHT as f64),
            false => "     ".into(),
        };
        page.unbroken(&format!("{label} │{}", line.iter().collect::<String>()));
    }
    page.unbroken(&format!("      └{}", "─".repeat(columns + 1)));
    page.unbroken(&format!("{:LABELS$}{}", "", axis(columns, depth, k)));
    let name = |i: usize| {
        let room = page.width() - LABELS - 2;
        format!("{} {}", mark(curves, i), cut(stakes::evaluate::shown(&curves[i].name), room))
    };
    let names: Vec<String> = (0..curves.len()).map(name).collect();
    legend(page, &names);
}

/// The numbers below the axis.
fn axis(columns: usize, depth: usize, k: Option<usize>) -> String {
    let mut axis = vec![' '; columns + 1];
    let mut put = |at: usize, label: &str| {
        axis.iter_mut().skip(at).zip(label.chars()).for_each(|(slot, c)| *slot = c);
    };
    put(0, "0");
    let last = columns + 1 - depth.to_string().len();
    let mut end = 0;
    if let Some(k) = k.filter(|k| *k <= depth) {
        let at = (k as f64 / depth as f64 * columns as f64).round() as usize;
        // To the right of its place, or to the left where there is no room.
        let (right, left) = (format!("^k={k}"), format!("k={k}^"));
        end = at + right.len();
        if end <= columns + 1 {
            put(at, &right);
        } else {
            end = at + 1;
            put(end.saturating_sub(left.len()), &left);
        }
    }
    if end < last {
        put(last, &depth.to_string());
    }
    axis.into_iter().collect()
}

/// Names side by side, as many as a line has room for.
fn legend(page: &mut Page, names: &[String]) {
    const BETWEEN: &str = "   ";
    let mut line = String::new();
    for name in names {
        if !line.is_empty() && LABELS + width(&line) + BETWEEN.len() + width(name) > page.width() {
            page.unbroken(&format!("{:LABELS$}{line}", ""));
            line.clear();
        }
        if !line.is_empty() {
            line += BETWEEN;
        }
        line += name;
    }
    page.unbroken(&format!("{:LABELS$}{line}", ""));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_keeps_its_width() {
        assert_eq!(axis(20, 40, Some(10)), "0    ^k=10         40");
        assert_eq!(axis(20, 40, Some(38)), "0              k=38^ ");
        assert_eq!(axis(20, 40, Some(41)), "0                  40");
    }
}
