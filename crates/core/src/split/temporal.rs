//! Folds by time: what was over before a date trains, what comes after it is tested.
//!
//! As of a date d, the lists that were over by d - gap train (with a window, those that began after
//! d - gap - window), and those that begin from d until d + horizon are tested. Outcomes take time to
//! become known: that is what the gap is for. A list that goes on beyond a limit is on neither side.
//!
//! Example: lists from 2018-01 to 2020-12, an as-of date every year, a gap of a month: as of 2019-01-01 the
//! lists that were over by 2018-12-01 train, and those until 2020-01-01 are tested.

use std::fmt;

use super::span::Clock;
use super::{Fold, FoldError, Span};
use crate::cost::Problem;

/// When and how far folds by time reach.
#[derive(Debug, Clone, PartialEq)]
pub struct Temporal {
    /// The dates.
    pub as_of: AsOf,
    /// Between the end of the training lists and the date.
    pub gap: Span,
    /// How long lists are tested from a date on; by default until the next date, and from the last one on
    /// until the end.
    pub horizon: Option<Span>,
    /// How far back the training lists reach (a rolling window); by default all of them train (an expanding
    /// window).
    pub window: Option<Span>,
}

/// The dates at which a model is made of what is known.
#[derive(Debug, Clone, PartialEq)]
pub enum AsOf {
    /// This many, with about as many lists before the first and from each to the next.
    Even(usize),
    /// One every so often: from `first` on, or else one span after the earliest list.
    Every {
        /// From one date to the next.
        every: Span,
        /// The first date.
        first: Option<String>,
    },
    /// These.
    At(Vec<String>),
}

impl Temporal {
    /// All earlier lists train, without a gap; those until the next date are tested.
    pub fn new(as_of: AsOf) -> Self {
        Temporal { as_of, gap: Span::Number(0.0), horizon: None, window: None }
    }
}

impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.as_of {
            AsOf::Even(n) => write!(f, "time:{n}")?,
            AsOf::Every { every, first: None } => write!(f, "time:every={every}")?,
            AsOf::Every { every, first: Some(first) } => {
                write!(f, "time:every={every},first={first}")?;
            }
            AsOf::At(dates) => write!(f, "time:at={}", dates.join("/"))?,
        }
        if self.gap != Span::Number(0.0) {
            write!(f, ",gap={}", self.gap)?;
        }
        for (key, span) in [("horizon", self.horizon), ("window", self.window)] {
            if let Some(span) = span {
                write!(f, ",{key}={span}")?;
            }
        }
        Ok(())
    }
}

/// The first and the last time of each list.
type Times = Vec<(f64, f64)>;

/// More dates than this are a mistake in a span.
const MAX_DATES: usize = 10_000;

pub(super) fn folds(plan: &Temporal, problem: &Problem<'_>) -> Result<Vec<Fold>, FoldError> {
    let data = problem.data();
    let source_name = data.source().to_owned();
    let Some(clock) = Clock::of(data) else {
        return Err(FoldError::NoTimes { source_name });
    };
    let of_list = |list: usize| data.first_time(list).zip(data.last_time(list));
    let times: Times = (0..data.n_lists()).filter_map(of_list).collect();
    let dates = dates(&plan.as_of, clock, &times, &source_name)?;
    let savable = problem.savable();
    let fold = |(number, &date): (usize, &f64)| {
        let end = match (plan.horizon, dates.get(number + 1)) {
            (Some(horizon), _) => clock.after(date, horizon, 1)?,
            (None, next) => next.copied().unwrap_or(f64::INFINITY),
        };
        let until = clock.after(date, plan.gap, -1)?;
        let from = plan.window.map(|window| clock.after(until, window, -1)).transpose()?;
        let from = from.unwrap_or(f64::NEG_INFINITY);
        let lists = |is_in: &dyn Fn(&(f64, f64)) -> bool| -> Vec<usize> {
            (0..times.len()).filter(|&list| is_in(&times[list])).collect()
        };
        let test = lists(&|&(first, _)| first >= date && first < end);
        let train = lists(&|&(first, last)| first >= from && last < until);
        let label = clock.text(date);
        let source_name = source_name.clone();
        if test.is_empty() {
            let to = if end.is_finite() { clock.text(end) } else { "the end".to_owned() };
            return Err(FoldError::EmptyPeriod { source_name, from: label, to });
        }
        if !train.iter().any(|&list| savable[list]) {
            let whose = format!("as of {label}");
            return Err(FoldError::NothingToTrain { source_name, until: clock.text(until), whose });
        }
        Ok(Fold { label, train, validation: Vec::new(), test })
    };
    dates.iter().enumerate().map(fold).collect()
}

fn dates(
    as_of: &AsOf,
    clock: Clock,
    times: &Times,
    source_name: &str,
) -> Result<Vec<f64>, FoldError> {
    let mut firsts: Vec<f64> = times.iter().map(|&(first, _)| first).collect();
    firsts.sort_by(f64::total_cmp);
    let source_name = || source_name.to_owned();
    match as_of {
        AsOf::Even(n) => {
            // Lists at the same time stay together, so dates may be fewer than asked for.
            let mut dates: Vec<f64> =
                (1..=*n).map(|block| firsts[block * firsts.len() / (n + 1)]).collect();
            dates.dedup();
            dates.retain(|&date| date > firsts[0]);
            let asked = crate::display::counted(*n, "as-of date");
            match dates.len() == *n {
                true => Ok(dates),
                false => {
                    let (need, met) = (n + 1, 1 + dates.len());
                    Err(FoldError::TooFewTimes { source_name: source_name(), asked, need, met })
                }
            }
        }
        AsOf::At(written) => {
            let mut dates =
                written.iter().map(|text| clock.key(text)).collect::<Result<Vec<_>, _>>()?;
            dates.sort_by(f64::total_cmp);
            dates.dedup();
            Ok(dates)
        }
        AsOf::Every { every, first } => {
            let first = match first {
                Some(text) => clock.key(text)?,
                None => clock.after(firsts[0], *every, 1)?,
            };
            let last = firsts[firsts.len() - 1];
            let mut dates = Vec::new();
            // Counted from the first: months of the 31st do not become shorter and shorter.
            for number in 0.. {
                let date = clock.after(first, *every, number)?;
                let stands_still = dates.last() == Some(&date);
                if date > last || stands_still || dates.len() >= MAX_DATES {
                    break;
                }
                dates.push(date);
            }
            match dates.is_empty() {
                true => {
                    Err(FoldError::NoDates { source_name: source_name(), first: clock.text(first) })
                }
                false => Ok(dates),
            }
        }
    }
}

#[cfg(test)]
mod tests;
