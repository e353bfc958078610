//! Linear models and simple baselines.

mod baselines;
mod fit;
mod learners;
mod logistic;
mod p_norm;
mod params;
mod path;
mod rank_svm;
mod ridge;
mod simple;
mod svm;

pub(crate) use logistic::Logistic;
pub(crate) use p_norm::{PNormPush, Push};
pub(crate) use rank_svm::{PairWeight, RankSvm};
pub(crate) use ridge::Ridge;
pub(crate) use svm::Svm;

pub use baselines::{BestFeature, RandomOrder};
pub use learners::{
    CsRgList, FAMILY, ListMleLearner, LogisticRegression, PNormPushLearner, RankSvmLearner,
    RidgeRegression, SvmLearner,
};
pub use params::{
    Hinge, HingeLoss, Importances, ItemStrength, LevelImportance, ListStrength, PairStrength,
    PushLoss, RidgeLoss, Solver, Solvers, SvmLoss, TieRule, TieRules,
};

pub use crate::goal_metric::Threshold;
