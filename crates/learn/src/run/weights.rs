//! Rounds that fit weights instead of growing trees: a linear score or a net.

use stakes_core::display::counted;
use stakes_core::metric::PreparedLists;
use stakes_model::{Ended, Factor, Input, Link, Net, StageState, StageSummary, WeightState};

use super::measure::{Finish, Measure, best};
use super::{RoundWork, Rounds, Run};
use crate::dense::DenseData;
use crate::error::FitError;

/// An algorithm that improves weights round by round.
pub(crate) trait Steps {
    /// Makes one round. `false`: nothing was left to do, and the round does not count.
    fn step(&mut self, round: usize) -> Result<bool, FitError>;

    /// Called after each round, and when rounds are resumed, with the best round so far, from 1.
    fn judged(&mut self, _best: usize) {}

    /// The current weights of the model. They are finite.
    fn numbers(&self) -> &[f64];

    /// Further state that resuming needs, such as momenta. It is finite.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Whether [`Steps::memory`] can have this length after this many rounds.
    fn can_remember(&self, len: usize, _rounds: usize) -> bool {
        len == self.memory().len()
    }

    /// Resumes from [`Steps::numbers`] and [`Steps::memory`] after some rounds.
    fn resume(&mut self, numbers: &[f64], memory: &[f64]);

    /// The net that the weights stand for: a linear one.
    fn net(&self, inputs: &[Input], numbers: &[f64]) -> Net {
        Net::linear(inputs.to_vec(), numbers.to_vec())
    }

    /// Further curves over the rounds, for the summary of the stage, with their names.
    fn also(&self, _rounds: usize) -> Vec<(String, Vec<f64>)> {
        Vec::new()
    }

    /// The constant that is added to the net.
    fn start(&self, _numbers: &[f64]) -> f64 {
        0.0
    }
}

/// How rounds are made and measured.
pub(crate) struct Iteration {
    pub(crate) name: &'static str,
    pub(crate) link: Link,
    /// What a score of 1 stands for.
    pub(crate) unit: f64,
    pub(crate) rounds: usize,
    /// Rounds without improvement on validation lists before it ends; 0: all rounds.
    pub(crate) patience: usize,
    pub(crate) keep: Keep,
}

/// Which round's weights are the model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The best on validation lists; without them the last.
    BestValidated,
    /// The last.
    Last,
}

/// Weights during a stage.
struct WeightRounds<'w> {
    steps: &'w mut dyn Steps,
    data: &'w DenseData,
    measure: Measure<'w>,
    finish: Finish<'w>,
    keeps_best: bool,
}

impl RoundWork for WeightRounds<'_> {
    fn make(&mut self, state: &mut StageState) -> Result<Result<(), Ended>, FitError> {
        Ok(match self.steps.step(state.curve.len())? {
            true => Ok(()),
            false => Err(Ended::NothingLeft),
        })
    }

    fn value(&self, _: &StageState) -> Result<f64, FitError> {
        let now = self.steps.numbers();
        let net = self.steps.net(&self.data.inputs, now);
        let start = self.steps.start(now);
        let raw: Vec<f64> =
            self.data.measured().through(&net).into_iter().map(|sum| start + sum).collect();
        self.measure.value(&raw, &self.finish)
    }

    fn judged(&mut self, state: &mut StageState, best: usize) {
        let now = self.steps.numbers();
        let so_far = state.weights.take().unwrap_or_default();
        let was_better = self.keeps_best && best < state.curve.len();
        state.weights = Some(WeightState {
            best: if was_better { so_far.best } else { now.to_vec() },
            current: now.to_vec(),
            memory: self.steps.memory(),
        });
        self.steps.judged(best);
    }
}

impl Run<'_, '_> {
    /// Makes rounds until the stage ends.
    pub(crate) fn iterate(
        &mut self,
        iteration: &Iteration,
        data: &DenseData,
        steps: &mut dyn Steps,
    ) -> Result<Factor, FitError> {
        self.cx.tell_stage(iteration.name);
        let part = self.prepared.measured();
        let metric = self.cx.metric_for(self.goal(), part.data)?;
        let measure = Measure::Metric(PreparedLists::new(&metric, &part.lists.views())?);
        let (measured, direction) = (measure.name(self.prepared), measure.direction());
        let mut state = self.resumed.get(self.done.len()).cloned().unwrap_or_default();
        check_resumed(&state, steps)?;
        if let Some(WeightState { current, memory, .. }) = &state.weights {
            steps.resume(current, memory);
            if let Some((round, _)) = best(&state.curve, direction) {
                steps.judged(round);
            }
        }
        let keeps_best =
            iteration.keep == Keep::BestValidated && self.prepared.validation.is_some();
        let finish = Finish {
            link: iteration.link,
            unit: iteration.unit,
            others: None,
            smearing: 1.0,
            price: self.prices(&part.lists),
        };
        let mut work = WeightRounds { steps, data, measure, finish, keeps_best };
        let rounds = Rounds {
            stage: iteration.name,
            limit: iteration.rounds,
            patience: iteration.patience,
            measured: &measured,
            direction,
            smoothing: 1,
        };
        self.rounds(&rounds, &mut work, &mut state)?;
        let steps = work.steps;
        let numbers = match state.weights.take() {
            Some(numbers) => numbers,
            // Not even one round: the weights at the start.
            None => WeightState { best: steps.numbers().to_vec(), ..WeightState::default() },
        };
        let kept = match keeps_best {
            true => best(&state.curve, direction).map_or(0, |(round, _)| round),
            false => state.curve.len(),
        };
        self.record(StageSummary {
            name: iteration.name.to_owned(),
            measure: measured,
            curve: state.curve.clone(),
            kept,
            ended: state.ended.unwrap_or(Ended::AllRounds),
            extra_curves: steps.also(state.curve.len()),
        });
        let net = steps.net(&data.inputs, &numbers.best);
        let start = steps.start(&numbers.best);
        self.done.push(StageState { weights: Some(numbers), ..state });
        Ok(Factor {
            net: Some(net),
            ..Factor::new(iteration.name, iteration.link, start, Vec::new())
        })
    }
}

/// Refuses a resumed state that cannot be one of these steps.
fn check_resumed(state: &StageState, steps: &dyn Steps) -> Result<(), FitError> {
    let rounds = state.curve.len();
    let fits = match &state.weights {
        None => rounds == 0,
        Some(WeightState { current, memory, best }) => {
            let len = steps.numbers().len();
            current.len() == len && best.len() == len && steps.can_remember(memory.len(), rounds)
        }
    };
    if fits && state.trees.is_empty() {
        return Ok(());
    }
    Err(FitError::DamagedCheckpoint(format!(
        "its numbers are not those of {} with {}",
        counted(rounds, "round"),
        counted(steps.numbers().len(), "weight")
    )))
}
