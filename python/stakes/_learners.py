"""A class for each learner, made by python/learners.py from the table of learners."""

from __future__ import annotations

from typing import Any, Literal

from stakes._ranker import StakesRanker

__all__ = [
    "AdaBoostRanker",
    "AdaRankRanker",
    "BestFeatureRanker",
    "CRCoordinateAscentRanker",
    "CRLambdaRankRanker",
    "CRListNetRanker",
    "CRMartRanker",
    "CRRankNetRanker",
    "CSAdaRankRanker",
    "CSCoordinateAscentRanker",
    "CSLambdaRankRanker",
    "CSListNetMartRanker",
    "CSMartRanker",
    "CSRankBoostPlusRanker",
    "CSRankBoostRanker",
    "CSRgListRanker",
    "CoordinateAscentRanker",
    "LambdaMartRanker",
    "LambdaRankRanker",
    "ListMLERanker",
    "ListNetRanker",
    "LogisticRanker",
    "MartRanker",
    "PNormPushRanker",
    "PreferenceRankBoostRanker",
    "RandomForestRanker",
    "RandomRanker",
    "RankBoostPlusRanker",
    "RankBoostRanker",
    "RankNetMartRanker",
    "RankNetRanker",
    "RankSVMRanker",
    "RidgeRanker",
    "SVMRanker",
    "TweedieMartRanker",
    "TwoPartRanker",
]


class CSMartRanker(StakesRanker):
    """Boosted trees for the cost captured. It optimises R_CS@k: the share of all savable cost that is saved (McBride et al. 2019, Cost-Sensitive Learning to Rank (CS-MART)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (except for cs-mart))
        pairs: only pairs with an item in the first N ranks are used (auto (those that the metric counts), or a number of ranks)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        normalise: yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does (no | yes)
        start: the model of the expected cost whose order is corrected; none: no such model (none | two-part | tweedie)
        order_rounds: with a start: maximum number of trees that correct the order (1 to 100000)
        temper: costs count to this power: below 1 the largest count for less (above 0, up to 2)
        list_weight_power: lists are weighted by their savable cost to this power; 0: equal weights (0 to 2)
        discounts: what exchanging two items changes: by their positions, or by how far they are apart (positions | neighbours)
        noise: Gumbel noise of this scale is added to scores before pairs are weighted (0 to 100)
        levels: per-list offsets during training, shrunk by this many pseudo-items; 0: none (0 to 1000000000)
        penalty: strength of a penalty on unequal places of the protected group and the rest; all order-rounds are then kept, as the metric does not see what it is for (0 to 1000000)
        penalty_on: what the penalty keeps even: parity: how often members stand above others; equality: how often members stand wrongly above others, and wrongly below (parity | equality)
        group_cost: how many times more some pairs across the groups count (0 to 1000000)
        group_pairs: which: those whose costlier item is a member of the protected group, or those whose costlier item is not (member-better | member-worse)
        protected: the protected group, for penalty and group-cost; the data name their groups (stakes train --group) (none, or a value of the group column)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-mart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 7,
        depth: float = 0,
        min_rows: float = 5,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 0.8,
        features_per_split: float = 1,
        rows: float = 0.7,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.04,
        patience: float = 50,
        cutoff: str | float = "auto",
        pairs: str | float = "auto",
        sigma: float = 1,
        normalise: Literal["no", "yes"] = "no",
        start: Literal["none", "two-part", "tweedie"] = "two-part",
        order_rounds: float = 50,
        temper: float = 1,
        list_weight_power: float = 1,
        discounts: Literal["positions", "neighbours"] = "positions",
        noise: float = 0,
        levels: float = 10,
        penalty: float = 0,
        penalty_on: Literal["parity", "equality"] = "parity",
        group_cost: float = 1,
        group_pairs: Literal["member-better", "member-worse"] = "member-better",
        protected: str | float = "none",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.cutoff = cutoff
        self.pairs = pairs
        self.sigma = sigma
        self.normalise = normalise
        self.start = start
        self.order_rounds = order_rounds
        self.temper = temper
        self.list_weight_power = list_weight_power
        self.discounts = discounts
        self.noise = noise
        self.levels = levels
        self.penalty = penalty
        self.penalty_on = penalty_on
        self.group_cost = group_cost
        self.group_pairs = group_pairs
        self.protected = protected
        self._set_extra(params)


class CRMartRanker(StakesRanker):
    """Boosted trees for NDCG, with lists weighted by their savable cost. It optimises R_CR@k(NDCG@k) (McBride et al. 2019, Cost-Sensitive Learning to Rank (CR-MART)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (except for cs-mart))
        pairs: only pairs with an item in the first N ranks are used (auto (those that the metric counts), or a number of ranks)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        normalise: yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does (no | yes)
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cr-mart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 31,
        depth: float = 0,
        min_rows: float = 20,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 1,
        features_per_split: float = 1,
        rows: float = 1,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.05,
        patience: float = 50,
        cutoff: str | float = "auto",
        pairs: str | float = "auto",
        sigma: float = 1,
        normalise: Literal["no", "yes"] = "no",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.cutoff = cutoff
        self.pairs = pairs
        self.sigma = sigma
        self.normalise = normalise
        self.gain = gain
        self._set_extra(params)


class LambdaMartRanker(StakesRanker):
    """Boosted trees for NDCG. It optimises NDCG@k (Burges 2010, From RankNet to LambdaRank to LambdaMART).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (except for cs-mart))
        pairs: only pairs with an item in the first N ranks are used (auto (those that the metric counts), or a number of ranks)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        normalise: yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does (no | yes)
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "lambdamart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 31,
        depth: float = 0,
        min_rows: float = 20,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 1,
        features_per_split: float = 1,
        rows: float = 1,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.05,
        patience: float = 50,
        cutoff: str | float = "auto",
        pairs: str | float = "auto",
        sigma: float = 1,
        normalise: Literal["no", "yes"] = "no",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.cutoff = cutoff
        self.pairs = pairs
        self.sigma = sigma
        self.normalise = normalise
        self.gain = gain
        self._set_extra(params)


class MartRanker(StakesRanker):
    """Boosted regression trees. It optimises squared error of the cost (or a quantile of it) (Friedman 2001, Greedy Function Approximation).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        loss: squared: the mean of the cost; quantile: a quantile of it (squared | quantile)
        alpha: which quantile (above 0, up to 0.999999)
        mode: insensitive: lists have equal weight; cr: lists are weighted by their savable cost (insensitive | cr)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "mart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 31,
        depth: float = 0,
        min_rows: float = 20,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 1,
        features_per_split: float = 1,
        rows: float = 1,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.05,
        patience: float = 50,
        loss: Literal["squared", "quantile"] = "squared",
        alpha: float = 0.5,
        mode: Literal["insensitive", "cr"] = "insensitive",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.loss = loss
        self.alpha = alpha
        self.mode = mode
        self._set_extra(params)


class CSListNetMartRanker(StakesRanker):
    """Boosted trees for the shares of a list's cost. It optimises cross entropy of cost shares and softmax of scores (Cao et al. 2007 (ListNet); Bruch 2021 (XE); McBride et al. 2019 (CR-ListNet)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        temperature: above 1 flattens, below 1 sharpens the target shares (above 0, up to 1000000)
        mode: insensitive: softmax of costs, lists of equal weight (ListNet); cr: lists weighted by their savable cost; cs: also shares of cost (insensitive | cr | cs)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-listnet-mart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 31,
        depth: float = 0,
        min_rows: float = 20,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 1,
        features_per_split: float = 1,
        rows: float = 1,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.05,
        patience: float = 50,
        temperature: float = 1,
        mode: Literal["insensitive", "cr", "cs"] = "cs",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.temperature = temperature
        self.mode = mode
        self._set_extra(params)


class RankNetMartRanker(StakesRanker):
    """Boosted trees for pairs in order. It optimises logistic loss of pairs (cs: weighted by their difference in cost) (Burges et al. 2005 (RankNet); McBride et al. 2019 (CR-RankNet)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        mode: insensitive: pairs of equal weight; cr: lists weighted by their savable cost; cs: pairs weighted by their difference in cost (insensitive | cr | cs)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "ranknet-mart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 31,
        depth: float = 0,
        min_rows: float = 20,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 1,
        features_per_split: float = 1,
        rows: float = 1,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.05,
        patience: float = 50,
        sigma: float = 1,
        mode: Literal["insensitive", "cr", "cs"] = "cs",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.sigma = sigma
        self.mode = mode
        self._set_extra(params)


class TweedieMartRanker(StakesRanker):
    """Boosted trees for costs that are often 0 and sometimes huge. It optimises Tweedie deviance of the cost (Jørgensen 1987, Exponential Dispersion Models).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        power: the variance grows with this power of the mean: 1 Poisson, 2 gamma (1 to 2)
        mode: insensitive: lists have equal weight; cr: lists are weighted by their savable cost (insensitive | cr)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "tweedie-mart"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 7,
        depth: float = 0,
        min_rows: float = 5,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 5,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 0.8,
        features_per_split: float = 1,
        rows: float = 0.7,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.04,
        patience: float = 50,
        power: float = 1.5,
        mode: Literal["insensitive", "cr"] = "insensitive",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.power = power
        self.mode = mode
        self._set_extra(params)


class TwoPartRanker(StakesRanker):
    """Probability of any cost x cost if any. It optimises log loss of the probability; squared error of the log of the cost (Duan et al. 1984, Choosing Between the Sample-Selection Model and the Multi-Part Model).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: maximum number of trees (1 to 100000)
        rate: learning rate: the share of each tree that is added (above 0, up to 1)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        levels: per-list offsets during training, shrunk by this many pseudo-items; 0: none (0 to 1000000000)
        size: how the cost of an item is learned if it has one: log: squared error of its logarithm; gamma: gamma deviance (log | gamma)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "two-part"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 7,
        depth: float = 0,
        min_rows: float = 5,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 0.8,
        features_per_split: float = 1,
        rows: float = 0.7,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 500,
        rate: float = 0.04,
        patience: float = 50,
        levels: float = 10,
        size: Literal["log", "gamma"] = "log",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.rate = rate
        self.patience = patience
        self.levels = levels
        self.size = size
        self._set_extra(params)


class RandomForestRanker(StakesRanker):
    """Mean of deep regression trees on random samples. It optimises squared error of the cost (Breiman 2001, Random Forests).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        leaves: maximum number of leaves per tree (2 to 4096)
        depth: maximum depth of a tree; 0: no limit (0 to 64)
        min_rows: minimum number of items in a leaf (1 to 4294967296)
        min_hessian: minimum sum of second derivatives in a leaf (0 to 1000000000000)
        min_gain: minimum improvement of the loss by a split (0 to 1000000000000)
        l1: penalty on the absolute values of leaves (0 to 1000000000000)
        l2: penalty on the squared values of leaves (0 to 1000000000000)
        category_l2: further l2 for splits by category (0 to 1000000000000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        features: share of the features that a tree may use, drawn for each tree (above 0, up to 1)
        features_per_split: share of those that a split may use, drawn for each node (above 0, up to 1)
        rows: share of the items that a tree is grown on (above 0, up to 1)
        lists: share of the lists that a tree is grown on (above 0, up to 1)
        monotone: features that may only raise (+) or lower (-) the score (none, or features with + or - such as wind:+,age:-)
        interactions: groups of features that may be used on one path of a tree (all, or groups of features such as wind,gust;age)
        rounds: number of trees (1 to 100000)
        scale: cost: the mean of costs; log: exp of the mean of log(1 + cost / mean cost) (cost | log)
        mode: insensitive: lists have equal weight; cr: lists are weighted by their savable cost (insensitive | cr)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "random-forest"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        leaves: float = 1024,
        depth: float = 0,
        min_rows: float = 3,
        min_hessian: float = 0.001,
        min_gain: float = 0,
        l1: float = 0,
        l2: float = 0,
        category_l2: float = 10,
        bins: float = 255,
        features: float = 1,
        features_per_split: float = 0.333,
        rows: float = 0.632,
        lists: float = 1,
        monotone: str | float = "none",
        interactions: str | float = "all",
        rounds: float = 300,
        scale: Literal["cost", "log"] = "cost",
        mode: Literal["insensitive", "cr"] = "insensitive",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.leaves = leaves
        self.depth = depth
        self.min_rows = min_rows
        self.min_hessian = min_hessian
        self.min_gain = min_gain
        self.l1 = l1
        self.l2 = l2
        self.category_l2 = category_l2
        self.bins = bins
        self.features = features
        self.features_per_split = features_per_split
        self.rows = rows
        self.lists = lists
        self.monotone = monotone
        self.interactions = interactions
        self.rounds = rounds
        self.scale = scale
        self.mode = mode
        self._set_extra(params)


class CSCoordinateAscentRanker(StakesRanker):
    """Weights that are best for the cost captured, one at a time. It optimises R_CS@k: the share of all savable cost that is saved (McBride et al. 2019, Cost-Sensitive Learning to Rank).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of passes over all inputs (1 to 100000)
        restarts: number of starts: all inputs with equal weights, the best input alone, then random weights; 0: from 5 to 100, more for small data (0 to 1000)
        tolerance: minimum improvement of the metric by a pass for a start to be followed further (0 to 1)
        l2: penalty on the sum of squares of weights whose sizes add up to 1, in units of the metric (0 to 1000000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (NDCG))
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-coordinate-ascent"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 25,
        restarts: float = 0,
        tolerance: float = 0.0001,
        l2: float = 0,
        cutoff: str | float = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.restarts = restarts
        self.tolerance = tolerance
        self.l2 = l2
        self.cutoff = cutoff
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CRCoordinateAscentRanker(StakesRanker):
    """Weights that are best for NDCG, with lists weighted by their savable cost. It optimises R_CR@k(NDCG@k) (McBride et al. 2019, Cost-Sensitive Learning to Rank).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of passes over all inputs (1 to 100000)
        restarts: number of starts: all inputs with equal weights, the best input alone, then random weights; 0: from 5 to 100, more for small data (0 to 1000)
        tolerance: minimum improvement of the metric by a pass for a start to be followed further (0 to 1)
        l2: penalty on the sum of squares of weights whose sizes add up to 1, in units of the metric (0 to 1000000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (NDCG))
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cr-coordinate-ascent"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 25,
        restarts: float = 0,
        tolerance: float = 0.0001,
        l2: float = 0,
        cutoff: str | float = "auto",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.restarts = restarts
        self.tolerance = tolerance
        self.l2 = l2
        self.cutoff = cutoff
        self.gain = gain
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CoordinateAscentRanker(StakesRanker):
    """Weights that are best for NDCG, one at a time. It optimises NDCG@k, or any metric of orders (Metzler and Croft 2007, Linear Feature-Based Models for Information Retrieval).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of passes over all inputs (1 to 100000)
        restarts: number of starts: all inputs with equal weights, the best input alone, then random weights; 0: from 5 to 100, more for small data (0 to 1000)
        tolerance: minimum improvement of the metric by a pass for a start to be followed further (0 to 1)
        l2: penalty on the sum of squares of weights whose sizes add up to 1, in units of the metric (0 to 1000000)
        learner_metric: the metric that is maximised on the training lists (auto (NDCG@k), or a metric of orders such as map or rcs@10)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (NDCG))
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "coordinate-ascent"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 25,
        restarts: float = 0,
        tolerance: float = 0.0001,
        l2: float = 0,
        learner_metric: str | float = "auto",
        cutoff: str | float = "auto",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.restarts = restarts
        self.tolerance = tolerance
        self.l2 = l2
        self.learner_metric = learner_metric
        self.cutoff = cutoff
        self.gain = gain
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CSAdaRankRanker(StakesRanker):
    """Single inputs, boosted on lists that save little yet. It optimises R_CS@k: the share of all savable cost that is saved (McBride et al. 2019, Cost-Sensitive Learning to Rank).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of inputs, counting repetitions (1 to 100000)
        tolerance: minimum improvement of the metric on training lists by `patience` rounds (0 to 1)
        patience: stop after N rounds without improvement on training or on validation lists (1 to 100000)
        selections: rounds in a row that the same input may be taken (1 to 100000)
        sharpness: lists are weighted by exp(-sharpness x their value): above 1 the badly ordered count for more (above 0, up to 1000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (NDCG))
        reading: a list's value, and the weights of lists: corrected: R, weighted by savable cost; share: A over all savable cost, equal weights; printed: R over all savable cost, equal weights, as the paper prints it (corrected | share | printed)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-adarank"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 500,
        tolerance: float = 0.0001,
        patience: float = 50,
        selections: float = 5,
        sharpness: float = 1,
        cutoff: str | float = "auto",
        reading: Literal["corrected", "share", "printed"] = "corrected",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.tolerance = tolerance
        self.patience = patience
        self.selections = selections
        self.sharpness = sharpness
        self.cutoff = cutoff
        self.reading = reading
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class AdaRankRanker(StakesRanker):
    """Single inputs, boosted on lists in bad order. It optimises NDCG@k, or any metric of orders from -1 to 1 (Xu and Li 2007, AdaRank: A Boosting Algorithm for Information Retrieval).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of inputs, counting repetitions (1 to 100000)
        tolerance: minimum improvement of the metric on training lists by `patience` rounds (0 to 1)
        patience: stop after N rounds without improvement on training or on validation lists (1 to 100000)
        selections: rounds in a row that the same input may be taken (1 to 100000)
        sharpness: lists are weighted by exp(-sharpness x their value): above 1 the badly ordered count for more (above 0, up to 1000)
        learner_metric: the metric that is maximised on the training lists (auto (NDCG@k), or a metric of orders such as map or rcs@10)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (NDCG))
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        cost: when the savable costs of lists weight them: none: never; before: from the first round on; during: by a root of them more in each round; after: inputs are chosen without them and weighted with them (none | before | during | after)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "adarank"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 500,
        tolerance: float = 0.0001,
        patience: float = 50,
        selections: float = 5,
        sharpness: float = 1,
        learner_metric: str | float = "auto",
        cutoff: str | float = "auto",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        cost: Literal["none", "before", "during", "after"] = "none",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.tolerance = tolerance
        self.patience = patience
        self.selections = selections
        self.sharpness = sharpness
        self.learner_metric = learner_metric
        self.cutoff = cutoff
        self.gain = gain
        self.cost = cost
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class RankNetRanker(StakesRanker):
    """A net for pairs in order. It optimises logistic loss of pairs in order (Burges et al. 2005, Learning to Rank Using Gradient Descent).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        list_loss: the loss of a list: the mean over its pairs, or their sum, by which long lists count for more (mean | sum)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "ranknet"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        sigma: float = 1,
        list_loss: Literal["mean", "sum"] = "mean",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.sigma = sigma
        self.list_loss = list_loss
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CRRankNetRanker(StakesRanker):
    """A net for pairs in order, with lists weighted by their savable cost. It optimises logistic loss of pairs in order, with lists weighted by their savable cost (McBride et al. 2019, Cost-Sensitive Learning to Rank (CR-RankNet)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        list_loss: the loss of a list: the mean over its pairs, or their sum, by which long lists count for more (mean | sum)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cr-ranknet"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        sigma: float = 1,
        list_loss: Literal["mean", "sum"] = "mean",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.sigma = sigma
        self.list_loss = list_loss
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class ListNetRanker(StakesRanker):
    """A net for the item that comes first. It optimises cross entropy of softmax of costs and softmax of scores (Cao et al. 2007, Learning to Rank: From Pairwise Approach to Listwise Approach).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        temperature: target shares are softmax(cost / unit / temperature): above 1 flattens them (above 0, up to 1000000)
        cost_unit: deviation: costs are divided by their deviation before the softmax; raw: costs as they are (deviation | raw)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "listnet"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        temperature: float = 1,
        cost_unit: Literal["deviation", "raw"] = "deviation",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.temperature = temperature
        self.cost_unit = cost_unit
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CRListNetRanker(StakesRanker):
    """A net for the item that comes first, with lists weighted by their savable cost. It optimises cross entropy of softmax of costs and of scores, with lists weighted by their savable cost (McBride et al. 2019, Cost-Sensitive Learning to Rank (CR-ListNet)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        temperature: target shares are softmax(cost / unit / temperature): above 1 flattens them (above 0, up to 1000000)
        cost_unit: deviation: costs are divided by their deviation before the softmax; raw: costs as they are (deviation | raw)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cr-listnet"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        temperature: float = 1,
        cost_unit: Literal["deviation", "raw"] = "deviation",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.temperature = temperature
        self.cost_unit = cost_unit
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class LambdaRankRanker(StakesRanker):
    """A net for NDCG. It optimises NDCG@k (Burges et al. 2006, Learning to Rank with Nonsmooth Cost Functions).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (except for cs-mart))
        pairs: only pairs with an item in the first N ranks are used (auto (those that the metric counts), or a number of ranks)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        normalise: yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does (no | yes)
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "lambdarank"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        cutoff: str | float = "auto",
        pairs: str | float = "auto",
        sigma: float = 1,
        normalise: Literal["no", "yes"] = "no",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.cutoff = cutoff
        self.pairs = pairs
        self.sigma = sigma
        self.normalise = normalise
        self.gain = gain
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CRLambdaRankRanker(StakesRanker):
    """A net for NDCG, with lists weighted by their savable cost. It optimises R_CR@k(NDCG@k) (McBride et al. 2019, Cost-Sensitive Learning to Rank (LambdaRank, reweighted)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (except for cs-mart))
        pairs: only pairs with an item in the first N ranks are used (auto (those that the metric counts), or a number of ranks)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        normalise: yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does (no | yes)
        gain: exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32 (auto | exp2 | linear)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cr-lambdarank"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        cutoff: str | float = "auto",
        pairs: str | float = "auto",
        sigma: float = 1,
        normalise: Literal["no", "yes"] = "no",
        gain: Literal["auto", "exp2", "linear"] = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.cutoff = cutoff
        self.pairs = pairs
        self.sigma = sigma
        self.normalise = normalise
        self.gain = gain
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CSLambdaRankRanker(StakesRanker):
    """A net for the cost captured. It optimises R_CS@k: the share of all savable cost that is saved (McBride et al. 2019, Cost-Sensitive Learning to Rank (the lambdas of CS-MART)).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        cutoff: positions that training counts; may be more than can be acted on (auto (the capacity of the goal), a number of positions, or all (except for cs-mart))
        pairs: only pairs with an item in the first N ranks are used (auto (those that the metric counts), or a number of ranks)
        sigma: steepness of the pairwise logistic (above 0, up to 100)
        normalise: yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does (no | yes)
        temper: costs count to this power: below 1 the largest count for less (above 0, up to 2)
        list_weight_power: lists are weighted by their savable cost to this power; 0: equal weights (0 to 2)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-lambdarank"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        hidden: float = 16,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        cutoff: str | float = "auto",
        pairs: str | float = "auto",
        sigma: float = 1,
        normalise: Literal["no", "yes"] = "no",
        temper: float = 1,
        list_weight_power: float = 1,
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.cutoff = cutoff
        self.pairs = pairs
        self.sigma = sigma
        self.normalise = normalise
        self.temper = temper
        self.list_weight_power = list_weight_power
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class RankBoostRanker(StakesRanker):
    """Weighted stumps for pairs in order. It optimises exponential loss of pairs (E1) (Freund et al. 2003, An Efficient Boosting Algorithm for Combining Preferences).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of weak rankers (1 to 100000)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        weights: the weight of a weak ranker: exact: the one that minimises the loss; cautious: the same with the pairs it leaves tied counted half right and half wrong, so that those that order few pairs get little weight (Freund et al.'s third method) (exact | cautious)
        weak: weak rankers: stumps: a feature above a threshold or not; features: a feature itself, scaled to 0 to 1, so that the score is linear (stumps | features)
        missing: an item without a value: side: is put on a side (with weak=features it has the mean, and an input that says so); abstain, with weak=features: its pairs are tied (side | abstain)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "rankboost"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 300,
        patience: float = 50,
        bins: float = 255,
        weights: Literal["exact", "cautious"] = "exact",
        weak: Literal["stumps", "features"] = "stumps",
        missing: Literal["side", "abstain"] = "side",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.patience = patience
        self.bins = bins
        self.weights = weights
        self.weak = weak
        self.missing = missing
        self._set_extra(params)


class RankBoostPlusRanker(StakesRanker):
    """RankBoost with ties counted half, without redundant stumps. It optimises exponential loss of pairs, ties by cosh (E2) (Connamacher et al. 2020, RankBoost+: An Improvement to RankBoost).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of weak rankers (1 to 100000)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "rankboost+"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 300,
        patience: float = 50,
        bins: float = 255,
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.patience = patience
        self.bins = bins
        self._set_extra(params)


class CSRankBoostRanker(StakesRanker):
    """RankBoost on pairs of different costs. It optimises exponential loss of pairs, weighted by their costs (E1) (Salomon 2020, Bias Mitigation Techniques and a Cost-Aware Framework for Boosted Ranking Algorithms).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of weak rankers (1 to 100000)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        weights: the weight of a weak ranker: exact: the one that minimises the loss; cautious: the same with the pairs it leaves tied counted half right and half wrong, so that those that order few pairs get little weight (Freund et al.'s third method) (exact | cautious)
        cost: when pair costs are used: before: as the initial weights of pairs; during: a root of them in each round; after: weak rankers are chosen without them and weighted with them (before | during | after)
        pair_cost: the cost of a pair, from the costs of its two items (difference | product | mean | max)
        item_cost: what an item costs in that: its cost (and pairs are also weighted by the product of their items' weights), or its weight (cost | weight)
        pair_costs: the cost of each pair; pairs that are not in the file do not count (none, or a CSV file with the columns list, better, worse, cost)
        group_cost: how many times more pairs of the protected group cost (Salomon 2020, section 4.3.3); the data name their groups (stakes train --group) (0 to 1000000)
        group_pairs: pairs of the protected group: touching: with at least one member; across: with exactly one; within: with two; member-better, member-worse: with exactly one, which is the better or the worse item (touching | across | within | member-better | member-worse)
        protected: the protected group, for group-cost (none, or a value of the group column)
        class_costs: multiclass: the cost of predicting one class for another (auto (higher for classes that are more alike), or a CSV file: a line for each true class, a column for each class it may be taken for)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-rankboost"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 300,
        patience: float = 50,
        bins: float = 255,
        weights: Literal["exact", "cautious"] = "exact",
        cost: Literal["before", "during", "after"] = "before",
        pair_cost: Literal["difference", "product", "mean", "max"] = "difference",
        item_cost: Literal["cost", "weight"] = "cost",
        pair_costs: str | float = "none",
        group_cost: float = 1,
        group_pairs: Literal["touching", "across", "within", "member-better", "member-worse"] = "touching",
        protected: str | float = "none",
        class_costs: str | float = "auto",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.patience = patience
        self.bins = bins
        self.weights = weights
        self.cost = cost
        self.pair_cost = pair_cost
        self.item_cost = item_cost
        self.pair_costs = pair_costs
        self.group_cost = group_cost
        self.group_pairs = group_pairs
        self.protected = protected
        self.class_costs = class_costs
        self._set_extra(params)


class CSRankBoostPlusRanker(StakesRanker):
    """RankBoost+ on pairs of different costs. It optimises exponential loss of pairs, ties by cosh, weighted by their costs (E2) (Salomon 2020, Bias Mitigation Techniques and a Cost-Aware Framework for Boosted Ranking Algorithms).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of weak rankers (1 to 100000)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        cost: when pair costs are used: before: as the initial weights of pairs; during: a root of them in each round; after: weak rankers are chosen without them and weighted with them (before | during | after)
        pair_cost: the cost of a pair, from the costs of its two items (difference | product | mean | max)
        item_cost: what an item costs in that: its cost (and pairs are also weighted by the product of their items' weights), or its weight (cost | weight)
        pair_costs: the cost of each pair; pairs that are not in the file do not count (none, or a CSV file with the columns list, better, worse, cost)
        group_cost: how many times more pairs of the protected group cost (Salomon 2020, section 4.3.3); the data name their groups (stakes train --group) (0 to 1000000)
        group_pairs: pairs of the protected group: touching: with at least one member; across: with exactly one; within: with two; member-better, member-worse: with exactly one, which is the better or the worse item (touching | across | within | member-better | member-worse)
        protected: the protected group, for group-cost (none, or a value of the group column)
        class_costs: multiclass: the cost of predicting one class for another (auto (higher for classes that are more alike), or a CSV file: a line for each true class, a column for each class it may be taken for)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-rankboost+"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 300,
        patience: float = 50,
        bins: float = 255,
        cost: Literal["before", "during", "after"] = "before",
        pair_cost: Literal["difference", "product", "mean", "max"] = "difference",
        item_cost: Literal["cost", "weight"] = "cost",
        pair_costs: str | float = "none",
        group_cost: float = 1,
        group_pairs: Literal["touching", "across", "within", "member-better", "member-worse"] = "touching",
        protected: str | float = "none",
        class_costs: str | float = "auto",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.patience = patience
        self.bins = bins
        self.cost = cost
        self.pair_cost = pair_cost
        self.item_cost = item_cost
        self.pair_costs = pair_costs
        self.group_cost = group_cost
        self.group_pairs = group_pairs
        self.protected = protected
        self.class_costs = class_costs
        self._set_extra(params)


class PreferenceRankBoostRanker(StakesRanker):
    """RankBoost in which every group takes the stump that it prefers. It optimises exponential loss of pairs, ties by cosh (E2) (Salomon 2020, Bias Mitigation Techniques and a Cost-Aware Framework for Boosted Ranking Algorithms, section 2.2.5).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of weak rankers (1 to 100000)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        preference: how far groups have their way: each takes the weak ranker of most benefit to it among those that lower the loss by at least 1 - preference of what the best one does; 0: all take the best one (0 to 1)
        weights: the weights of the weak rankers that groups take in a round: together: one for all; own: to each its own (together | own)
        ties: pairs that weak rankers leave tied: half: count as half right and half wrong (RankBoost+); stay: do not count (RankBoost) (half | stay)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "preference-rankboost"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 300,
        patience: float = 50,
        bins: float = 255,
        preference: float = 0.5,
        weights: Literal["together", "own"] = "together",
        ties: Literal["half", "stay"] = "half",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.patience = patience
        self.bins = bins
        self.preference = preference
        self.weights = weights
        self.ties = ties
        self._set_extra(params)


class AdaBoostRanker(StakesRanker):
    """Weighted stumps that tell costly items from the others. It optimises exponential loss of items above and below a threshold of cost, weighted by class (Freund and Schapire 1997, A Decision-Theoretic Generalization of On-Line Learning; Nikolaou et al. 2016, Cost-Sensitive Boosting Algorithms: Do We Really Need Them?).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        rounds: maximum number of weak rankers (1 to 100000)
        patience: early stopping: stop after N rounds without improvement on validation lists; 0: never (0 to 100000)
        bins: maximum number of bins that the values of a feature are sorted into (2 to 255)
        threshold: cost above which an item counts as costly; auto: 0 if any item costs nothing, else the mean cost (auto, or a cost of 0 or more)
        variant: where class costs come in: adaboost: nowhere; cgada: in the first weights of items; asymada: a root of them in each round; adac1, adac2, adac3: in the exponent, as a factor of each round, or both; csb0, csb1, csb2: as a factor of what is wrong; adacost: in the exponent, by whether it is right. Only cgada and asymada are cost-consistent and asymmetry-preserving (adaboost | cgada | asymada | adac1 | adac2 | adac3 | csb0 | csb1 | csb2 | adacost)
        cost_ratio: how many times as much it costs to miss a costly item as to take another one for costly; auto: as many times as there are more of the others (auto, or 0.000001 to 1000000)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "adaboost"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        rounds: float = 300,
        patience: float = 50,
        bins: float = 255,
        threshold: str | float = "auto",
        variant: Literal[
            "adaboost", "cgada", "asymada", "adac1", "adac2", "adac3", "csb0", "csb1", "csb2", "adacost"
        ] = "cgada",
        cost_ratio: str | float = "auto",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.rounds = rounds
        self.patience = patience
        self.bins = bins
        self.threshold = threshold
        self.variant = variant
        self.cost_ratio = cost_ratio
        self._set_extra(params)


class ListMLERanker(StakesRanker):
    """Linear score, or a net, that makes the target orders likely. It optimises likelihood of each list's order by cost (Plackett-Luce), by Newton's method (Xia et al. 2008, Listwise Approach to Learning to Rank: Theory and Algorithm).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        solver: newton: Newton's method, for a linear score; adam: step by step, also for nets, by the parameters from hidden to patience; descent: gradient descent without a penalty by rate, tolerance and rounds, as in the papers; auto: newton unless there are hidden layers (auto | newton | adam | descent)
        tolerance: with solver=descent: stop when a pass over all lists lowers their mean loss by less than this; several: the best on validation lists (above 0, up to 1)
        c: strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-4 to 10, then of 0.6 to 1.4 times that; 1 without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        ties: items of the same cost: together: in any order; order: one after the other by id, as in the papers (together | order)
        hidden: number of units of each hidden layer; 0: a linear score (0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16)
        activation: activation function of hidden units (relu | tanh)
        nets: number of nets whose scores are averaged, each from other random draws; always 1 for a linear score (1 to 100)
        rounds: maximum number of epochs: passes over all lists (1 to 100000)
        optimiser: adam: steps of about the same length, and the running mean of weights; descent: plain gradient descent (adam | descent)
        rate: learning rate: the length of Adam's steps, or the factor on derivatives in descent (above 0, up to 1)
        batch: number of lists per step; 0: a 500th of them, at most 32 (0 to 4294967296)
        l2: penalty on the square of weights (0 to 1000000)
        patience: early stopping: stop after N epochs without improvement on validation lists; 0: never (0 to 100000)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "listmle"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        solver: Literal["auto", "newton", "adam", "descent"] = "auto",
        tolerance: float = 0.001,
        c: str | float = "auto",
        ties: Literal["together", "order"] = "together",
        hidden: float = 0,
        activation: Literal["relu", "tanh"] = "relu",
        nets: float = 6,
        rounds: float = 100,
        optimiser: Literal["adam", "descent"] = "adam",
        rate: float = 0.01,
        batch: float = 0,
        l2: float = 0.003,
        patience: float = 20,
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.solver = solver
        self.tolerance = tolerance
        self.c = c
        self.ties = ties
        self.hidden = hidden
        self.activation = activation
        self.nets = nets
        self.rounds = rounds
        self.optimiser = optimiser
        self.rate = rate
        self.batch = batch
        self.l2 = l2
        self.patience = patience
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class CSRgListRanker(StakesRanker):
    """ListMLE with levels weighted by grade or cost. It optimises likelihood of each list's order, levels weighted by importance, by Newton's method (He, Cost-Sensitive Learning for Listwise Ranking Functions).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        importance: importance of a level: grade: pcf^grade; cost: its cost; auto: grade if all impacts are whole and below 32 and the cost depends on nothing else (auto | grade | cost)
        pcf: how many times more important a grade is than the next lower one (1 to 6)
        c: strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-4 to 10, then of 0.6 to 1.4 times that; 1 without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        ties: items of the same cost: together: in any order; order: one after the other by id, as in the papers (together | order)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "cs-rglist"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        importance: Literal["auto", "grade", "cost"] = "auto",
        pcf: float = 3,
        c: str | float = "auto",
        ties: Literal["together", "order"] = "together",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.importance = importance
        self.pcf = pcf
        self.c = c
        self.ties = ties
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class RankSVMRanker(StakesRanker):
    """Linear score that separates pairs by a margin. It optimises hinge loss of all pairs of different cost (Joachims 2002, Optimizing Search Engines Using Clickthrough Data; Joachims 2006, Training Linear SVMs in Linear Time).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        c: strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 0.01 to 1000, then of 0.6 to 1.4 times that; 10 without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        mode: insensitive: pairs of equal weight; cr: lists weighted by their savable cost; cs: pairs weighted by their difference in cost (insensitive | cr | cs)
        hinge: sharp: max(0, z); squared: max(0, z)^2, which is quicker (sharp | squared)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "ranksvm"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        c: str | float = "auto",
        mode: Literal["insensitive", "cr", "cs"] = "insensitive",
        hinge: Literal["sharp", "squared"] = "sharp",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.c = c
        self.mode = mode
        self.hinge = hinge
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class PNormPushRanker(StakesRanker):
    """Linear score that pushes cheap items down from the top. It optimises sum over items of (sum over costlier items of exp(-(s_i - s_j)))^p (Rudin 2009, The P-Norm Push: A Simple Convex Ranking Algorithm that Concentrates at the Top of the List).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        p: power of the push that moves an item down; the larger, the more the top of a list counts (1 to 32)
        mode: insensitive: items and lists of equal weight; cr: lists weighted by their savable cost; cs: also items push by their cost (insensitive | cr | cs)
        c: strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 0.01 to 1000, then of 0.6 to 1.4 times that; 10 without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "p-norm-push"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        p: float = 2,
        mode: Literal["insensitive", "cr", "cs"] = "insensitive",
        c: str | float = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.p = p
        self.mode = mode
        self.c = c
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class RidgeRanker(StakesRanker):
    """Linear regression of the cost. It optimises squared error of the cost, or of its logarithm (Hoerl and Kennard 1970, Ridge Regression).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        l2: penalty on the squares of weights, per item; auto: the best on validation lists of 100 to 1e-6, then of 0.6 to 1.4 times that; by generalised cross-validation without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        scale: what is predicted: cost: the cost; log: log(1 + cost / mean cost), and the score is exp of it (cost | log)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "ridge"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        l2: str | float = "auto",
        scale: Literal["cost", "log"] = "cost",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.l2 = l2
        self.scale = scale
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class LogisticRanker(StakesRanker):
    """Probability that an item costs more than a threshold. It optimises log loss of the probability (Cox 1958, The Regression Analysis of Binary Sequences).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        threshold: cost above which an item counts as costly; auto: 0 if any item costs nothing, else the mean cost (auto, or a cost of 0 or more)
        c: strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-5 to 10, then of 0.6 to 1.4 times that; 1 without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "logistic"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        threshold: str | float = "auto",
        c: str | float = "auto",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.threshold = threshold
        self.c = c
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class SVMRanker(StakesRanker):
    """Linear score that separates costly items from the others by a margin. It optimises hinge loss of items above and below a threshold of cost (Cortes and Vapnik 1995, Support-Vector Networks).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.
        threshold: cost above which an item counts as costly; auto: 0 if any item costs nothing, else the mean cost (auto, or a cost of 0 or more)
        c: strength of the loss beside 1/2 |w|^2; auto: the best on validation lists of 1e-5 to 10, then of 0.6 to 1.4 times that; 1 without such lists (auto, or a number above 0 and up to 1e9, or several to choose from such as 0.01,0.1,1)
        hinge: sharp: max(0, z); squared: max(0, z)^2, which is quicker (sharp | squared)
        within: numbers within each list: none: as they are; min-max: from 0 to 1; z-score: mean 0, deviation 1 (none | min-max | z-score)
        feature_unit: deviation: numbers count in standard deviations from their mean; raw: in their own unit (deviation | raw)
        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "svm"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        threshold: str | float = "auto",
        c: str | float = "auto",
        hinge: Literal["sharp", "squared"] = "sharp",
        within: Literal["none", "min-max", "z-score"] = "none",
        feature_unit: Literal["deviation", "raw"] = "deviation",
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed
        self.threshold = threshold
        self.c = c
        self.hinge = hinge
        self.within = within
        self.feature_unit = feature_unit
        self._set_extra(params)


class BestFeatureRanker(StakesRanker):
    """The one feature, ascending or descending, that ranks best alone. It optimises the metric of the goal, on the training lists (a baseline).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.

        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "best-feature"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed

        self._set_extra(params)


class RandomRanker(StakesRanker):
    """A random score, the same for the same features. It optimises nothing (a baseline).

    Args:
        k: how many items of each list can be acted on.
        budget: how much money can be spent in each list instead.
        metric: what decides when training stops: a name, or a function.
        seed: of all random draws.

        params: the same by their other names, such as those of LightGBM.
    """

    _learner = "random"

    def __init__(
        self,
        *,
        k: int | str = 10,
        budget: float | None = None,
        metric: Any = None,
        seed: int = 0,
        **params: Any,
    ) -> None:
        self.k = k
        self.budget = budget
        self.metric = metric
        self.seed = seed

        self._set_extra(params)
