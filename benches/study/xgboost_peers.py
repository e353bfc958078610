"""XGBoost: Tweedie, and rank:ndcg on the costs themselves with linear gains."""

import numpy as np
import xgboost

from goal import Goal, stakes
from peer import MOST_ROWS_OF_SLOW, ROUNDS, Peer, Watch

FIXED = {"nthread": 1, "tree_method": "hist", "seed": 1, "verbosity": 0}
DEFAULT = {
    "max_depth": 6,
    "learning_rate": 0.05,
    "subsample": 1.0,
    "colsample_bytree": 1.0,
    "min_child_weight": 5.0,
    "lambda": 1.0,
}
RANGES = {
    "max_depth": [2, 3, 4, 6, 8],
    "learning_rate": [0.03, 0.05, 0.1],
    "subsample": [0.5, 0.75, 1.0],
    "colsample_bytree": [0.3, 0.6, 1.0],
    "min_child_weight": [1.0, 5.0, 20.0, 50.0],
    "lambda": [0.1, 1.0, 10.0],
}


class XGBoost(Peer):
    package = "xgboost-cpu"
    stop = "loss"

    def prepared(self, config, items, goals):
        """(parameters, function from Items to a DMatrix)."""
        raise NotImplementedError

    def own(self, config):
        return {knob: value for knob, value in config.items() if knob in RANGES}

    def search(self, config, learn, choose, judges):
        params, matrix = self.prepared(config, learn, list(judges))
        watch = Watch(["loss"] if self.stop == "loss" else list(judges))
        goals = lambda scores, _: [(goal, judge(scores)) for goal, judge in judges.items()]
        seen = {"evals": [(matrix(choose), "choose")], "custom_metric": goals, "callbacks": [Stopper(watch, judges)]}
        xgboost.train(params | FIXED | self.own(config), matrix(learn), ROUNDS, verbose_eval=False, **seen)
        return watch.chosen(judges, self.stop)

    def fit(self, config, items, rounds, goals):
        params, matrix = self.prepared(config, items, goals)
        model = xgboost.train(params | FIXED | self.own(config), matrix(items), rounds)
        return lambda new: model.predict(features(new), output_margin=True)


class Stopper(xgboost.callback.TrainingCallback):
    def __init__(self, watch, judges):
        super().__init__()
        self.watch, self.judges = watch, judges

    def after_iteration(self, model, epoch, evals_log):
        last = {name: values[-1] for name, values in evals_log["choose"].items()}
        loss = [-value for name, value in last.items() if name not in self.judges]
        return self.watch.see({name: last[name] for name in self.judges} | ({"loss": loss[0]} if loss else {}))


def features(items, **more):
    kinds = ["c" if column in items.categorical else "q" for column in range(items.x.shape[1])]
    return xgboost.DMatrix(items.x, feature_types=kinds, enable_categorical=True, nthread=1, **more)


class Tweedie(XGBoost):
    name = "xgboost-tweedie"
    what = "XGBoost, Tweedie deviance of the cost"
    default = DEFAULT | {"tweedie_variance_power": 1.5}
    ranges = RANGES | {"tweedie_variance_power": [1.1, 1.3, 1.5, 1.7, 1.9]}

    def prepared(self, config, items, goals):
        scale, power = items.cost.mean(), config["tweedie_variance_power"]
        params = {"objective": "reg:tweedie", "tweedie_variance_power": power}
        params |= {"eval_metric": f"tweedie-nloglik@{power}"}
        return params, lambda some: features(some, label=some.cost / scale)


class Ndcg(XGBoost):
    name = "xgboost-ndcg"
    what = "XGBoost, rank:ndcg on the cost itself (linear gains, pairs with the first k), lists weighed"
    stop = "goal"
    most_rows = MOST_ROWS_OF_SLOW
    default = DEFAULT | {"weights": "stake", "pairs": 1, "norm": True}
    ranges = RANGES | {"weights": ["stake", "root", "none"], "pairs": [1, 2, 4], "norm": [True, False]}

    def prepared(self, config, items, goals):
        goal = max(map(Goal, goals), key=lambda goal: goal.k)
        params = {
            "objective": "rank:ndcg",
            "ndcg_exp_gain": False,
            "lambdarank_pair_method": "topk",
            "lambdarank_num_pair_per_sample": config["pairs"] * goal.k,
            "lambdarank_normalization": config["norm"],
            "disable_default_eval_metric": True,
        }
        scale = items.cost.mean()
        power = {"stake": 1.0, "root": 0.5, "none": 0.0}[config["weights"]]
        weight = lambda some: np.maximum(stakes(goal, some) ** power, 1e-9)
        label = lambda some: some.cost / scale
        return params, lambda some: features(some, label=label(some), group=some.sizes, weight=weight(some))


PEERS = [Tweedie(), Ndcg()]
