//! Models as files of other libraries: `stakes model export`.
//!
//! ```
//! use stakes::export::{ExportRequest, export_file};
//! use stakes::prelude::*;
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! let model = Fit::with_parameters("mart", [("rounds", "3")])?.fit(&storms, &Goal::act_on(3))?;
//! let written = export_file(&model, "model.txt", &ExportRequest::to("lightgbm"))?;
//! println!("{}", written.check.expect("a parity pack goes along")); // a line of Python
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::Serialize;
use stakes_interchange::export::{ExportOptions, PARITY_ROWS, Precision, export, target};
use stakes_io::{check_targets, write_bytes};
use stakes_model::Model;

use crate::Error;

/// What to export.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// The name of the format ([`stakes_interchange::export::TARGETS`]).
    pub to: String,
    /// The number of rows of the parity pack; 0 for none.
    pub parity_rows: usize,
    /// The seed of these rows.
    pub seed: u64,
    /// Whether no value will be missing there, for formats that treat missing values in their own way.
    pub no_missing: bool,
}

impl ExportRequest {
    /// The defaults for a format.
    pub fn to(format: &str) -> Self {
        ExportRequest {
            to: format.to_owned(),
            parity_rows: PARITY_ROWS,
            seed: 0,
            no_missing: false,
        }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExportedFile {
    /// The format.
    pub format: &'static str,
    /// What the file is.
    pub writes: &'static str,
    /// The file.
    pub file: String,
    /// How near the scores of a reader are to ours.
    pub precision: Precision,
    /// How near the expected costs are, if they go along.
    pub cost_precision: Option<Precision>,
    /// The file of the parity pack.
    pub parity: Option<String>,
    /// The number of its rows.
    pub rows: usize,
    /// A line of code that compares the scores there; to be run in the folder of the files.
    pub check: Option<String>,
    /// What a user of the file should know.
    pub notes: Vec<String>,
}

/// Writes a model in another format, and its parity pack beside it. Existing files are replaced only when the new
/// ones are complete. `-` is stdout, without a pack.
pub fn export_file(
    model: &Model,
    path: &str,
    request: &ExportRequest,
) -> Result<ExportedFile, Error> {
    let format = target(&request.to)?;
    let mut options = ExportOptions::new(format, path);
    options.seed = request.seed;
    options.no_missing = request.no_missing;
    options.parity_rows = if path == "-" { 0 } else { request.parity_rows };
    let parity_file = options.parity_file();
    let packed = options.parity_rows > 0;
    check_targets([path].into_iter().chain(packed.then_some(parity_file.as_str())), [""; 0])?;
    let exported = export(model, &options)?;
    let (mut rows, mut check) = (0, None);
    if let Some(parity) = exported.parity {
        write_bytes(&parity_file, &parity.bytes)?;
        rows = parity.rows;
        check = Some(parity.check);
    }
    write_bytes(path, &exported.bytes)?;
    Ok(ExportedFile {
        format: format.name,
        writes: format.writes,
        file: path.to_owned(),
        precision: exported.precision,
        cost_precision: exported.cost_precision,
        parity: packed.then_some(parity_file),
        rows,
        check,
        notes: exported.notes,
    })
}
