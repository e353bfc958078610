//! `--calibration`: scores as expected costs, beside the cost.

use std::fmt::Write;

use stakes::display::nice_number;
use stakes::eval::reliability::{Bin, Reliability};
use stakes::text::short;

use crate::terminal::output::{counted, table};

/// The figures; for a single score its bins, too.
pub(crate) fn render(scores: &[Reliability]) -> String {
    let mut text = "\ncalibration, the score taken as an expected cost:\n\n".to_owned();
    let header = ["score", "expected", "observed", "ratio", "error"].map(str::to_owned);
    let row = |s: &Reliability| {
        let ratio = figure(s.ratio, s.low, s.high);
        let [expected, observed] = [s.expected, s.observed].map(nice_number);
        vec![s.name.clone(), expected, observed, ratio, figure(s.error, None, None)]
    };
    text += &table(&header, &scores.iter().map(row).collect::<Vec<_>>());
    if let [score] = scores {
        text.push('\n');
        text += &bins(score);
    }
    let _ = writeln!(
        text,
        "\nratio: expected / observed; error: share of all cost that is expected in the wrong bin"
    );
    text
}

fn bins(score: &Reliability) -> String {
    let header = ["items, by score", "expected mean", "observed mean"].map(str::to_owned);
    let row = |b: &Bin| {
        let observed = match b.low.zip(b.high) {
            Some(ends) => format!("{} {}", nice_number(b.observed), interval(ends, nice_number)),
            None => nice_number(b.observed),
        };
        vec![counted(b.items, "item"), nice_number(b.expected), observed]
    };
    table(&header, &score.bins.iter().map(row).collect::<Vec<_>>())
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
