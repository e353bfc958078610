//! Checkpoints and unfinished tunings: what is parsed is written as equivalent text, and a damaged one is
//! refused or resumed.

use std::sync::OnceLock;

use stakes_learn::tune::{self, Trial, Tuned, UnfinishedTuning};
use stakes_learn::{
    Checkpoint, Configured, FitContext, FitError, Flow, Learner, Observer, Round, learner,
};
use stakes_model::Fingerprint;

use crate::world::{check_training, shorten, with_storms};
use crate::{accepted, model};

/// A checkpoint of any learner.
pub fn checkpoint(data: &[u8]) {
    let damaged = match Checkpoint::from_json(data, "fuzz") {
        Ok(checkpoint) => checkpoint,
        Err(error) => return assert!(error.to_string().starts_with("fuzz:"), "{error}"),
    };
    let text = damaged.to_json();
    let again = Checkpoint::from_json(text.as_bytes(), "again").expect("what we wrote");
    assert_eq!(again.to_json(), text);
    let Some(learner) = accepted(short(&damaged.learner)) else { return };
    // Of another run it would be refused before anything else is looked at.
    let resume = with_storms(|problem, validation| Checkpoint {
        learner: learner.name().to_owned(),
        parameters: learner.texts(),
        seed: 0,
        goal: problem.goal().clone(),
        data: Fingerprint::of(problem).expect("features in memory"),
        validation: Some(Fingerprint::of(validation).expect("features in memory")),
        ..damaged.clone()
    });
    for difference in damaged.differences(&resume) {
        assert!(difference.contains(" was "), "{difference}");
    }
    accepted(run(&*learner, Some(resume), &mut Watch::default()));
}

/// The number of settings that a tuning tries here.
const TRIALS: usize = 4;

/// An unfinished tuning of trees.
pub fn tuning(data: &[u8]) {
    let damaged = match UnfinishedTuning::from_json(data, "fuzz") {
        Ok(tuning) => tuning,
        Err(error) => return assert!(error.to_string().starts_with("fuzz:"), "{error}"),
    };
    let text = damaged.to_json();
    let again = UnfinishedTuning::from_json(text.as_bytes(), "again").expect("what we wrote");
    assert_eq!(again, damaged);
    // Of another tuning it would be refused before anything else is looked at.
    static PLAN: OnceLock<UnfinishedTuning> = OnceLock::new();
    let plan = PLAN.get_or_init(|| unfinished_tuning(1));
    let trial = |(plan, damaged): (&Trial, &Trial)| Trial {
        parameters: plan.parameters.clone(),
        rungs: damaged.rungs.clone(),
    };
    let trials = plan.trials.iter().zip(&damaged.trials).map(trial).collect();
    let resume = UnfinishedTuning { run: plan.run.clone(), trials };
    accepted(tune(Some(resume), &mut Watch::default()));
}

/// The checkpoint of a learner after this many rounds in all.
pub fn unfinished_run(name: &str, rounds: usize) -> Checkpoint {
    let mut watch = Watch { rounds_left: Some(rounds), ..Watch::default() };
    let learner = short(name).expect("a learner");
    run(&*learner, None, &mut watch).expect("a run that can be made");
    watch.run.expect("it has rounds")
}

/// Resumes a run, and checks the model.
pub fn resume_run(checkpoint: Checkpoint) -> Result<(), FitError> {
    let learner = short(&checkpoint.learner).map_err(FitError::Data)?;
    run(&*learner, Some(checkpoint), &mut Watch::default())
}

/// A tuning after this many rounds in all.
pub fn unfinished_tuning(rounds: usize) -> UnfinishedTuning {
    let mut watch = Watch { rounds_left: Some(rounds), ..Watch::default() };
    tune(None, &mut watch).expect("a tuning that can be made");
    watch.tuning.expect("it has trials")
}

/// Resumes a tuning, and checks the model.
pub fn resume_tuning(tuning: UnfinishedTuning) -> Result<(), FitError> {
    tune(Some(tuning), &mut Watch::default())
}

/// The learner of a name with settings that make it quick.
fn short(name: &str) -> Result<Box<dyn Learner>, String> {
    let mut learner = learner(name)?;
    shorten(&mut *learner);
    Ok(learner)
}

fn run(
    learner: &dyn Learner,
    resume: Option<Checkpoint>,
    watch: &mut Watch,
) -> Result<(), FitError> {
    with_storms(|problem, validation| {
        let cx = FitContext {
            validation: Some(validation),
            resume,
            observer: Some(watch),
            ..FitContext::default()
        };
        check_training(learner, problem, cx)
    })
}

fn tune(resume: Option<UnfinishedTuning>, watch: &mut Watch) -> Result<(), FitError> {
    let learner = short("lambdamart").expect("a learner");
    // Rounds are given, so that no trial has more.
    let mut given = Configured::from(learner);
    given.given.insert("rounds".to_owned());
    with_storms(|problem, validation| {
        let mut cx = FitContext {
            validation: Some(validation),
            observer: Some(watch),
            ..FitContext::default()
        };
        let Tuned { model, .. } = tune::train(&given, problem, &mut cx, TRIALS, resume)?;
        model.iter().for_each(model::check);
        Ok(())
    })
}

/// Keeps the last that can be resumed, and stops after this many rounds.
#[derive(Default)]
struct Watch {
    rounds_left: Option<usize>,
    run: Option<Checkpoint>,
    tuning: Option<UnfinishedTuning>,
}

impl Observer for Watch {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        let Some(rounds_left) = &mut self.rounds_left else { return Flow::Continue };
        *rounds_left = rounds_left.saturating_sub(1);
        self.run = Some((round.checkpoint)());
        if *rounds_left == 0 { Flow::Stop } else { Flow::Continue }
    }

    fn tried(&mut self, so_far: &UnfinishedTuning) {
        self.tuning = Some(so_far.clone());
    }
}
