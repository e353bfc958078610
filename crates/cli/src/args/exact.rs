//! Flags of the exact search.

use clap::Args;

/// Flags that set parameters of the learner exact-rerank.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Exact search")]
pub(crate) struct ExactArgs {
    /// Number of first items to re-rank: 50, or all
    #[arg(long, value_name = "K", hide_short_help = true)]
    pub(crate) top: Option<String>,
    /// Time limit of the search in seconds, or none
    #[arg(long, value_name = "SECONDS", hide_short_help = true)]
    pub(crate) time_limit: Option<String>,
    /// Sign constraints on weights, + (>= 0) or - (<= 0): wind=+,age=-
    #[arg(long, value_name = "SIGNS", hide_short_help = true)]
    pub(crate) signs: Option<String>,
}

impl ExactArgs {
    /// As parameters.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let all = [("top", &self.top), ("time-limit", &self.time_limit), ("signs", &self.signs)];
        all.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }
}
