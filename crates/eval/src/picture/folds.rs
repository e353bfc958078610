//! Folds as SVG: a row per fold, from the first list to the last, in time where times are known.

use std::fmt::Write;

use super::svg::{COLOURS, begin, cut_to, escape};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 130.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 78.0;
const BOTTOM: f64 = 36.0;
const ROW: f64 = 26.0;
const BAR: f64 = 18.0;
const MAX_NAME: usize = 16;

/// What a fold does with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Nothing.
    Unused,
    /// It trains.
    Train,
    /// It validates.
    Validation,
    /// It is tested.
    Test,
}

impl Side {
    /// All sides that are drawn.
    pub const DRAWN: [Side; 3] = [Side::Train, Side::Validation, Side::Test];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Side::Unused => "unused",
            Side::Train => "train",
            Side::Validation => "validate",
            Side::Test => "test",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Side::Unused => "#f2f2f2",
            Side::Train => COLOURS[0],
            Side::Validation => COLOURS[4],
            Side::Test => COLOURS[1],
        }
    }
}

/// A fold and what it does with each list, in the order in which lists are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoldRow {
    /// Its name.
    pub label: String,
    /// The side of each list.
    pub sides: Vec<Side>,
}

/// Draws folds. `ends` stand below the first and the last list. The file is self-contained.
pub fn folds_svg(rows: &[FoldRow], ends: (&str, &str), title: &str) -> String {
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let mut svg = begin(title, WIDTH, height, 24.0);
    let used = |side: &Side| rows.iter().any(|row| row.sides.contains(side));
    for (number, side) in Side::DRAWN.into_iter().filter(used).enumerate() {
        let x = LEFT + 110.0 * number as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"44\" width=\"14\" height=\"14\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"56\">{}</text>",
            side.colour(),
            x + 20.0,
            side.name()
        );
    }
    for (number, row) in rows.iter().enumerate() {
        let y = TOP + ROW * number as f64;
        let name = escape(&cut_to(&row.label, MAX_NAME));
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            LEFT - 10.0,
            y + 14.0
        );
        let step = (WIDTH - LEFT - RIGHT) / row.sides.len().max(1) as f64;
        let mut at = 0;
        for run in row.sides.chunk_by(|a, b| a == b) {
            let (x, width) = (LEFT + step * at as f64, step * run.len() as f64);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.2}\" y=\"{y:.1}\" width=\"{width:.2}\" height=\"{BAR}\" fill=\"{}\"/>",
                run[0].colour()
            );
            at += run.len();
        }
    }
    let y = height - 12.0;
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{y:.1}\">{}</text>\
         <text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>\n</svg>",
        escape(ends.0),
        WIDTH - RIGHT,
        escape(ends.1)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_lists_are_one_bar() {
        use Side::{Test, Train, Unused};
        let row =
            |label: &str, sides: &[Side]| FoldRow { label: label.into(), sides: sides.into() };
        let rows =
            [row("a&b", &[Train, Train, Test, Unused]), row("2", &[Train, Train, Train, Test])];
        let svg = folds_svg(&rows, ("2018", "2020"), "Folds");
        // The page, two words of the legend, three and two bars.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 3 + 2);
        assert!(svg.contains("a&amp;b") && svg.contains("2018") && !svg.contains("validate"));
        assert!(folds_svg(&[], ("", ""), "").ends_with("</svg>\n"));
    }
}
