//! `stakes demo`: small experiments that show an idea, with data that is made on the spot.

mod theorem;

use clap::{Args, Subcommand};

use crate::terminal::output::{self, print_page};

/// Show an idea on data that is made on the spot
#[derive(Args)]
pub(crate) struct Demo {
    #[command(subcommand)]
    which: Option<Which>,
}

#[derive(Subcommand)]
enum Which {
    /// Why proxies fail: two orders, each the best by some measure
    Theorem(theorem::TheoremDemo),
}

impl Demo {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.which {
            Some(Which::Theorem(demo)) => demo.run(),
            None => {
                let mut page = output::page();
                page.text("demos:");
                page.hanging(
                    "  theorem   ",
                    "why proxies fail: two orders of the same items, each the best by some \
                     measure, and what the exact search finds",
                );
                page.gap();
                page.text("to see one: stakes demo theorem");
                print_page(page)
            }
        }
    }
}
