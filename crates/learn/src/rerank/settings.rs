//! What the parameters of exact re-ranking ask for.

use stakes_core::metric::{Direction as Better, Metric, Reads, Scale, Spec};
use stakes_exact::solver::{solver, solvers};
use stakes_exact::{Formulation, Method, Options, Rules, Sign};

use super::base::linear;
use crate::fit::FitError;
use crate::learners::signs;
use crate::params::{ParamError, Settings};
use crate::tree::Direction;
use stakes_core::goal::Goal;
use stakes_model::{Input, Model, ModelFeature};

/// What `base` says where a trained model is given.
pub const GIVEN: &str = "given";

/// Which items are to be re-ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Top {
    /// So many; `None` for all.
    pub(super) count: Option<usize>,
    /// Whether the count is of each list, or a base score tells; `None`: as the lists are.
    pub(super) of_each_list: Option<bool>,
}

pub(super) fn top(settings: &Settings) -> Result<Top, ParamError> {
    let text = settings.text("top");
    let count = match text {
        "all" => None,
        text => match text.parse::<usize>().ok().filter(|count| *count >= 2) {
            Some(count) => Some(count),
            None => return Err(settings.refuse("top", "a number of items, 2 or more, or all")),
        },
    };
    let of_each_list = match settings.text("threshold") {
        "score" => Some(false),
        "count" => Some(true),
        _ => None,
    };
    Ok(Top { count, of_each_list })
}

/// Whether the base score is one of the inputs.
pub(super) fn with_base(settings: &Settings, base: &Model) -> Result<bool, ParamError> {
    let points = settings.whole("points") > 0;
    match settings.text("with-base") {
        "yes" if points => Err(settings.refuse(
            "with-base",
            "no or auto where points are whole numbers, which are per unit of a feature",
        )),
        "yes" => Ok(true),
        "no" => Ok(false),
        // What is linear itself says nothing that its inputs do not say.
        _ => Ok(!points && linear(base).is_none()),
    }
}

/// What is to be best: the goal's metric, if it is a sum over ranks, or else R_CS@k.
pub(super) fn objective(
    settings: &Settings,
    goal: &Goal,
    scale: Scale,
) -> Result<Metric, FitError> {
    let complete = |mut spec: Spec| {
        spec = goal.with_own_policy(spec);
        match goal.capacity() {
            Some(k) => spec.or_cutoff(k),
            None => spec,
        }
    };
    let build = |text: &str| -> Result<Metric, FitError> {
        Ok(complete(text.parse::<Spec>()?).build(scale)?)
    };
    match settings.text("objective") {
        "auto" => {
            let own = complete(goal.spec()).build(scale)?;
            match sums_up(&own) {
                true => Ok(own),
                false => build(if goal.capacity().is_some() { "rcs" } else { "rcs@10" }),
            }
        }
        text => {
            let refuse = |why: String| FitError::Param(settings.refuse("objective", why));
            let metric = build(text).map_err(|error| refuse(format!("a metric: {error}")))?;
            match sums_up(&metric) {
                true => Ok(metric),
                false => Err(refuse(NOT_A_SUM.into())),
            }
        }
    }
}

/// Why a metric is none that can be searched for exactly.
pub(super) const NOT_A_SUM: &str = "a metric that adds up what each rank is worth, such as rcs@10, ndcg@10, dcg@10, clrs-dcg, wrs \
     or p@10";

/// Whether a metric may be a sum over ranks; lists have the last word.
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

/// How to search.
pub(super) fn options(settings: &Settings, seed: u64) -> Result<Options, ParamError> {
    let nodes = Some(settings.whole("nodes") as u64).filter(|nodes| *nodes > 0);
    let seconds = match settings.text("time-limit") {
        // A limit that means the same everywhere needs no clock beside it.
        "auto" => nodes.is_none().then_some(60.0),
        "none" => None,
        text => match text.parse::<f64>().ok().filter(|s| *s > 0.0 && s.is_finite()) {
            Some(seconds) => Some(seconds),
            None => {
                let allowed = "a number of seconds above 0, none, or auto (60, none with nodes)";
                return Err(settings.refuse("time-limit", allowed));
            }
        },
    };
    let solver = match settings.text("solver") {
        "auto" => solvers()[0].name(),
        name => match solver(name) {
            Ok(solver) => solver.name(),
            Err(_) => {
                let names: Vec<&str> = solvers().iter().map(|solver| solver.name()).collect();
                let allowed = format!(
                    "auto, or a solver of this build: {} (highs comes with make program)",
                    names.join(", ")
                );
                return Err(settings.refuse("solver", allowed));
            }
        },
    };
    let method = match settings.text("method") {
        "cones" => Method::Cones,
        "subrank" => Method::Program(Formulation::Subrank, solver),
        "levels" => Method::Program(Formulation::Levels, solver),
        "resolved" => Method::Program(Formulation::ResolvedRank, solver),
        "search" => Method::Search,
        _ => Method::Auto,
    };
    let (gap, margin) = (settings.number("gap"), settings.number("margin"));
    Ok(Options { method, seconds, nodes, gap, margin, seed, ..Options::default() })
}

/// What weights of these inputs may be.
pub(super) fn rules(
    settings: &Settings,
    features: &[ModelFeature],
    inputs: &[Input],
) -> Result<Rules, ParamError> {
    let names: Vec<(&str, bool)> =
        features.iter().map(|f| (f.name.as_str(), f.categories.is_none())).collect();
    let signs = signs(settings, "signs", &names)?;
    let sign = |input: &Input| match input {
        Input::Number { feature, .. } => match signs[*feature as usize] {
            Direction::Any => Sign::Free,
            Direction::Up => Sign::NotNegative,
            Direction::Down => Sign::NotPositive,
        },
        _ => Sign::Free,
    };
    let above_0 = |key: &str| Some(settings.whole(key)).filter(|number| *number > 0);
    Ok(Rules {
        signs: inputs.iter().map(sign).collect(),
        at_most: above_0("at-most"),
        points: above_0("points").map(|points| points as u32),
        penalty: settings.number("penalty"),
    })
}
