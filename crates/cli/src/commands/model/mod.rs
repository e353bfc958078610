//! `stakes model`: what a model file holds, and how two differ.

mod bound;
mod diff;
mod info;

use clap::{Args, Subcommand};

/// Look into model files
#[derive(Args)]
pub(crate) struct ModelCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Info(info::Info),
    Diff(diff::Diff),
}

impl ModelCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Info(command) => command.run(),
            What::Diff(command) => command.run(),
        }
    }
}
