//! An unfinished tuning as a file: the header of a checkpoint, and a line for each trial with its
//! results so far.

use serde::Deserialize;

use super::goal::GoalRecord;
use super::layout::Bracket;
use super::shape::{DataFile, Texts, unique};
use super::{FileShape, Invalid, Kind, header, invalid, parse, write};
use crate::Checkpoint;
use crate::ModelError;
use crate::{Trial, UnfinishedTuning};

/// Far above any number of trials that can be run.
const MAX_TRIALS: usize = 1_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TuningFile {
    format: String,
    version: u64,
    #[serde(rename = "program")]
    _program: String,
    learner: String,
    #[serde(deserialize_with = "unique")]
    parameters: Texts,
    seed: String,
    goal: GoalRecord,
    data: DataFile,
    validation: Option<DataFile>,
    trials: Vec<Trial>,
}

impl FileShape for TuningFile {
    const KIND: Kind = Kind::Tuning;
    fn header(&self) -> (&str, u64) {
        (&self.format, self.version)
    }
}

impl UnfinishedTuning {
    /// The text of the tuning file.
    pub fn to_json(&self) -> String {
        let run = &self.run;
        let mut page = write::begin(
            Kind::Tuning,
            &run.learner,
            &run.parameters,
            run.seed,
            (&run.goal, &run.columns),
        );
        page.field("data", &DataFile::from(&run.data));
        page.field("validation", &run.validation.as_ref().map(DataFile::from));
        page.spread("trials", Bracket::Array, |page| {
            self.trials.iter().for_each(|trial| page.item(trial));
        });
        page.finish()
    }

    /// Reads a tuning file; `source` names the file in error messages.
    pub fn from_json(bytes: &[u8], source: &str) -> Result<UnfinishedTuning, ModelError> {
        let file: TuningFile = parse(bytes, source)?;
        checked(file).map_err(|invalid| invalid.in_file(source))
    }
}

fn checked(file: TuningFile) -> Result<UnfinishedTuning, Invalid> {
    header::at_most("trials", file.trials.len(), MAX_TRIALS)?;
    let results = file.trials.iter().flat_map(|trial| &trial.rungs);
    if let Some(rung) = { results }.find(|rung| !rung.value.is_finite()) {
        return Err(invalid(
            "trials",
            format!("has the value {}; values must be finite", rung.value),
        ));
    }
    let (goal, columns) = file.goal.check().map_err(|invalid| invalid.under("goal"))?;
    let run = Checkpoint {
        learner: header::learner(file.learner)?,
        parameters: file.parameters,
        seed: header::seed(&file.seed)?,
        goal,
        columns,
        features: Vec::new(),
        data: header::data(&file.data).map_err(|invalid| invalid.under("data"))?,
        validation: (file.validation.as_ref().map(header::data).transpose())
            .map_err(|invalid| invalid.under("validation"))?,
        stages: Vec::new(),
    };
    Ok(UnfinishedTuning { run, trials: file.trials })
}
