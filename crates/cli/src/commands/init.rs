//! `stakes init`: a first stakes.toml.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use stakes::config::{Config, Guess, GuessOptions};
use stakes::io::{FileOptions, check_targets};
use stakes::text::Page;

use crate::args::{CostArgs, FileArgs, RoleArgs, read_notes};
use crate::terminal::output::{page, print_page, watched, write_text};
use crate::terminal::shell::quoted;

/// Guess which column is what, and write stakes.toml
///
/// Nothing is asked: what flags say is taken as it is, the rest is guessed, and the file says why
/// in comments. Columns that look like outcomes, known only afterwards, are left out of the
/// features. Read the file and correct it; all other commands take roles and goal from there.
#[derive(Args)]
pub(crate) struct Init {
    /// CSV, TSV, xlsx, Parquet, Arrow IPC or LETOR (text also as .gz)
    data: String,

    /// Where to write (default: stakes.toml beside DATA); - is stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<String>,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    cost: CostArgs,

    /// Metric that decides (stakes metrics lists all of them)
    ///
    /// It stops the training in time and selects models. Without @ it takes -k. The default is rcs.
    #[arg(short, long, value_name = "METRIC", help_heading = "Goal")]
    metric: Option<String>,

    #[command(flatten)]
    roles: RoleArgs,
}

impl Init {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.data == "-" {
            bail!("init reads the data twice, and stdin can be read only once; save it to a file");
        }
        let beside = Config::path_beside(&self.data).to_string_lossy().into_owned();
        let output = self.output.as_deref().unwrap_or(&beside);
        if output != "-" {
            if Path::new(output).exists() && !self.force {
                bail!(
                    "{output} is there already; --force replaces it, -o FILE writes another, -o - \
                     shows it"
                );
            }
            check_targets([output], [&self.data])?;
        }
        let given = Config {
            columns: self.roles.roles(),
            file: FileOptions { format: None, ..self.file.options() },
            goal: self.cost.given(self.metric.as_deref())?,
            ..Config::default()
        };
        let options = GuessOptions { file: self.file.options(), given };
        let guess = watched(|observer| {
            observer.stage("reading");
            Config::guess(&self.data, &options)
        })?;
        read_notes(&guess.notes);
        if !guess.has_fixed_columns {
            self.roles.check_group(&guess.config.columns)?;
        }
        let name = Path::new(&self.data).file_name().unwrap_or_default().to_string_lossy();
        let title = format!("By `stakes init {name}`. Flags win over what is written here.");
        write_text(output, &guess.to_toml(&title))?;
        match output {
            "-" => Ok(()),
            output => print_page(self.text(&guess, output, output == beside)),
        }
    }

    fn text(&self, guess: &Guess, output: &str, is_beside: bool) -> Page {
        let mut page = page();
        page.heading("columns");
        if guess.has_fixed_columns {
            page.line("none", "nothing to guess: this format names lists, labels and ids itself");
        }
        if let Some(why) = &guess.without_list {
            page.line("list", &format!("{why} (name it: --list COLUMN)"));
        }
        for reason in guess.reasons.iter().filter(|reason| reason.key != "k") {
            let column =
                reason.column.as_ref().map_or_else(String::new, |name| format!("{name}: "));
            page.line(reason.key, &format!("{column}{}", reason.why));
        }
        if guess.config.columns.impact.is_none() && !guess.has_fixed_columns {
            page.line("impact", "no column looks like one; name it (--impact COLUMN)");
        }
        if let Some(reason) = guess.reasons.iter().find(|reason| reason.key == "k") {
            page.heading("goal");
            page.line("k", &format!("{}: {}", guess.config.goal.goal().reach, reason.why));
        }
        if !guess.questions.is_empty() {
            page.heading("questions");
            guess.questions.iter().for_each(|question| page.hanging("  ", question));
        }
        let config =
            if is_beside { String::new() } else { format!(" --config {}", quoted(output)) };
        let data = quoted(&self.data);
        page.gap();
        page.text(&format!("written to {output}: read it, correct it, then"));
        page.unbroken(&format!("  stakes inspect {data}{config}"));
        page.unbroken(&format!("  stakes train {data}{config} -o model.json"));
        page
    }
}
