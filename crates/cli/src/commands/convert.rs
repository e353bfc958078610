//! `stakes convert`: from any format to any other, values kept.

use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use stakes::data::lost_by_writing;
use stakes::eval::study::Scores;
use stakes::evaluate::scores::check_finite;
use stakes::io::{Format, UnknownFormat, check_targets, target_format};

use crate::args::{DataArgs, note_config};
use crate::terminal::hints;
use crate::terminal::output::{counted, note, written};

/// Convert data: CSV, TSV, xlsx, Parquet, Arrow IPC, LETOR, TREC
///
/// TREC qrels and runs are written, not read; stakes evaluate --run reads them.
///
/// Numbers keep their full 64-bit precision and columns their order; rows of a list are put
/// together. Only LETOR, from and to, is different: its features are 32-bit numbers.
#[derive(Args)]
pub(crate) struct Convert {
    /// Where to write (.gz compresses text); - is stdout
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// Format to write (default: by the extension; stdout: csv)
    ///
    /// csv, tsv, xlsx, parquet, arrow, letor, qrels (the impacts, for trec_eval), or run (a score's order;
    /// needs --score).
    #[arg(long, value_name = "NAME")]
    to: Option<Target>,
    /// With --to run: the column whose order is written
    #[arg(short, long, value_name = "COLUMN")]
    score: Option<String>,

    #[command(flatten)]
    data: DataArgs,
}

/// The formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Data(Format),
    Qrels,
    Run,
}

impl FromStr for Target {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "qrels" => Ok(Target::Qrels),
            "run" => Ok(Target::Run),
            name => name.parse().map(Target::Data),
        }
    }
}

impl Convert {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let target = match self.to {
            Some(target) => target,
            None if self.output == "-" => Target::Data(Format::Csv),
            None => Target::Data(target_format(&self.output, None)?),
        };
        if self.score.is_some() && target != Target::Run {
            bail!("--score is the order that a run holds; it goes with --to run");
        }
        check_targets([&self.output], [&self.data.data])?;
        let config = self.data.load_config(true)?.for_copying();
        note_config(&config, &self.data.use_config(&config)?);
        let data = match target {
            Target::Data(Format::Letor) => self.data.read(Vec::new(), Vec::new())?,
            Target::Run => self.data.read(self.score.clone().into_iter().collect(), Vec::new())?,
            _ => self.data.read_exact(Vec::new())?,
        };
        match target {
            Target::Qrels => stakes::io::write_qrels(&data, &self.output)?,
            Target::Run => {
                let name = self.score.as_deref().context("--to run needs --score COLUMN")?;
                let scores = Scores { name: name.to_owned(), values: data.numbers(name)? };
                check_finite(&data, &scores)?;
                stakes::io::write_run(&data, &scores.values, name, &self.output)?;
            }
            Target::Data(format) => {
                stakes::io::write(&data, &self.output, Some(format))?;
                lost_by_writing(&data, format).iter().for_each(hints::note);
            }
        }
        if self.output == "-" {
            return Ok(());
        }
        written(&self.output);
        let [items, lists, columns] = [
            counted(data.len(), "item"),
            counted(data.n_lists(), "list"),
            counted(data.columns().names().count(), "column"),
        ];
        note(format!("{items} in {lists}, {columns} written to {}", self.output));
        Ok(())
    }
}
