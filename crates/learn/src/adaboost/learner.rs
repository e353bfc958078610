//! The learner.

use stakes_model::Scorer;

use super::rounds::{Boosting, Classes};
use super::variant::Variant;
use crate::error::FitError;
use crate::goal_metric::Threshold;
use crate::learner::{About, Family, Kind, Learner, Pace, TreeUnit};
use crate::params;
use crate::params::{AutoOr, Choice};
use crate::rankboost::Stumps;
use crate::run::{Run, Sum};

/// The learners of this family.
pub const FAMILY: Family =
    Family { title: "AdaBoost of two classes", learners: &[|| Box::new(AdaBoost::default())] };

params! {
    /// What classes cost, and where that comes in.
    pub struct ClassCostParams {
        /// where class costs come in: adaboost: nowhere; cgada: in the first weights of items; asymada: a root
        /// of them in each round; adac1, adac2, adac3: in the exponent, as a factor of each round, or both;
        /// csb0, csb1, csb2: as a factor of what is wrong; adacost: in the exponent, by whether it is right.
        /// Only cgada and asymada are cost-consistent and asymmetry-preserving
        variant: Variant = Variant::CgAda, Variant::KIND, try ["adaboost", "cgada", "adac2", "csb2", "adacost"];
        /// how many times as much it costs to miss a costly item as to take another one for costly; auto: as
        /// many times as there are more of the others
        cost_ratio: AutoOr<f64> = AutoOr::Auto, Auto(&Number(1e-6, 1e6), "auto, or 0.000001 to 1000000");
    }
}

/// Weighted stumps that tell costly items from the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdaBoost {
    /// Weak rankers and rounds.
    pub stumps: Stumps,
    /// What is costly.
    pub threshold: Threshold,
    /// What classes cost.
    pub costs: ClassCostParams,
}

impl Learner for AdaBoost {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "adaboost",
            aliases: &["ada-boost", "cs-adaboost"],
            title: "weighted stumps that tell costly items from the others",
            optimises: "exponential loss of items above and below a threshold of cost, weighted by class",
            citation: "Freund and Schapire 1997, A Decision-Theoretic Generalization of On-Line Learning; \
                       Nikolaou et al. 2016, Cost-Sensitive Boosting Algorithms: Do We Really Need Them?",
            cost_mode: "cs: classes count by what mistakes cost (variant): cgada and asymada are \
                        cost-consistent and asymmetry-preserving, the others are not",
            random: false,
        };
        &ABOUT
    }

    crate::parameters!(stumps, threshold, costs);

    fn kind(&self) -> Kind {
        Kind::Trees(TreeUnit::Differences)
    }

    fn bins(&self) -> usize {
        self.stumps.bins
    }

    fn pace(&mut self) -> Pace<'_> {
        self.stumps.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let prepared = run.prepared;
        let costly = self.threshold.costly(prepared);
        let weight = prepared.training.unit_lists.weight();
        let weight_of = |wanted: bool| -> f64 {
            let items = costly.iter().enumerate().filter(|(_, costly)| **costly == wanted);
            items.map(|(item, _)| weight.map_or(1.0, |w| w[item])).sum()
        };
        let [costlier, others] = [true, false].map(weight_of);
        let AdaBoost { stumps, costs, .. } = self;
        // A single class has nothing to be told from.
        let both = costlier > 0.0 && others > 0.0;
        let balance = if both { (others / costlier).clamp(1e-6, 1e6) } else { 1.0 };
        let ratio = costs.cost_ratio.given().unwrap_or(balance);
        let classes = Classes {
            costly,
            both,
            costs: costs.variant.costs(ratio),
            variant: costs.variant,
            rounds: run.trees_before() + stumps.rounds,
        };
        let mut boosting = Boosting::new(prepared, classes);
        let staged = run.sum(&Sum::of_trees(stumps.rounds, stumps.patience), &mut boosting)?;
        Ok(Scorer { unit: 1.0, factors: vec![staged.factor] })
    }
}
