//! `stakes model`: what a model file holds, how two differ, and models for other programs.

mod bound;
mod diff;
mod export;
mod info;

use clap::{Args, Subcommand};

/// Look into model files, or write them for other programs
#[derive(Args)]
pub(crate) struct ModelCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Info(info::Info),
    Diff(diff::Diff),
    Export(export::Export),
}

impl ModelCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Info(command) => command.run(),
            What::Diff(command) => command.run(),
            What::Export(command) => command.run(),
        }
    }
}
