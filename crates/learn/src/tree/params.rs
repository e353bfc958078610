//! Parameters of trees.

use stakes_core::data::{Feature, FeatureKind};

use super::constraint::Interactions;
use crate::params;
use crate::params::{Direction, FeatureGroups, Signs};

params! {
    /// How trees are grown, on which share of rows, lists and features.
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
        monotone: Signs = Signs::default(), Text("none, or features with + or - such as wind:+,age:-"), alias ["monotone-constraints"];
        /// groups of features that may be used on one path of a tree
        interactions: FeatureGroups = FeatureGroups::All, Text("all, or groups of features such as wind,gust;age"), alias ["interaction-constraints"];
    }
}

impl Trees {
    /// What studies found good on data sets of many kinds (docs/study.md): shallow trees on
    /// samples, with small leaves.
    pub fn studied() -> Self {
        Trees { leaves: 7, min_rows: 5, rows: 0.7, features: 0.8, ..Trees::default() }
    }

    /// The same for these features; an error names the parameter and what is allowed.
    pub(crate) fn for_features(
        &self,
        features: &[Feature],
    ) -> Result<TreeParams, (&'static str, String)> {
        let is_numeric = |f: &Feature| f.kind == FeatureKind::Numeric;
        let known: Vec<(&str, bool)> =
            features.iter().map(|f| (f.name.as_str(), is_numeric(f))).collect();
        let names = known.iter().map(|(name, _)| *name);
        let directions = self.monotone.directions(&known).map_err(|e| ("monotone", e))?;
        let groups = self.interactions.numbers(names).map_err(|e| ("interactions", e))?;
        let interactions = groups.map(Interactions::new);
        Ok(TreeParams { trees: self.clone(), directions, interactions })
    }
}

/// How trees of the features of one data set are grown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TreeParams {
    /// Limits, penalties and shares.
    pub trees: Trees,
    /// Monotone constraints by feature; empty for none.
    pub directions: Vec<Direction>,
    /// Which features may occur together on a path; `None` for all.
    pub interactions: Option<Interactions>,
}
