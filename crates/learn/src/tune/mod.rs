//! Tuning: other settings of a learner are tried, within a budget, and the best on validation
//! lists is kept.
//!
//! Some settings are drawn from the values that the learner declares (`space.rs`); all of them
//! are trained for a small part of their rounds, and only the better half continues, rung by rung
//! (`halving.rs`). A trial is measured by the goal's metric of its model so far, with early
//! stopping as in any training; of equal trials the earlier one is better, and the settings as given
//! come first.
//!
//! Continuing is exact: a trial on a rung is what a training of that many rounds would give, and the
//! chosen model is, to the byte, what [`crate::train`] makes of its parameters. The first stage of a
//! learner continues from the trees it has. Stages after it (the size of a
//! two-part model, the order after an expected cost) follow another first stage than before and are
//! refitted on each rung.
//!
//! The choice is as good as the validation lists. On six sets of 200 generated storms, 40 of
//! them held out, 20 trials each of `cs-mart`, `two-part` and `tweedie-mart` were better than
//! the defaults on 200 other storms in 7 of 18 cases, the same in 3 and worse in 8: R_CS@5 higher
//! by 0.005, with a standard error of 0.007. Costs of heavy tails need more lists than that.
//!
//! Nothing depends on the clock or on the number of threads. An interrupted tuning is resumed
//! by its values ([`UnfinishedTuning`]): a trial is not trained again to be measured, only to continue.

mod climb;
mod halving;
mod shared;
mod space;

use stakes_core::cost::Problem;
use stakes_model::{Checkpoint, Model};

use self::climb::Tuner;
use self::halving::Ladder;
use self::space::Space;
use crate::error::FitError;
use crate::learner::{Configured, Kind, Learner, check_same_run, prepare};
use crate::run::FitContext;

pub use stakes_model::{Rung, Trial, UnfinishedTuning};

/// The result of tuning.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The model of the best trial; if the tuning was interrupted, of the best so far, unless
    /// that was found before it was resumed.
    pub model: Option<Model>,
    /// All trials; the first has the settings as given.
    pub trials: Vec<Trial>,
    /// The number of rungs.
    pub rungs: usize,
    /// The best trial, or the best so far.
    pub chosen: Option<usize>,
    /// All trials, the best first: by the rung they reached, then by value.
    pub ranking: Vec<usize>,
    /// Whether the observer stopped it.
    pub interrupted: bool,
}

/// Tries `trials` settings of a learner, or all if there are fewer: those given, and others that
/// differ in what was not given. Validation lists are needed; [`FitContext::resume`] is not used,
/// `resume` is. The observer hears of every round and, by [`crate::Observer::tried`], of every
/// value.
///
/// ```
/// use stakes_core::cost::Problem;
/// use stakes_core::goal::Goal;
/// use stakes_learn::{Configured, FitContext, learner, tune};
/// # use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
/// # let storms = |first: u64| -> Result<_, Box<dyn std::error::Error>> {
/// #     let columns = Columns {
/// #         list: Some("storm".into()), impact: Some("customers".into()),
/// #         ..Columns::of_features(vec![Feature::numeric("wind")])
/// #     };
/// #     let mut builder = DatasetBuilder::new("storms", columns)?;
/// #     for i in 0..80u64 {
/// #         let (list, wind) = ((first + i % 2).to_string(), ((i + first) * 7 % 40) as f32);
/// #         let impact = Some(wind.into());
/// #         builder.push(Row { line: i, list: &list, impact, features: &[wind], ..Row::default() })?;
/// #     }
/// #     Ok(builder.finish()?)
/// # };
/// # let (data, others) = (storms(0)?, storms(2)?);
/// // Two storms to train with and two others to validate with; the wind decides what each costs.
/// let problem = Problem::new(&data, Goal::act_on(5))?;
/// let validation = Problem::new(&others, Goal::act_on(5))?;
/// let given = Configured::new(learner("cs-mart")?, [("rounds", "20"), ("rate", "0.3")])?;
/// let mut cx = FitContext { validation: Some(&validation), ..FitContext::default() };
/// let tuned = tune::train(&given, &problem, &mut cx, 6, None)?;
/// let chosen = &tuned.trials[tuned.chosen.unwrap()];
/// assert!(chosen.rungs[2].value >= tuned.trials[0].rungs[2].value);
/// // Given parameters stay: neither rate nor rounds were tuned.
/// assert_eq!(tuned.model.unwrap().parameters["rate"], "0.3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train(
    given: &Configured,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    trials: usize,
    resume: Option<UnfinishedTuning>,
) -> Result<Tuned, FitError> {
    given.learner.check_params()?;
    rayon::scope(|_| train_within(given, problem, cx, trials, resume))
}

fn train_within(
    given: &Configured,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    trials: usize,
    resume: Option<UnfinishedTuning>,
) -> Result<Tuned, FitError> {
    let refuse = |words: &str| Err(FitError::Data(words.into()));
    let learner = &*given.learner;
    if learner.kind() == Kind::Blend {
        return refuse(
            "a blend of learners is not tuned, it chooses by itself: give it more effort \
             (effort=high), or choose the learner to tune",
        );
    }
    if learner.kind() == Kind::Rerank {
        return refuse("re-ranking is not tuned: tune its base by itself, and re-rank that model");
    }
    if cx.init_model.is_some() {
        return refuse(
            "settings are tuned from the start, not on top of a model: train without tuning, or \
             without a model to continue from",
        );
    }
    let validation = cx.validation.ok_or(FitError::NoValidation)?;
    let space = Space::new(given);
    let drawn = space.draw(trials, cx.seed)?;
    if drawn.len() < 2 {
        return refuse(
            "there is nothing to tune: every parameter that could be is given; leave some of them \
             out, or ask for two trials at least",
        );
    }
    cx.resume = None;
    let (prepared, run) = prepare(learner, problem, cx, None)?;
    let run = Checkpoint { features: Vec::new(), ..run };
    let trial = |s: &dyn Learner| Trial { parameters: space.tuned(s), rungs: Vec::new() };
    let trials = drawn.iter().map(|learner| trial(&**learner)).collect();
    let mut so_far = UnfinishedTuning { run, trials };
    let ladder = Ladder::of(drawn.len());
    if let Some(known) = resume {
        take_up(&mut so_far, known, ladder.rungs)?;
    }
    let metric = cx.metric_for(problem.goal(), validation.data())?;
    let states = vec![None; drawn.len()];
    let wanted = cx.jobs.wanted();
    let mut tuner = Tuner {
        learners: drawn,
        prepared: &prepared,
        validation,
        metric,
        ladder,
        so_far,
        states,
        kept: None,
        finished: None,
        spent: 0.0,
        cx,
    };
    match wanted {
        Some(wanted) => Err(tuner.only(&wanted)?.into()),
        None => tuner.climb(),
    }
}

/// Whether there is anything to tune: a single learner with parameters that declare values to try and were
/// not given.
pub fn is_tunable(given: &Configured) -> bool {
    !matches!(given.learner.kind(), Kind::Blend | Kind::Rerank) && Space::new(given).size() > 1
}

/// Takes over known results, if they are of the same tuning.
fn take_up(
    now: &mut UnfinishedTuning,
    known: UnfinishedTuning,
    rungs: usize,
) -> Result<(), FitError> {
    check_same_run(&known.run, &now.run)?;
    let other = |what: String| Err(FitError::OtherRun(what));
    let (before, planned) = (known.trials.len(), now.trials.len());
    if before != planned {
        return other(format!("the number of trials was {before} and is now {planned}"));
    }
    let pairs = known.trials.iter().zip(&now.trials);
    if let Some(at) = { pairs }.position(|(a, b)| a.parameters != b.parameters) {
        let at = at + 1;
        return other(format!(
            "other values were to be tried (those of trial {at} differ): the parameters that \
                 are given must be the same, and the program"
        ));
    }
    now.trials = known.trials;
    now.trials.iter_mut().for_each(|trial| trial.rungs.truncate(rungs));
    Ok(())
}
