//! How lists that a model was trained on are scored.

use clap::Args;
use stakes::scoring::SeenLists;

#[derive(Args, Clone, Copy)]
pub(crate) struct SeenArgs {
    /// Score lists of the training by the model itself
    ///
    /// By default lists that the model was trained on are scored by models that were not, where the model
    /// keeps these scores: its own would flatter it. For lists that have come again with the same features.
    #[arg(long, requires = "model", hide_short_help = true)]
    pub(crate) fitted: bool,
}

impl From<SeenArgs> for SeenLists {
    fn from(args: SeenArgs) -> Self {
        if args.fitted { SeenLists::Fitted } else { SeenLists::OutOfFold }
    }
}
