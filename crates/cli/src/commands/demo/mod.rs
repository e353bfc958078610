//! `stakes demo`: small experiments that show an idea, with data that is made on the spot.

mod theorem;

use clap::{Args, Subcommand};

use crate::terminal::output::print;

/// Show an idea on data that is made on the spot
#[derive(Args)]
pub(crate) struct Demo {
    #[command(subcommand)]
    which: Option<Which>,
}

#[derive(Subcommand)]
enum Which {
    /// Why proxies fail: two orders of the same items, each the best by somebody's measure
    Theorem(theorem::TheoremDemo),
}

impl Demo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.which {
            Some(Which::Theorem(demo)) => demo.run(),
            None => print(
                "demos:\n  theorem   why proxies fail: two orders of the same items, each the best \
                 by somebody's\n            measure, and what the exact search makes of it\n\nto see \
                 one: stakes demo theorem\n",
            ),
        }
    }
}
