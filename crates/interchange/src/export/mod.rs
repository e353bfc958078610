//! Writing models for programs that run others'.
//!
//! [`TARGETS`] is the one place where formats are enumerated. [`export`] writes a model in one of them, or says
//! what of this model the format cannot hold and which formats can. With the file comes a **parity pack**: rows
//! at and around the model's thresholds, with missing, unseen and extreme values, the scores that the reader must
//! give, and a line of code that compares them there.
//!
//! **Numbers.** Features are 32-bit numbers. A reader of 64-bit numbers decides as we do on every input if it
//! compares with the largest 64-bit number that rounds to the threshold ([`threshold`]); a reader that tests
//! `<` instead of `<=` gets the next 32-bit number. So no value changes its side in any format. [`Precision`] says
//! how near the scores are: the same bits, or the rounding of the reader's sums, computed from the leaves.
//!
//! ```
//! use stakes_interchange::export::{ExportOptions, export, target};
//! use stakes_model::Model;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/model-trees.json");
//! let model = Model::from_json(&std::fs::read(path)?, "model.json")?;
//! let exported = export(&model, &ExportOptions::new(target("lightgbm")?, "model.txt"))?;
//! assert!(exported.bytes.starts_with(b"tree\nversion=v4\n"));
//! assert!(exported.precision.is_exact());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod c;
mod checks;
mod dump;
mod error;
mod flat;
mod lightgbm;
mod names;
mod one_sum;
mod onnx;
mod parity;
mod parts;
mod precision;
mod ranklib;
mod rust;
mod sql;
mod targets;
pub mod threshold;
mod xgboost;

use stakes_model::Model;

pub use error::ExportError;
pub use parity::Parity;
pub use precision::Precision;
pub use targets::{TARGETS, Target, target};

/// The default number of rows of a parity pack.
pub const PARITY_ROWS: usize = 200;

/// How a model is exported.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// The format.
    pub target: &'static Target,
    /// The name that the file will have; the line of code that checks it opens it by this name.
    pub file: String,
    /// The number of rows of the parity pack; 0 for no pack.
    pub parity_rows: usize,
    /// The seed of the rows of the parity pack.
    pub seed: u64,
    /// Whether the rows that will be scored there have no missing values. For formats that treat missing
    /// values in their own way; others refuse it.
    pub no_missing: bool,
}

impl ExportOptions {
    /// The defaults for a format and a file.
    pub fn new(target: &'static Target, file: &str) -> Self {
        let file = file.to_owned();
        ExportOptions { target, file, parity_rows: PARITY_ROWS, seed: 0, no_missing: false }
    }

    /// The name of the file of the parity pack.
    pub fn parity_file(&self) -> String {
        format!("{}.parity.csv", self.file)
    }
}

/// A model in another format.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// What a reader of the file should know: what stays behind, what was renamed, where the reader differs.
    pub notes: Vec<String>,
    /// How near the scores there are to ours.
    pub precision: Precision,
    /// How near the expected costs there are to ours, if they go along.
    pub cost_precision: Option<Precision>,
    /// The rows that show it.
    pub parity: Option<Parity>,
}

/// What a format's writer makes.
struct Written {
    bytes: Vec<u8>,
    notes: Vec<String>,
    precision: Precision,
    /// The names of the features as the file has them.
    names: Vec<String>,
}

/// Writes a model in another format.
pub fn export(model: &Model, options: &ExportOptions) -> Result<Exported, ExportError> {
    let target = options.target;
    if options.no_missing && target.holds_missing {
        return Err(ExportError::NoMissing { target: target.name });
    }
    let reasons = target.refusals(model, options.no_missing);
    if !reasons.is_empty() {
        let others = TARGETS.iter().filter(|other| other.name != target.name);
        let able = others.filter(|other| other.refusals(model, false).is_empty());
        let able = able.map(|other| other.name).collect();
        return Err(ExportError::Refused { target: target.name, reasons, able });
    }
    let Written { bytes, mut notes, precision, names } = (target.write)(model, options);
    notes.extend(parts::left_behind(model, target));
    let calibration = model.calibration.as_ref().filter(|_| target.holds_calibration);
    let cost_precision = calibration.map(|calibration| precision.of_costs(calibration));
    let parity = (options.parity_rows > 0)
        .then(|| parity::pack(model, options, &names, precision, cost_precision));
    Ok(Exported { bytes, notes, precision, cost_precision, parity })
}
