//! An unfinished tuning as a file: what its checkpoint would begin with, and a line for each
//! trial with what is known of it.

use serde::Deserialize;

use super::layout::Bracket;
use super::shape::{DataFile, GoalFile, Texts, unique};
use super::{Bad, FileShape, Kind, bad, check, parse, write};
use crate::Checkpoint;
use crate::ModelError;
use crate::{Trial, Unfinished};

/// More are not tried.
const MOST_TRIALS: usize = 1_000_000;

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
    goal: GoalFile,
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

impl Unfinished {
    /// The unfinished tuning as a file.
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

    /// Reads an unfinished tuning; `source` is what messages call the file.
    pub fn from_json(bytes: &[u8], source: &str) -> Result<Unfinished, ModelError> {
        let file: TuningFile = parse(bytes, source)?;
        checked(file).map_err(|bad| bad.of(source))
    }
}

fn checked(file: TuningFile) -> Result<Unfinished, Bad> {
    check::few("trials", file.trials.len(), MOST_TRIALS)?;
    let known = file.trials.iter().flat_map(|trial| &trial.rungs);
    if let Some(rung) = { known }.find(|rung| !rung.value.is_finite()) {
        return Err(bad("trials", format!("a value is {}; finite ones are needed", rung.value)));
    }
    let (goal, columns) = check::goal(file.goal).map_err(|bad| bad.under("goal"))?;
    let run = Checkpoint {
        learner: check::learner(file.learner)?,
        parameters: file.parameters,
        seed: check::seed(&file.seed)?,
        goal,
        columns,
        features: Vec::new(),
        data: check::data(&file.data).map_err(|bad| bad.under("data"))?,
        validation: (file.validation.as_ref().map(check::data).transpose())
            .map_err(|bad| bad.under("validation"))?,
        stages: Vec::new(),
    };
    Ok(Unfinished { run, trials: file.trials })
}
