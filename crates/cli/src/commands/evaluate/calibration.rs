//! `--calibration`: scores as expected costs, beside the cost.

use stakes::display::nice_number;
use stakes::eval::reliability::{Bin, Reliability};
use stakes::text::{Page, Table, short};

use crate::terminal::output::counted;

/// The figures; for a single score its bins, too.
pub(crate) fn write(page: &mut Page, scores: &[Reliability]) {
    page.gap();
    page.text("calibration, the score taken as an expected cost:");
    page.gap();
    let mut table = Table::new(["score", "expected", "observed", "ratio", "error"]);
    for s in scores {
        let ratio = figure(s.ratio, s.low, s.high);
        let [expected, observed] = [s.expected, s.observed].map(nice_number);
        table.row([s.name.clone(), expected, observed, ratio, figure(s.error, None, None)]);
    }
    page.table(&table);
    if let [score] = scores {
        page.gap();
        page.table(&bins(score));
    }
    page.gap();
    page.text(
        "ratio: expected / observed; error: share of all cost that is expected in the wrong bin",
    );
}

fn bins(score: &Reliability) -> Table {
    let mut table = Table::new(["items, by score", "expected mean", "observed mean"]);
    let row = |b: &Bin| {
        let observed = match b.low.zip(b.high) {
            Some(ends) => format!("{} {}", nice_number(b.observed), interval(ends, nice_number)),
            None => nice_number(b.observed),
        };
        [counted(b.items, "item"), nice_number(b.expected), observed]
    };
    score.bins.iter().for_each(|bin| table.row(row(bin)));
    table
}

fn figure(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    match (value, low.zip(high)) {
        (Some(value), Some(ends)) => format!("{} {}", short(value), interval(ends, short)),
        (Some(value), None) => short(value),
        (None, _) => "-".into(),
    }
}

fn interval((low, high): (f64, f64), written: fn(f64) -> String) -> String {
    format!("[{}, {}]", written(low), written(high))
}
