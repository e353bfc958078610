//! `stakes model diff`: where two models differ.

use clap::Args;
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::text::Table;

use crate::terminal::output::{self, print, print_json, print_page};

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
            let rows: Vec<_> = differences
                .iter()
                .map(|d| serde_json::json!({ "what": d.what, "a": d.a, "b": d.b }))
                .collect();
            return print_json(&rows);
        }
        if differences.is_empty() {
            return print("no difference\n");
        }
        let mut table = Table::new(["", self.a.as_str(), self.b.as_str()]);
        differences.iter().for_each(|d| table.row([d.what.clone(), d.a.clone(), d.b.clone()]));
        let mut page = output::page();
        page.table(&table);
        print_page(page)
    }
}
