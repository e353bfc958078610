//! The help of all commands, laid out alike: what the command does, two examples, its usage, its
//! arguments and options, and last the columns. Short help (-h) fits one screen: it has what a first
//! run needs and says where the rest is.

mod elsewhere;
mod examples;

use clap::{Arg, ArgAction, Command};

use crate::terminal::screen;

pub(crate) use elsewhere::with_hint;
pub(crate) use examples::of as examples;

/// Wider lines are hard to read, however wide the terminal is.
const MAX_WIDTH: usize = 100;

/// The place of --version: the last but one, before --help.
const VERSION: usize = 998;

const TEMPLATE: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// Gives a command and those below it their help.
pub(crate) fn with_help(command: Command) -> Command {
    let path = command.get_name().to_owned();
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    let version = version.help("Print the version").global(true).hide_short_help(true);
    let version = version.display_order(VERSION);
    let command = command.disable_version_flag(true).arg(version);
    lay_out(command.term_width(screen::layout().width.min(MAX_WIDTH)), &path)
}

fn lay_out(command: Command, path: &str) -> Command {
    let below: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command = below.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |below| lay_out(below, &format!("{path} {name}")))
    });
    let heading = *command.get_styles().get_header();
    let lines: String = examples(path).iter().map(|line| format!("\n  {line}")).collect();
    command
        .help_template(TEMPLATE)
        .before_help(format!("{heading}Examples:{heading:#}{lines}"))
        .after_help(format!("More options: {path} --help"))
        .after_long_help("")
}
