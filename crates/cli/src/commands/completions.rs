//! `stakes completions`: scripts by which shells complete commands and flags, made of the same
//! definitions as the help.
//!
//! They are made by `clap_complete`, which belongs to clap.

use clap::{Args, Command};
use clap_complete::Shell;
use stakes::io::check_targets;

use crate::terminal::output::write_result;

/// Write the script by which a shell completes commands and flags
///
/// Where shells look for it is in docs/shell.md.
#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
    /// Where to write (default: stdout)
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: String,
}

impl Completions {
    pub(crate) fn run(self, mut program: Command) -> anyhow::Result<()> {
        check_targets([&self.output], [] as [&str; 0])?;
        let name = program.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, name, &mut script);
        write_result(&self.output, &String::from_utf8(script)?)
    }
}
