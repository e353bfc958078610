//! From a row of the table to trees: what each learner fits, and how its score is made.

mod boosted;
mod cs_mart;
mod forest;
mod linear;
mod nets;
mod rankboost;
mod search;
mod simple;
mod two_part;

use stakes_core::cost::Capacity;
use stakes_core::data::{Feature, FeatureKind};
use stakes_core::metric::{Metric, Spec};

use crate::boost::Shrink;
use crate::fit::FitError;
use crate::loss::{ListWeighting, Loss};
use crate::params::{ParamError, Settings};
use crate::run::{Run, Stage, Watched};
use crate::sampling::Sampling;
use crate::tree::{Direction, Interactions, TreeParams};
use stakes_model::{Link, ListScaling, Scorer};

pub(crate) use boosted::{cr_mart, cs_listnet_mart, lambdamart, mart, ranknet_mart, tweedie_mart};
pub(crate) use cs_mart::cs_mart;
pub(crate) use forest::random_forest;
pub(crate) use linear::{cs_rglist, listmle, logistic, p_norm_push, ranksvm, ridge};
pub(crate) use nets::{cr_listnet, cr_ranknet, cs_lambdarank, lambdarank, listnet, ranknet};
pub(crate) use rankboost::{rankboost, rankboost_plus};
pub(crate) use search::{
    adarank, coordinate_ascent, cr_coordinate_ascent, cs_adarank, cs_coordinate_ascent,
};
pub(crate) use simple::{best_feature, random};
pub(crate) use two_part::two_part;

/// How a learner works.
#[derive(Clone, Copy)]
pub(crate) enum Fitting {
    /// By stages of boosting, one after the other.
    Stages(Fit),
    /// By what other learners found ([`crate::auto`]).
    Portfolio,
    /// By putting the items in a new order that another learner puts first ([`crate::rerank`]).
    Rerank,
}

/// How a learner makes its score.
pub(crate) type Fit = fn(&Settings, &mut Run<'_, '_>) -> Result<Scorer, FitError>;

/// A stage with the boosting parameters of the settings.
fn stage<'s>(settings: &Settings, name: &'static str, link: Link, loss: &'s dyn Loss) -> Stage<'s> {
    Stage {
        name,
        loss,
        link,
        shrink: Shrink::Rate(settings.number("rate")),
        rounds: settings.whole("rounds"),
        patience: settings.whole("patience"),
        active: None,
        watched: Watched::Goal,
        others: None,
        unit: 1.0,
        offset: None,
        noise: 0.0,
        longest: f64::INFINITY,
        smearing: None,
    }
}

/// A cost-sensitive metric of the run's goal: its capacity and policy filled in.
fn goal_metric(
    run: &Run<'_, '_>,
    text: &str,
    cutoff: Option<Capacity>,
) -> Result<Metric, FitError> {
    let goal = run.goal();
    let mut spec: Spec = text.parse()?;
    spec = goal.with_own_policy(spec);
    // Under a budget there is no number of items; ten is where most lists are decided.
    spec = spec.or_cutoff(cutoff.or(goal.capacity()).unwrap_or(Capacity::Items(10)));
    Ok(spec.build(run.scale())?)
}

/// How much lists count, by the parameter `mode`.
fn weighting(settings: &Settings, run: &Run<'_, '_>) -> Result<ListWeighting, FitError> {
    Ok(match settings.text("mode") {
        "cr" => ListWeighting::ByStake(goal_metric(run, "rcs", None)?),
        _ => ListWeighting::Alike,
    })
}

/// What is done with numbers within lists, by the parameter `within`.
pub(crate) fn within(settings: &Settings) -> ListScaling {
    if settings.has("within") {
        ListScaling::from_name(settings.text("within"))
    } else {
        ListScaling::None
    }
}

/// The tree parameters of the settings, for these features; `None` if no trees are grown.
pub(crate) fn tree_params(
    settings: &Settings,
    features: &[Feature],
) -> Result<Option<TreeParams>, FitError> {
    if !settings.has("leaves") {
        return Ok(None);
    }
    Ok(Some(TreeParams {
        leaves: settings.whole("leaves"),
        depth: settings.whole("depth"),
        min_rows: settings.whole("min-rows"),
        min_hessian: settings.number("min-hessian"),
        min_gain: settings.number("min-gain"),
        l1: settings.number("l1"),
        l2: settings.number("l2"),
        category_l2: settings.number("category-l2"),
        features: settings.number("features"),
        features_per_split: settings.number("features-per-split"),
        directions: directions(settings, features)?,
        interactions: interactions(settings, features)?,
    }))
}

/// What rows a tree is grown on.
pub(crate) fn sampling(settings: &Settings) -> Sampling {
    let share = |key| if settings.has(key) { settings.number(key) } else { 1.0 };
    Sampling { rows: share("rows"), lists: share("lists") }
}

/// The number of a feature by its name.
fn feature<'n>(
    settings: &Settings,
    key: &'static str,
    names: impl Iterator<Item = &'n str> + Clone,
    name: &str,
) -> Result<usize, ParamError> {
    let name = name.trim();
    names.clone().position(|known| known == name).ok_or_else(|| {
        let hint = stakes_core::suggest::hint(name, names);
        settings.refuse(key, format!("names of features; there is no feature `{name}`: {hint}"))
    })
}

/// Which way the score may go with features, by a parameter such as `wind:+,age:-` (or `wind=+`).
/// Features are names, and whether they hold numbers.
pub(crate) fn signs(
    settings: &Settings,
    key: &'static str,
    features: &[(&str, bool)],
) -> Result<Vec<Direction>, ParamError> {
    let mut directions = vec![Direction::Any; features.len()];
    let text = settings.text(key);
    if text == "none" {
        return Ok(directions);
    }
    let signs = [
        (":+", Direction::Up),
        (":-", Direction::Down),
        ("=+", Direction::Up),
        ("=-", Direction::Down),
    ];
    let mut name = String::new();
    for piece in text.split(',') {
        name += piece;
        let sign = signs.iter().find_map(|(end, d)| Some((name.trim_end().strip_suffix(end)?, *d)));
        let Some((known, direction)) = sign else {
            // Names may hold commas: the sign is the end.
            name.push(',');
            continue;
        };
        let at = feature(settings, key, features.iter().map(|(name, _)| *name), known)?;
        if !features[at].1 {
            let name = &features[at].0;
            let what = format!("features that hold numbers; `{name}` holds names");
            return Err(settings.refuse(key, what));
        }
        directions[at] = direction;
        name.clear();
    }
    match name.is_empty() {
        true => Ok(directions),
        false => Err(settings.refuse(key, "a list such as wind:+,age:-")),
    }
}

fn directions(settings: &Settings, features: &[Feature]) -> Result<Vec<Direction>, FitError> {
    let named = |f: &'_ Feature| f.kind == FeatureKind::Numeric;
    let names: Vec<(&str, bool)> = features.iter().map(|f| (f.name.as_str(), named(f))).collect();
    Ok(signs(settings, "monotone", &names)?)
}

fn interactions(
    settings: &Settings,
    features: &[Feature],
) -> Result<Option<Interactions>, FitError> {
    let text = settings.text("interactions");
    if text == "all" {
        return Ok(None);
    }
    let number = |name: &str| {
        Ok(feature(settings, "interactions", features.iter().map(|f| f.name.as_str()), name)?
            as u32)
    };
    let group = |group: &str| group.split(',').map(number).collect::<Result<Vec<u32>, FitError>>();
    Ok(Some(Interactions::new(text.split(';').map(group).collect::<Result<_, _>>()?)))
}
