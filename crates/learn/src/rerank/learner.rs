//! The learner, and what its parameters mean to the search.

use stakes_core::cost::{Capacity, Problem};
use stakes_core::goal::{DEFAULT_ITEMS, Goal};
use stakes_core::metric::{Direction as Better, Metric, Reads, Scale, Spec};
use stakes_exact::solver::{solver, solvers};
use stakes_exact::{Formulation, Options, Rules, Sign};
use stakes_model::{Input, Model, ModelFeature};

use super::base::linear;
use super::params::{
    Method, SearchParams, SolverName, Stages, Threshold, TimeLimit, Top, WeightRules, WithBase,
};
use crate::error::FitError;
use crate::learner::{About, Kind, Learner};
use crate::params::{AutoOr, Direction, ParamError};
use crate::run::{FitContext, Fitted};

/// The best linear order of the items that another learner ranks first, with proof.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExactRerank {
    /// What is re-ranked, and what for.
    pub stages: Stages,
    /// Constraints on weights.
    pub weights: WeightRules,
    /// How the best weights are searched for.
    pub search: SearchParams,
}

pub(super) const ABOUT: About = About {
    name: "exact-rerank",
    aliases: &["rerank", "mip-rerank"],
    title: "the best linear order of the items that another learner ranks first, with proof",
    optimises: "a sum over ranks (R_CS, NDCG, DCG, AUC, ...), exactly",
    citation: "Rudin and Wang 2018, Direct Learning to Rank and Rerank",
    cost_mode: "cs: the objective itself is searched for",
    random: false,
};

impl Learner for ExactRerank {
    fn about(&self) -> &About {
        &ABOUT
    }

    crate::parameters!(stages, weights, search);

    fn kind(&self) -> Kind {
        Kind::Rerank
    }

    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        super::fit::fit(self, problem, cx)
    }
}

/// Which items are to be re-ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) top: Top,
    /// Whether items are selected by count per list or by a base score; `None`: chosen by the number
    /// of lists.
    pub(super) of_each_list: Option<bool>,
}

impl ExactRerank {
    /// Which items are re-ranked.
    pub(super) fn selection(&self) -> Selection {
        let of_each_list = match self.stages.threshold {
            Threshold::Score => Some(false),
            Threshold::Count => Some(true),
            Threshold::Auto => None,
        };
        Selection { top: self.stages.top, of_each_list }
    }

    /// Whether the base score is one of the inputs.
    pub(super) fn with_base(&self, base: &Model) -> Result<bool, ParamError> {
        let points = self.weights.points > 0;
        match self.stages.with_base {
            WithBase::Yes if points => Err(self.refuse(
                "with-base",
                "no or auto where points are whole numbers, which are per unit of a feature",
            )),
            WithBase::Yes => Ok(true),
            WithBase::No => Ok(false),
            // A linear base adds nothing to its own inputs.
            WithBase::Auto => Ok(!points && linear(base).is_none()),
        }
    }

    /// What is maximised: the goal's metric, if it is a sum over ranks, or else R_CS@k.
    pub(super) fn objective(&self, goal: &Goal, scale: Scale) -> Result<Metric, FitError> {
        let complete = |spec: Spec| {
            let spec = goal.with_own_policy(spec);
            match goal.capacity() {
                Some(k) => spec.or_cutoff(k),
                None => spec,
            }
        };
        let build = |spec: Spec| complete(spec).build(scale);
        match &self.stages.objective {
            AutoOr::Auto => {
                let own = goal.spec().build(scale)?;
                let saved = Spec::named("rcs");
                Ok(match (sums_up(&own), goal.capacity()) {
                    (true, _) => own,
                    (false, Some(_)) => build(saved)?,
                    (false, None) => build(saved.at(Capacity::Items(DEFAULT_ITEMS)))?,
                })
            }
            AutoOr::Given(spec) => {
                let refuse = |why: &str| FitError::Param(self.refuse("objective", why));
                let metric = build(spec.clone());
                let metric = metric.map_err(|error| refuse(&format!("a metric: {error}")))?;
                if sums_up(&metric) { Ok(metric) } else { Err(refuse(NOT_A_SUM)) }
            }
        }
    }

    /// How to search.
    pub(super) fn options(&self, seed: u64) -> Result<Options, ParamError> {
        let search = &self.search;
        let nodes = Some(search.nodes as u64).filter(|nodes| *nodes > 0);
        let seconds = match search.time_limit {
            // A limit that means the same everywhere needs no clock beside it.
            TimeLimit::Auto => nodes.is_none().then_some(60.0),
            TimeLimit::None => None,
            TimeLimit::Seconds(seconds) => Some(seconds),
        };
        let solver = match search.solver {
            SolverName::Auto => solvers()[0].name(),
            name => {
                let name = if name == SolverName::Highs { "highs" } else { "microlp" };
                solver(name).map(|solver| solver.name()).map_err(|_| {
                    let names: Vec<&str> = solvers().iter().map(|solver| solver.name()).collect();
                    let names = names.join(", ");
                    let allowed =
                        format!("auto, or a solver of this build: {names} (feature `highs`)");
                    self.refuse("solver", &allowed)
                })?
            }
        };
        let method = match search.method {
            Method::Cones => stakes_exact::Method::Cones,
            Method::Subrank => stakes_exact::Method::Program(Formulation::Subrank, solver),
            Method::Levels => stakes_exact::Method::Program(Formulation::Levels, solver),
            Method::Resolved => stakes_exact::Method::Program(Formulation::ResolvedRank, solver),
            Method::Search => stakes_exact::Method::Search,
            Method::Auto => stakes_exact::Method::Auto,
        };
        let (gap, margin) = (search.gap, search.margin);
        Ok(Options { method, seconds, nodes, gap, margin, seed, ..Options::default() })
    }

    /// Constraints on the weights of these inputs.
    pub(super) fn rules(
        &self,
        features: &[ModelFeature],
        inputs: &[Input],
    ) -> Result<Rules, ParamError> {
        let names: Vec<(&str, bool)> =
            features.iter().map(|f| (f.name.as_str(), f.categories.is_none())).collect();
        let signs = self.weights.signs.directions(&names);
        let signs = signs.map_err(|allowed| self.refuse("signs", &allowed))?;
        let sign = |input: &Input| match input {
            Input::Number { feature, .. } => match signs[*feature as usize] {
                Direction::Any => Sign::Free,
                Direction::Up => Sign::NotNegative,
                Direction::Down => Sign::NotPositive,
            },
            _ => Sign::Free,
        };
        let above_0 = |number: usize| Some(number).filter(|number| *number > 0);
        Ok(Rules {
            signs: inputs.iter().map(sign).collect(),
            at_most: above_0(self.weights.at_most),
            points: above_0(self.weights.points).map(|points| points as u32),
            penalty: self.weights.penalty,
        })
    }
}

/// The metrics that can be searched for exactly.
pub(super) const NOT_A_SUM: &str = "a metric that is a sum over ranks, such as rcs@10, ndcg@10, dcg@10, clrs-dcg, wrs \
     or p@10";

/// Whether a metric may be a sum over ranks; on some lists it may still not be one.
fn sums_up(metric: &Metric) -> bool {
    if metric.reads() == Reads::Values || metric.direction() == Better::Lower {
        return false;
    }
    let (impact, cost, price) = ([2.0, 1.0], [2.0, 1.0], [1.0, 1.0]);
    let list = stakes_core::data::ListView {
        impact: &impact,
        cost: &cost,
        weight: None,
        price: Some(&price),
    };
    metric.prepare(&list).additive().is_some()
}
