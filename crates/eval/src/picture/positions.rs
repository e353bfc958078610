//! Where groups stand in their lists, as SVG: a row of bars per group, from the top of the list to its end, beside
//! the line of an even spread.

use std::fmt::Write;

use super::svg::{COLOURS, REFERENCE, begin, cut_to, escape};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 46.0;
const ROW: f64 = 74.0;
const BARS: f64 = 58.0;
const MAX_NAME: usize = 24;

/// A group's shares in equal parts of the lists, from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct PositionRow {
    /// The name beside it.
    pub name: String,
    /// What is said below the name.
    pub remark: String,
    /// The shares, which add up to 1.
    pub shares: Vec<f64>,
}

/// Draws groups from top to bottom. The file is self-contained.
pub fn positions_svg(rows: &[PositionRow], title: &str) -> String {
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let mut svg = begin(title, WIDTH, height, 24.0);
    let largest = rows.iter().flat_map(|row| &row.shares).copied().fold(1e-9, f64::max);
    for (number, row) in rows.iter().enumerate() {
        let bottom = TOP + ROW * number as f64 + BARS;
        let name = escape(&cut_to(&row.name, MAX_NAME));
        let remark = escape(&cut_to(&row.remark, MAX_NAME));
        let _ = writeln!(
            svg,
            "<text x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"end\" font-weight=\"600\">{name}</text>\
             <text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"end\" fill=\"#555\">{remark}</text>",
            LEFT - 12.0,
            bottom - 26.0,
            bottom - 9.0
        );
        let width = (WIDTH - LEFT - RIGHT) / row.shares.len().max(1) as f64;
        for (part, share) in row.shares.iter().enumerate() {
            let tall = share / largest * BARS;
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"{}\"/>",
                LEFT + width * part as f64 + 1.0,
                bottom - tall,
                width - 2.0,
                COLOURS[number % COLOURS.len()]
            );
        }
        let even = bottom - BARS / largest / row.shares.len().max(1) as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{even:.1}\" x2=\"{0:.1}\" y2=\"{even:.1}\" stroke=\"{REFERENCE}\" \
             stroke-dasharray=\"5 3\"/><line x1=\"{LEFT}\" y1=\"{bottom:.1}\" x2=\"{0:.1}\" y2=\"{bottom:.1}\" \
             stroke=\"#333\"/>",
            WIDTH - RIGHT
        );
    }
    let y = height - 18.0;
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{y:.1}\">top of the list</text>\
         <text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"{REFERENCE}\">- - -  evenly along the list</text>\
         <text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\">its end</text>\n</svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        WIDTH - RIGHT
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_drawn_and_names_are_text() {
        let row = |name: &str| PositionRow {
            name: name.to_owned(),
            remark: "10 items".into(),
            shares: vec![0.5, 0.0, 0.25, 0.25],
        };
        let svg = positions_svg(&[row("A<b>"), row("B")], "T & U");
        assert_eq!(svg.matches("<rect x=").count(), 8);
        assert_eq!(svg.matches("stroke-dasharray").count(), 2);
        assert!(
            svg.contains("A&lt;b&gt;") && svg.contains("T &amp; U") && svg.ends_with("</svg>\n")
        );
        assert!(!positions_svg(&[], "").contains("NaN"));
    }
}
