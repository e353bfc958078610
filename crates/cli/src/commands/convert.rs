//! `stakes convert`: from any format to any other, values kept.

use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use stakes::data::lost_by_writing;
use stakes::eval::study::Scores;
use stakes::evaluate::scores::check_finite;
use stakes::io::{Format, UnknownFormat, check_targets, target_format};

use crate::args::DataArgs;
use crate::terminal::hints;
use crate::terminal::output::{counted, note};

/// Convert data between CSV, TSV, Parquet, Arrow IPC and LETOR, and to TREC qrels and runs
///
/// Numbers keep their full 64-bit precision and columns their order; rows of a list are put
/// together. Only LETOR, from and to, is different: its features are 32-bit numbers.
#[derive(Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    data: DataArgs,
    /// Where to write (format from the extension; .gz compresses text); - is stdout
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// Format to write (default: from the extension; stdout: csv): csv, tsv, parquet, arrow,
    /// letor, qrels (the impacts, for trec_eval), or run (a score's order; needs --score)
    #[arg(long, value_name = "NAME")]
    to: Option<Target>,
    /// With --to run: the column whose order is written
    #[arg(long, value_name = "COLUMN")]
    score: Option<String>,
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
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let target = match self.to {
            Some(target) => target,
            None if self.output == "-" => Target::Data(Format::Csv),
            None => Target::Data(target_format(&self.output, None)?),
        };
        if self.score.is_some() && target != Target::Run {
            bail!("--score is the order that a run holds; it goes with --to run");
        }
        check_targets([&self.output], [&self.data.data])?;
        let data = match target {
            Target::Data(Format::Letor) => self.data.read(Vec::new(), Vec::new())?,
            Target::Run => self.data.read(self.score.clone().into_iter().collect(), Vec::new())?,
            _ => self.data.read_exact()?,
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
        let [items, lists, columns] = [
            counted(data.len(), "item"),
            counted(data.n_lists(), "list"),
            counted(data.columns().names().count(), "column"),
        ];
        note(format!("{items} in {lists}, {columns} written to {}", self.output));
        Ok(())
    }
}
