//! `stakes prepare`: from a log of events to lists that can be learnt from.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use stakes::config::Config;
use stakes::io::{Format, check_targets, check_write, target_format};
use stakes::prepare::{ListOf, PrepareOptions, Prepared, prepare};

use crate::args::measures::MeasureArgs;
use crate::args::{FileArgs, read_notes};
use crate::terminal::output::{page, report, watched, written};
use crate::terminal::shell::quoted;

/// Make lists of a log of events, with zeros and history
///
/// A log has a row for each event; a list needs a row for each item that could have been hit, and what was known
/// before. Events of an item in a list are summed, counted, or the highest is taken; with --fill-zeros items to which
/// nothing happened get a row with 0, without which nobody can learn which items are hit. History features come from
/// earlier lists alone: events_last_3, sum_last_3, lists_since_event, sum_weighted. Columns of the log are known with
/// the event, not before it, and are left out unless --attribute names them. Roles are written to stakes.toml beside
/// the output, so that stakes train OUTPUT needs no flags.
#[derive(Args)]
#[command(
    override_usage = "stakes prepare [OPTIONS] --list <LIST> --item <COLUMN> -o <FILE> <LOG>"
)]
pub(crate) struct Prepare {
    /// The log: CSV, TSV, xlsx, Parquet or Arrow IPC
    log: String,

    /// What makes a list: month:DATE, storm, year,region
    ///
    /// A unit of the calendar (day, week, month, quarter, year) and the column of a date, or columns with commas between
    /// them. Lists of a calendar have no gaps.
    #[arg(long, value_name = "LIST")]
    list: ListOf,
    /// The column of the items
    #[arg(long, value_name = "COLUMN")]
    item: String,
    #[command(flatten)]
    measures: MeasureArgs,
    /// Write the further sums and counts too; stakes.toml leaves them out of the features
    #[arg(long, hide_short_help = true)]
    keep_outcomes: bool,
    /// Add items to which nothing happened, with 0
    ///
    /// All items of the log, and those of a joined table of items, in every list.
    #[arg(long)]
    fill_zeros: bool,
    /// Rows that --fill-zeros may make (default: 5 million, and 50 for each event)
    #[arg(long, value_name = "N", hide_short_help = true)]
    max_rows: Option<usize>,
    /// History of the last N lists: 1,3,12
    #[arg(long, value_name = "N", value_delimiter = ',')]
    history: Vec<usize>,
    /// The same history of all items with the same value
    ///
    /// A column of a joined table of items, or of the log (then as of the last event before the list).
    #[arg(long, value_name = "COLUMN")]
    region: Option<String>,
    /// Columns of the log to carry along
    ///
    /// Each has the last value that was known before the list.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    attribute: Vec<String>,
    /// Another table, matched by the item, the list, or both
    ///
    /// By columns of the same name. A table of lists or of both must hold what is known before the list begins.
    #[arg(long, value_name = "FILE")]
    join: Vec<String>,
    /// Where to write; the format by the extension
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// Replace a stakes.toml that is there
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    file: FileArgs,
}

impl Prepare {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.output == "-" {
            bail!("-o is -; roles are written beside the output, so it must be a file");
        }
        let format = target_format(&self.output, None)?;
        check_targets([&self.output], self.join.iter().chain([&self.log]))?;
        let panel = watched(|observer| {
            observer.stage("preparing");
            prepare(&self.log, &self.options())
        })?;
        check_write(&panel.data, &self.output, Some(format))?;
        let config = self.config(&panel, format)?;
        stakes::io::write(&panel.data, &self.output, Some(format))?;
        written(&self.output);
        if let Some((path, text)) = &config {
            stakes::io::write_text(path, text)?;
        }
        read_notes(&panel.notes);
        self.show(&panel, config.is_some());
        Ok(())
    }

    fn options(&self) -> PrepareOptions {
        PrepareOptions {
            file: self.file.options(),
            list: self.list.clone(),
            item: self.item.clone(),
            measures: self.measures.0.clone(),
            keep_outcomes: self.keep_outcomes,
            fill_zeros: self.fill_zeros,
            max_rows: self.max_rows,
            history: self.history.clone(),
            region: self.region.clone(),
            attributes: self.attribute.clone(),
            joins: self.join.clone(),
        }
    }

    /// The stakes.toml to write, and where; none for LETOR, which has roles of its own.
    fn config(&self, panel: &Prepared, format: Format) -> anyhow::Result<Option<(String, String)>> {
        if format == Format::Letor {
            return Ok(None);
        }
        let path = Config::path_beside(&self.output).to_string_lossy().into_owned();
        let name = Path::new(&self.log).file_name().unwrap_or_default().to_string_lossy();
        let title = format!("By `stakes prepare {name}`. Flags win over what is written here.");
        let text = panel.config().to_toml(&title);
        let is_other = |there: Vec<u8>| there != text.as_bytes();
        if !self.force && std::fs::read(&path).is_ok_and(is_other) {
            bail!(
                "{path} is there already, and says something else; nothing was written: --force replaces it, or choose \
                 another folder (-o)"
            );
        }
        Ok(Some((path, text)))
    }

    /// Says what was made, and what comes next.
    fn show(&self, panel: &Prepared, has_config: bool) {
        let mut page = page();
        for (key, text) in panel.summary.lines() {
            page.line(key, &text);
        }
        let output = quoted(&self.output);
        page.gap();
        let config = if has_config { " (roles in stakes.toml)" } else { "" };
        page.text(&format!("written to {}{config}: look at it, then train", self.output));
        page.unbroken(&format!("  stakes inspect {output}"));
        page.unbroken(&format!("  stakes train {output} -o model.json"));
        report(page);
    }
}
