//! The papers' experiments, made again: printed numbers beside ours, and claims counted.
//!
//! [`reproduce`] follows the protocol of a paper on public data with the learners as the paper has them
//! (`preset=paper`), and our defaults beside them. With a run directory everything that is finished is kept.
//!
//! ```no_run
//! use stakes::experiment::Outcome;
//! use stakes::experiment::reproduce::{Paper, ReproduceOptions, reproduce};
//! let options = ReproduceOptions::new("data".as_ref());
//! if let Outcome::Finished(found) = reproduce(Paper::He, &options, None)? {
//!     println!("{found}");
//! }
//! # Ok::<(), stakes::Error>(())
//! ```

mod furnkranz;
mod he;
mod manifest;
mod markdown;
mod mcbride;
mod page;
mod raw;
mod report;
mod rudin;
mod salomon;
#[cfg(test)]
mod tests;
mod work;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Serialize;
use stakes_core::suggest::hint;

pub use markdown::document;
pub use report::{Claim, Held, Number, PaperRow, PaperTable, Picture, Reproduced};

use super::Outcome;
use crate::observer::{Silent, or_silent};
use crate::{Error, Observer};
use work::{Stop, Work};

/// A paper whose experiments can be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paper {
    /// Measures of rankings.
    Furnkranz,
    /// Cost-sensitive listwise ranking functions.
    He,
    /// Cost-sensitive learning to rank.
    McBride,
    /// Exact re-ranking.
    Rudin,
    /// Cost-sensitive RankBoost.
    Salomon,
}

/// How experiments are made again.
#[derive(Debug, Clone, PartialEq)]
pub struct ReproduceOptions {
    /// The folder of the public data sets.
    pub data: PathBuf,
    /// A directory that keeps what is finished.
    pub run: Option<String>,
    /// Whether to take a small part of the work, to see that everything runs: one fold or split in place of
    /// all, small generated data, short searches. Figures then say little.
    pub quick: bool,
    /// Seconds of each exact search; quick ones have one.
    pub time_limit: f64,
    /// The seed of all random draws.
    pub seed: u64,
}

impl ReproduceOptions {
    /// Everything as the papers have it, with the public data of this folder.
    pub fn new(data: &Path) -> Self {
        ReproduceOptions {
            data: data.to_owned(),
            run: None,
            quick: false,
            time_limit: 10.0,
            seed: 0,
        }
    }

    /// Seconds that each exact search has.
    fn search_seconds(&self) -> f64 {
        if self.quick { 1.0 } else { self.time_limit }
    }
}

/// Makes the experiments of a paper again.
pub fn reproduce(
    paper: Paper,
    options: &ReproduceOptions,
    observer: Option<&mut dyn Observer>,
) -> Result<Outcome<Reproduced>, Error> {
    let mut silent = Silent;
    let observer = or_silent(observer, &mut silent);
    let mut work = Work::new(paper, options, observer)?;
    let found = match paper {
        Paper::Furnkranz => furnkranz::reproduce(&mut work),
        Paper::He => he::reproduce(&mut work),
        Paper::McBride => mcbride::reproduce(&mut work),
        Paper::Rudin => rudin::reproduce(&mut work),
        Paper::Salomon => salomon::reproduce(&mut work),
    };
    match found {
        Ok(found) => Ok(Outcome::Finished(Box::new(found))),
        Err(Stop::Interrupted { done, of }) => Ok(Outcome::Interrupted { done, of }),
        Err(Stop::Failed(error)) => Err(*error),
    }
}

impl Paper {
    /// All papers, by the year of the paper.
    pub const ALL: [Paper; 5] =
        [Paper::Furnkranz, Paper::He, Paper::McBride, Paper::Rudin, Paper::Salomon];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Paper::Furnkranz => "furnkranz",
            Paper::He => "he",
            Paper::McBride => "mcbride",
            Paper::Rudin => "rudin",
            Paper::Salomon => "salomon",
        }
    }

    /// Whether the public data sets are needed.
    pub fn needs_data(self) -> bool {
        self.is_trained()
    }

    /// Whether anything is trained and may be kept; if not, it is computed from the printed examples at once.
    pub fn is_trained(self) -> bool {
        self != Paper::Furnkranz
    }

    /// Whether there are exact searches, for which there is a time limit.
    pub fn has_searches(self) -> bool {
        self == Paper::Rudin
    }

    /// The authors and the year.
    pub fn authors(self) -> &'static str {
        match self {
            Paper::Furnkranz => "Fürnkranz and Hüllermeier 2010",
            Paper::He => "He",
            Paper::McBride => "McBride et al. 2019",
            Paper::Rudin => "Rudin and Wang 2018",
            Paper::Salomon => "Salomon 2020",
        }
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Paper {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Paper::ALL.into_iter().find(|paper| paper.name() == text.to_lowercase());
        found.ok_or_else(|| {
            let names: Vec<&str> = Paper::ALL.iter().map(|paper| paper.name()).collect();
            Error::Paper(format!("no paper is called `{text}`; {}", hint(text, names)))
        })
    }
}
