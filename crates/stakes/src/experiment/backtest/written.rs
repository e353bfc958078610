//! A backtest as CSV and SVG.

use std::fmt::Write;

use stakes_eval::picture::{PeriodLine, periods_svg};

use super::super::contestant::CURRENT;
use super::super::written::written;
use super::Backtested;
use crate::text::csv_cell;

impl Backtested {
    /// One line per period and contestant: what it saved.
    pub fn csv(&self) -> String {
        let mut text = String::from("as_of,lists,contestant,saved,ideal\n");
        for period in &self.periods {
            for (name, saved) in &period.saved {
                let _ = writeln!(
                    text,
                    "{},{},{},{},{}",
                    csv_cell(&period.as_of),
                    period.lists,
                    csv_cell(name),
                    written(*saved),
                    written(period.ideal)
                );
            }
        }
        text
    }

    /// The share of what could be saved, period by period: of the learner that saved most, of the one that
    /// the best rule picks now, and of the present order.
    pub fn svg(&self) -> String {
        let mut names = vec![self.compared.best.as_str(), self.picked(), CURRENT];
        names.dedup();
        let line = |name: &str| {
            let entrant = self.compared.contestants.iter().find(|entrant| entrant.name == name)?;
            let share = |period: &super::Period| {
                let ideal = period.ideal.filter(|ideal| *ideal > 0.0)?;
                Some(period.saved.get(name).copied().flatten()? / ideal)
            };
            Some(PeriodLine {
                name: entrant.shown.clone(),
                shares: self.periods.iter().map(share).collect(),
                reference: name == CURRENT,
            })
        };
        let lines: Vec<PeriodLine> = names.into_iter().filter_map(line).collect();
        let labels: Vec<&str> = self.periods.iter().map(|period| period.as_of.as_str()).collect();
        let title = format!("{}: saved by period", self.compared.data.source);
        periods_svg(&lines, &labels, &title)
    }
}
