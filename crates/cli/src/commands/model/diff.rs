//! `stakes model diff`: where two models differ.

use clap::Args;
use stakes::model::Model;
use stakes::model_file::ModelFile;

use crate::terminal::output::{print, print_report, table};

/// Show where two models differ
#[derive(Args)]
pub(crate) struct Diff {
    /// A model
    a: String,
    /// Another
    b: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Diff {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (a, b) = (Model::load(&self.a)?, Model::load(&self.b)?);
        let differences = stakes::model::diff(&a, &b);
        if self.json {
            return print_report(&differences);
        }
        if differences.is_empty() {
            return print("no difference\n");
        }
        let header = ["", &self.a, &self.b].map(str::to_owned);
        let rows: Vec<Vec<String>> =
            differences.iter().map(|d| vec![d.what.clone(), d.a.clone(), d.b.clone()]).collect();
        print(&table(&header, &rows))
    }
}
