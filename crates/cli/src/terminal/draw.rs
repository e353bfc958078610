//! Small pictures out of block characters. A cell is divided into eighths, so that a bar of
//! ten cells shows eighty lengths.

use stakes::text::width as columns;

const ACROSS: [char; 9] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
const UP: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar from the left for a fraction of `width` cells, filled up with spaces. What is above
/// 0 is seen.
///
/// `bar(0.5, 3)` is `█▌ `.
pub(crate) fn bar(fraction: f64, width: usize) -> String {
    let most = 8 * width;
    let fraction = if fraction.is_nan() { 0.0 } else { fraction.clamp(0.0, 1.0) };
    let eighths = (fraction * most as f64).round() as usize;
    let eighths = if fraction > 0.0 { eighths.max(1).min(most) } else { 0 };
    let cell = |i: usize| ACROSS[eighths.saturating_sub(8 * i).min(8)];
    (0..width).map(cell).collect()
}

/// One cell per value, as high as the value beside the largest; nothing where it is 0.
///
/// `sparkline(&[0.0, 4.0, 8.0])` is ` ▄█`.
pub(crate) fn sparkline(values: &[f64]) -> String {
    sparkline_beside(values, values.iter().copied().fold(0.0, f64::max))
}

/// The same, as high as the value beside `largest`.
pub(crate) fn sparkline_beside(values: &[f64], largest: f64) -> String {
    let cell = |&value: &f64| match value {
        v if v > 0.0 && largest > 0.0 => UP[((v / largest * 8.0).ceil() as usize).clamp(1, 8) - 1],
        _ => ' ',
    };
    values.iter().map(cell).collect()
}

/// A curve as a hill of blocks from its smallest to its largest value, which stand at the
/// left; several values share a column as their mean. The column of value `mark` is pointed at.
pub(crate) fn curve(
    values: &[f64],
    mark: Option<usize>,
    height: usize,
    width: usize,
) -> Vec<String> {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::MIN, f64::max));
    if low > high {
        return Vec::new();
    }
    let [low_label, high_label] = [low, high].map(|v| format!("{v:.4}"));
    let labels = low_label.len().max(high_label.len());
    let columns = width.saturating_sub(labels + 2).clamp(1, 60).min(values.len());
    let part =
        |column: usize| column * values.len() / columns..(column + 1) * values.len() / columns;
    let top = 8 * height;
    let eighths: Vec<usize> = (0..columns)
        .map(|column| {
            let part = &values[part(column)];
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            let share = if high > low { (mean - low) / (high - low) } else { 1.0 };
            // NaN is drawn as the least; the least is still seen.
            ((share * (top - 1) as f64).max(0.0).round() as usize).min(top - 1) + 1
        })
        .collect();
    let cell = |eighths: usize| if eighths == 0 { ' ' } else { UP[eighths.min(8) - 1] };
    let mut lines: Vec<String> = (0..height)
        .map(|line| {
            let below = 8 * (height - 1 - line);
            let label = match line {
                0 => &*high_label,
                _ if line + 1 == height => &*low_label,
                _ => "",
            };
            let cells: String = eighths.iter().map(|e| cell(e.saturating_sub(below))).collect();
            format!("{label:>labels$} {cells}").trim_end().to_owned()
        })
        .collect();
    if let Some(at) = mark.and_then(|mark| (0..columns).find(|&c| part(c).contains(&mark))) {
        lines.push(format!("{}^ {}", " ".repeat(labels + 1 + at), mark.map_or(0, |m| m + 1)));
    }
    lines
}

/// One line per value: its label, a bar beside the largest, and what is said about it. Labels
/// and remarks stand to the right; the bars take what is left of `width`.
pub(crate) fn histogram(rows: &[(String, f64, String)], width: usize) -> Vec<String> {
    let labels = rows.iter().map(|row| columns(&row.0)).max().unwrap_or(0);
    let remarks = rows.iter().map(|row| columns(&row.2)).max().unwrap_or(0);
    let largest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    let cells = width.saturating_sub(labels + remarks + 4).clamp(4, 40);
    let line = |(label, value, remark): &(String, f64, String)| {
        let bar = bar(if largest > 0.0 { value / largest } else { 0.0 }, cells);
        format!("{label:>labels$}  {bar}  {remark:>remarks$}").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_said() {
        assert_eq!(bar(0.5, 3), "█▌ ");
        assert_eq!([bar(0.0, 2), bar(1.0, 2), bar(7.0, 2)], ["  ", "██", "██"]);
        assert_eq!(bar(1e-9, 2), "▏ ");
        assert_eq!(bar(f64::NAN, 2), "  ");
        assert_eq!(bar(0.5, 0), "");
    }

    #[test]
    fn sparklines_show_what_is_there() {
        assert_eq!(sparkline(&[0.0, 4.0, 8.0]), " ▄█");
        assert_eq!(sparkline(&[1.0, 1e6]), "▁█");
        assert_eq!(sparkline(&[0.0]), " ");
        assert_eq!(sparkline(&[]), "");
    }

    #[test]
    fn curves_rise_from_their_least_to_their_most() {
        assert_eq!(curve(&[0.0, 0.5, 1.0], Some(1), 1, 20), ["1.0000 ▁▅█", "        ^ 2"]);
        let lines = curve(&[0.25, 0.75, 0.5, 0.5], Some(3), 2, 9);
        assert_eq!(lines, ["0.7500 ▁", "0.2500 █", "       ^ 4"]);
        assert_eq!(curve(&[3.0], None, 2, 20), ["3.0000 █", "3.0000 █"]);
        assert!(curve(&[], Some(0), 2, 20).is_empty());
        assert!(curve(&[f64::NAN], None, 2, 20).is_empty());
        assert_eq!(curve(&[f64::NAN, 1.0, 2.0], None, 1, 20), ["2.0000 ▁▁█"]);
    }

    #[test]
    fn histograms_keep_their_width() {
        let rows = [("a".into(), 2.0, "2".into()), ("bcd".into(), 0.0, "none".into())];
        let lines = histogram(&rows, 20);
        assert_eq!(lines[0], "  a  █████████     2");
        assert_eq!(lines[1], "bcd             none");
    }
}
