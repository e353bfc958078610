//! Flags of the exact search.

use clap::Args;

/// Flags that set parameters of the learner exact-rerank.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Exact search")]
pub(crate) struct ExactArgs {
    /// How many of the items that stand first are put in a new order: 50, or all
    #[arg(long, value_name = "K")]
    pub(crate) top: Option<String>,
    /// Seconds to search for the best weights at most, or none
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<String>,
    /// Weights that may not be negative (+) or not positive (-): wind=+,age=-
    #[arg(long, value_name = "LIST")]
    pub(crate) signs: Option<String>,
}

impl ExactArgs {
    /// As parameters.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let all = [("top", &self.top), ("time-limit", &self.time_limit), ("signs", &self.signs)];
        all.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)))
    }
}
