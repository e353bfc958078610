//! How far down each list actions reach.

use anyhow::bail;
use clap::Args;
use stakes::cost::Capacity;
use stakes::goal::Reach;

#[derive(Args, Clone, Copy)]
pub(crate) struct ReachArgs {
    /// Items of a list to act on (default: as in training)
    ///
    /// 10, or 12.5% (of the mean list length, rounded up).
    #[arg(short, long, value_name = "K", allow_negative_numbers = true)]
    k: Option<Capacity>,
    /// Money to spend in each list instead of a number of items (needs --price)
    ///
    /// --price is not needed if a column had that role in training.
    #[arg(
        long,
        value_name = "MONEY",
        conflicts_with = "k",
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    budget: Option<f64>,
}

impl ReachArgs {
    /// The reach that was asked for, if any was.
    pub(crate) fn asked(self) -> anyhow::Result<Option<Reach>> {
        match self.budget {
            Some(money) if !(money > 0.0 && money.is_finite()) => {
                bail!("--budget is {money}; it must be a finite number above 0")
            }
            Some(money) => Ok(Some(Reach::Money(money))),
            None => Ok(self.k.map(Reach::from)),
        }
    }

    /// The flag that was given, if one was.
    pub(crate) fn flag(self) -> Option<&'static str> {
        self.k.map(|_| "-k").or(self.budget.map(|_| "--budget"))
    }
}
