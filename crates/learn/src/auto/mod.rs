//! `auto`: several learners, blended by their results in cross-validation.
//!
//! No learner is best everywhere: a two-part model leads where costs are mostly zero and
//! heavy-tailed, lambdas of R_CS where they are not, forests where data are few and noisy. So a
//! small portfolio (`plan.rs`) is cross-validated (lists of a fold stay together, and with known
//! times a fold is a period):
//!
//! 1. each member's number of rounds is the best of a quarter, half or all of them;
//! 2. the weight of a member is exp(-t^2 / 2), where t is its paired difference over lists to the
//!    best member, in standard errors: members that perform alike have equal weights (`blend.rs`);
//! 3. members of enough weight are refitted on all lists, several times from other seeds, and
//!    multiplied:
//!
//!    score = product over members of score^power.
//!
//! The result is one model file like any other. The amount of work is fixed before it begins and
//! never depends on the clock, so the result is the same everywhere. Scores of items by models that
//! were not trained with their lists ([`Fitted::out_of_fold`]) give an honest figure and the
//! expected costs.
//!
//! Example: on 100 generated storms `two-part` leads by four standard errors, and the blend is
//! two-part trees alone; on outages `cs-mart` leads, and forest and pairs have half its weight.

mod blend;
mod plan;
mod runner;

use stakes_core::Lists;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::metric::{Evaluation, Metric, PreparedLists};
use stakes_core::random::{Stream, purpose};
use stakes_core::split::Folds;
use stakes_model::{
    Calibration, Checkpoint, Ended, Member, Model, ModelFeature, Scorer, StageSummary,
};

use self::blend::{Candidate, at_share, exponential, geometric_mean, log_scores, product};
use self::plan::{Plan, Planned};
use self::runner::Runner;
use crate::error::FitError;
use crate::learner::{
    About, Family, Kind, Learner, Work, check_data, check_same_run, header, training_seconds,
};
use crate::params::{Choice, FeatureGroups, Signs};
use crate::run::{FitContext, Fitted};
use crate::{choice, params};

/// The learners of this family.
pub const FAMILY: Family = Family { title: "portfolio", learners: &[|| Box::new(Auto::default())] };

choice! {
    /// How much training a portfolio may take.
    pub enum Effort {
        /// Two learners, three folds.
        Low = "low",
        /// Four learners, five folds, refitted three times.
        Medium = "medium",
        /// Six learners, five folds, refitted eight times.
        High = "high",
    }
}

params! {
    /// The effort of a portfolio, and constraints on all of its members.
    pub struct Efforts {
        /// how many learners are tried, on how many folds, and how many times they are refitted
        effort: Effort = Effort::Medium, Effort::KIND;
        /// maximum number of trees of each learner; 0: the usual number of each learner
        rounds: usize = 0, Whole(0, 100_000), alias ["n-estimators", "num-rounds", "iterations", "trees"];
        /// features that may only raise (+) or lower (-) the score
        monotone: Signs = Signs::default(), Text("none, or features with + or - such as wind:+,age:-"), alias ["monotone-constraints"];
        /// groups of features that may be used on one path of a tree
        interactions: FeatureGroups = FeatureGroups::All, Text("all, or groups of features such as wind,gust;age"), alias ["interaction-constraints"];
    }
}

/// A blend of the learners that do best in cross-validation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Auto {
    /// How much training it may take.
    pub effort: Efforts,
}

impl Learner for Auto {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "auto",
            aliases: &["portfolio", "blend"],
            title: "a blend of the learners that do best in cross-validation",
            optimises: "the metric of the goal, cross-validated",
            citation: "Caruana et al. 2004, Ensemble Selection from Libraries of Models; van der \
                       Laan et al. 2007, Super Learner",
            cost_mode: "cs: costs are predicted, and blended for the metric of the goal",
            random: true,
        };
        &ABOUT
    }

    crate::parameters!(effort);

    fn kind(&self) -> Kind {
        Kind::Blend
    }

    fn work(&self, problem: &Problem<'_>) -> Option<Work> {
        Some(Plan::new(self, problem).work(problem.data()))
    }

    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        fit(self, problem, cx)
    }
}

/// Scores of all items by models of one learner that were not trained with their lists, in the
/// folds that [`Auto`] uses. `None` if lists are too few, or the observer stopped it.
pub fn out_of_fold(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    folds: usize,
) -> Result<Option<Vec<f64>>, FitError> {
    learner.check_params()?;
    rayon::scope(|_| {
        let Some(folds) = Folds::new(problem, folds, cx.seed) else { return Ok(None) };
        let seed = cx.seed;
        let seconds = cross_validation_seconds(learner, problem.data(), folds.len());
        let mut runner = Runner::new(header(learner, problem, cx), cx, seconds);
        let mut scores = vec![0.0; problem.data().len()];
        for fold in 0..folds.len() {
            let (kept, left_out) = folds.sides(fold);
            let data = problem.data().take_lists(&kept);
            let what = format!("fold {} of {}", fold + 1, folds.len());
            let known = Problem::new(&data, problem.goal())?;
            let Some(model) = runner.fit(learner, &known, seed, &what, None)? else {
                return Ok(None);
            };
            let others = problem.data().take_lists(&left_out);
            folds.put(problem, fold, &model.score(&others)?, &mut scores);
        }
        Ok(Some(scores))
    })
}

/// The estimated seconds on one core of [`out_of_fold`].
pub fn cross_validation_seconds(learner: &dyn Learner, data: &Dataset, folds: usize) -> f64 {
    // A fold is trained with all lists but its own.
    let items = data.len() - data.len().checked_div(folds).unwrap_or(0);
    folds as f64 * training_seconds(learner, data.features().width(), items)
}

fn fit(auto: &Auto, problem: &Problem<'_>, cx: &mut FitContext<'_>) -> Result<Fitted, FitError> {
    check_data(problem.data())?;
    if cx.init_model.is_some() {
        return Err(FitError::Data(
            "training cannot continue from a blend: its members and their weights were chosen \
             together; train from the start, or choose a single learner"
                .into(),
        ));
    }
    let plan = Plan::new(auto, problem);
    let header = header(auto, problem, cx);
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    let metric = cx.metric_for(problem.goal(), problem.data())?;
    let seed = cx.seed;
    let folds = Folds::new(problem, plan.folds, seed);
    let seconds = plan.seconds(problem.data(), folds.as_ref().map_or(0, Folds::len));
    let runner = Runner::new(header, cx, seconds);
    let lists = Lists::new(problem);
    Portfolio { plan, problem, lists, metric, seed, runner, features: None }.fit(folds.as_ref())
}

/// A portfolio during training.
struct Portfolio<'p, 'a, 'c> {
    plan: Plan,
    problem: &'p Problem<'p>,
    /// Sums over items and lists are made in canonical order, so that the order of the file does not
    /// matter. Scores of members are kept in it.
    lists: Lists,
    metric: Metric,
    seed: u64,
    runner: Runner<'a, 'c>,
    /// The features of the first model; the others use the same categories.
    features: Option<Vec<ModelFeature>>,
}

impl Portfolio<'_, '_, '_> {
    fn fit(mut self, folds: Option<&Folds>) -> Result<Fitted, FitError> {
        // The first member on all lists: the result, if the run is interrupted.
        let first = self.whole(0, 0, 1.0)?;
        let Some(folds) = folds.filter(|_| !self.runner.stopped) else {
            return self.without_folds(first);
        };
        let mut candidates = Vec::new();
        for number in 0..self.plan.members.len() {
            match self.judge(number, folds)? {
                Some(candidate) => candidates.push(candidate),
                None => return self.interrupted(first),
            }
        }
        let weights = self.weights(&candidates)?;
        let powers = blend::powers(&candidates, &weights);
        self.runner.left = self.refitting_seconds(&candidates, &powers);
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
                    return self.interrupted(first);
                }
            }
            let scorer = exponential(geometric_mean(again));
            scorers.push((self.plan.members[number].learner.name(), scorer, power));
        }
        let out_of_fold = blend::blended(&candidates, &powers);
        let stages =
            candidates.iter().zip(&self.plan.members).map(|(candidate, member)| StageSummary {
                name: member.learner.name().to_owned(),
                measure: format!(
                    "cross-validated {}, after a quarter, half and all rounds",
                    self.metric.name()
                ),
                curve: candidate.figures.clone(),
                kept: candidate.kept,
                ended: Ended::AllRounds,
                extra_curves: Vec::new(),
            });
        let mut stages: Vec<StageSummary> = stages.collect();
        stages.push(StageSummary {
            name: StageSummary::BLEND.into(),
            measure: format!("cross-validated {}", self.metric.name()),
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
        Ok(Fitted { model, stages: Vec::new(), out_of_fold: Some(out_of_fold) })
    }

    /// The estimated seconds of refitting the members that count. (The first one was trained on all
    /// lists before.)
    fn refitting_seconds(&self, candidates: &[Candidate], powers: &[f64]) -> f64 {
        let members = self.plan.members.iter().zip(candidates).zip(powers).enumerate();
        let counted = members.filter(|(_, (_, power))| **power > 0.0);
        let seconds = |(number, ((member, candidate), _)): (usize, ((&Planned, &Candidate), _))| {
            let times = self.plan.seeds - usize::from(number == 0);
            times as f64 * member.seconds(self.problem.data(), candidate.share)
        };
        counted.map(seconds).sum()
    }

    /// Fits a member on all lists: a share of its rounds, from one of several seeds.
    fn whole(&mut self, number: usize, turn: usize, share: f64) -> Result<Model, FitError> {
        let member = &self.plan.members[number];
        let learner = member.with_share(share);
        let seed = Stream::new(purpose(self.seed, b"members "), number as u64).word(turn as u64);
        let what = match self.plan.seeds {
            1 => format!("{}, all lists", member.learner.name()),
            seeds => format!("{}, all lists, {} of {seeds}", member.learner.name(), turn + 1),
        };
        let known = self.features.as_deref();
        let model = self.runner.partial(&*learner, self.problem, seed, &what, known)?;
        self.features.get_or_insert_with(|| model.features.clone());
        Ok(model)
    }

    /// Cross-validates a member; `None` if the run was interrupted.
    fn judge(&mut self, number: usize, folds: &Folds) -> Result<Option<Candidate>, FitError> {
        let member = &self.plan.members[number];
        let shares = member.shares();
        let mut logs = vec![vec![0.0; self.problem.data().len()]; shares.len()];
        for fold in 0..folds.len() {
            let (kept, left_out) = folds.sides(fold);
            let data = self.problem.data().take_lists(&kept);
            let known = Problem::new(&data, self.problem.goal())?;
            let what = format!("{}, fold {} of {}", member.learner.name(), fold + 1, folds.len());
            let seed =
                Stream::new(purpose(self.seed, b"folds   "), number as u64).word(fold as u64);
            let known_features = self.features.as_deref();
            let fitted = self.runner.fit(&*member.learner, &known, seed, &what, known_features)?;
            let Some(mut model) = fitted else { return Ok(None) };
            let others = self.problem.data().take_lists(&left_out);
            let whole = exponential(model.scorer);
            for (&share, logs) in shares.iter().zip(&mut logs) {
                model.scorer = at_share(&whole, share);
                let scores = log_scores(&model.score(&others)?);
                folds.put(self.problem, fold, &scores, logs);
            }
        }
        let mut evaluations = Vec::new();
        for log in &mut logs {
            *log = self.lists.in_order(log);
            evaluations.push(self.evaluate(log)?);
        }
        Ok(Candidate::best(&self.lists, &self.metric, shares, logs, evaluations))
    }

    /// Evaluates scores in canonical order.
    fn evaluate(&self, scores: &[f64]) -> Result<Evaluation, FitError> {
        Ok(PreparedLists::new(&self.metric, &self.lists.views())?.evaluate(scores)?)
    }

    /// The weights of the members. The blend is never significantly worse than its best member.
    fn weights(&self, candidates: &[Candidate]) -> Result<Vec<f64>, FitError> {
        let weights = blend::weights(candidates, self.metric.direction());
        let blended = blend::blended(candidates, &blend::powers(candidates, &weights));
        let parts = self.evaluate(&blended)?.parts;
        Ok(blend::or_the_best_alone(candidates, weights, &parts, self.metric.direction()))
    }

    fn members(&self, candidates: &[Candidate], weights: &[f64]) -> Vec<Member> {
        let member = |((member, candidate), &weight): ((&Planned, &Candidate), &f64)| Member {
            learner: member.learner.name().to_owned(),
            parameters: member.with_share(candidate.share).texts(),
            figure: Some(candidate.figure()),
            weight,
        };
        self.plan.members.iter().zip(candidates).zip(weights).map(member).collect()
    }

    /// Without cross-validation, where lists are too few: equal weights.
    fn without_folds(mut self, first: Model) -> Result<Fitted, FitError> {
        if self.runner.stopped {
            return self.interrupted(first);
        }
        let mut scorers = Vec::new();
        let mut members = Vec::new();
        let n = self.plan.members.len();
        let mut models = vec![first];
        for number in 1..n {
            models.push(self.whole(number, 0, 1.0)?);
            if self.runner.stopped {
                return self.interrupted(models.swap_remove(0));
            }
        }
        let data = self.problem.data();
        for (planned, mut model) in self.plan.members.iter().zip(models) {
            model.scorer = exponential(model.scorer);
            let scores = log_scores(&model.score(data)?);
            let rows = self.lists.rows().iter();
            let scores: Vec<f64> = rows.map(|&row| scores[row as usize]).collect();
            let spread = blend::spread(&self.lists, &scores);
            scorers.push((planned.learner.name(), model.scorer, spread));
            members.push(Member {
                learner: planned.learner.name().to_owned(),
                parameters: planned.learner.texts(),
                figure: None,
                weight: 1.0 / n as f64,
            });
        }
        let unit = scorers.iter().map(|(_, _, spread)| spread / n as f64).sum::<f64>();
        let share = |spread: f64| if spread > 0.0 { unit / spread / n as f64 } else { 0.0 };
        let scorers = scorers.into_iter().map(|(name, s, spread)| (name, s, share(spread)));
        let scorers: Vec<_> = scorers.filter(|(_, _, power)| *power > 0.0).collect();
        let stage = StageSummary {
            name: StageSummary::BLEND.into(),
            measure: "equal weights: too few lists to cross-validate".into(),
            curve: Vec::new(),
            kept: 0,
            ended: Ended::AllRounds,
            extra_curves: Vec::new(),
        };
        let model = self.model(vec![stage], members, product(scorers));
        Ok(Fitted { model, stages: Vec::new(), out_of_fold: None })
    }

    /// The first member, as far as it was trained.
    fn interrupted(self, first: Model) -> Result<Fitted, FitError> {
        let stages = vec![StageSummary {
            name: StageSummary::BLEND.into(),
            measure: "not blended: interrupted before all members were trained".into(),
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
        let name = self.plan.members[0].learner.name();
        let scorer = product(vec![(name, exponential(first.scorer), 1.0)]);
        let model = self.model(stages, members, scorer);
        Ok(Fitted { model, stages: Vec::new(), out_of_fold: None })
    }

    fn model(self, stages: Vec<StageSummary>, members: Vec<Member>, scorer: Scorer) -> Model {
        let header =
            Checkpoint { features: self.features.unwrap_or_default(), ..self.runner.into_header() };
        Model { stages, members, ..Model::new(header, scorer) }
    }
}
