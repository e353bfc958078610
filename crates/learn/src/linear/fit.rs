//! What fits of linear scores share: the strengths of the loss that are tried, the inputs, the minima.

use stakes_model::{Link, Scorer, StageSummary};

use super::params::{ListStrength, TieRule};
use super::path::{NEWTON, PASSES, Path, Solve, Strengths};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::net::NetParams;
use crate::newton::{Descent, Importance, Listwise, minimise};
use crate::params::{AutoOr, Numbers};
use crate::run::{Iteration, Keep, Run};

/// Strengths of a loss to search, and the one that is used without validation lists.
pub(super) struct Range {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) alone: f64,
}

/// The strengths to try. Of several that are given, the one nearest to what is usual without
/// validation lists.
pub(super) fn strengths(given: &AutoOr<Numbers>, run: &Run<'_, '_>, range: &Range) -> Strengths {
    match (given, &run.prepared.validation) {
        (AutoOr::Given(Numbers(numbers)), Some(_)) if numbers.len() > 1 => {
            Strengths::search(numbers.clone())
        }
        (AutoOr::Given(numbers), _) => Strengths::one(nearest(numbers, range.alone)),
        (AutoOr::Auto, Some(_)) => Strengths::between(range.from, range.to),
        (AutoOr::Auto, None) => Strengths::one(range.alone),
    }
}

/// The number whose ratio to another one is nearest to 1.
fn nearest(Numbers(numbers): &Numbers, to: f64) -> f64 {
    let far = |number: &f64| (number / to).ln().abs();
    let nearest = numbers.iter().copied().min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.unwrap_or(to)
}

/// The maximum number of inputs for which the matrix of second derivatives is still small.
pub(super) const MAX_INPUTS: usize = 5000;

/// The inputs, if they are few enough.
pub(super) fn few_inputs(inputs: &Inputs, run: &Run<'_, '_>) -> Result<DenseData, FitError> {
    let data = DenseData::new(run.prepared, inputs)?;
    match data.inputs.len() {
        ..=MAX_INPUTS => Ok(data),
        inputs => Err(FitError::Data(format!(
            "there are {inputs} inputs (each category is one), and at most {MAX_INPUTS} can be \
             solved for: leave out features with many categories, or use trees (learner mart)"
        ))),
    }
}

/// The meaning of the score of a path.
pub(super) struct Meaning {
    pub(super) link: Link,
    pub(super) unit: f64,
    pub(super) biased: bool,
    /// What rounds are made of.
    pub(super) work: &'static str,
}

/// Only the order of scores has a meaning.
pub(super) const ORDER: Meaning =
    Meaning { link: Link::Identity, unit: 1.0, biased: false, work: NEWTON };

/// The best of a path of minima.
pub(super) fn best_of_path(
    run: &mut Run<'_, '_>,
    data: &DenseData,
    meaning: &Meaning,
    (what, strengths): (&'static str, Strengths),
    solve: &Solve<'_>,
) -> Result<Scorer, FitError> {
    let &Meaning { link, unit, biased, work } = meaning;
    let iteration = Iteration {
        name: StageSummary::SCORE,
        link,
        unit,
        rounds: strengths.rounds(),
        patience: 0,
        keep: Keep::BestValidated,
    };
    let mut path = Path::new(what, strengths, data.inputs.len(), solve).made_of(work);
    if biased {
        path = path.biased();
    }
    let factor = run.iterate(&iteration, data, &mut path)?;
    Ok(Scorer { unit, factors: vec![factor] })
}

/// What `c` is.
pub(super) const C: &str = "c, the strength of the loss";

pub(super) fn listwise(
    strength: &ListStrength,
    ties: TieRule,
    inputs: &Inputs,
    run: &mut Run<'_, '_>,
    importance: Importance,
) -> Result<Scorer, FitError> {
    let strengths = strengths(&strength.c, run, &Range { from: 1e-4, to: 10.0, alone: 1.0 });
    let prepared = run.prepared;
    let data = few_inputs(inputs, run)?;
    let lists = &prepared.training.unit_lists;
    let loss = Listwise::new(&data.training, lists, importance, ties.into());
    let solve = |c: f64, from: &[f64]| minimise(&loss, c, from);
    best_of_path(run, &data, &ORDER, (C, strengths), &solve)
}

/// ListMLE without a penalty by gradient descent, with the best of several tolerances.
pub(super) fn descend(
    net: &NetParams,
    Numbers(tolerances): &Numbers,
    ties: TieRule,
    inputs: &Inputs,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    let data = few_inputs(inputs, run)?;
    let lists = &run.prepared.training.unit_lists;
    let loss = Listwise::new(&data.training, lists, Importance::Equal, ties.into());
    // From the largest down: each goes on where the one before has ended.
    let mut tolerances = match &run.prepared.validation {
        Some(_) => tolerances.clone(),
        None => vec![nearest(&Numbers(tolerances.clone()), 0.001)],
    };
    tolerances.sort_by(|a, b| b.total_cmp(a));
    let (rate, passes) = (net.rate, net.rounds);
    let solve =
        |tolerance: f64, from: &[f64]| Descent { rate, tolerance, passes }.from(&loss, from);
    let meaning = Meaning { work: PASSES, ..ORDER };
    best_of_path(run, &data, &meaning, ("tolerance", Strengths::of(tolerances)), &solve)
}

/// Strengths of losses that are means over pairs.
pub(super) const PAIRS: Range = Range { from: 1e-2, to: 1e3, alone: 10.0 };

/// Strengths of losses that are sums over items.
pub(super) const ITEMS: Range = Range { from: 1e-5, to: 10.0, alone: 1.0 };
