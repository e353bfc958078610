//! Random forest: deep trees that are grown independently of each other, and their mean (Breiman
//! 2001).

use stakes_core::goal::Goal;
use stakes_model::tree::scale_leaves;
use stakes_model::{Link, Scorer, StageSummary};

use crate::error::FitError;
use crate::goal_metric::{CostScale, ListModes};
use crate::learner::{About, Family, Learner, Pace, grows_trees};
use crate::loss::{Pointwise, Squared, Target};
use crate::params;
use crate::params::Choice;
use crate::run::{Run, Shrink, Stage};
use crate::tree::Trees;

/// The learners of this family.
pub const FAMILY: Family =
    Family { title: "forests", learners: &[|| Box::new(RandomForest::default())] };

params! {
    /// The size of a forest, and what it averages.
    pub struct Forest {
        /// number of trees
        rounds: usize = 300, Whole(1, 100_000), alias ["n-estimators", "num-rounds", "iterations", "trees"];
        /// cost: the mean of costs; log: exp of the mean of log(1 + cost / mean cost)
        scale: CostScale = CostScale::Cost, CostScale::KIND, try ["cost", "log"];
    }
}

/// The mean of deep regression trees on random samples.
#[derive(Debug, Clone, PartialEq)]
pub struct RandomForest {
    /// How trees are grown.
    pub trees: Trees,
    /// How many, and what is averaged.
    pub forest: Forest,
    /// The weights of lists.
    pub mode: ListModes,
}

impl Default for RandomForest {
    fn default() -> Self {
        RandomForest {
            trees: Trees {
                leaves: 1024,
                min_rows: 3,
                rows: 0.632,
                features_per_split: 0.333,
                ..Trees::default()
            },
            forest: Forest::default(),
            mode: ListModes::default(),
        }
    }
}

const ABOUT: About = About {
    name: "random-forest",
    aliases: &["rf", "forest"],
    title: "mean of deep regression trees on random samples",
    optimises: "squared error of the cost",
    citation: "Breiman 2001, Random Forests",
    cost_mode: "none, or cr (mode)",
    random: true,
};

impl Learner for RandomForest {
    fn about(&self) -> &About {
        &ABOUT
    }

    crate::parameters!(trees, forest, mode);
    grows_trees!(Costs);

    fn scores_costs(&self, _: &Goal) -> bool {
        self.forest.scale == CostScale::Cost
    }

    fn cross_fits(&self) -> bool {
        true
    }

    fn pace(&mut self) -> Pace<'_> {
        Pace { rounds: vec![("rounds", &mut self.forest.rounds)], ..Pace::default() }
    }

    fn own_tries(&self, key: &str) -> Option<&'static [&'static str]> {
        Some(match key {
            "leaves" => &["64", "256", "1024"],
            "min-rows" => &["1", "3", "5", "10", "20"],
            "features" | "l2" => &[],
            "features-per-split" => &["0.1", "0.2", "0.333", "0.5", "0.8"],
            "rows" => &["0.3", "0.5", "0.632", "0.8"],
            _ => return None,
        })
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let (target, link) = match self.forest.scale {
            CostScale::Log => (Target::LogOnePlusCost, Link::Exp),
            CostScale::Cost => (Target::Cost, Link::Identity),
        };
        let lists = self.mode.mode.weighting(run)?;
        let loss = Pointwise::new(Squared).target(target).lists(lists);
        let unit = run.unit();
        let mut factor = run
            .stage(&Stage {
                name: StageSummary::SCORE,
                loss: &loss,
                link,
                shrink: Shrink::Mean,
                // Trees of all folds that are part of the model are trees of the forest.
                rounds: self.forest.rounds.div_ceil(run.prepared.kept_models()),
                // The mean of trees does not overfit by taking more of them.
                patience: 0,
                active: None,
                others: None,
                unit,
                offset: None,
                priced: false,
                noise: 0.0,
                longest: f64::INFINITY,
                smearing: None,
                all_rounds: false,
            })?
            .factor;
        let share = 1.0 / factor.trees.len().max(1) as f64;
        scale_leaves(&mut factor.trees, share);
        Ok(Scorer { unit, factors: vec![factor] })
    }
}
