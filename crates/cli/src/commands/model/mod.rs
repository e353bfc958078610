//! `stakes model`: what a model file holds, how two differ, and models of and for other programs.

mod bound;
mod diff;
mod export;
mod import;
mod info;

use clap::{Args, Subcommand};

/// Look into model files; export them, import others
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
    Import(Box<import::Import>),
}

impl ModelCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Info(command) => command.run(),
            What::Diff(command) => command.run(),
            What::Export(command) => command.run(),
            What::Import(command) => command.run(),
        }
    }
}
