//! Plain words, or those of statistics.

use clap::Args;
use stakes::text::Words;

#[derive(Args, Clone, Copy)]
pub(crate) struct WordArgs {
    /// Metrics by their names, and how intervals and tests are computed
    #[arg(long, conflicts_with = "json", hide_short_help = true)]
    pub(crate) statistics: bool,
}

impl WordArgs {
    /// The words of a page; metrics that were named keep their names.
    pub(crate) fn words(self, named: bool) -> Words {
        Words { metrics: named || self.statistics, statistics: self.statistics }
    }
}
