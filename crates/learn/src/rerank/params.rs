//! The learner and its parameters.

use stakes_core::cost::{Capacity, Problem};
use stakes_core::goal::{DEFAULT_ITEMS, Goal};
use stakes_core::metric::{Direction as Better, Metric, Reads, Scale, Spec};
use stakes_exact::solver::{solver, solvers};
use stakes_exact::{Formulation, Options, Rules, Sign};
use stakes_model::{Input, Model, ModelFeature};

use super::GIVEN;
use super::base::linear;
use crate::error::FitError;
use crate::learner::{About, Kind, Learner};
use crate::params::{AutoOr, Choice, Direction, ParamError, ParamKind, ParamValue, Signs};
use crate::run::{FitContext, Fitted};
use crate::table;
use crate::{choice, params};

choice! {
    /// Which items of new lists are re-ranked.
    pub enum Threshold {
        /// By score if there was one list, else by count.
        Auto = "auto",
        /// Those above a base score.
        Score = "score",
        /// As many of each list.
        Count = "count",
    }
}

choice! {
    /// Whether the base score is one of the inputs.
    pub enum WithBase {
        /// Unless the base is linear itself.
        Auto = "auto",
        /// Yes.
        Yes = "yes",
        /// No.
        No = "no",
    }
}

/// What scores all items before the first are re-ranked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// A learner of this name, which is trained with its default parameters.
    Learner(String),
    /// A trained model ([`FitContext::base`]).
    Given,
}

impl Base {
    /// The learner of a name, or what is allowed.
    pub(super) fn learner(name: &str) -> Result<Box<dyn Learner>, String> {
        let allowed = |why: &str| format!("a learner, or a model: {why}");
        if name == ABOUT.name || ABOUT.aliases.contains(&name) {
            return Err(allowed("this one needs a base itself"));
        }
        table::find(table::FAMILIES.iter(), name).map_err(|error| allowed(&error))
    }
}

impl ParamValue for Base {
    fn parse(text: &str, _: &ParamKind) -> Result<Self, String> {
        match text {
            GIVEN => Ok(Base::Given),
            name => Base::learner(name).map(|_| Base::Learner(name.to_owned())),
        }
    }

    fn text(&self) -> String {
        match self {
            Base::Learner(name) => name.clone(),
            Base::Given => GIVEN.to_owned(),
        }
    }
}

/// How many of the items that the base ranks first are re-ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Top {
    /// All of them.
    All,
    /// This many, 2 or more.
    Items(usize),
}

impl ParamValue for Top {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "all" => Ok(Top::All),
            text => {
                let count = text.parse::<usize>().ok().filter(|count| *count >= 2);
                count.map(Top::Items).ok_or_else(|| kind.to_string())
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Top::All => "all".into(),
            Top::Items(count) => count.to_string(),
        }
    }
}

params! {
    /// What is re-ranked, and what for.
    pub struct Stages {
        /// what scores all items before the first are re-ranked
        base: Base = Base::Learner("logistic".into()), Text("a learner, which is trained with its default parameters");
        /// how many of the items that the base ranks first are re-ranked
        top: Top = Top::Items(50), Text("a number of items, 2 or more, or all");
        /// which items of new lists are re-ranked: score: those above a base score; count: as many of
        /// each list; auto: by score if there was one list, else by count
        threshold: Threshold = Threshold::Auto, Threshold::KIND;
        /// whether the base score is one of the inputs, so that the base order can only improve;
        /// auto: unless the base is linear itself
        with_base: WithBase = WithBase::Auto, WithBase::KIND;
        /// what is maximised on the training lists
        objective: AutoOr<Spec> = AutoOr::Auto, Auto(&Text("a metric"), "auto (the goal's metric, or R_CS@k), or a sum over ranks such as rcs@10");
    }
}

params! {
    /// Constraints on weights.
    pub struct WeightRules {
        /// sign constraints on weights: + (>= 0) or - (<= 0)
        signs: Signs = Signs::default(), Text("none, or a list such as wind=+,age=-");
        /// maximum number of weights other than 0; 0: as many as there are inputs
        at_most: usize = 0, Whole(0, 1_000_000);
        /// weights are whole numbers from minus to plus this, per unit of a feature; 0: any numbers
        points: usize = 0, Whole(0, 1_000_000);
        /// penalty on the objective for each weight other than 0
        penalty: f64 = 0.0, Number(0.0, 1e9);
    }
}

choice! {
    /// How the bound is proven.
    pub enum Method {
        /// What suits the problem.
        Auto = "auto",
        /// Branch and bound over cones of weights.
        Cones = "cones",
        /// A mixed-integer program over levels of gain.
        Levels = "levels",
        /// The mixed-integer program Subrank.
        Subrank = "subrank",
        /// The mixed-integer program ResolvedRank.
        Resolved = "resolved",
        /// Not at all.
        Search = "search",
    }
}

choice! {
    /// The solver of mixed-integer programs.
    pub enum SolverName {
        /// The first of this build.
        Auto = "auto",
        /// HiGHS.
        Highs = "highs",
        /// microlp.
        Microlp = "microlp",
    }
}

/// A wall-clock limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLimit {
    /// 60 seconds; none where nodes are limited.
    Auto,
    /// No limit.
    None,
    /// So many seconds.
    Seconds(f64),
}

impl ParamValue for TimeLimit {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "auto" => Ok(TimeLimit::Auto),
            "none" => Ok(TimeLimit::None),
            text => {
                let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0 && s.is_finite());
                seconds.map(TimeLimit::Seconds).ok_or_else(|| kind.to_string())
            }
        }
    }

    fn text(&self) -> String {
        match self {
            TimeLimit::Auto => "auto".into(),
            TimeLimit::None => "none".into(),
            TimeLimit::Seconds(seconds) => seconds.to_string(),
        }
    }
}

params! {
    /// How the best weights are searched for.
    pub struct SearchParams {
        /// wall-clock limit in seconds; what is found within a time depends on the machine
        time_limit: TimeLimit = TimeLimit::Auto, Text("a number of seconds above 0, none, or auto (60, none with nodes)");
        /// maximum number of subproblems: a limit that means the same everywhere; 0: no limit
        nodes: usize = 0, Whole(0, 1 << 53);
        /// a relative distance between value and bound that is small enough
        gap: f64 = 1e-9, Number(0.0, 1.0);
        /// by how much scores must differ in programs (method levels, subrank, resolved)
        margin: f64 = 0.0001, Above0(1.0);
        /// how the bound is proven; search: not at all
        method: Method = Method::Auto, Method::KIND;
        /// which solver solves the programs of levels, subrank and resolved
        solver: SolverName = SolverName::Auto, SolverName::KIND;
    }
}

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

const ABOUT: About = About {
    name: "exact-rerank",
    aliases: &["rerank", "mip-rerank"],
    title: "the best linear order of the items that another learner ranks first, with proof",
    optimises: "a sum over ranks (R_CS, NDCG, DCG, AUC, ...), exactly",
    citation: "Rudin and Wang, Direct learning to rank and rerank, 2018",
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
