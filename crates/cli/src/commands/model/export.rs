//! `stakes model export`: a model as a file of another library.

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use stakes::export::{ExportRequest, ExportedFile, export_file};
use stakes::interchange::export::{PARITY_ROWS, Precision, TARGETS};
use stakes::io::check_targets;
use stakes::model::Model;
use stakes::model_file::ModelFile;

use crate::terminal::output::{self, counted, note, print_page, print_report};

/// Write a model for another program
///
/// Everything that the score needs goes along, or the format refuses the model and says what it cannot hold.
/// Beside the file goes a parity pack, FILE.parity.csv: rows at the model's thresholds, with missing, unseen and
/// extreme values, and the scores that the other program must give; the line that checks it there is printed.
#[derive(Args)]
pub(crate) struct Export {
    /// The model
    model: String,
    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(TARGETS.iter().map(|t| t.name)))]
    to: String,
    /// Where to write; - is stdout
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// Rows of the parity pack
    #[arg(long, value_name = "N", default_value_t = PARITY_ROWS, conflicts_with = "no_parity",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000).map(|n| n as usize))]
    parity_rows: usize,
    /// No parity pack
    #[arg(long)]
    no_parity: bool,
    /// No value will be missing there (ranklib, es-ltr)
    ///
    /// These formats treat a missing value in a way of their own. Without this flag they refuse models that treat it
    /// otherwise.
    #[arg(long)]
    no_missing: bool,
    /// Seed of the rows of the parity pack
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let to_stdout = self.output == "-";
        if to_stdout && self.json {
            bail!(
                "--json says what was written on stdout, and -o - writes the model there; leave one out"
            );
        }
        check_targets([&self.output], [&self.model])?;
        let model = Model::load(&self.model)?;
        let request = ExportRequest {
            to: self.to,
            parity_rows: if self.no_parity { 0 } else { self.parity_rows },
            seed: self.seed,
            no_missing: self.no_missing,
        };
        let written = export_file(&model, &self.output, &request)?;
        match (self.json, to_stdout) {
            (true, _) => print_report(&written),
            (_, true) => {
                written.notes.iter().for_each(note);
                Ok(())
            }
            (_, false) => show(&written),
        }
    }
}

fn show(written: &ExportedFile) -> anyhow::Result<()> {
    let mut page = output::page();
    page.heading("Written");
    page.line("model", &format!("{}: {}", written.file, written.writes));
    if let Some(parity) = &written.parity {
        let rows = counted(written.rows, "row");
        page.line("parity pack", &format!("{parity}: {rows} with the scores that it must give"));
    }
    let within = |precision: Precision| match precision.is_exact() {
        true => "the same to the bit".to_owned(),
        false => format!(
            "within {:.1e} + {:.1e} x |value| of ours",
            precision.absolute, precision.relative
        ),
    };
    page.line("scores", &within(written.precision));
    if let Some(precision) = written.cost_precision {
        page.line("costs", &within(precision));
    }
    for text in &written.notes {
        page.line("note", text);
    }
    print_page(page)?;
    if let Some(check) = &written.check {
        output::print(&format!("\nCheck it there, in the folder of the two files:\n{check}\n"))?;
    }
    Ok(())
}
