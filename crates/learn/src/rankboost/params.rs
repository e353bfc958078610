//! The parameters of RankBoost.

use std::path::PathBuf;

use super::Ties;
use super::costs::Rule;
use crate::given_costs::CostFiles;
use crate::params::{AutoOr, Choice};
use crate::{choice, params};

params! {
    /// Weak rankers and rounds.
    pub struct Stumps {
        /// maximum number of weak rankers
        rounds: usize = 300, Whole(1, 100_000), alias ["n-estimators", "num-rounds", "iterations", "trees"];
        /// early stopping: stop after N rounds without improvement on validation lists; 0: never
        patience: usize = 50, Whole(0, 100_000), alias ["early-stopping-rounds"];
        /// maximum number of bins that the values of a feature are sorted into
        bins: usize = 255, Whole(2, 255), alias ["max-bin", "max-bins"];
    }
}

choice! {
    /// The weight of a weak ranker.
    pub enum AlphaRule {
        /// The one that minimises the loss.
        Exact = "exact",
        /// The same with the pairs it leaves tied counted half right and half wrong.
        Cautious = "cautious",
    }
}

params! {
    /// The weights of weak rankers.
    pub struct AlphaRules {
        /// the weight of a weak ranker: exact: the one that minimises the loss; cautious: the same
        /// with the pairs it leaves tied counted half right and half wrong, so that those that
        /// order few pairs get little weight (Freund et al.'s third method)
        weights: AlphaRule = AlphaRule::Exact, AlphaRule::KIND, try ["exact", "cautious"];
    }
}

choice! {
    /// What weak rankers are.
    pub enum WeakKind {
        /// Stumps with the outputs 0 and 1.
        Stumps = "stumps",
        /// Inputs scaled to 0 to 1.
        Features = "features",
    }
}

choice! {
    /// Items without a value.
    pub enum MissingRule {
        /// Are put on a side.
        Side = "side",
        /// Tie their pairs.
        Abstain = "abstain",
    }
}

params! {
    /// What weak rankers are.
    pub struct WeakKinds {
        /// weak rankers: stumps: a feature above a threshold or not; features: a feature itself, scaled to 0 to 1,
        /// so that the score is linear
        weak: WeakKind = WeakKind::Stumps, WeakKind::KIND;
        /// an item without a value: side: is put on a side (with weak=features it has the mean, and an input that
        /// says so); abstain, with weak=features: its pairs are tied
        missing: MissingRule = MissingRule::Side, MissingRule::KIND;
    }
}

choice! {
    /// When pair costs are used.
    pub enum CostTime {
        /// Pairs begin with them.
        Before = "before",
        /// A root of them in each round.
        During = "during",
        /// Weak rankers are chosen without them and weighted with them.
        After = "after",
    }
}

choice! {
    /// What an item costs.
    pub enum ItemCost {
        /// Its cost.
        Cost = "cost",
        /// Its weight.
        Weight = "weight",
    }
}

choice! {
    /// Pairs of which the group has a part.
    pub enum GroupPairs {
        /// With at least one member.
        Touching = "touching",
        /// With exactly one member.
        Across = "across",
        /// With two members.
        Within = "within",
        /// With exactly one member, the better item.
        MemberBetter = "member-better",
        /// With exactly one member, the worse item.
        MemberWorse = "member-worse",
    }
}

impl GroupPairs {
    /// Whether a pair is one of them, by which of its items are members.
    pub(super) fn hold(self, better: bool, worse: bool) -> bool {
        match self {
            GroupPairs::Touching => better || worse,
            GroupPairs::Across => better != worse,
            GroupPairs::Within => better && worse,
            GroupPairs::MemberBetter => better && !worse,
            GroupPairs::MemberWorse => worse && !better,
        }
    }
}

impl Choice for Rule {
    const VALUES: &'static [Self] = &[Rule::Difference, Rule::Product, Rule::Mean, Rule::Max];
    const NAMES: &'static [&'static str] = &["difference", "product", "mean", "max"];
}

params! {
    /// What pairs cost.
    pub struct Costs {
        /// when pair costs are used: before: as the initial weights of pairs; during: a root of them in each
        /// round; after: weak rankers are chosen without them and weighted with them
        cost: CostTime = CostTime::Before, CostTime::KIND;
        /// the cost of a pair, from the costs of its two items
        pair_cost: Rule = Rule::Difference, Rule::KIND, try ["difference", "mean", "max"];
        /// what an item costs in that: its cost (and pairs are also weighted by the product of their
        /// items' weights), or its weight
        item_cost: ItemCost = ItemCost::Cost, ItemCost::KIND;
        /// the cost of each pair; pairs that are not in the file do not count
        pair_costs: Option<PathBuf> = None, Text("none, or a CSV file with the columns list, better, worse, cost");
        /// how many times more pairs of the protected group cost (Salomon 2020, section 4.3.3); the data name
        /// their groups (stakes train --group)
        group_cost: f64 = 1.0, Number(0.0, 1e6);
        /// pairs of the protected group: touching: with at least one member; across: with exactly one; within:
        /// with two; member-better, member-worse: with exactly one, which is the better or the worse item
        group_pairs: GroupPairs = GroupPairs::Touching, GroupPairs::KIND;
        /// the protected group, for group-cost
        protected: Option<String> = None, Text("none, or a value of the group column");
        /// multiclass: the cost of predicting one class for another
        class_costs: AutoOr<PathBuf> = AutoOr::Auto, Auto(&Text("a file"), "auto (higher for classes that are more alike), or a CSV file: a line for each true class, a column for each class it may be taken for");
    }
}

impl Costs {
    pub(super) fn files(&self) -> CostFiles<'_> {
        let classes = match &self.class_costs {
            AutoOr::Auto => None,
            AutoOr::Given(path) => Some(path.as_path()),
        };
        CostFiles { pairs: self.pair_costs.as_deref(), classes }
    }
}

impl AlphaRule {
    pub(super) fn ties(self) -> Ties {
        match self {
            AlphaRule::Exact => Ties::Stay,
            AlphaRule::Cautious => Ties::Cautious,
        }
    }
}
