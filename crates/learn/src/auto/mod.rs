//! `auto`: several learners, blended by what lists that they did not learn from say of them.
//!
//! No learner is best everywhere: a two-part model leads where costs are mostly zero and
//! heavy-tailed, lambdas of R_CS where they are not, forests where data are few and noisy. So a
//! small portfolio (`plan.rs`) is learnt fold by fold (lists of a fold stay together, and with
//! known times a fold is a period), and judged on the lists left out:
//!
//! 1. each member's number of rounds is the best of a quarter, half or all of them;
//! 2. a member counts by how surely it is worse than the best one, exp(-t^2 / 2), t being the
//!    paired difference over lists in standard errors: what lists cannot tell apart counts alike
//!    (`blend.rs`);
//! 3. what counts is learnt anew from all lists, several times from other seeds, and multiplied:
//!
//!    score = product over members of score^power.
//!
//! It is one model file like any other. The work is counted before it begins and never by the
//! clock, so the result is the same everywhere. Scores of items by models that did not learn
//! from their lists ([`Blended::out_of_fold`]) are an honest figure of the whole and what
//! expected costs are read from.
//!
//! Example: on 100 generated storms `two-part` leads by four standard errors, and the blend is
//! two-part trees alone; on outages `cs-mart` leads, and forest and pairs count half as much.

mod blend;
mod plan;
mod runner;

use stakes_core::cost::Problem;
use stakes_core::metric::{Evaluation, Metric, PreparedLists, Scale};
use stakes_core::random::{Stream, purpose};
use stakes_core::split::Folds;

use self::blend::{Candidate, at_share, exponential, geometric_mean, log_scores, product};
use self::runner::Runner;
use crate::fit::{Ended, FitContext, FitError, check_data, check_same_run, header};
use crate::params::Settings;
use crate::{LearnerInfo, Lists, learner};
use stakes_model::{Calibration, ListScaling, Member, Model, ModelFeature, Scorer, StageSummary};

pub use plan::Plan;

/// A blend, and what it says of the items it was learnt from.
pub struct Blended {
    /// The model.
    pub model: Model,
    /// For each item, by its row in the data, the score of a blend whose members did not learn
    /// from its list. `None` where lists were too few for folds, or the run was interrupted.
    pub out_of_fold: Option<Vec<f64>>,
}

/// Learns a blend. `settings` are those of the learner `auto`.
pub fn train(
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Blended, FitError> {
    rayon::scope(|_| fit(settings, problem, cx))
}

/// Scores of all items by models of one learner that did not learn from their lists: in the
/// folds that `auto` uses. `None` if lists are too few, or the watcher stopped it.
pub fn out_of_fold(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    folds: usize,
) -> Result<Option<Vec<f64>>, FitError> {
    rayon::scope(|_| {
        let Some(folds) = Folds::new(problem, folds, cx.seed) else { return Ok(None) };
        let seed = cx.seed;
        let mut runner = Runner::new(header(learner, settings, problem, cx), cx, folds.len());
        let mut scores = vec![0.0; problem.data().len()];
        for fold in 0..folds.len() {
            let (kept, left_out) = folds.sides(fold);
            let data = problem.data().take_lists(&kept);
            let what = format!("fold {} of {}", fold + 1, folds.len());
            let known = Problem::new(&data, problem.goal()).map_err(refuse)?;
            let Some(model) = runner.fit(learner, settings, &known, seed, &what, None)? else {
                return Ok(None);
            };
            let others = problem.data().take_lists(&left_out);
            folds.put(problem, fold, &model.score(&others).map_err(refuse)?, &mut scores);
        }
        Ok(Some(scores))
    })
}

fn refuse(error: impl std::fmt::Display) -> FitError {
    FitError::Data(error.to_string())
}

pub(crate) fn fit(
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Blended, FitError> {
    check_data(problem.data())?;
    if cx.first.is_some() {
        return Err(FitError::Data(
            "a blend cannot be gone on from: its members and their weights were chosen together; \
             train anew, or name a learner"
                .into(),
        ));
    }
    let info = learner("auto").map_err(FitError::Data)?;
    let plan = Plan::new(settings, problem)?;
    let header = header(info, settings, problem, cx);
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    let metric: Metric = problem.goal().spec().build(Scale::of(problem.data()))?;
    let seed = cx.seed;
    let folds = Folds::new(problem, plan.folds, seed);
    let fits = plan.members.len() * (folds.as_ref().map_or(0, Folds::len) + plan.seeds);
    let runner = Runner::new(header, cx, fits);
    let lists = Lists::new(problem);
    Portfolio { plan, problem, lists, metric, seed, runner, features: None }.fit(folds.as_ref())
}

/// A portfolio on its way.
struct Portfolio<'p, 'a, 'c> {
    plan: Plan,
    problem: &'p Problem<'p>,
    /// Sums over items and lists are made in their canonical order, so that the order of the
    /// file leaves no trace. Scores of members are kept in it.
    lists: Lists,
    metric: Metric,
    seed: u64,
    runner: Runner<'a, 'c>,
    /// As the first model knows them; the others keep to its categories.
    features: Option<Vec<ModelFeature>>,
}

impl Portfolio<'_, '_, '_> {
    fn fit(mut self, folds: Option<&Folds>) -> Result<Blended, FitError> {
        // The first member on all lists: what there is, should the run be broken off.
        let first = self.whole(0, 0, 1.0)?;
        let Some(folds) = folds.filter(|_| !self.runner.stopped) else {
            return self.without_folds(first);
        };
        let mut candidates = Vec::new();
        for number in 0..self.plan.members.len() {
            match self.judge(number, folds)? {
                Some(candidate) => candidates.push(candidate),
                None => return self.broken_off(first),
            }
        }
        let weights = self.weights(&candidates)?;
        let powers = blend::powers(&candidates, &weights);
        let mut scorers = Vec::new();
        for (number, (candidate, &power)) in candidates.iter().zip(&powers).enumerate() {
            if power == 0.0 {
                continue;
            }
            let mut again = Vec::new();
            for turn in 0..self.plan.seeds {
                if (number, turn) == (0, 0) {
                    again.push(at_share(&first.scorer, candidate.share));
                    continue;
                }
                again.push(self.whole(number, turn, candidate.share)?.scorer);
                if self.runner.stopped {
                    return self.broken_off(first);
                }
            }
            let scorer = exponential(geometric_mean(again));
            scorers.push((self.plan.members[number].learner.name, scorer, power));
        }
        let out_of_fold = blend::blended(&candidates, &powers);
        let stages =
            candidates.iter().zip(&self.plan.members).map(|(candidate, member)| StageSummary {
                name: member.learner.name.to_owned(),
                measure: format!(
                    "{} on lists not learnt from, after a quarter, half and all rounds",
                    self.metric.name()
                ),
                curve: candidate.figures.clone(),
                kept: candidate.kept,
                ended: Ended::AllRounds,
                extra_curves: Vec::new(),
            });
        let mut stages: Vec<StageSummary> = stages.collect();
        stages.push(StageSummary {
            name: "blend".into(),
            measure: format!("{} on lists not learnt from", self.metric.name()),
            curve: self.evaluate(&out_of_fold)?.figure.into_iter().collect(),
            kept: 1,
            ended: Ended::AllRounds,
            extra_curves: Vec::new(),
        });
        let members = self.members(&candidates, &weights);
        let mut by_row = vec![0.0; out_of_fold.len()];
        for (&row, log) in self.lists.rows().iter().zip(&out_of_fold) {
            by_row[row as usize] = log.clamp(-700.0, 700.0).exp();
        }
        let out_of_fold = by_row;
        let calibration = Calibration::of_scores(self.problem, &out_of_fold)?;
        let mut model = self.model(stages, members, product(scorers));
        model.calibration = calibration;
        Ok(Blended { model, out_of_fold: Some(out_of_fold) })
    }

    /// A member learnt from all lists: a share of its rounds, from one of several seeds.
    fn whole(&mut self, number: usize, turn: usize, share: f64) -> Result<Model, FitError> {
        let member = &self.plan.members[number];
        let settings = member.with_share(share)?;
        let seed = Stream::new(purpose(self.seed, b"members "), number as u64).word(turn as u64);
        let what = match self.plan.seeds {
            1 => format!("{}, all lists", member.learner.name),
            seeds => format!("{}, all lists, {} of {seeds}", member.learner.name, turn + 1),
        };
        let known = self.features.as_deref();
        let model =
            self.runner.partial(member.learner, &settings, self.problem, seed, &what, known)?;
        self.features.get_or_insert_with(|| model.features.clone());
        Ok(model)
    }

    /// A member fold by fold; `None` if the run was broken off.
    fn judge(&mut self, number: usize, folds: &Folds) -> Result<Option<Candidate>, FitError> {
        let member = &self.plan.members[number];
        let shares = member.shares();
        let mut logs = vec![vec![0.0; self.problem.data().len()]; shares.len()];
        for fold in 0..folds.len() {
            let (kept, left_out) = folds.sides(fold);
            let data = self.problem.data().take_lists(&kept);
            let known = Problem::new(&data, self.problem.goal()).map_err(refuse)?;
            let what = format!("{}, fold {} of {}", member.learner.name, fold + 1, folds.len());
            let (info, settings) = (member.learner, &member.settings);
            let seed =
                Stream::new(purpose(self.seed, b"folds   "), number as u64).word(fold as u64);
            let known_features = self.features.as_deref();
            let fitted = self.runner.fit(info, settings, &known, seed, &what, known_features)?;
            let Some(mut model) = fitted else { return Ok(None) };
            let others = self.problem.data().take_lists(&left_out);
            let whole = exponential(model.scorer);
            for (&share, logs) in shares.iter().zip(&mut logs) {
                model.scorer = at_share(&whole, share);
                let scores = log_scores(&model.score(&others).map_err(refuse)?);
                folds.put(self.problem, fold, &scores, logs);
            }
        }
        let mut evaluations = Vec::new();
        for log in &mut logs {
            *log = self.lists.rows().iter().map(|&row| log[row as usize]).collect();
            evaluations.push(self.evaluate(log)?);
        }
        Ok(Candidate::best(&self.lists, &self.metric, shares, logs, evaluations))
    }

    /// Of scores in canonical order.
    fn evaluate(&self, scores: &[f64]) -> Result<Evaluation, FitError> {
        Ok(PreparedLists::new(&self.metric, &self.lists.views())?.evaluate(scores)?)
    }

    /// How much each member counts. Never is the blend surely worse than its best member.
    fn weights(&self, candidates: &[Candidate]) -> Result<Vec<f64>, FitError> {
        let weights = blend::weights(candidates, self.metric.direction());
        let blended = blend::blended(candidates, &blend::powers(candidates, &weights));
        let parts = self.evaluate(&blended)?.parts;
        Ok(blend::or_the_best_alone(candidates, weights, &parts, self.metric.direction()))
    }

    fn members(&self, candidates: &[Candidate], weights: &[f64]) -> Vec<Member> {
        let member =
            |((member, candidate), &weight): ((&plan::Planned, &Candidate), &f64)| Member {
                learner: member.learner.name.to_owned(),
                parameters: member
                    .with_share(candidate.share)
                    .unwrap_or_else(|_| member.settings.clone())
                    .to_texts(),
                figure: Some(candidate.figure()),
                weight,
            };
        self.plan.members.iter().zip(candidates).zip(weights).map(member).collect()
    }

    /// Lists are too few to judge by: the members count alike.
    fn without_folds(mut self, first: Model) -> Result<Blended, FitError> {
        if self.runner.stopped {
            return self.broken_off(first);
        }
        let mut scorers = Vec::new();
        let mut members = Vec::new();
        let n = self.plan.members.len();
        let mut models = vec![first];
        for number in 1..n {
            models.push(self.whole(number, 0, 1.0)?);
            if self.runner.stopped {
                return self.broken_off(models.swap_remove(0));
            }
        }
        let data = self.problem.data();
        for (planned, mut model) in self.plan.members.iter().zip(models) {
            model.scorer = exponential(model.scorer);
            let scores = log_scores(&model.score(data).map_err(refuse)?);
            let rows = self.lists.rows().iter();
            let scores: Vec<f64> = rows.map(|&row| scores[row as usize]).collect();
            let spread = blend::spread(&self.lists, &scores);
            scorers.push((planned.learner.name, model.scorer, spread));
            members.push(Member {
                learner: planned.learner.name.to_owned(),
                parameters: planned.settings.to_texts(),
                figure: None,
                weight: 1.0 / n as f64,
            });
        }
        let unit = scorers.iter().map(|(_, _, spread)| spread / n as f64).sum::<f64>();
        let share = |spread: f64| if spread > 0.0 { unit / spread / n as f64 } else { 0.0 };
        let scorers = scorers.into_iter().map(|(name, s, spread)| (name, s, share(spread)));
        let scorers: Vec<_> = scorers.filter(|(_, _, power)| *power > 0.0).collect();
        let stage = StageSummary {
            name: "blend".into(),
            measure: "all members alike: lists are too few to judge by".into(),
            curve: Vec::new(),
            kept: 0,
            ended: Ended::AllRounds,
            extra_curves: Vec::new(),
        };
        let model = self.model(vec![stage], members, product(scorers));
        Ok(Blended { model, out_of_fold: None })
    }

    /// The first member, as far as it came.
    fn broken_off(self, first: Model) -> Result<Blended, FitError> {
        let stages = vec![StageSummary {
            name: "blend".into(),
            measure: "not blended: interrupted before all was learnt".into(),
            curve: Vec::new(),
            kept: 0,
            ended: Ended::Interrupted,
            extra_curves: Vec::new(),
        }];
        let members = vec![Member {
            learner: first.learner.clone(),
            parameters: first.parameters.clone(),
            figure: None,
            weight: 1.0,
        }];
        let name = self.plan.members[0].learner.name;
        let scorer = product(vec![(name, exponential(first.scorer), 1.0)]);
        Ok(Blended { model: self.model(stages, members, scorer), out_of_fold: None })
    }

    fn model(self, stages: Vec<StageSummary>, members: Vec<Member>, scorer: Scorer) -> Model {
        let header = self.runner.into_header();
        Model {
            learner: header.learner,
            parameters: header.parameters,
            seed: header.seed,
            goal: header.goal,
            columns: header.columns,
            features: self.features.unwrap_or_default(),
            list_scaling: ListScaling::None,
            data: header.data,
            stages,
            members,
            scorer,
            calibration: None,
            bound: None,
            rerank: None,
        }
    }
}
