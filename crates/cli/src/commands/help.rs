//! `stakes help train`: the same as `stakes train --help`, for who types it so.

use anyhow::bail;
use clap::{Args, Command};

/// Print the help of a command
#[derive(Args)]
pub(crate) struct HelpCommand {
    /// The words of the command: train, model info
    command: Vec<String>,
}

impl HelpCommand {
    pub(crate) fn run(self, mut program: Command) -> anyhow::Result<()> {
        program.build();
        let mut found = &mut program;
        for word in &self.command {
            let Some(below) = found.find_subcommand_mut(word) else {
                bail!("there is no command `{}`; stakes --help lists them", self.command.join(" "));
            };
            found = below;
        }
        Ok(found.print_long_help()?)
    }
}
