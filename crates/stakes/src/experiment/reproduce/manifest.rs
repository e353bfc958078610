//! What all finished parts of a reproduction depend on.

use serde::{Deserialize, Serialize};

use super::{Paper, ReproduceOptions};

/// Kept beside the parts: those of another run, such as a quick one, are never taken for these.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// The version of the program.
    stakes: String,
    paper: String,
    quick: bool,
    /// Seconds of each exact search; `None` if there are none.
    time_limit: Option<f64>,
    seed: u64,
}

impl Manifest {
    pub(super) fn new(paper: Paper, options: &ReproduceOptions) -> Self {
        Manifest {
            stakes: env!("CARGO_PKG_VERSION").to_owned(),
            paper: paper.name().to_owned(),
            quick: options.quick,
            time_limit: paper.has_searches().then(|| options.search_seconds()),
            seed: options.seed,
        }
    }

    /// What differs from another manifest, in words.
    pub(super) fn difference(&self, now: &Manifest) -> Option<String> {
        let extent = |quick: bool| if quick { "quick" } else { "whole" }.to_owned();
        let seconds = |limit: Option<f64>| limit.map_or("none".to_owned(), |s| format!("{s} s"));
        let pairs = [
            ("the version of stakes", self.stakes.clone(), now.stakes.clone()),
            ("the paper", self.paper.clone(), now.paper.clone()),
            ("the run", extent(self.quick), extent(now.quick)),
            ("the time limit of searches", seconds(self.time_limit), seconds(now.time_limit)),
            ("the seed", self.seed.to_string(), now.seed.to_string()),
        ];
        let (what, before, now) = pairs.into_iter().find(|(_, before, now)| before != now)?;
        Some(format!("{what} was {before} and is now {now}"))
    }
}
