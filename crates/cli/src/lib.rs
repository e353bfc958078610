//! The program `stakes`: reads the command line, calls the library, prints the result.
//!
//! It is a library, of [`main`] above all, so that the Python package can be the program, too.

mod args;
mod commands;
mod help;
mod host;
mod terminal;

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

use commands::{
    audit, backtest, certify, compare, completions, convert, demo, evaluate, explain, generate,
    glossary, init, inspect, learners, man, metrics, mitigate, model, monitor, plan, prepare, rank,
    report, reproduce, serve, split, train,
};
use stakes::jobs::Jobs;
use terminal::{interrupt, output, style, verbosity};

pub use host::{Host, OpenRay};

/// The version, and the commit if the program was built from a clone of its repository.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("STAKES_COMMIT"));

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;
/// Of `stakes monitor`: something is past its limit.
const ALARM: u8 = 2;

/// The place in help of what all commands have: after a command's own options.
const LAST: usize = 900;

/// Rank what can be acted on so that the most cost is saved, and prove it.
///
/// Data are lists of items (storms and the networks they hit, months and restaurants) with the
/// cost of each item. Name the columns (--list, --impact, --id) and the number of items that can
/// be acted on (-k); Stakes learns to rank by the cost saved, and measures any ranking by it.
#[derive(Parser)]
#[command(name = "stakes", version = VERSION, arg_required_else_help = true, propagate_version = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Threads to use (default: STAKES_THREADS, or all cores). Results never depend on it
    #[arg(
        long,
        global = true,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(1..=1024),
        display_order = LAST,
        hide_short_help = true
    )]
    threads: Option<u16>,

    /// Only errors and results: no notes, no progress
    ///
    /// Training shows no summary either, unless --json asks for it.
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = LAST)]
    quiet: bool,

    /// Say what is read, trained and written, and how
    ///
    /// On stderr: the size of the data, the stages of training, the files.
    #[arg(short, long, global = true, display_order = LAST)]
    verbose: bool,

    /// Colours: auto (where the terminal has them and NO_COLOR is not set), always or never
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value_t = ColorChoice::Auto,
        hide_possible_values = true,
        display_order = LAST,
        hide_short_help = true
    )]
    color: ColorChoice,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant)] // There is one, and it lives as long as the program.
enum Command {
    Prepare(prepare::Prepare),
    Init(init::Init),
    Inspect(inspect::Inspect),
    Train(train::Train),
    Rank(rank::Rank),
    Plan(plan::PlanCommand),
    Serve(serve::Serve),
    #[command(
        mut_arg("group", report::group_help),
        mut_arg("time", |arg| arg.hide_short_help(true)),
        mut_arg("drop", |arg| arg.hide_short_help(true))
    )]
    Report(report::ReportCommand),
    Evaluate(evaluate::Evaluate),
    #[command(
        alias = "fair",
        mut_arg("data", audit::data_unless_framework),
        mut_arg("group", audit::group_help),
        mut_arg("time", |arg| arg.hide_short_help(true)),
        mut_arg("drop", |arg| arg.hide_short_help(true)),
        mut_arg("run", |arg| arg.hide(true)),
        mut_arg("all_topics", |arg| arg.hide(true))
    )]
    Audit(audit::Audit),
    #[command(
        mut_arg("group", mitigate::group_help),
        mut_arg("time", |arg| arg.hide_short_help(true)),
        mut_arg("drop", |arg| arg.hide_short_help(true))
    )]
    Mitigate(mitigate::Mitigate),
    Compare(compare::Compare),
    Backtest(backtest::Backtest),
    Explain(explain::Explain),
    #[command(mut_arg("time", |arg| arg.hide_short_help(true)))]
    Monitor(monitor::Monitor),
    Certify(certify::Certify),
    Model(model::ModelCommand),
    Convert(convert::Convert),
    Split(split::Split),
    Generate(generate::Generate),
    Learners(learners::Learners),
    Metrics(metrics::Metrics),
    Glossary(glossary::Glossary),
    Reproduce(reproduce::Reproduce),
    // For a few: docs/exact.md and docs/shell.md name them, and the list of commands has to fit a screen.
    #[command(hide = true)]
    Demo(demo::Demo),
    #[command(hide = true)]
    Completions(completions::Completions),
    #[command(hide = true)]
    Help(commands::help::HelpCommand),
    #[command(hide = true)]
    Man(man::ManPages),
}

/// The whole command line, with its help.
fn command_line() -> clap::Command {
    help::with_help(Cli::command())
}

/// Runs the program with these words of a command line, the first of which is its name, and returns the exit
/// code. Help and mistakes in the command line end the process.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    main_of(words, Host::default())
}

/// As [`main`], run by somebody who can do more than a shell.
pub fn main_of(words: impl IntoIterator<Item = OsString>, host: Host) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    match outcome(words, host) {
        Ok(_) if interrupt::happened() => interrupt::EXIT_CODE,
        Ok(code) => code,
        // The reader went away (`stakes metrics | head`).
        Err(error) if output::is_broken_pipe(&error) => SUCCESS,
        Err(error) => {
            output::error(output::explain(&error));
            FAILURE
        }
    }
}

/// Does what these words say, and returns the exit code.
fn outcome(words: Vec<OsString>, host: Host) -> anyhow::Result<u8> {
    if asks_for_version(&words) {
        return output::print(&format!("stakes {VERSION}\n")).map(|()| SUCCESS);
    }
    let typed: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let matches = command_line()
        .try_get_matches_from(words)
        .unwrap_or_else(|error| refuse(&help::with_hint(error, command_line(), &typed), &typed));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    run(cli, host)
}

/// Whether nothing but the version is asked for: what scripts do to see whether the program is there need not
/// wait for all commands and their help.
fn asks_for_version(words: &[OsString]) -> bool {
    words.len() == 2 && (words[1] == "--version" || words[1] == "-V")
}

/// Does one job of a command that gave it out ([`Host::with_ray`]), with the threads of the caller: the same words, quietly,
/// and without writing anything. [`Jobs::result`] has what it came to; if that is nothing, the error says why.
pub fn one_job(words: impl IntoIterator<Item = OsString>, jobs: &Jobs) -> Result<(), String> {
    let matches = command_line().try_get_matches_from(words).map_err(|error| error.to_string())?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.to_string())?;
    interrupt::leave_to_host();
    verbosity::set(true, false);
    let host = Host { only: jobs.clone(), ..Host::default() };
    done(cli.command, &host).map(drop).map_err(|error| output::explain(&error))
}

/// Shows help, or what is wrong with a command line, and ends.
fn refuse(error: &clap::Error, typed: &[String]) -> ! {
    let commands = command_line();
    let command = typed.iter().skip(1).find_map(|word| commands.find_subcommand(word));
    if error.use_stderr() && command.is_some_and(|command| command.get_name() == "monitor") {
        // There the usual code of wrong flags says that something is past its limit.
        let _ = error.print();
        std::process::exit(FAILURE.into());
    }
    error.exit()
}

fn run(cli: Cli, host: Host) -> anyhow::Result<u8> {
    verbosity::set(cli.quiet, cli.verbose);
    style::choose(cli.color);
    stakes::processor::check_environment().map_err(anyhow::Error::msg)?;
    let threads = cli.threads.map_or_else(threads_of_environment, |n| Ok(Some(n)))?;
    let threads = threads.map(usize::from);
    if let Some(threads) = threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    }
    done(cli.command, &Host { threads, ..host })
}

/// Does what a command says, and returns the exit code.
fn done(command: Command, host: &Host) -> anyhow::Result<u8> {
    let done = match command {
        Command::Monitor(command) => {
            return Ok(if command.run()? { ALARM } else { SUCCESS });
        }
        Command::Prepare(command) => command.run(),
        Command::Init(command) => command.run(),
        Command::Inspect(command) => command.run(),
        Command::Evaluate(command) => command.run(),
        Command::Audit(command) => command.run(),
        Command::Mitigate(command) => command.run(),
        Command::Compare(command) => command.run(host),
        Command::Backtest(command) => command.run(host),
        Command::Explain(command) => command.run(),
        Command::Certify(command) => command.run(),
        Command::Reproduce(command) => command.run(),
        Command::Demo(command) => command.run(),
        Command::Train(command) => command.run(host),
        Command::Rank(command) => command.run(),
        Command::Plan(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Model(command) => command.run(),
        Command::Split(command) => command.run(),
        Command::Learners(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Generate(command) => command.run(),
        Command::Metrics(command) => command.run(),
        Command::Glossary(command) => command.run(),
        Command::Completions(command) => command.run(command_line()),
        Command::Help(command) => command.run(command_line()),
        Command::Man(command) => command.run(command_line()),
    };
    done.map(|()| SUCCESS)
}

/// The number of threads that the environment asks for, if it does.
fn threads_of_environment() -> anyhow::Result<Option<u16>> {
    let Some(text) = std::env::var_os("STAKES_THREADS").filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let text = text.to_string_lossy();
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(Some(threads)),
        _ => anyhow::bail!("STAKES_THREADS is `{text}`; allowed are 1 to 1024"),
    }
}
