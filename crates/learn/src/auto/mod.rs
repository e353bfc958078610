//! `auto`: several learners, blended by their results in cross-validation.
//!
//! No learner is best everywhere: a two-part model leads where costs are mostly zero and
//! heavy-tailed, lambdas of R_CS where they are not, forests where data are few and noisy. So a
//! small portfolio (`plan.rs`) is trained in folds (with known times they look forward only), all folds of a member in step (`cross_fit.rs`):
//!
//! 1. the lists that a fold leaves out decide how many rounds a member has;
//! 2. a member's weight falls with t^2 + u^2, where t is the paired difference of its figure over lists to the best
//!    member, in standard errors, and u that of how well it explains costs (`deviance.rs`). Members that perform
//!    alike have equal weights; how fast weights fall, up to the best member alone, is decided by the figure
//!    of the blend (`blend.rs`);
//! 3. members of enough weight, each the mean over its folds, are multiplied:
//!
//!    score = product over members of score^power.
//!
//! Beside them stand the orders that anybody could follow: the best single feature, chosen within each
//! fold, and the feature that is acted by today. One that is better than the blend by two standard errors
//! takes its place.
//!
//! So every training serves twice: it judges by the lists that it leaves out, and it is a part of
//! the model. The result is one model file like any other. The amount of work is fixed before it
//! begins and never depends on the clock, so the result is the same everywhere. Scores of items by
//! models that were not trained with their lists ([`Fitted::out_of_fold`]) give an honest figure and
//! the expected costs.

mod blend;
mod deviance;
mod plan;
mod runner;
mod separate;
mod shared;

use stakes_core::Lists;
use stakes_core::cost::Problem;
use stakes_core::metric::{Evaluation, Metric, PreparedLists, per_price};
use stakes_core::random::{Stream, purpose};
use stakes_core::shards::Shards;
use stakes_core::split::Folds;
use stakes_model::{Calibration, Checkpoint, Ended, Member, Model, StageSummary};

pub use self::separate::{cross_validation_seconds, out_of_fold};

use self::blend::{Candidate, exponential, log_scores, product};
use self::plan::Plan;
use self::runner::Runner;
use crate::error::FitError;
use crate::learner::{About, Family, Kind, Learner, Work, check_data, check_same_run, header};
use crate::params::{Choice, FeatureGroups, Signs};
use crate::prepared::Prepared;
use crate::run::{FitContext, Fitted};
use crate::{boosted, choice, forest, linear, params};

/// The learners of this family.
pub const FAMILY: Family = Family { title: "portfolio", learners: &[|| Box::new(Auto::default())] };

choice! {
    /// How much training a portfolio may take.
    pub enum Effort {
        /// Two learners, five folds.
        Low = "low",
        /// Four learners, five folds.
        Medium = "medium",
        /// Eight learners, ten folds.
        High = "high",
    }
}

params! {
    /// The effort of a portfolio, and constraints on all of its members.
    pub struct Efforts {
        /// how many learners are tried, and in how many folds each is trained
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

    fn member_with(&self, name: &str) -> Option<(&'static str, String)> {
        let single = [boosted::FAMILY, forest::FAMILY, linear::FAMILY];
        let mut learners = single.iter().flat_map(Family::learners);
        learners.find_map(|learner| Some((learner.name(), learner.key_of(name)?)))
    }

    fn work(&self, problem: &Problem<'_>) -> Option<Work> {
        Some(Plan::new(self, problem, None).work(problem.data()))
    }

    fn streams_above(&self) -> Option<usize> {
        Some(plan::MAX_SIMPLE_CELLS)
    }

    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        fit(self, problem, cx)
    }
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
    let plan = Plan::new(auto, problem, cx.current.as_ref());
    let header = header(auto, problem, cx)?;
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    let metric = cx.metric_for(problem.goal(), problem.data())?;
    let seed = cx.seed;
    let folds = Folds::new(problem, plan.folds, seed);
    let seconds = plan.seconds(problem.data(), folds.as_ref().map_or(1.0, Folds::trainings));
    cx.tell_stage("sorting features into bins");
    let bins = plan.members[0].bins();
    let prepared =
        Prepared::new(problem, None, folds.as_ref(), None, None, bins, &Shards::alone())?;
    let runner = Runner::new(header, cx, seconds);
    let folds = folds.as_ref();
    Portfolio { plan, problem, prepared: &prepared, folds, metric, seed, runner }.fit()
}

/// A score from its logarithm.
fn score(log: f64) -> f64 {
    log.clamp(-700.0, 700.0).exp()
}

/// A portfolio during training. Scores of members are kept in canonical order, in which sums over
/// items and lists are made, so that the order of the file does not matter.
struct Portfolio<'p, 'a, 'c> {
    plan: Plan,
    problem: &'p Problem<'p>,
    prepared: &'p Prepared<'p>,
    /// `None` if lists are too few.
    folds: Option<&'p Folds>,
    metric: Metric,
    seed: u64,
    runner: Runner<'a, 'c>,
}

impl Portfolio<'_, '_, '_> {
    fn fit(mut self) -> Result<Fitted, FitError> {
        self.share()?;
        let mut candidates = Vec::new();
        for number in 0..self.plan.members.len() {
            // Without folds nothing says that a simple order is better.
            if number >= self.plan.blended && self.folds.is_none() {
                break;
            }
            let fitted = self.train(number)?;
            // A part of a member counts only if there is nothing else.
            if !self.runner.stopped || candidates.is_empty() {
                candidates.push(self.candidate(fitted)?);
            }
            if self.runner.stopped {
                break;
            }
        }
        let weights = self.weights(&candidates)?;
        let powers = blend::powers(&candidates, &weights);
        let blended = blend::blended(&candidates, &powers);
        let scores_costs = blend::scores_costs(&candidates, &weights);
        let stages = self.stages(&candidates, &blended, scores_costs)?;
        let members = self.members(&candidates, &weights);
        let out_of_fold = self.folds.map(|_| self.by_row(&blended));
        let calibration = match &out_of_fold {
            Some(scores) => Calibration::of_scores(self.problem, scores)?,
            None => None,
        };
        let named = candidates.into_iter().zip(&self.plan.members).zip(powers);
        let scorers = named.filter(|(_, power)| *power > 0.0);
        let scorers = scorers.map(|((c, member), power)| (member.name(), c.scorer, power));
        let scorer = product(scorers.collect());
        let features = self.prepared.features.clone();
        let header = Checkpoint { features, ..self.runner.into_header() };
        let model =
            Model { stages, members, calibration, scores_costs, ..Model::new(header, scorer) };
        Ok(Fitted { model, stages: Vec::new(), out_of_fold })
    }

    /// Trains a member, in all folds if there are any.
    fn train(&mut self, number: usize) -> Result<Fitted, FitError> {
        let learner = &*self.plan.members[number];
        let seed = Stream::new(purpose(self.seed, b"members "), number as u64).word(0);
        let (problem, name) = (self.problem, learner.name());
        match self.folds.filter(|_| !learner.cross_fits()) {
            None => {
                let prepared = Some((self.prepared, self.folds));
                self.runner.train(learner, problem, seed, name, prepared)
            }
            Some(folds) => {
                let prepared = Some((self.prepared, None));
                let mut fitted = self.runner.train(learner, problem, seed, name, prepared)?;
                let training = separate::Training { learner, problem, folds, seed };
                fitted.out_of_fold = separate::scores(&mut self.runner, training)?;
                Ok(fitted)
            }
        }
    }

    /// A member with its results on the lists that folds leave out, or else on all of them.
    fn candidate(&self, fitted: Fitted) -> Result<Candidate, FitError> {
        let Fitted { model, out_of_fold, .. } = fitted;
        let scores = match out_of_fold {
            Some(scores) => scores,
            None => model.score(self.problem.data())?,
        };
        let log = self.judged().in_order(&log_scores(&model.scorer, &scores));
        let Evaluation { figure, parts, .. } = self.evaluate(&log, model.scores_costs)?;
        let deviances = deviance::by_list(self.prepared.measured_unit_lists(), &log);
        let spread = blend::spread(self.judged(), &log);
        let ended = if self.runner.stopped { Ended::Interrupted } else { Ended::AllRounds };
        let (scorer, scores_costs) = (exponential(model.scorer), model.scores_costs);
        Ok(Candidate { figure, parts, deviances, spread, log, scorer, scores_costs, ended })
    }

    /// The lists that members are judged by.
    fn judged(&self) -> &Lists {
        self.prepared.measured_lists()
    }

    /// Evaluates the logarithms of scores in canonical order, those of costs per price where money is spent.
    fn evaluate(&self, log: &[f64], of_costs: bool) -> Result<Evaluation, FitError> {
        let lists = PreparedLists::new(&self.metric, &self.judged().views())?;
        let money = of_costs && self.problem.goal().budget().is_some();
        Ok(match self.judged().price().filter(|_| money) {
            None => lists.evaluate(log)?,
            Some(price) => {
                lists.evaluate_mapped(log, |item, log| per_price(score(log), price[item]))?
            }
        })
    }

    /// The weights of the members: equal where lists are too few to judge by. On the lists that
    /// folds leave out, the blend is never worse than its best member.
    fn weights(&self, candidates: &[Candidate]) -> Result<Vec<f64>, FitError> {
        if self.folds.is_none() {
            return Ok(vec![1.0 / candidates.len() as f64; candidates.len()]);
        }
        let direction = self.metric.direction();
        let blended = &candidates[..candidates.len().min(self.plan.blended)];
        let choices = blend::choices(blended, direction);
        let evaluated = choices.iter().map(|weights| self.evaluate_blend(blended, weights));
        let evaluated: Vec<Evaluation> = evaluated.collect::<Result<_, _>>()?;
        let chosen = blend::best_figure(evaluated.iter().map(|found| found.figure), direction);
        let (mut weights, blend) = (choices[chosen].clone(), &evaluated[chosen].parts);
        weights.resize(candidates.len(), 0.0);
        // A simple order has no weight in a blend: it is taken alone or not at all.
        Ok(blend::or_the_best_alone(candidates, weights, blend, direction))
    }

    /// Evaluates a blend on the lists that folds leave out.
    fn evaluate_blend(&self, of: &[Candidate], weights: &[f64]) -> Result<Evaluation, FitError> {
        let log = blend::blended(of, &blend::powers(of, weights));
        self.evaluate(&log, blend::scores_costs(of, weights))
    }

    /// A summary of each member, and of the blend.
    fn stages(
        &self,
        candidates: &[Candidate],
        blended: &[f64],
        scores_costs: bool,
    ) -> Result<Vec<StageSummary>, FitError> {
        let ended = if self.runner.stopped { Ended::Interrupted } else { Ended::AllRounds };
        let measure = match (self.folds, ended) {
            (_, Ended::Interrupted) => {
                "interrupted: only the members that were trained before".to_owned()
            }
            (None, _) => "equal weights: too few lists to cross-validate".to_owned(),
            (Some(_), _) => format!("cross-validated {}", self.metric.name()),
        };
        let summary = |name: &str, figure: Option<f64>, ended| StageSummary {
            name: name.to_owned(),
            measure: measure.clone(),
            curve: figure.filter(|_| self.folds.is_some()).into_iter().collect(),
            kept: usize::from(self.folds.is_some()),
            ended,
            extra_curves: Vec::new(),
        };
        let of_member = |(member, candidate): (&dyn Learner, &Candidate)| {
            summary(member.name(), candidate.figure, candidate.ended)
        };
        let mut stages: Vec<StageSummary> =
            self.plan.learners().zip(candidates).map(of_member).collect();
        let figure = self.evaluate(blended, scores_costs)?.figure;
        stages.push(summary(StageSummary::BLEND, figure, ended));
        Ok(stages)
    }

    fn members(&self, candidates: &[Candidate], weights: &[f64]) -> Vec<Member> {
        let judged = self.folds.is_some();
        let member = |((member, candidate), &weight): ((&dyn Learner, &Candidate), &f64)| {
            let figure = candidate.figure.filter(|_| judged);
            let (learner, parameters) = (member.name().to_owned(), member.texts());
            Member { learner, parameters, figure, weight }
        };
        self.plan.learners().zip(candidates).zip(weights).map(member).collect()
    }

    /// Scores by row of the data, from their logarithms in canonical order; NaN for items that no fold
    /// judges.
    fn by_row(&self, logs: &[f64]) -> Vec<f64> {
        let mut by_row = vec![f64::NAN; self.problem.data().len()];
        for (&row, log) in self.judged().rows().iter().zip(logs) {
            by_row[row as usize] = score(*log);
        }
        by_row
    }
}
