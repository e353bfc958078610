//! The data of a run: lists in canonical order, features in bins, costs in units of their mean.

use std::borrow::Cow;

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::shards::Shards;
use stakes_core::split::Folds;

use crate::Lists;
use crate::coding::{model_features, replay};
use crate::cross_fit::{FoldItems, JudgedLists};
use crate::error::FitError;
use crate::tree::{BinnedMatrix, Binning, GrownTree, Tree};
use stakes_model::ModelFeature;

/// Training lists or validation lists.
pub(crate) struct Part<'r> {
    pub(crate) data: &'r Dataset,
    /// Costs as they are.
    pub(crate) lists: Lists,
    /// Costs in units of the mean training cost.
    pub(crate) unit_lists: Lists,
    pub(crate) matrix: BinnedMatrix,
}

impl<'r> Part<'r> {
    fn new(data: &'r Dataset, lists: Lists, unit: f64, matrix: BinnedMatrix) -> Self {
        Part { data, unit_lists: lists.clone().in_units_of(unit), lists, matrix }
    }

    /// start + sum of trees, for every item.
    pub(crate) fn scores_after(&self, binning: &Binning, trees: &[Tree], start: f64) -> Vec<f64> {
        let mut scores = vec![start; self.lists.n_items()];
        self.add_trees(binning, trees, &mut scores);
        scores
    }

    /// Adds trees, one after the other, to the scores of all items.
    fn add_trees(&self, binning: &Binning, trees: &[Tree], scores: &mut [f64]) {
        if self.data.features().is_stored() {
            // The trees are of these bins: training of stored features cannot continue from another model.
            for tree in trees {
                GrownTree::of(tree, binning).add_to(scores, &self.matrix);
            }
            return;
        }
        replay(trees, self.data, self.lists.rows(), binning, scores);
    }
}

/// Everything that stays the same during a run.
pub(crate) struct Prepared<'r> {
    pub(crate) training: Part<'r>,
    pub(crate) validation: Option<Part<'r>>,
    /// The folds, if there is a model for each; then there are no validation lists.
    pub(crate) folds: Option<FoldItems<'r>>,
    pub(crate) binning: Binning,
    pub(crate) features: Vec<ModelFeature>,
    /// The mean training cost: what a cost of 1 stands for in `unit_lists`.
    pub(crate) unit: f64,
}

impl<'r> Prepared<'r> {
    /// Sorts and bins. Features that are `known` keep their categories and codes; a given `unit`
    /// replaces the mean cost.
    pub(crate) fn new(
        problem: &'r Problem<'r>,
        validation: Option<&'r Problem<'r>>,
        folds: Option<&'r Folds>,
        known: Option<&[ModelFeature]>,
        unit: Option<f64>,
        bins: usize,
        shards: &Shards,
    ) -> Result<Self, FitError> {
        let data = problem.data();
        let sorted = |problem: &Problem<'_>| Lists::among(problem, shards).map_err(FitError::Data);
        let lists = sorted(problem)?;
        let some_weight = |weight: &[f64]| shards.any(weight.iter().any(|w| *w > 0.0));
        if lists.weight().is_some_and(|weight| !some_weight(weight)) {
            return Err(FitError::Data(
                "every weight is 0: no item counts; check the weight column".into(),
            ));
        }
        let mean = mean_cost(&lists)?;
        let unit = unit.unwrap_or(mean);
        let (binning, features) = chosen_bins(data, &lists, bins, known)?;
        let mut parts = vec![(data, lists)];
        if let Some(problem) = validation {
            parts.push((problem.data(), sorted(problem)?));
        }
        let rows: Vec<_> = parts.iter().map(|(data, lists)| (*data, lists.rows())).collect();
        let matrices = binning.apply_all(&rows)?;
        let part = |((data, lists), matrix)| Part::new(data, lists, unit, matrix);
        let mut parts = parts.into_iter().zip(matrices).map(part);
        let Some(training) = parts.next() else { unreachable!("the first part is for training") };
        let validation = parts.next();
        let Part { lists, unit_lists, .. } = &training;
        Ok(Prepared {
            folds: folds.map(|folds| FoldItems::new(folds, data, lists, unit_lists)),
            training,
            validation,
            features,
            binning,
            unit,
        })
    }

    /// The number of models that are trained in step: one, or one per fold.
    pub(crate) fn models(&self) -> usize {
        self.folds.as_ref().map_or(1, FoldItems::len)
    }

    /// The number of those that are part of the result.
    pub(crate) fn kept_models(&self) -> usize {
        let looks_forward = |folds: &FoldItems<'_>| folds.folds().look_forward();
        if self.folds.as_ref().is_some_and(looks_forward) { 1 } else { self.models() }
    }

    /// How many trainings on all lists that is: each fold leaves lists out.
    pub(crate) fn trainings(&self) -> f64 {
        self.folds.as_ref().map_or(1.0, |folds| folds.folds().trainings())
    }

    /// Whether a fold's model is trained with a list.
    pub(crate) fn is_kept(&self, fold: Option<usize>, list: usize) -> bool {
        match (&self.folds, fold) {
            (Some(folds), Some(fold)) => folds.keeps(fold, self.training.lists.items(list).start),
            _ => true,
        }
    }

    /// Whether rounds are measured on lists that were not trained with.
    pub(crate) fn is_validated(&self) -> bool {
        self.validation.is_some() || self.folds.is_some()
    }

    /// The data whose lists rounds are measured on.
    pub(crate) fn measured(&self) -> &Part<'r> {
        self.validation.as_ref().unwrap_or(&self.training)
    }

    /// The lists that rounds are measured on.
    pub(crate) fn measured_lists(&self) -> &Lists {
        self.judged().map_or(&self.measured().lists, |judged| &judged.lists)
    }

    /// The lists that rounds are measured on, with costs in units.
    pub(crate) fn measured_unit_lists(&self) -> &Lists {
        self.judged().map_or(&self.measured().unit_lists, |judged| &judged.unit_lists)
    }

    /// The scores of the items of these lists.
    pub(crate) fn measured_of<'s>(&self, scores: &'s Scores) -> Cow<'s, [f64]> {
        match self.judged() {
            Some(judged) => Cow::Owned(judged.of(self.of_measured(scores))),
            None => Cow::Borrowed(self.of_measured(scores)),
        }
    }

    /// The scores of the items of [`Prepared::measured`].
    pub(crate) fn of_measured<'s>(&self, scores: &'s Scores) -> &'s [f64] {
        if self.is_validated() { &scores.validation } else { &scores.training }
    }

    /// The lists that folds judge, if they do not judge all.
    fn judged(&self) -> Option<&JudgedLists> {
        self.folds.as_ref()?.judged()
    }

    /// Start + offset + sum of trees, for all items and by every model: added up in this order, as in
    /// the rounds that grew the trees, so that a resumed run has the same scores to the bit.
    pub(crate) fn scores_after(
        &self,
        trees: &[Tree],
        start: f64,
        offset: Option<&Scores>,
    ) -> Scores {
        let (n, models) = (self.training.lists.n_items(), self.models());
        let others = self.validation.as_ref().map_or(0, |part| part.lists.n_items());
        let mut scores =
            Scores { training: vec![start; models * n], validation: vec![start; others] };
        if let Some(offset) = offset {
            scores.add(offset);
        }
        for (model, own) in scores.training.chunks_mut(n.max(1)).enumerate() {
            let trees: Vec<Tree> = trees.iter().skip(model).step_by(models).cloned().collect();
            self.training.add_trees(&self.binning, &trees, own);
        }
        if let Some(validation) = &self.validation {
            validation.add_trees(&self.binning, trees, &mut scores.validation);
        }
        self.gather(&mut scores);
        scores
    }

    /// A value of every item of each part, for all models.
    pub(crate) fn of_items(&self, of: impl Fn(&Lists) -> Vec<f64>) -> Scores {
        let validation = self.validation.as_ref().map(|part| of(&part.lists));
        let mut scores = Scores {
            training: of(&self.training.lists).repeat(self.models()),
            validation: validation.unwrap_or_default(),
        };
        self.gather(&mut scores);
        scores
    }

    /// With folds, the validation scores are those of the training items out of fold.
    pub(crate) fn gather(&self, scores: &mut Scores) {
        if let Some(folds) = &self.folds {
            scores.validation = folds.out_of_fold(&scores.training);
        }
    }

    /// Scores of the training items that stand for those of other items: out of fold, if there are
    /// folds.
    pub(crate) fn of_training<'s>(&self, scores: &'s Scores) -> &'s [f64] {
        if self.folds.is_some() { &scores.validation } else { &scores.training }
    }
}

/// Scores of items.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scores {
    /// Those of all training items; with folds by every fold's model, one after the other.
    pub(crate) training: Vec<f64>,
    /// Those of validation items, or of training items out of fold. Empty where there are none.
    pub(crate) validation: Vec<f64>,
}

impl Scores {
    /// Adds the score of the same item.
    pub(crate) fn add(&mut self, other: &Scores) {
        let add = |to: &mut [f64], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(&mut self.training, &other.training);
        add(&mut self.validation, &other.validation);
    }

    /// Changes each of them.
    pub(crate) fn map(&self, change: impl Fn(f64) -> f64) -> Scores {
        let of = |scores: &[f64]| scores.iter().map(|&score| change(score)).collect();
        Scores { training: of(&self.training), validation: of(&self.validation) }
    }
}

/// The bins of features, and the features of a model with them.
fn chosen_bins(
    data: &Dataset,
    lists: &Lists,
    bins: usize,
    known: Option<&[ModelFeature]>,
) -> Result<(Binning, Vec<ModelFeature>), FitError> {
    if !lists.shards().are_one() {
        return Binning::among(data, lists, bins, known);
    }
    let categories: Option<Vec<Option<Vec<String>>>> =
        known.map(|features| features.iter().map(|f| f.categories.clone()).collect());
    let binning =
        Binning::of_data(data, lists.rows(), lists.weight(), bins, categories.as_deref())?;
    let features = known.map_or_else(|| model_features(data, &binning), <[_]>::to_vec);
    Ok((binning, features))
}

/// The unit that costs are counted in during training: their mean.
fn mean_cost(lists: &Lists) -> Result<f64, FitError> {
    // Divided before they are added: the sum may overflow.
    let n = lists.shards().sum_of(lists.n_items() as i64) as f64;
    let mean = lists.shards().exact_sum(lists.cost().iter().map(|c| c / n));
    // Model files hold nothing larger.
    const MAX_MEAN: f64 = 1e300;
    if mean > MAX_MEAN {
        return Err(FitError::Data(format!(
            "the mean cost is {mean:e}; at most {MAX_MEAN:e} is allowed: count costs in a \
             larger unit (y / 1e9)"
        )));
    }
    // Costs above 0 are at least 1e-290, so that the mean can be divided by.
    if mean > 0.0 {
        return Ok(mean);
    }
    Err(FitError::Data(
        "every cost is 0: there is nothing to train with; check the impact column and the cost"
            .into(),
    ))
}
