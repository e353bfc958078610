//! The parameters of linear models.

use crate::goal_metric::{CostMode, CostScale};
use crate::newton::Ties;
use crate::params::{AutoOr, Choice, Numbers, ParamKind};
use crate::{choice, params};

const STRENGTH: ParamKind = ParamKind::Auto(
    &ParamKind::Above0(1e9),
    "auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1",
);

params! {
    /// The strength of a loss that is a sum over lists.
    pub struct ListStrength {
        /// strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-4 to 10,
        /// then of 0.6 to 1.4 times that; 1 without such lists
        c: AutoOr<Numbers> = AutoOr::Auto, STRENGTH;
    }
}

params! {
    /// The strength of a loss that is a mean over pairs.
    pub struct PairStrength {
        /// strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 0.01 to 1000,
        /// then of 0.6 to 1.4 times that; 10 without such lists
        c: AutoOr<Numbers> = AutoOr::Auto, STRENGTH;
    }
}

params! {
    /// The strength of a loss that is a sum over items.
    pub struct ItemStrength {
        /// strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-5 to 10,
        /// then of 0.6 to 1.4 times that; 1 without such lists
        c: AutoOr<Numbers> = AutoOr::Auto, STRENGTH;
    }
}

choice! {
    /// How likelihoods of orders treat items of the same cost.
    pub enum TieRule {
        /// In any order.
        Together = "together",
        /// One after the other by id, as in the papers.
        Order = "order",
    }
}

impl From<TieRule> for Ties {
    fn from(rule: TieRule) -> Self {
        match rule {
            TieRule::Order => Ties::Order,
            TieRule::Together => Ties::Together,
        }
    }
}

params! {
    /// Items of the same cost.
    pub struct TieRules {
        /// items of the same cost: together: in any order; order: one after the other by id, as in the papers
        ties: TieRule = TieRule::Together, TieRule::KIND;
    }
}

choice! {
    /// How the likelihood is maximised.
    pub enum Solver {
        /// Newton's method unless there are hidden layers.
        Auto = "auto",
        /// Newton's method, for a linear score.
        Newton = "newton",
        /// Adam's steps, also for nets.
        Adam = "adam",
        /// Gradient descent list by list, for a linear score without a penalty, as in the papers.
        Descent = "descent",
    }
}

params! {
    /// How the likelihood is maximised.
    pub struct Solvers {
        /// newton: Newton's method, for a linear score; adam: step by step, also for nets, by the
        /// parameters from hidden to patience; descent: gradient descent without a penalty by rate,
        /// tolerance and rounds, as in the papers; auto: newton unless there are hidden layers
        solver: Solver = Solver::Auto, Solver::KIND;
        /// with solver=descent: stop when a pass over all lists lowers their mean loss by less than
        /// this; several: the best on validation lists
        tolerance: Numbers = Numbers(vec![0.001]), Above0(1.0);
    }
}

choice! {
    /// The importance of a level of cost in cs-RgList.
    pub enum LevelImportance {
        /// Grade if all impacts are whole and below 32 and the cost depends on nothing else.
        Auto = "auto",
        /// pcf^grade.
        Grade = "grade",
        /// Its cost.
        Cost = "cost",
    }
}

params! {
    /// U of cs-RgList.
    pub struct Importances {
        /// importance of a level: grade: pcf^grade; cost: its cost; auto: grade if all impacts are
        /// whole and below 32 and the cost depends on nothing else
        importance: LevelImportance = LevelImportance::Auto, LevelImportance::KIND;
        /// how many times more important a grade is than the next lower one
        pcf: f64 = 3.0, Number(1.0, 6.0), try ["1", "2", "3", "4", "6"];
    }
}

choice! {
    /// The hinge of RankSVM.
    pub enum Hinge {
        /// max(0, z).
        Sharp = "sharp",
        /// max(0, z)^2.
        Squared = "squared",
    }
}

params! {
    /// The loss of pairs of RankSVM.
    pub struct HingeLoss {
        /// insensitive: pairs of equal weight; cr: lists weighted by their savable cost; cs: pairs
        /// weighted by their difference in cost
        mode: CostMode = CostMode::Insensitive, CostMode::KIND, try ["insensitive", "cr", "cs"];
        /// sharp: max(0, z); squared: max(0, z)^2, which is quicker
        hinge: Hinge = Hinge::Sharp, Hinge::KIND;
    }
}

params! {
    /// The loss of a support vector machine.
    pub struct SvmLoss {
        /// sharp: max(0, z); squared: max(0, z)^2, which is quicker
        hinge: Hinge = Hinge::Sharp, Hinge::KIND;
    }
}

params! {
    /// The push.
    pub struct PushLoss {
        /// power of the push that moves an item down; the larger, the more the top of a list counts
        p: f64 = 2.0, Number(1.0, 32.0), try ["1", "2", "4", "8"];
        /// insensitive: items and lists of equal weight; cr: lists weighted by their savable cost; cs:
        /// also items push by their cost
        mode: CostMode = CostMode::Insensitive, CostMode::KIND, try ["insensitive", "cr", "cs"];
    }
}

params! {
    /// A regression of the cost.
    pub struct RidgeLoss {
        /// penalty on the squares of weights, per item; auto: the best on validation lists of 100 to
        /// 1e-6, then of 0.6 to 1.4 times that; by generalised cross-validation without such lists
        l2: AutoOr<Numbers> = AutoOr::Auto, STRENGTH, alias ["alpha", "lambda-l2", "reg-lambda"];
        /// what is predicted: cost: the cost; log: log(1 + cost / mean cost), and the score is exp of it
        scale: CostScale = CostScale::Cost, CostScale::KIND, try ["cost", "log"];
    }
}
