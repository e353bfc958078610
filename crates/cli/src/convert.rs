//! `stakes convert`: from any format to any other, bits kept.

use clap::Args;
use stakes::io::Format;

use crate::args::DataArgs;
use crate::output::{note, shape};

/// Convert data between CSV, TSV, Parquet, Arrow IPC and LETOR
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
        let data = self.data.read(Vec::new())?;
        let to = self.to.or((self.output == "-").then_some(Format::Csv));
        stakes::io::write(&data, &self.output, to)?;
        if self.output == "-" {
            return Ok(());
        }
        note(format!("{} written to {}", shape(&data), self.output));
        Ok(())
    }
}
