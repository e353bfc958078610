//! A training run: the data in bins, and stages of boosting one after another, watched,
//! stopped in time, and taken up where they were left.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::metric::{Metric, Scale, Spec};
use stakes_core::random::purpose;

use crate::Lists;
use crate::boost::{Boosting, Shrink};
use crate::coding::{model_features, replay};
use crate::fit::{Checkpoint, Ended, FitContext, FitError, Flow, Round, StageState};
use crate::loss::Loss;
use crate::measure::{Finish, Measure, best};
use crate::model::{Factor, Goal, Link, ModelFeature, StageSummary};
use crate::objective::Objective;
use crate::sampling::Sampling;
use crate::tree::{BinnedMatrix, Binning, Grower, TreeParams};

/// A run, as learners see it.
pub(crate) struct Run<'r, 'c> {
    pub(crate) data: &'r Dataset,
    /// Costs as they are.
    pub(crate) lists: Lists,
    /// Costs in units of their mean.
    pub(crate) unit_lists: Lists,
    /// What a cost of 1 in those units is.
    pub(crate) unit: f64,
    pub(crate) binning: Binning,
    matrix: BinnedMatrix,
    validation: Option<Validation<'r>>,
    /// Trees as the parameters say.
    pub(crate) trees: TreeParams,
    pub(crate) sampling: Sampling,
    /// What the checkpoint says of the run, its stages left open.
    header: Checkpoint,
    resumed: Vec<StageState>,
    done: Vec<StageState>,
    summaries: Vec<StageSummary>,
    cx: &'r mut FitContext<'c>,
}

struct Validation<'r> {
    data: &'r Dataset,
    lists: Lists,
    unit_lists: Lists,
    matrix: BinnedMatrix,
}

/// One boosted sum of trees.
pub(crate) struct Stage<'s> {
    pub(crate) name: &'static str,
    pub(crate) loss: &'s dyn Loss,
    pub(crate) link: Link,
    pub(crate) shrink: Shrink,
    pub(crate) rounds: usize,
    /// Rounds without improvement before it ends; 0 for all rounds.
    pub(crate) patience: usize,
    /// The items that are learned from; all if `None`.
    pub(crate) active: Option<Vec<u32>>,
    pub(crate) watched: Watched,
    /// What the score is multiplied with beside this factor: training and validation items.
    pub(crate) others: Option<&'s Scores>,
    pub(crate) unit: f64,
}

/// What tells when a stage should end.
pub(crate) enum Watched {
    /// The metric of the goal.
    Goal,
    /// The stage's own loss, by this name.
    Loss(&'static str),
}

/// Scores of training and validation items.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scores {
    pub(crate) training: Vec<f64>,
    pub(crate) validation: Vec<f64>,
}

/// What a stage gives.
pub(crate) struct Staged {
    pub(crate) factor: Factor,
    /// start + sum of the trees that are kept.
    pub(crate) raw: Scores,
}

impl<'r, 'c> Run<'r, 'c> {
    pub(crate) fn new(
        problem: &'r Problem<'r>,
        trees: TreeParams,
        sampling: Sampling,
        bins: usize,
        mut header: Checkpoint,
        cx: &'r mut FitContext<'c>,
    ) -> Result<Self, FitError>
    where
        'c: 'r,
    {
        let data = problem.data();
        cx.watch.stage("sorting features into bins");
        let lists = Lists::new(problem);
        let unit = match cx.first {
            Some(model) => model.scorer.unit,
            None => mean_cost(&lists)?,
        };
        let known = cx.first.map(|model| &*model.features);
        let binning = Binning::of(data, lists.rows(), lists.weight(), bins, known);
        header.features = match cx.first {
            Some(model) => model.features.clone(),
            None => model_features(data, &binning),
        };
        let matrix = binning.apply(data, lists.rows());
        let validation = cx.validation.map(|problem| {
            let lists = Lists::new(problem);
            let matrix = binning.apply(problem.data(), lists.rows());
            let unit_lists = lists.clone().in_units_of(unit);
            Validation { data: problem.data(), lists, unit_lists, matrix }
        });
        let resumed = cx.resume.take().map(|checkpoint| checkpoint.stages).unwrap_or_default();
        Ok(Run {
            data,
            unit_lists: lists.clone().in_units_of(unit),
            lists,
            unit,
            binning,
            matrix,
            validation,
            trees,
            sampling,
            header,
            resumed,
            done: Vec::new(),
            summaries: Vec::new(),
            cx,
        })
    }

    /// The lists' scale, for metrics.
    pub(crate) fn scale(&self) -> Scale {
        Scale::of(self.data)
    }

    /// What is learnt for.
    pub(crate) fn goal(&self) -> &Goal {
        &self.cx.goal
    }

    /// Whether impacts are grades: whole numbers so small that 2^y means something.
    pub(crate) fn has_grades(&self) -> bool {
        self.data.impact().is_some_and(|y| y.iter().all(|y| y.fract() == 0.0 && *y < 32.0))
    }

    /// The features as the model knows them, and how the stages went.
    pub(crate) fn finish(self) -> (Vec<ModelFeature>, Vec<StageSummary>) {
        (self.header.features, self.summaries)
    }

    fn goal_metric(&self) -> Result<Metric, FitError> {
        let spec: Spec = self.cx.goal.metric.parse()?;
        let data = self.validation.as_ref().map_or(self.data, |v| v.data);
        Ok(spec.build(Scale::of(data))?)
    }

    /// Boosts until it is enough.
    pub(crate) fn stage(&mut self, stage: &Stage<'_>) -> Result<Staged, FitError> {
        self.cx.watch.stage(stage.name);
        let metric = self.goal_metric()?;
        let number = self.done.len();
        let first = match self.cx.first {
            Some(model) => Some(model.scorer.factors.get(number).ok_or_else(|| {
                let name = stage.name;
                FitError::Data(format!("the model to go on from has no part `{name}`; train anew"))
            })?),
            None => None,
        };
        let start = first.map_or_else(|| stage.loss.start(&self.unit_lists), |f| f.start);
        let mut state = self.resumed.get(number).cloned().unwrap_or_else(|| StageState {
            trees: first.map(|f| f.trees.clone()).unwrap_or_default(),
            ..StageState::default()
        });
        // Rounds and curve go together; what is more was there before the first round.
        let before = state.trees.len() - state.curve.len();
        let interrupted = self.done.iter().any(|s| s.ended == Some(Ended::Interrupted));
        let objective = Objective::new(stage.loss, &self.unit_lists);
        let everything: Vec<u32> = (0..self.lists.n_items() as u32).collect();
        let grower = Grower::new(&self.matrix, &self.binning, self.trees.clone());
        let boosting = Boosting {
            grower: &grower,
            matrix: &self.matrix,
            objective: &objective,
            sampling: self.sampling,
            shrink: stage.shrink,
            active: stage.active.as_deref().unwrap_or(&everything),
            offsets: self.lists.offsets(),
            seed: purpose(purpose(self.cx.seed, b"boosting"), &(number as u64).to_le_bytes()),
        };
        let valid_objective =
            self.validation.as_ref().map(|v| Objective::new(stage.loss, &v.unit_lists));
        let measure = match stage.watched {
            Watched::Goal => Measure::Metric(&metric),
            Watched::Loss(name) => {
                Measure::Loss { name, objective: valid_objective.as_ref().unwrap_or(&objective) }
            }
        };
        let measured = measure.name(self.validation.is_some());
        let mut raw = self.scores_after(&state.trees, start);
        let mut derivatives = Vec::new();
        if stage.shrink == Shrink::Mean {
            objective.derivatives(&vec![start; raw.training.len()], {
                derivatives.resize(raw.training.len(), Default::default());
                &mut derivatives
            });
        }
        while state.ended.is_none() {
            let done = state.curve.len();
            if interrupted {
                state.ended = Some(Ended::Interrupted);
                break;
            }
            if done >= stage.rounds {
                state.ended = Some(Ended::AllRounds);
                break;
            }
            match boosting.round((before + done) as u64, &mut raw.training, &mut derivatives) {
                Err(ended) => {
                    state.ended = Some(ended);
                    break;
                }
                Ok(grown) => {
                    if let Some(validation) = &self.validation {
                        grown.add_to(&mut raw.validation, &validation.matrix);
                    }
                    state.trees.push(grown.tree);
                }
            }
            let value = self.value(stage, &measure, &raw, start, state.trees.len())?;
            state.curve.push(value);
            let best = best(&state.curve, measure.direction()).unwrap_or((1, value));
            let patient = self.validation.is_none()
                || stage.patience == 0
                || state.curve.len() - best.0 < stage.patience;
            if !patient {
                state.ended = Some(Ended::NoImprovement);
            }
            let checkpoint = || Checkpoint {
                stages: self.done.iter().chain([&state]).cloned().collect(),
                ..self.header.clone()
            };
            let flow = self.cx.watch.round(&Round {
                stage: stage.name,
                done: state.curve.len(),
                of: stage.rounds,
                measure: &measured,
                value,
                best,
                checkpoint: &checkpoint,
            });
            if flow == Flow::Stop && state.ended.is_none() {
                state.ended = Some(Ended::Interrupted);
            }
        }
        let kept = match best(&state.curve, measure.direction()) {
            Some((round, _)) if self.validation.is_some() && stage.shrink != Shrink::Mean => round,
            _ => state.curve.len(),
        };
        let trees = state.trees[..before + kept].to_vec();
        if trees.len() < state.trees.len() || stage.shrink == Shrink::Mean {
            raw = self.scores_after(&trees, start);
        }
        self.summaries.push(StageSummary {
            name: stage.name.to_owned(),
            measure: measured,
            curve: state.curve.clone(),
            kept: trees.len(),
            ended: state.ended.unwrap_or(Ended::AllRounds),
        });
        self.done.push(state);
        Ok(Staged {
            factor: Factor { name: stage.name.into(), link: stage.link, start, trees },
            raw,
        })
    }

    fn value(
        &self,
        stage: &Stage<'_>,
        measure: &Measure<'_>,
        raw: &Scores,
        start: f64,
        trees: usize,
    ) -> Result<f64, FitError> {
        let (lists, raw) = match &self.validation {
            Some(validation) => (&validation.lists, &raw.validation),
            None => (&self.lists, &raw.training),
        };
        let others = stage.others.map(|others| match self.validation {
            Some(_) => &*others.validation,
            None => &*others.training,
        });
        let finish = Finish { link: stage.link, unit: stage.unit, others };
        match stage.shrink {
            Shrink::Rate(_) => measure.value(lists, raw, &finish),
            Shrink::Mean => {
                let mean = |sum: &f64| start + (sum - start) / trees as f64;
                measure.value(lists, &raw.iter().map(mean).collect::<Vec<_>>(), &finish)
            }
        }
    }

    /// start + sum of trees, for all items.
    fn scores_after(&self, trees: &[crate::tree::Tree], start: f64) -> Scores {
        let of = |data: &Dataset, rows: &[u32]| {
            let mut scores = vec![start; rows.len()];
            replay(trees, data, rows, &self.binning, &mut scores);
            scores
        };
        Scores {
            training: of(self.data, self.lists.rows()),
            validation: match &self.validation {
                Some(v) => of(v.data, v.lists.rows()),
                None => Vec::new(),
            },
        }
    }
}

/// The unit that costs are counted in while learning: their mean.
fn mean_cost(lists: &Lists) -> Result<f64, FitError> {
    // Divided before they are added: sums of costs may lie beyond all numbers.
    let n = lists.n_items() as f64;
    let mean = lists.cost().iter().map(|c| c / n).sum::<f64>();
    if mean > 0.0 && mean.recip().is_finite() {
        return Ok(mean);
    }
    Err(FitError::Data(
        "every cost is 0: there is nothing to learn from; check --impact and --cost".into(),
    ))
}
