//! Learning numbers instead of trees, round by round: watched, stopped in time, and taken up where
//! it was left, as in [`Run::stage`].

use stakes_core::metric::{PreparedLists, Scale};

use super::data::DenseData;
use crate::fit::{Checkpoint, Ended, FitError, Flow, Round, StageState, WeightState};
use crate::measure::{Finish, Measure, best};
use crate::run::Run;
use stakes_model::{Factor, Input, Link, Net, StageSummary};

/// What is learnt round by round.
pub(crate) trait Steps {
    /// One round. `false`: nothing was left to do, and the round does not count.
    fn step(&mut self, round: usize) -> Result<bool, FitError>;

    /// Told after each round which one is the best so far, from 1, and when rounds are taken up.
    fn judged(&mut self, _best: usize) {}

    /// The numbers of the model as they are now. They are finite.
    fn numbers(&self) -> &[f64];

    /// What else is needed to go on, such as momenta. It is finite.
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Goes on from what [`Steps::numbers`] and [`Steps::memory`] were after some rounds.
    fn resume(&mut self, numbers: &[f64], memory: &[f64]);

    /// The net that numbers stand for: a linear one.
    fn net(&self, inputs: &[Input], numbers: &[f64]) -> Net {
        Net::linear(inputs.to_vec(), numbers.to_vec())
    }

    /// Further curves of so many rounds, for the summary of the stage: what each is, and its values.
    fn also(&self, _rounds: usize) -> Vec<(String, Vec<f64>)> {
        Vec::new()
    }

    /// Where the sum begins beside the net.
    fn start(&self, _numbers: &[f64]) -> f64 {
        0.0
    }
}

/// How rounds are made and judged.
pub(crate) struct Iteration {
    pub(crate) name: &'static str,
    pub(crate) link: Link,
    /// What a score of 1 stands for.
    pub(crate) unit: f64,
    pub(crate) rounds: usize,
    /// Rounds without improvement on validation before it ends; 0 for all rounds.
    pub(crate) patience: usize,
    pub(crate) keep: Keep,
}

/// Which round's numbers are the model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The best on validation lists; without them the last.
    BestValidated,
    /// The last.
    Last,
}

impl Run<'_, '_> {
    /// Makes rounds until it is enough.
    pub(crate) fn iterate(
        &mut self,
        iteration: &Iteration,
        data: &DenseData,
        steps: &mut dyn Steps,
    ) -> Result<Factor, FitError> {
        self.cx.watch.stage(iteration.name);
        let part = self.prepared.measured();
        let metric = self.goal().spec().build(Scale::of(part.data))?;
        let measure = Measure::Metric(PreparedLists::new(&metric, &part.lists.views())?);
        let measured = measure.name(self.prepared.validation.is_some());
        let finish =
            Finish { link: iteration.link, unit: iteration.unit, others: None, smearing: 1.0 };

        let mut state = self.resumed.get(self.done.len()).cloned().unwrap_or_default();
        if let Some(WeightState { current, memory, .. }) = &state.weights {
            steps.resume(current, memory);
            if let Some((round, _)) = best(&state.curve, measure.direction()) {
                steps.judged(round);
            }
        }
        while state.ended.is_none() {
            // Whoever stops after the last round has interrupted nothing.
            let all = state.curve.len() >= iteration.rounds;
            if all || self.stopped {
                state.ended = Some(if all { Ended::AllRounds } else { Ended::Interrupted });
                break;
            }
            if !steps.step(state.curve.len())? {
                state.ended = Some(Ended::NothingLeft);
                break;
            }
            let now = steps.numbers();
            let net = steps.net(&data.inputs, now);
            let start = steps.start(now);
            let raw: Vec<f64> =
                data.measured().through(&net).into_iter().map(|sum| start + sum).collect();
            let value = measure.value(&raw, &finish)?;
            state.curve.push(value);
            let best = best(&state.curve, measure.direction()).unwrap_or((1, value));
            let so_far = state.weights.take().unwrap_or_default();
            let was_better = self.keeps_best(iteration) && best.0 < state.curve.len();
            state.weights = Some(WeightState {
                best: if was_better { so_far.best } else { now.to_vec() },
                current: now.to_vec(),
                memory: steps.memory(),
            });
            let validated = self.prepared.validation.is_some() && iteration.patience > 0;
            if validated && state.curve.len() - best.0 >= iteration.patience {
                state.ended = Some(Ended::NoImprovement);
            }
            steps.judged(best.0);
            self.tell_numbers(iteration, &measured, &state, value, best);
        }
        let numbers = match state.weights.take() {
            Some(numbers) => numbers,
            // Not even one round: where it began.
            None => WeightState { best: steps.numbers().to_vec(), ..WeightState::default() },
        };
        let kept = match self.keeps_best(iteration) {
            true => best(&state.curve, measure.direction()).map_or(0, |(round, _)| round),
            false => state.curve.len(),
        };
        self.summaries.push(StageSummary {
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

    fn keeps_best(&self, iteration: &Iteration) -> bool {
        match iteration.keep {
            Keep::BestValidated => self.prepared.validation.is_some(),
            Keep::Last => false,
        }
    }

    fn tell_numbers(
        &mut self,
        iteration: &Iteration,
        measured: &str,
        state: &StageState,
        value: f64,
        best: (usize, f64),
    ) {
        let checkpoint = || Checkpoint {
            stages: self.done.iter().chain([state]).cloned().collect(),
            ..self.header.clone()
        };
        let flow = self.cx.watch.round(&Round {
            stage: iteration.name,
            done: state.curve.len(),
            of: iteration.rounds,
            measure: measured,
            value,
            best,
            checkpoint: &checkpoint,
        });
        self.stopped |= flow == Flow::Stop;
    }
}
