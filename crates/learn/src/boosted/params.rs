//! The parameters that boosted trees share.

use stakes_core::data::{Feature, FeatureKind};

use crate::params::features::{feature, signs};
use crate::params::{AutoOr, Choice, Cutoff, Words};
use crate::run::Sampling;
use crate::tree::{Direction, Interactions, TreeParams};
use crate::{choice, params};

params! {
    /// How trees are grown.
    pub struct Trees {
        /// maximum number of leaves per tree
        leaves: usize = 31, Whole(2, 4096), alias ["num-leaves", "max-leaves"], try ["4", "7", "15", "31", "63"];
        /// maximum depth of a tree; 0: no limit
        depth: usize = 0, Whole(0, 64), alias ["max-depth"];
        /// minimum number of items in a leaf
        min_rows: usize = 20, Whole(1, 1 << 32), alias ["min-child-samples", "min-data-in-leaf"], try ["3", "5", "10", "20", "50"];
        /// minimum sum of second derivatives in a leaf
        min_hessian: f64 = 0.001, Number(0.0, 1e12), alias ["min-child-weight", "min-sum-hessian-in-leaf"];
        /// minimum improvement of the loss by a split
        min_gain: f64 = 0.0, Number(0.0, 1e12), alias ["min-split-gain", "min-gain-to-split", "gamma"];
        /// penalty on the absolute values of leaves
        l1: f64 = 0.0, Number(0.0, 1e12), alias ["lambda-l1", "reg-alpha"];
        /// penalty on the squared values of leaves
        l2: f64 = 0.0, Number(0.0, 1e12), alias ["lambda-l2", "reg-lambda", "l2-leaf-reg"], try ["0", "1", "10"];
        /// further l2 for splits by category
        category_l2: f64 = 10.0, Number(0.0, 1e12), alias ["cat-l2"];
        /// maximum number of bins that the values of a feature are sorted into
        bins: usize = 255, Whole(2, 255), alias ["max-bin", "max-bins"];
        /// share of the features that a tree may use, drawn for each tree
        features: f64 = 1.0, Above0(1.0), alias ["colsample", "colsample-bytree", "feature-fraction"], try ["0.3", "0.5", "0.8", "1"];
        /// share of those that a split may use, drawn for each node
        features_per_split: f64 = 1.0, Above0(1.0), alias ["colsample-bynode", "feature-fraction-bynode"];
        /// share of the items that a tree is grown on
        rows: f64 = 1.0, Above0(1.0), alias ["subsample", "bagging-fraction"], try ["0.5", "0.7", "1"];
        /// share of the lists that a tree is grown on
        lists: f64 = 1.0, Above0(1.0);
        /// features that may only raise (+) or lower (-) the score
        monotone: Words = Words::new("none"), Text("none, or features with + or - such as wind:+,age:-"), alias ["monotone-constraints"];
        /// groups of features that may be used on one path of a tree
        interactions: Words = Words::new("all"), Text("all, or groups of features such as wind,gust;age"), alias ["interaction-constraints"];
    }
}

impl Trees {
    /// What studies found good on data sets of many kinds (docs/study.md): shallow trees on
    /// samples, with small leaves.
    pub fn studied() -> Self {
        Trees { leaves: 15, min_rows: 5, rows: 0.7, features: 0.8, ..Trees::default() }
    }

    /// The same for these features; an error names the parameter and what is allowed.
    pub(crate) fn for_features(
        &self,
        features: &[Feature],
    ) -> Result<TreeParams, (&'static str, String)> {
        Ok(TreeParams {
            leaves: self.leaves,
            depth: self.depth,
            min_rows: self.min_rows,
            min_hessian: self.min_hessian,
            min_gain: self.min_gain,
            l1: self.l1,
            l2: self.l2,
            category_l2: self.category_l2,
            features: self.features,
            features_per_split: self.features_per_split,
            directions: self.directions(features).map_err(|allowed| ("monotone", allowed))?,
            interactions: self
                .feature_groups(features)
                .map_err(|allowed| ("interactions", allowed))?,
        })
    }

    fn directions(&self, features: &[Feature]) -> Result<Vec<Direction>, String> {
        let numeric = |f: &Feature| f.kind == FeatureKind::Numeric;
        let names: Vec<(&str, bool)> =
            features.iter().map(|f| (f.name.as_str(), numeric(f))).collect();
        signs(&self.monotone, &names)
    }

    fn feature_groups(&self, features: &[Feature]) -> Result<Option<Interactions>, String> {
        if &*self.interactions == "all" {
            return Ok(None);
        }
        let names = features.iter().map(|f| f.name.as_str());
        let number = |name: &str| feature(names.clone(), name).map(|at| at as u32);
        let group = |text: &str| text.split(',').map(number).collect::<Result<Vec<u32>, String>>();
        let groups = self.interactions.split(';').map(group).collect::<Result<_, _>>()?;
        Ok(Some(Interactions::new(groups)))
    }

    /// Which rows a tree is grown on.
    pub(crate) fn sampling(&self) -> Sampling {
        Sampling { rows: self.rows, lists: self.lists }
    }
}

params! {
    /// How trees are added up.
    pub struct Boosting {
        /// maximum number of trees
        rounds: usize = 500, Whole(1, 100_000), alias ["n-estimators", "num-rounds", "num-boost-round", "iterations", "trees"];
        /// learning rate: the share of each tree that is added
        rate: f64 = 0.05, Above0(1.0), alias ["learning-rate", "eta"], try ["0.02", "0.03", "0.05", "0.1", "0.2"];
        /// early stopping: stop after so many rounds without improvement on validation lists; 0: never
        patience: usize = 50, Whole(0, 100_000), alias ["early-stopping-rounds"];
    }
}

params! {
    /// Per-list offsets.
    pub struct Levels {
        /// per-list offsets during training, shrunk by this many pseudo-items; 0: none
        levels: f64 = 0.0, Number(0.0, 1e9);
    }
}

params! {
    /// How pairs are chosen and weighted.
    pub struct Pairs {
        /// positions that training counts; may be more than can be acted on
        cutoff: Cutoff = Cutoff(None), Text("auto (as many as can be acted on), a number of positions, or all (but for cs-mart)");
        /// only pairs with an item in so many first ranks are used
        pairs: AutoOr<usize> = AutoOr::Auto, Text("auto (those that the metric counts), or a number of ranks");
        /// steepness of the pairwise logistic
        sigma: f64 = 1.0, Above0(100.0), try ["0.5", "1", "2"];
        /// yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does
        normalise: bool = false, OneOf(&["no", "yes"]), try ["no", "yes"];
    }
}

choice! {
    /// What an impact is worth to NDCG.
    pub enum Gain {
        /// exp2 if all impacts are whole and below 32, else linear.
        Auto = "auto",
        /// 2^y - 1.
        Exp2 = "exp2",
        /// y.
        Linear = "linear",
    }
}

params! {
    /// The gain of NDCG.
    pub struct Gains {
        /// exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32
        gain: Gain = Gain::Auto, Gain::KIND;
    }
}

choice! {
    /// How cost comes in where it can only weight lists.
    pub enum ListMode {
        /// Lists have equal weight.
        Insensitive = "insensitive",
        /// Lists are weighted by their savable cost.
        Cr = "cr",
    }
}

params! {
    /// The weights of lists.
    pub struct ListModes {
        /// insensitive: lists have equal weight; cr: lists are weighted by their savable cost
        mode: ListMode = ListMode::Insensitive, ListMode::KIND, try ["insensitive", "cr"];
    }
}

choice! {
    /// How cost comes in.
    pub enum CostMode {
        /// Not at all.
        Insensitive = "insensitive",
        /// Lists are weighted by their savable cost.
        Cr = "cr",
        /// In the loss itself.
        Cs = "cs",
    }
}
