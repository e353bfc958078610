//! Linear models: what they minimise over which inputs.

use super::nets::list_mle_net;
use super::{goal_metric, within};
use crate::dense::{DenseData, Iteration, Keep};
use crate::fit::FitError;
use crate::linear::{
    Logistic, PNormPush, PairWeight, Path, Push, RankSvm, Ridge, Solve, Strengths,
};
use crate::loss::{ListWeighting, Loss, RankNet, Target};
use crate::newton::{Importance, Listwise, Minimum, Ties, minimise};
use crate::params::Settings;
use crate::run::Run;
use stakes_core::WeightedLists;
use stakes_model::{Link, Scorer};

/// Strengths of a loss to search, and the one that is taken where nothing can choose.
struct Range {
    from: f64,
    to: f64,
    alone: f64,
}

/// A parameter that is a number above 0, or auto.
fn strengths(
    settings: &Settings,
    run: &Run<'_, '_>,
    key: &'static str,
    range: &Range,
) -> Result<Strengths, FitError> {
    let text = settings.text(key);
    if text == "auto" {
        return Ok(match run.prepared.validation {
            Some(_) => Strengths::between(range.from, range.to),
            None => Strengths::One(range.alone),
        });
    }
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1e9);
    let number =
        number.ok_or_else(|| settings.refuse(key, "auto, or a number above 0 and up to 1e9"))?;
    Ok(Strengths::One(number))
}

/// Inputs beyond which the matrix of second derivatives is no longer small.
const MOST_INPUTS: usize = 5000;

/// The inputs, if they are few enough.
fn few_inputs(settings: &Settings, run: &Run<'_, '_>) -> Result<DenseData, FitError> {
    let data = DenseData::new(run.prepared, within(settings))?;
    match data.inputs.len() {
        ..=MOST_INPUTS => Ok(data),
        inputs => Err(FitError::Data(format!(
            "there are {inputs} inputs (each category is one), and at most {MOST_INPUTS} can be \
             solved for: leave out features with many categories (--drop), or take trees \
             (--learner mart)"
        ))),
    }
}

/// What the score of a path stands for.
struct Meaning {
    link: Link,
    unit: f64,
    biased: bool,
}

/// A difference of scores says which item comes first, and no more.
const ORDER: Meaning = Meaning { link: Link::Identity, unit: 1.0, biased: false };

/// The best of a path of minima.
fn best_of_path(
    run: &mut Run<'_, '_>,
    data: &DenseData,
    meaning: &Meaning,
    (what, strengths): (&'static str, Strengths),
    solve: &Solve<'_>,
) -> Result<Scorer, FitError> {
    let &Meaning { link, unit, biased } = meaning;
    let iteration = Iteration {
        name: "score",
        link,
        unit,
        rounds: strengths.rounds(),
        patience: 0,
        keep: Keep::BestValidated,
    };
    let mut path = Path::new(what, strengths, data.inputs.len(), solve);
    if biased {
        path = path.biased();
    }
    let factor = run.iterate(&iteration, data, &mut path)?;
    Ok(Scorer { unit, factors: vec![factor] })
}

/// What `c` is.
const C: &str = "c, the strength of the loss";

fn listwise(
    settings: &Settings,
    run: &mut Run<'_, '_>,
    importance: Importance,
) -> Result<Scorer, FitError> {
    let ties = match settings.text("ties") {
        "order" => Ties::Order,
        _ => Ties::Together,
    };
    let strengths = strengths(settings, run, "c", &Range { from: 1e-4, to: 10.0, alone: 1.0 })?;
    let prepared = run.prepared;
    let data = few_inputs(settings, run)?;
    let lists = &prepared.training.unit_lists;
    let loss = Listwise::new(&data.training, lists, importance, ties);
    let solve = |c: f64, from: &[f64]| minimise(&loss, c, from);
    best_of_path(run, &data, &ORDER, (C, strengths), &solve)
}

pub(crate) fn listmle(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let (solver, is_linear) = (settings.text("solver"), settings.text("hidden") == "0");
    if solver == "newton" && !is_linear {
        return Err(settings.refuse("solver", "adam where there are hidden layers").into());
    }
    if solver == "newton" || (solver == "auto" && is_linear) {
        return listwise(settings, run, Importance::Equal);
    }
    if settings.text("ties") == "order" {
        return Err(settings.refuse("ties", "together, unless it is solved by newton").into());
    }
    list_mle_net(settings, run)
}

pub(crate) fn cs_rglist(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let has_grades = run.has_grades();
    let by_grade = match settings.text("importance") {
        // Grades say nothing of costs that are not made of them.
        "auto" => has_grades && run.goal().cost.is_of_impact(),
        "grade" if !has_grades => {
            let allowed = "cost where impacts are no grades: whole numbers below 32";
            return Err(settings.refuse("importance", allowed).into());
        }
        importance => importance == "grade",
    };
    let importance = match by_grade {
        true => Importance::Grade(settings.number("pcf")),
        false => Importance::Cost,
    };
    listwise(settings, run, importance)
}

pub(crate) fn ridge(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    const RANGE: Range = Range { from: 100.0, to: 1e-6, alone: 1.0 };
    let (target, link) = match settings.text("scale") {
        "log" => (Target::LogOnePlusCost, Link::Exp),
        _ => (Target::Cost, Link::Identity),
    };
    let mut strengths = strengths(settings, run, "l2", &RANGE)?;
    let prepared = run.prepared;
    let data = few_inputs(settings, run)?;
    let lists = &prepared.training.unit_lists;
    let targets: Vec<f64> = lists.cost().iter().filter_map(|&cost| target.of(cost)).collect();
    let ridge = Ridge::new(&data.training, lists.offsets(), &targets, lists.weight());
    if let (None, "auto", Strengths::Search(grid)) =
        (&prepared.validation, settings.text("l2"), Strengths::between(RANGE.from, RANGE.to))
    {
        strengths = Strengths::One(ridge.best_of(&grid));
    }
    let solve = |l2: f64, _: &[f64]| Minimum { weights: ridge.solve(l2), value: 0.0, steps: 0 };
    let meaning = Meaning { link, unit: prepared.unit, biased: true };
    best_of_path(run, &data, &meaning, ("l2, the penalty", strengths), &solve)
}

pub(crate) fn logistic(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let strengths = strengths(settings, run, "c", &Range { from: 1e-5, to: 10.0, alone: 1.0 })?;
    let prepared = run.prepared;
    let cost = prepared.training.lists.cost();
    let weighted = || WeightedLists::new(&prepared.training.lists);
    let some_cost_nothing = || weighted().lists().cost().contains(&0.0);
    let threshold = match settings.text("threshold") {
        "auto" if some_cost_nothing() => 0.0,
        "auto" => prepared.unit,
        given => {
            let number = given.parse::<f64>().ok().filter(|t| *t >= 0.0 && t.is_finite());
            number.ok_or_else(|| settings.refuse("threshold", "auto, or a cost of 0 or more"))?
        }
    };
    let dear = cost.iter().map(|cost| *cost > threshold).collect();
    let data = few_inputs(settings, run)?;
    let lists = &prepared.training.unit_lists;
    let loss = Logistic::new(&data.training, lists.offsets(), dear, lists.weight());
    let solve = |c: f64, from: &[f64]| loss.solve(c, from);
    let meaning = Meaning { link: Link::Logistic, unit: 1.0, biased: true };
    best_of_path(run, &data, &meaning, (C, strengths), &solve)
}

pub(crate) fn ranksvm(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let strengths = strengths(settings, run, "c", &Range { from: 1e-2, to: 1e3, alone: 10.0 })?;
    let prepared = run.prepared;
    let data = few_inputs(settings, run)?;
    let lists = &prepared.training.unit_lists;
    // Pairs and lists count as RankNet's do.
    let (stake, pairs) = match settings.text("mode") {
        "cs" => (PairWeight::Difference, RankNet::cs()),
        "cr" => (PairWeight::One, RankNet::cr(goal_metric(run, "rcs", None)?)),
        _ => (PairWeight::One, RankNet::insensitive()),
    };
    let svm = RankSvm::new(&data.training, lists, stake, &pairs.list_weights(lists));
    let squared = settings.text("hinge") == "squared";
    let solve = |c: f64, from: &[f64]| match squared {
        true => svm.squared(c, from),
        false => svm.sharp(c, from),
    };
    best_of_path(run, &data, &ORDER, (C, strengths), &solve)
}

pub(crate) fn p_norm_push(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let strengths = strengths(settings, run, "c", &Range { from: 1e-2, to: 1e3, alone: 10.0 })?;
    let prepared = run.prepared;
    let data = few_inputs(settings, run)?;
    let lists = &prepared.training.unit_lists;
    let weighting = match settings.text("mode") {
        "insensitive" => ListWeighting::Equal,
        _ => ListWeighting::BySavableCost(goal_metric(run, "rcs", None)?),
    };
    let push = if settings.text("mode") == "cs" { Push::ByCost } else { Push::Equal };
    let (power, weights) = (settings.number("p"), weighting.of(lists));
    let loss = PNormPush::new(&data.training, lists, power, push, &weights);
    let solve = |c: f64, from: &[f64]| minimise(&loss, c, from);
    best_of_path(run, &data, &ORDER, (C, strengths), &solve)
}
