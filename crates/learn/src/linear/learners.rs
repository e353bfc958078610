//! The learners: what they minimise over which inputs.

use stakes_core::goal::Goal;
use stakes_model::{Link, Scorer};

use super::fit::{
    C, ITEMS, Meaning, ORDER, PAIRS, Range, best_of_path, descend, few_inputs, listwise, strengths,
};
use super::params::{
    Hinge, HingeLoss, Importances, ItemStrength, LevelImportance, ListStrength, PairStrength,
    PushLoss, RidgeLoss, Solver, Solvers, SvmLoss, TieRule, TieRules,
};
use super::path::{NEWTON, Strengths};
use super::{Logistic, PNormPush, PairWeight, Push, RankSvm, Ridge, Svm};
use crate::dense::Inputs;
use crate::error::FitError;
use crate::goal_metric::{CostMode, CostScale, Threshold, by_savable_cost, saved_cost};
use crate::learner::{About, Family, Learner, Pace, reads_inputs};
use crate::loss::{ListMle, ListWeighting, Loss, RankNet, Target};
use crate::net::NetParams;
use crate::newton::{Importance, Minimum, minimise};
use crate::params::{AutoOr, Hidden};
use crate::run::Run;

/// The learners of this family.
pub const FAMILY: Family = Family {
    title: "linear models and baselines",
    learners: &[
        || Box::new(ListMleLearner::default()),
        || Box::new(CsRgList::default()),
        || Box::new(RankSvmLearner::default()),
        || Box::new(PNormPushLearner::default()),
        || Box::new(RidgeRegression::default()),
        || Box::new(LogisticRegression::default()),
        || Box::new(SvmLearner::default()),
        || Box::new(super::BestFeature),
        || Box::new(super::RandomOrder),
    ],
};

/// ListMLE with levels weighted by grade or cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsRgList {
    /// The importance of levels.
    pub importance: Importances,
    /// The strength of the loss.
    pub strength: ListStrength,
    /// Items of the same cost.
    pub ties: TieRules,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CsRgList {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cs-rglist",
            aliases: &["csrglist", "rglist"],
            title: "ListMLE with levels weighted by grade or cost",
            optimises: "likelihood of each list's order, levels weighted by importance, by Newton's \
                    method",
            citation: "He, Cost-Sensitive Learning for Listwise Ranking Functions",
            cost_mode: "cs: levels count by grade or by cost",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(importance, strength, ties, inputs);
    reads_inputs!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let has_grades = run.has_grades();
        let by_grade = match self.importance.importance {
            // Costs that depend on something else do not follow from grades.
            LevelImportance::Auto => has_grades && run.goal().cost.is_of_impact(),
            LevelImportance::Grade if !has_grades => {
                let allowed = "cost, since impacts are not grades (whole numbers below 32)";
                return Err(self.refuse("importance", allowed).into());
            }
            importance => importance == LevelImportance::Grade,
        };
        let importance = match by_grade {
            true => Importance::Grade(self.importance.pcf),
            false => Importance::Cost,
        };
        listwise(&self.strength, self.ties.ties, &self.inputs, run, importance)
    }
}

/// A linear score that separates pairs by a margin.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankSvmLearner {
    /// The strength of the loss.
    pub strength: PairStrength,
    /// The loss.
    pub loss: HingeLoss,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for RankSvmLearner {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "ranksvm",
            aliases: &["rank-svm", "svmrank"],
            title: "linear score that separates pairs by a margin",
            optimises: "hinge loss of all pairs of different cost",
            citation: "Joachims 2002, Optimizing Search Engines Using Clickthrough Data; Joachims 2006, \
                   Training Linear SVMs in Linear Time",
            cost_mode: "none, cr or cs (mode)",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(strength, loss, inputs);
    reads_inputs!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let strengths = strengths(&self.strength.c, run, &PAIRS);
        let prepared = run.prepared;
        let data = few_inputs(&self.inputs, run)?;
        let lists = &prepared.training.unit_lists;
        // Pairs and lists are weighted as RankNet's are.
        let (stake, pairs) = match self.loss.mode {
            CostMode::Cs => (PairWeight::Difference, RankNet::cs()),
            CostMode::Cr => (PairWeight::One, RankNet::cr(saved_cost(run, None)?)),
            CostMode::Insensitive => (PairWeight::One, RankNet::insensitive()),
        };
        let svm = RankSvm::new(&data.training, lists, stake, &pairs.list_weights(lists));
        let solve = |c: f64, from: &[f64]| match self.loss.hinge {
            Hinge::Squared => svm.squared(c, from),
            Hinge::Sharp => svm.sharp(c, from),
        };
        best_of_path(run, &data, &ORDER, (C, strengths), &solve)
    }
}

/// A linear score that pushes cheap items down from the top.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PNormPushLearner {
    /// The loss.
    pub push: PushLoss,
    /// The strength of the loss.
    pub strength: PairStrength,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for PNormPushLearner {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "p-norm-push",
            aliases: &["pnormpush"],
            title: "linear score that pushes cheap items down from the top",
            optimises: "sum over items of (sum over costlier items of exp(-(s_i - s_j)))^p",
            citation: "Rudin 2009, The P-Norm Push: A Simple Convex Ranking Algorithm that Concentrates \
                   at the Top of the List",
            cost_mode: "none, cr or cs (mode)",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(push, strength, inputs);
    reads_inputs!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let strengths = strengths(&self.strength.c, run, &PAIRS);
        let prepared = run.prepared;
        let data = few_inputs(&self.inputs, run)?;
        let lists = &prepared.training.unit_lists;
        let weighting = match self.push.mode {
            CostMode::Insensitive => ListWeighting::Equal,
            CostMode::Cr | CostMode::Cs => by_savable_cost(run)?,
        };
        let push = if self.push.mode == CostMode::Cs { Push::ByCost } else { Push::Equal };
        let weights = weighting.of(lists);
        let loss = PNormPush::new(&data.training, lists, self.push.p, push, &weights);
        let solve = |c: f64, from: &[f64]| minimise(&loss, c, from);
        best_of_path(run, &data, &ORDER, (C, strengths), &solve)
    }
}

/// Linear regression of the cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RidgeRegression {
    /// The loss.
    pub loss: RidgeLoss,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for RidgeRegression {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "ridge",
            aliases: &["linear-regression"],
            title: "linear regression of the cost",
            optimises: "squared error of the cost, or of its logarithm",
            citation: "Hoerl and Kennard 1970, Ridge Regression",
            cost_mode: "none: costs are what is predicted",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(loss, inputs);
    reads_inputs!();

    fn scores_costs(&self, _: &Goal) -> bool {
        self.loss.scale == CostScale::Cost
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        const RANGE: Range = Range { from: 100.0, to: 1e-6, alone: 1.0 };
        let (target, link) = match self.loss.scale {
            CostScale::Log => (Target::LogOnePlusCost, Link::Exp),
            CostScale::Cost => (Target::Cost, Link::Identity),
        };
        let mut strengths = strengths(&self.loss.l2, run, &RANGE);
        let prepared = run.prepared;
        let data = few_inputs(&self.inputs, run)?;
        let lists = &prepared.training.unit_lists;
        let targets: Vec<f64> = lists.cost().iter().filter_map(|&cost| target.of(cost)).collect();
        let ridge = Ridge::new(&data.training, lists.offsets(), &targets, lists.weight());
        if let (None, AutoOr::Auto) = (&prepared.validation, &self.loss.l2) {
            strengths =
                Strengths::one(ridge.best_of(&Strengths::between(RANGE.from, RANGE.to).grid));
        }
        let solve = |l2: f64, _: &[f64]| Minimum { weights: ridge.solve(l2), value: 0.0, steps: 0 };
        let meaning = Meaning { link, unit: prepared.unit, biased: true, work: NEWTON };
        best_of_path(run, &data, &meaning, ("l2, the penalty", strengths), &solve)
    }
}

/// The probability that an item costs more than a threshold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LogisticRegression {
    /// What is costly.
    pub threshold: Threshold,
    /// The strength of the loss.
    pub strength: ItemStrength,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for LogisticRegression {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "logistic",
            aliases: &["logistic-regression"],
            title: "probability that an item costs more than a threshold",
            optimises: "log loss of the probability",
            citation: "Cox 1958, The Regression Analysis of Binary Sequences",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(threshold, strength, inputs);
    reads_inputs!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let strengths = strengths(&self.strength.c, run, &ITEMS);
        let prepared = run.prepared;
        let costly = self.threshold.costly(prepared);
        let data = few_inputs(&self.inputs, run)?;
        let lists = &prepared.training.unit_lists;
        let loss = Logistic::new(&data.training, lists.offsets(), costly, lists.weight());
        let solve = |c: f64, from: &[f64]| loss.solve(c, from);
        let meaning = Meaning { link: Link::Logistic, unit: 1.0, biased: true, work: NEWTON };
        best_of_path(run, &data, &meaning, (C, strengths), &solve)
    }
}

/// A linear score that separates costly items from the others by a margin.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SvmLearner {
    /// What is costly.
    pub threshold: Threshold,
    /// The strength of the loss.
    pub strength: ItemStrength,
    /// The loss.
    pub loss: SvmLoss,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for SvmLearner {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "svm",
            aliases: &["linear-svm"],
            title: "linear score that separates costly items from the others by a margin",
            optimises: "hinge loss of items above and below a threshold of cost",
            citation: "Cortes and Vapnik 1995, Support-Vector Networks",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(threshold, strength, loss, inputs);
    reads_inputs!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let strengths = strengths(&self.strength.c, run, &ITEMS);
        let prepared = run.prepared;
        let data = few_inputs(&self.inputs, run)?;
        let lists = &prepared.training.unit_lists;
        let svm = Svm {
            data: &data.training,
            offsets: lists.offsets(),
            positive: self.threshold.costly(prepared),
            weight: lists.weight(),
        };
        let solve = |c: f64, from: &[f64]| svm.solve(self.loss.hinge, c, from);
        let meaning = Meaning { biased: true, ..ORDER };
        best_of_path(run, &data, &meaning, (C, strengths), &solve)
    }
}

/// A linear score, or a net, that makes the target orders likely.
#[derive(Debug, Clone, PartialEq)]
pub struct ListMleLearner {
    /// How the likelihood is maximised.
    pub solver: Solvers,
    /// The strength of the loss, for Newton's method.
    pub strength: ListStrength,
    /// Items of the same cost.
    pub ties: TieRules,
    /// The net, for Adam.
    pub net: NetParams,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Default for ListMleLearner {
    fn default() -> Self {
        ListMleLearner {
            solver: Solvers::default(),
            strength: ListStrength::default(),
            ties: TieRules::default(),
            net: NetParams { hidden: Hidden(Vec::new()), ..NetParams::default() },
            inputs: Inputs::default(),
        }
    }
}

impl Learner for ListMleLearner {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "listmle",
            title: "linear score, or a net, that makes the target orders likely",
            optimises: "likelihood of each list's order by cost (Plackett-Luce), by Newton's method",
            citation: "Xia et al. 2008, Listwise Approach to Learning to Rank: Theory and Algorithm",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(solver, strength, ties, net, inputs);

    reads_inputs!();

    fn own_tries(&self, key: &str) -> Option<&'static [&'static str]> {
        matches!(key, "rate" | "l2").then_some(&[])
    }

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let (solver, is_linear) = (self.solver.solver, self.net.hidden.0.is_empty());
        if matches!(solver, Solver::Newton | Solver::Descent) && !is_linear {
            return Err(self.refuse("solver", "adam where there are hidden layers").into());
        }
        if solver == Solver::Descent {
            let (tolerances, ties) = (&self.solver.tolerance, self.ties.ties);
            return descend(&self.net, tolerances, ties, &self.inputs, run);
        }
        if solver == Solver::Newton || (solver == Solver::Auto && is_linear) {
            return listwise(&self.strength, self.ties.ties, &self.inputs, run, Importance::Equal);
        }
        if self.ties.ties == TieRule::Order {
            return Err(self.refuse("ties", "together, where it is solved by adam").into());
        }
        self.net.fit(&self.inputs, run, &ListMle::new(ListWeighting::Equal))
    }
}
