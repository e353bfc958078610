//! `stakes model`: what a model file holds, how two differ, and models of other libraries.

mod bound;
mod diff;
mod import;
mod info;

use clap::{Args, Subcommand};

/// Look into model files; import those of other libraries
#[derive(Args)]
pub(crate) struct ModelCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Info(info::Info),
    Diff(diff::Diff),
    Import(import::Import),
}

impl ModelCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Info(command) => command.run(),
            What::Diff(command) => command.run(),
            What::Import(command) => command.run(),
        }
    }
}
