//! Plans of folds: which lists train, validate and test, again and again.
//!
//! A plan is parsed once ([`FoldPlan::from_str`]) and becomes concrete folds for data and goal
//! ([`FoldPlan::folds`]). A list is never cut, and is never on two sides of one fold.
//!
//! | text | folds |
//! |---|---|
//! | `5` | every list is tested in one of five folds and trained with in the others; with times a fold is a period |
//! | `letor`, `letor:5` | parts S1 to S5 rotate: three train, one validates, one tests (Qin et al. 2010) |
//! | `random:10,test=20%` | ten random splits |
//! | `column:NAME` | the parts are given: each value is tested in turn; or the values are train, valid and test |
//! | `column:NAME,letor` | the given parts rotate as S1 to S5 |
//! | `time:5` | five as-of dates, with about as many lists from each to the next |
//! | `time:every=1y,gap=30d,horizon=6mo,window=3y,first=2018-01-01` | an as-of date every year |
//! | `time:at=2019-01-01/2020-07-01` | these as-of dates |
//!
//! ```
//! use stakes_core::split::FoldPlan;
//! let plan: FoldPlan = "time:every=12mo,gap=30d".parse()?;
//! assert_eq!(plan.to_string(), "time:every=1y,gap=30d");
//! # Ok::<(), stakes_core::split::FoldError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::temporal::{AsOf, Temporal};
use super::{FoldError, HoldOut, Span};

/// How lists become folds.
#[derive(Debug, Clone, PartialEq)]
pub enum FoldPlan {
    /// Every list is tested in one fold, and trained with in the others.
    KFold(usize),
    /// Parts rotate: all but two train, one validates, one tests.
    Rotating(usize),
    /// Splits drawn anew each time.
    Random {
        /// The number of splits.
        splits: usize,
        /// The share of the lists that test, in (0, 1).
        test: f64,
    },
    /// A column names the part of each list.
    Column {
        /// Its name.
        column: String,
        /// Whether the parts rotate, so that one of them validates.
        rotating: bool,
    },
    /// By time: what is known at a date ranks what comes after it.
    Temporal(Temporal),
}

impl FoldPlan {
    /// The plan if none is named: five folds; where times are known, five as-of dates.
    pub fn default_for(has_times: bool) -> Self {
        match has_times {
            true => FoldPlan::Temporal(Temporal::new(AsOf::Even(5))),
            false => FoldPlan::KFold(5),
        }
    }

    /// The column that names the parts, which is not a feature.
    pub fn column(&self) -> Option<&str> {
        match self {
            FoldPlan::Column { column, .. } => Some(column),
            _ => None,
        }
    }
}

/// The share of the lists that random splits test.
const DEFAULT_TEST: f64 = 0.2;
/// The number of parts that rotate (Qin et al. 2010).
const LETOR_PARTS: usize = 5;
const MAX_FOLDS: usize = 10_000;

impl FromStr for FoldPlan {
    type Err = FoldError;

    fn from_str(text: &str) -> Result<Self, FoldError> {
        let text = text.trim();
        if let Ok(folds) = text.parse::<usize>() {
            return Ok(FoldPlan::KFold(in_range(folds, 2, text)?));
        }
        let (kind, options) = text.split_once(':').unwrap_or((text, ""));
        let bad = || FoldError::Syntax(text.to_owned());
        let count = |word: &str, min| in_range(word.parse().map_err(|_| bad())?, min, text);
        let mut words = options.split(',').map(str::trim).filter(|word| !word.is_empty());
        let plan = match kind {
            "letor" => {
                FoldPlan::Rotating(words.next().map_or(Ok(LETOR_PARTS), |word| count(word, 3))?)
            }
            "random" => {
                let splits = count(words.next().ok_or_else(bad)?, 1)?;
                let test = match words.next() {
                    None => DEFAULT_TEST,
                    Some(word) => {
                        let share = word.strip_prefix("test=").ok_or_else(bad)?;
                        match share.parse().map_err(|_| bad())? {
                            HoldOut::Share(share) => share,
                            HoldOut::None | HoldOut::Lists(_) => return Err(bad()),
                        }
                    }
                };
                FoldPlan::Random { splits, test }
            }
            "column" => {
                // A name may hold commas.
                let (column, rotating) = match options.strip_suffix(",letor") {
                    Some(column) => (column, true),
                    None => (options, false),
                };
                if column.is_empty() {
                    return Err(bad());
                }
                return Ok(FoldPlan::Column { column: column.to_owned(), rotating });
            }
            "time" => return Ok(FoldPlan::Temporal(temporal(words, &bad, &count)?)),
            _ => return Err(bad()),
        };
        if words.next().is_some() { Err(bad()) } else { Ok(plan) }
    }
}

fn in_range(folds: usize, min: usize, text: &str) -> Result<usize, FoldError> {
    let is_good = (min..=MAX_FOLDS).contains(&folds);
    is_good.then_some(folds).ok_or_else(|| FoldError::Number { met: text.to_owned(), min })
}

fn temporal<'t>(
    words: impl Iterator<Item = &'t str>,
    bad: &dyn Fn() -> FoldError,
    count: &dyn Fn(&str, usize) -> Result<usize, FoldError>,
) -> Result<Temporal, FoldError> {
    let (mut even, mut at, mut every, mut first) = (None, None, None, None);
    let (mut gap, mut horizon, mut window) = (None, None, None);
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or(("", word));
        let span = || value.parse::<Span>();
        let is_new = match key {
            "" => even.replace(count(value, 1)?).is_none(),
            "at" => at.replace(value.split('/').map(str::to_owned).collect()).is_none(),
            "every" => every.replace(above_0(span()?, value)?).is_none(),
            "first" => first.replace(value.to_owned()).is_none(),
            "gap" => gap.replace(span()?).is_none(),
            "horizon" => horizon.replace(above_0(span()?, value)?).is_none(),
            "window" => window.replace(above_0(span()?, value)?).is_none(),
            _ => false,
        };
        if !is_new {
            return Err(bad());
        }
    }
    let as_of = match (even, at, every, first) {
        (even, None, None, None) => AsOf::Even(even.unwrap_or(5)),
        (None, Some(at), None, None) => AsOf::At(at),
        (None, None, Some(every), first) => AsOf::Every { every, first },
        _ => return Err(bad()),
    };
    let gap = gap.unwrap_or(Span::Number(0.0));
    Ok(Temporal { as_of, gap, horizon, window })
}

fn above_0(span: Span, text: &str) -> Result<Span, FoldError> {
    match span {
        Span::Number(0.0) | Span::Days(0.0) | Span::Months(0) => {
            Err(FoldError::Span(text.to_owned()))
        }
        span => Ok(span),
    }
}

impl fmt::Display for FoldPlan {
    /// As text that means the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoldPlan::KFold(folds) => write!(f, "{folds}"),
            FoldPlan::Rotating(parts) => write!(f, "letor:{parts}"),
            FoldPlan::Random { splits, test } => {
                write!(f, "random:{splits},test={}", HoldOut::Share(*test))
            }
            FoldPlan::Column { column, rotating } => {
                write!(f, "column:{column}{}", if *rotating { ",letor" } else { "" })
            }
            FoldPlan::Temporal(temporal) => write!(f, "{temporal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn text_and_plan_are_inverse() {
        for (text, written) in [
            ("5", "5"),
            ("letor", "letor:5"),
            ("letor:3", "letor:3"),
            ("random:10", "random:10,test=20%"),
            ("random:10,test=0.5", "random:10,test=50%"),
            ("column:fold", "column:fold"),
            ("column:a,b,letor", "column:a,b,letor"),
            ("time", "time:5"),
            ("time:3,gap=1w", "time:3,gap=7d"),
            ("time:every=1y,first=2018-01-01", "time:every=1y,first=2018-01-01"),
            ("time:at=3/7,window=4", "time:at=3/7,window=4"),
        ] {
            let plan: FoldPlan = text.parse().unwrap();
            assert_eq!(plan.to_string(), written);
            assert_eq!(written.parse::<FoldPlan>().unwrap(), plan);
        }
        for bad in [
            "",
            "1",
            "0",
            "10001",
            "letor:2",
            "letor:5,6",
            "random",
            "random:0",
            "random:3,test=2",
            "random:3,test=0",
            "random:3,tset=0.5",
            "column:",
            "columns:x",
            "time:gap=x",
            "time:0",
            "time:every=1y,at=3",
            "time:first=3",
            "time:gap=1,gap=2",
            "time:5,every=2",
            "time:every=0d",
            "-3",
            "5 folds",
        ] {
            assert!(bad.parse::<FoldPlan>().is_err(), "{bad}");
        }
    }
}
