//! `stakes convert`: from any format to any other, values kept.

use clap::Args;
use stakes::io::Format;

use crate::args::DataArgs;
use crate::output::{counted, note};

/// Convert data between CSV, TSV, Parquet, Arrow IPC and LETOR
///
/// Numbers keep their full 64-bit precision and columns their order; rows of a list are put
/// together. Only LETOR, from and to, is different: its features are 32-bit numbers.
#[derive(Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    data: DataArgs,
    /// Where to write (the name tells the format; .gz packs text); - is stdout
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// Format to write, if the name does not tell (stdout: csv)
    #[arg(long, value_name = "NAME")]
    to: Option<Format>,
}

impl Convert {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let to = self.to.or((self.output == "-").then_some(Format::Csv));
        let data = match to.or_else(|| Format::from_path(&self.output)) {
            Some(Format::Letor) => self.data.read(Vec::new(), Vec::new())?,
            _ => self.data.read_exact()?,
        };
        stakes::io::write(&data, &self.output, to)?;
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
