//! What measures see, as pages of text.

use stakes_fair::Pattern;
use stakes_fair::framework::{Cell as MatrixCell, Matrix, Verdict};

use crate::text::{Cell, Page, Table, Tone, short};

/// The short names of the patterns, for columns.
const fn column(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Shift => "shift",
        Pattern::Middle => "middle",
        Pattern::Ends => "ends",
        Pattern::Clusters => "clusters",
        Pattern::Tokens => "tokens",
        Pattern::Noise => "noise",
        Pattern::Arbitrary => "arbitrary",
    }
}

fn toned(verdict: Verdict) -> Cell {
    match verdict {
        Verdict::Seen => Cell::toned(verdict.word(), Tone::Good),
        _ => verdict.word().into(),
    }
}

/// Measures beside patterns: seen, a level, partly or blind.
pub fn write_matrix(page: &mut Page, matrix: &Matrix) {
    page.title("What measures see of rankings that treat a group unequally");
    page.gap();
    let mut table = Table::new(std::iter::once("measure").chain(Pattern::ALL.map(column)));
    for row in &matrix.rows {
        let verdicts = Pattern::ALL.map(|pattern| toned(row.verdict(matrix, pattern)));
        table.row([Cell::from(row.measure.as_str())].into_iter().chain(verdicts));
    }
    page.table(&table);
    page.gap();
    for pattern in Pattern::ALL {
        page.line(column(pattern), pattern.words());
    }
    page.gap();
    page.line(
        "seen",
        "the value differs from that of an even ranking by more than 95 of 100 random groups do",
    );
    page.line("level", "it rises with errors of any kind: something is wrong, but not what");
    page.line("partly", "in some rankings of the pattern");
    page.line("blind", "no difference that chance does not make");
}

/// Every ranking, for one measure after the other.
pub fn write_cells(page: &mut Page, matrix: &Matrix) {
    for row in &matrix.rows {
        page.heading(&row.measure);
        let mut table = Table::new(["ranking", "pattern", "value", "even", "allowed", "verdict"]);
        for cell in &row.cells {
            table.row(cells(cell));
        }
        page.table(&table.names([0, 1]));
    }
}

fn cells(cell: &MatrixCell) -> [Cell; 6] {
    let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
    [
        cell.scenario.as_str().into(),
        cell.pattern.map_or("-", column).into(),
        figure(cell.value).into(),
        figure(cell.even).into(),
        short(cell.allowed).into(),
        toned(cell.verdict),
    ]
}
