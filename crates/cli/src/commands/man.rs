//! `stakes man`: manual pages, made of the same definitions as the help.
//!
//! They are made by `clap_mangen`, which belongs to clap.

use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use stakes::io::check_targets;
use stakes::suggest::hint;

use crate::help::examples;
use crate::terminal::output::{counted, note, print, write_text};

/// Show the manual page of a command, or write those of all commands
///
/// A page is shown as it is written, for man to format: stakes man train | man -l -
#[derive(Args)]
pub(crate) struct ManPages {
    /// The command: train, or model info (default: stakes itself)
    command: Vec<String>,
    /// Folder to write the pages of all commands to
    #[arg(short, long, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<String>,
}

impl ManPages {
    pub(crate) fn run(self, program: Command) -> anyhow::Result<()> {
        let mut program = program.disable_help_subcommand(true);
        program.build();
        match &self.output {
            Some(folder) => write_all(&program, folder),
            None => print(&page(find(&program, &self.command)?)?),
        }
    }
}

/// The command of these names.
fn find<'c>(program: &'c Command, names: &[String]) -> anyhow::Result<&'c Command> {
    names.iter().try_fold(program, |command, name| {
        let found = command.find_subcommand(name);
        found.with_context(|| {
            let known: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            format!("{} has no command `{name}`; {}", path(command), hint(name, known))
        })
    })
}

fn write_all(program: &Command, folder: &str) -> anyhow::Result<()> {
    if !Path::new(folder).is_dir() {
        bail!("{folder}: there is no such folder; make it first (mkdir -p {folder})");
    }
    let commands = with_all_below(program);
    let file = |command: &&Command| {
        let name = format!("{}.1", path(command).replace(' ', "-"));
        Path::new(folder).join(name).to_string_lossy().into_owned()
    };
    let files: Vec<String> = commands.iter().map(file).collect();
    check_targets(&files, [] as [&str; 0])?;
    for (command, file) in commands.iter().zip(&files) {
        write_text(file, &page(command)?)?;
    }
    note(format!("{} written to {folder}", counted(files.len(), "page")));
    Ok(())
}

/// A command and all below it.
fn with_all_below(command: &Command) -> Vec<&Command> {
    // Of help itself there is none.
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let below = below.flat_map(with_all_below);
    [command].into_iter().chain(below).collect()
}

/// The name of a command as it is typed.
fn path(command: &Command) -> &str {
    command.get_bin_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> anyhow::Result<String> {
    // What is left out of short help has its place here.
    let mut command = command.clone().mut_args(|arg| arg.hide_short_help(false));
    let version = command.get_version().unwrap_or_default();
    let man = Man::new(command.clone()).source(format!("stakes {version}"));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    // Its own synopsis names all flags, which follow anyway.
    let usage = command.render_usage().to_string();
    section(&mut page, "SYNOPSIS", [usage.trim_start_matches("Usage: ")])?;
    man.render_description_section(&mut page)?;
    section(&mut page, "EXAMPLES", examples(path(&command)).iter().copied())?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(String::from_utf8(page)?)
}

/// A section of lines as they are.
fn section<'l>(
    page: &mut Vec<u8>,
    title: &str,
    lines: impl IntoIterator<Item = &'l str>,
) -> anyhow::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", [title]).control("nf", []);
    for line in lines {
        roff.text([roman(line)]);
    }
    Ok(roff.control("fi", []).to_writer(page)?)
}
