//! What fits of linear scores share: the strengths of the loss that are tried, the inputs, the minima.

use stakes_model::{Link, Scorer, StageSummary};

use super::params::{ListStrength, TieRule};
use super::path::{Path, Solve, Strengths};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::newton::{Importance, Listwise, Ties, minimise};
use crate::params::AutoOr;
use crate::run::{Iteration, Keep, Run};

/// Strengths of a loss to search, and the one that is used without validation lists.
pub(super) struct Range {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) alone: f64,
}

/// The strengths to try.
pub(super) fn strengths(given: AutoOr<f64>, run: &Run<'_, '_>, range: &Range) -> Strengths {
    match (given, &run.prepared.validation) {
        (AutoOr::Given(number), _) => Strengths::One(number),
        (AutoOr::Auto, Some(_)) => Strengths::between(range.from, range.to),
        (AutoOr::Auto, None) => Strengths::One(range.alone),
    }
}

/// The maximum number of inputs for which the matrix of second derivatives is still small.
pub(super) const MAX_INPUTS: usize = 5000;

/// The inputs, if they are few enough.
pub(super) fn few_inputs(inputs: &Inputs, run: &Run<'_, '_>) -> Result<DenseData, FitError> {
    let data = DenseData::new(run.prepared, inputs.within)?;
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
}

/// Only the order of scores has a meaning.
pub(super) const ORDER: Meaning = Meaning { link: Link::Identity, unit: 1.0, biased: false };

/// The best of a path of minima.
pub(super) fn best_of_path(
    run: &mut Run<'_, '_>,
    data: &DenseData,
    meaning: &Meaning,
    (what, strengths): (&'static str, Strengths),
    solve: &Solve<'_>,
) -> Result<Scorer, FitError> {
    let &Meaning { link, unit, biased } = meaning;
    let iteration = Iteration {
        name: StageSummary::SCORE,
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
pub(super) const C: &str = "c, the strength of the loss";

pub(super) fn listwise(
    strength: &ListStrength,
    ties: TieRule,
    inputs: &Inputs,
    run: &mut Run<'_, '_>,
    importance: Importance,
) -> Result<Scorer, FitError> {
    let ties = match ties {
        TieRule::Order => Ties::Order,
        TieRule::Together => Ties::Together,
    };
    let strengths = strengths(strength.c, run, &Range { from: 1e-4, to: 10.0, alone: 1.0 });
    let prepared = run.prepared;
    let data = few_inputs(inputs, run)?;
    let lists = &prepared.training.unit_lists;
    let loss = Listwise::new(&data.training, lists, importance, ties);
    let solve = |c: f64, from: &[f64]| minimise(&loss, c, from);
    best_of_path(run, &data, &ORDER, (C, strengths), &solve)
}

/// Strengths of losses that are means over pairs.
pub(super) const PAIRS: Range = Range { from: 1e-2, to: 1e3, alone: 10.0 };
