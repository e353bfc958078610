//! The learners: which pairs, what they cost, and how ties are treated.

use stakes_core::data::FeatureKind;
use stakes_model::{Link, Scorer, StageSummary};

use super::booster::check_pairs;
use super::bound::bound;
use super::costs::{PairCosts, Rule};
use super::features::FeatureBoost;
use super::feedback::Feedback;
use super::given::by_number;
use super::params::{
    AlphaRules, CostTime, Costs, GroupPairs, ItemCost, MissingRule, Stumps, WeakKind, WeakKinds,
};
use super::{Booster, Costing, Plan, PreferenceRankBoost, Ties};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::given_costs::{CostFiles, GivenCosts};
use crate::learner::{About, Family, Kind, Learner, Pace, TreeUnit};
use crate::members::members;
use crate::multiclass::ClassCosts;
use crate::params::AutoOr;
use crate::run::{Iteration, Keep, Run, Sum};

/// The learners of this family.
pub const FAMILY: Family = Family {
    title: "RankBoost",
    learners: &[
        || Box::new(RankBoost::default()),
        || Box::new(RankBoostPlus::default()),
        || Box::new(CsRankBoost::default()),
        || Box::new(CsRankBoostPlus::default()),
        || Box::new(PreferenceRankBoost::default()),
    ],
};

const SALOMON: &str = "Salomon 2020, Bias Mitigation Techniques and a Cost-Aware Framework for Boosted \
                       Ranking Algorithms";

/// What every `impl Learner` of the family repeats, given its field `stumps`.
macro_rules! grows_stumps {
    () => {
        fn kind(&self) -> Kind {
            Kind::Trees(TreeUnit::Differences)
        }

        fn bins(&self) -> usize {
            self.stumps.bins
        }

        fn takes_classes(&self) -> bool {
            true
        }

        fn pace(&mut self) -> Pace<'_> {
            self.stumps.pace()
        }
    };
}

/// Weighted stumps for pairs in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankBoost {
    /// Weak rankers and rounds.
    pub stumps: Stumps,
    /// The weights of weak rankers.
    pub alpha: AlphaRules,
    /// What weak rankers are.
    pub weak: WeakKinds,
}

impl Learner for RankBoost {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "rankboost",
            aliases: &["rank-boost"],
            title: "weighted stumps for pairs in order",
            optimises: "exponential loss of pairs (E1)",
            citation: "Freund et al. 2003, An Efficient Boosting Algorithm for Combining Preferences",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(stumps, alpha, weak);

    fn kind(&self) -> Kind {
        match self.weak.weak {
            WeakKind::Stumps => Kind::Trees(TreeUnit::Differences),
            WeakKind::Features => Kind::Weights,
        }
    }

    fn bins(&self) -> usize {
        self.stumps.bins
    }

    fn takes_classes(&self) -> bool {
        self.weak.weak == WeakKind::Stumps
    }

    fn pace(&mut self) -> Pace<'_> {
        self.stumps.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        match (self.weak.weak, self.weak.missing) {
            (WeakKind::Features, missing) => self.boost_features(run, missing),
            (WeakKind::Stumps, MissingRule::Abstain) => {
                Err(self.refuse("missing", "side, unless weak=features").into())
            }
            (WeakKind::Stumps, MissingRule::Side) => {
                let ties = self.alpha.weights.ties();
                Fit { learner: self, stumps: &self.stumps, costs: None, ties }.run(run)
            }
        }
    }
}

impl Stumps {
    pub(crate) fn pace(&mut self) -> Pace<'_> {
        Pace {
            rounds: vec![("rounds", &mut self.rounds)],
            rate: None,
            patience: Some(&mut self.patience),
        }
    }
}

impl RankBoost {
    fn boost_features(
        &self,
        run: &mut Run<'_, '_>,
        missing: MissingRule,
    ) -> Result<Scorer, FitError> {
        if self.alpha != AlphaRules::default() {
            return Err(self.refuse("weights", "exact with weak=features").into());
        }
        let prepared = run.prepared;
        let feedback = Feedback::new(&prepared.training.unit_lists, true);
        check_pairs(&feedback, "weak=features")?;
        let data = DenseData::new(prepared, &Inputs::default())?;
        let (table, rows) = (prepared.training.data, prepared.training.lists.rows());
        let is_missing = |input: usize, item: usize| {
            let feature = data.inputs[input].feature();
            feature
                .is_some_and(|feature| table.features().row(rows[item] as usize)[feature].is_nan())
        };
        let abstains = missing == MissingRule::Abstain;
        let is_missing: Option<&(dyn Fn(usize, usize) -> bool + Sync)> =
            abstains.then_some(&is_missing);
        let inputs = (&data.inputs[..], &data.training);
        let mut boost = FeatureBoost::new(&feedback, inputs, is_missing);
        let iteration = Iteration {
            name: StageSummary::SCORE,
            link: Link::Identity,
            unit: 1.0,
            rounds: self.stumps.rounds,
            patience: self.stumps.patience,
            keep: Keep::BestValidated,
        };
        let factor = run.iterate(&iteration, &data, &mut boost)?;
        Ok(Scorer { unit: 1.0, factors: vec![factor] })
    }
}

/// RankBoost with ties counted half, without redundant stumps.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankBoostPlus {
    /// Weak rankers and rounds.
    pub stumps: Stumps,
}

impl Learner for RankBoostPlus {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "rankboost+",
            aliases: &["rankboost-plus", "rank-boost+"],
            title: "RankBoost with ties counted half, without redundant stumps",
            optimises: "exponential loss of pairs, ties by cosh (E2)",
            citation: "Connamacher et al. 2020, RankBoost+: An Improvement to RankBoost",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(stumps);
    grows_stumps!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        Fit { learner: self, stumps: &self.stumps, costs: None, ties: Ties::Half }.run(run)
    }
}

/// RankBoost on pairs of different costs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsRankBoost {
    /// Weak rankers and rounds.
    pub stumps: Stumps,
    /// The weights of weak rankers.
    pub alpha: AlphaRules,
    /// How costs count.
    pub costs: Costs,
}

impl Learner for CsRankBoost {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cs-rankboost",
            aliases: &["cs-rank-boost", "csrankboost"],
            title: "RankBoost on pairs of different costs",
            optimises: "exponential loss of pairs, weighted by their costs (E1)",
            citation: SALOMON,
            cost_mode: "cs: pairs are weighted by what it costs to get them wrong",
            random: false,
        };
        &ABOUT
    }

    crate::parameters!(stumps, alpha, costs);
    grows_stumps!();

    fn cost_files(&self) -> CostFiles<'_> {
        self.costs.files()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        Fit {
            learner: self,
            stumps: &self.stumps,
            costs: Some(&self.costs),
            ties: self.alpha.weights.ties(),
        }
        .run(run)
    }
}

/// RankBoost+ on pairs of different costs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsRankBoostPlus {
    /// Weak rankers and rounds.
    pub stumps: Stumps,
    /// How costs count.
    pub costs: Costs,
}

impl Learner for CsRankBoostPlus {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cs-rankboost+",
            aliases: &["cs-rankboost-plus", "csrankboost+"],
            title: "RankBoost+ on pairs of different costs",
            optimises: "exponential loss of pairs, ties by cosh, weighted by their costs (E2)",
            citation: SALOMON,
            cost_mode: "cs: pairs are weighted by what it costs to get them wrong",
            random: false,
        };
        &ABOUT
    }

    crate::parameters!(stumps, costs);
    grows_stumps!();

    fn cost_files(&self) -> CostFiles<'_> {
        self.costs.files()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        Fit { learner: self, stumps: &self.stumps, costs: Some(&self.costs), ties: Ties::Half }
            .run(run)
    }
}

/// The parts of a learner of the family that its fit needs.
struct Fit<'l> {
    learner: &'l dyn Learner,
    stumps: &'l Stumps,
    /// `None` if all pairs cost the same.
    costs: Option<&'l Costs>,
    ties: Ties,
}

impl Fit<'_> {
    fn run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let prepared = run.prepared;
        let lists = &prepared.training.unit_lists;
        let by_weight = self.costs.is_some_and(|costs| costs.item_cost == ItemCost::Weight);
        // Weights that are costs are not counted twice.
        let feedback = Feedback::new(lists, !by_weight);
        let class = class(self.learner, run)?;
        let costs = self.pair_costs(run, &feedback, class)?;
        let costs = match self.costs {
            Some(given) => group_costs(self.learner, given, run, &feedback, costs)?,
            None => costs,
        };
        let rounds = self.stumps.rounds;
        let costing = match self.costs.map(|costs| costs.cost) {
            Some(CostTime::During) => Costing::During(run.trees_before() + rounds),
            Some(CostTime::After) => Costing::After,
            Some(CostTime::Before) | None => Costing::Before,
        };
        let ties = self.ties;
        let plan = Plan { prepared, feedback: &feedback, costs: &costs, costing, ties, class };
        let mut booster = Booster::new(plan)?;
        let staged = run.sum(&Sum::of_trees(rounds, self.stumps.patience), &mut booster)?;
        let trees = &staged.factor.trees;
        let loss = booster.rank_loss_after(trees.len());
        run.bound = bound(&feedback, &costs, loss, distinct(trees), booster.dimension());
        Ok(Scorer { unit: 1.0, factors: vec![staged.factor] })
    }

    /// Returns the costs of pairs.
    fn pair_costs(
        &self,
        run: &Run<'_, '_>,
        feedback: &Feedback,
        class: Option<usize>,
    ) -> Result<PairCosts, FitError> {
        let Some(costs) = self.costs else { return Ok(PairCosts::uniform()) };
        if let Some(class) = class {
            return class_costs(self.learner, costs, run, feedback, class);
        }
        if costs.pair_costs.is_some() {
            let Some(GivenCosts::Pairs(source, pairs)) = run.cx.costs else {
                let what = "none where no costs of pairs are given beside the data";
                return Err(self.learner.refuse("pair-costs", what).into());
            };
            return Ok(PairCosts::given(by_number(run.prepared, feedback, source, pairs)?));
        }
        let lists = &run.prepared.training.unit_lists;
        let cost = match costs.item_cost {
            ItemCost::Weight => lists.weight().ok_or_else(|| {
                self.learner.refuse("item-cost", "cost where items have no weight")
            })?,
            ItemCost::Cost => lists.cost(),
        };
        Ok(PairCosts::of_items(costs.pair_cost, feedback.by_place(cost)))
    }
}

/// Returns the feature that holds the class in multiclass tasks.
fn class(learner: &dyn Learner, run: &Run<'_, '_>) -> Result<Option<usize>, FitError> {
    let Some(column) = &run.prepared.training.data.columns().class else { return Ok(None) };
    let features = &run.prepared.features;
    let at = features.iter().position(|feature| feature.name == *column).ok_or_else(|| {
        FitError::Data(format!("there is no feature `{column}`, which should hold the class"))
    })?;
    let known = features[at].categories.as_ref().map_or(0, Vec::len);
    match &run.prepared.training.data.feature_info()[at].kind {
        FeatureKind::Categorical(names) if names.len() <= known => Ok(Some(at)),
        FeatureKind::Categorical(names) => {
            let what = format!("at least {}, the number of classes", names.len());
            Err(learner.refuse("bins", &what).into())
        }
        FeatureKind::Numeric => Err(FitError::Data(format!("the class `{column}` holds numbers"))),
    }
}

/// Returns the costs of taking one class for another as costs of candidates: the true class costs 1,
/// so that the product of a pair is the cost of the other class.
fn class_costs(
    learner: &dyn Learner,
    given: &Costs,
    run: &Run<'_, '_>,
    feedback: &Feedback,
    class: usize,
) -> Result<PairCosts, FitError> {
    let training = &run.prepared.training;
    let names = run.prepared.features[class].categories.as_deref().unwrap_or_default();
    let costs = match (&given.class_costs, run.cx.costs) {
        (AutoOr::Auto, _) => ClassCosts::of_likeness(training.data, class)
            .in_order(names)
            .map_err(|name| FitError::Data(format!("the class `{name}` is in no row")))?,
        (_, Some(GivenCosts::Classes(source, costs))) => costs.in_order(names).map_err(|name| {
            FitError::Data(format!("{source}: there are no costs of the class `{name}`"))
        })?,
        _ => {
            let what = "auto where no costs of classes are given beside the data";
            return Err(learner.refuse("class-costs", what).into());
        }
    };
    let bins = feedback.by_place(training.matrix.column(class));
    let number = |bin: u8| usize::from(bin).saturating_sub(1);
    let mut of_places = Vec::with_capacity(bins.len());
    for list in &feedback.lists {
        // The true class is the best of its list.
        let right = number(bins[list.start]);
        let others = &bins[list.start + 1..list.end];
        of_places.push(1.0);
        of_places.extend(others.iter().map(|&bin| costs.cost(right, number(bin))));
    }
    Ok(PairCosts::of_items(Rule::Product, of_places))
}

/// Multiplies the costs of pairs of the protected group.
fn group_costs(
    learner: &dyn Learner,
    given: &Costs,
    run: &Run<'_, '_>,
    feedback: &Feedback,
    costs: PairCosts,
) -> Result<PairCosts, FitError> {
    let Some(protected) = &given.protected else {
        return match given.group_cost == 1.0 && given.group_pairs == GroupPairs::Touching {
            true => Ok(costs),
            false => Err(learner.refuse("protected", "a value of the group column").into()),
        };
    };
    let is_member = members(learner, run.prepared, protected)?;
    let (is_member, which) = (feedback.by_place(&is_member), given.group_pairs);
    Ok(costs.times(feedback, given.group_cost, |better, worse| {
        which.hold(is_member[better], is_member[worse])
    }))
}

/// Returns the number of trees that differ in more than their weight.
fn distinct(trees: &[crate::tree::Tree]) -> usize {
    let asks = |tree: &crate::tree::Tree| -> Vec<String> {
        let of = |n: &crate::tree::Node| format!("{} {:?} {}", n.feature, n.test, n.missing_left);
        tree.nodes.iter().map(of).collect()
    };
    trees.iter().map(asks).collect::<std::collections::HashSet<_>>().len()
}
