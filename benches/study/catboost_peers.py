"""CatBoost: Tweedie and YetiRank on the costs themselves.

Rounds of rankers are chosen afterwards: all are made (300, or 200 on many items: they are slow), and
the scores after each tell the best. Tweedie ends by its own loss as other regressions do. 64 borders
instead of 254 make it three times as fast."""

import catboost
import numpy as np
import pandas

from goal import Goal, stakes
from peer import MANY, MOST_ROWS_OF_SLOW, PATIENCE, ROUNDS, Peer

RANKER_ROUNDS, RANKER_ROUNDS_OF_MANY = 300, 200
# On many items a ranker of CatBoost takes minutes where others take seconds.
RANKER_CONFIGURATIONS_OF_MANY = 2
FIXED = {"thread_count": 1, "random_seed": 1, "allow_writing_files": False, "verbose": False}
FIXED |= {"boosting_type": "Plain", "bootstrap_type": "Bernoulli", "border_count": 64}
DEFAULT = {
    "depth": 6,
    "learning_rate": 0.05,
    "subsample": 0.8,
    "rsm": 1.0,
    "l2_leaf_reg": 3.0,
    "random_strength": 1.0,
}
RANGES = {
    "depth": [3, 4, 5, 6, 7],
    "learning_rate": [0.03, 0.05, 0.1],
    "subsample": [0.5, 0.75, 1.0],
    "rsm": [0.3, 0.6, 1.0],
    "l2_leaf_reg": [1.0, 3.0, 10.0],
    "random_strength": [0.0, 1.0],
}
RANKER = {"learning_rate": 0.1, "weights": "stake"}
RANKER_RANGES = {"learning_rate": [0.05, 0.1, 0.2], "weights": ["stake", "root", "none"]}


class CatBoost(Peer):
    package = "catboost"
    stop = "goal"
    most_rows = MOST_ROWS_OF_SLOW

    def loss(self, config, goals):
        raise NotImplementedError

    def rounds(self, items):
        return RANKER_ROUNDS if len(items.cost) < MANY else RANKER_ROUNDS_OF_MANY

    def most_configurations(self, items):
        slow = self.stop == "goal" and len(items.cost) >= MANY
        return RANKER_CONFIGURATIONS_OF_MANY if slow else super().most_configurations(items)

    def pool(self, items, scale, config, goals):
        goal = max(map(Goal, goals), key=lambda goal: goal.k)
        power = {"stake": 1.0, "root": 0.5, "none": 0.0}[config["weights"]]
        weights = np.repeat(stakes(goal, items) ** power, items.sizes)
        about = {"cat_features": items.categorical, "group_id": items.lists, "group_weight": weights}
        return catboost.Pool(frame(items), items.cost / scale, **about)

    def own(self, config, goals):
        return FIXED | {knob: config[knob] for knob in RANGES} | {"loss_function": self.loss(config, goals)}

    def search(self, config, learn, choose, judges):
        goals, scale = list(judges), learn.cost.mean()
        params = self.own(config, goals) | {"iterations": self.rounds(learn)}
        model, more = catboost.CatBoost(params), {}
        if self.stop == "loss":
            more = {"eval_set": self.pool(choose, scale, config, goals), "use_best_model": False}
            more |= {"early_stopping_rounds": PATIENCE}
        model.fit(self.pool(learn, scale, config, goals), **more)
        stages = list(model.staged_predict(frame(choose), thread_count=1))
        found = {}
        for goal, judge in judges.items():
            if self.stop == "loss":
                made = model.get_best_iteration() + 1
                found[goal] = judge(stages[made - 1]), made
            else:
                figures = [judge(stage) for stage in stages]
                found[goal] = max(figures), int(np.argmax(figures)) + 1
        return found

    def fit(self, config, items, rounds, goals):
        model = catboost.CatBoost(self.own(config, goals) | {"iterations": rounds})
        model.fit(self.pool(items, items.cost.mean(), config, goals))
        return lambda new: model.predict(frame(new), thread_count=1)


def frame(items):
    """Codes as whole numbers, as CatBoost wants its categories; -1 is missing."""
    table = pandas.DataFrame(items.x)
    for column in items.categorical:
        table[column] = table[column].fillna(-1).astype(int)
    return table


class Tweedie(CatBoost):
    name = "catboost-tweedie"
    what = "CatBoost, Tweedie deviance of the cost"
    stop = "loss"
    most_rows = None
    default = DEFAULT | {"variance_power": 1.5}
    ranges = RANGES | {"variance_power": [1.1, 1.3, 1.5, 1.7, 1.9]}

    def rounds(self, items):
        return ROUNDS

    def loss(self, config, goals):
        return f"Tweedie:variance_power={config['variance_power']}"

    def pool(self, items, scale, config, goals):
        return catboost.Pool(frame(items), items.cost / scale, cat_features=items.categorical)


class YetiRank(CatBoost):
    name = "catboost-yetirank"
    what = "CatBoost, YetiRank on the cost itself, lists weighed"
    left_out = ("claims",)
    default = DEFAULT | RANKER | {"mode": "Classic"}
    ranges = RANGES | RANKER_RANGES | {"mode": ["Classic", "DCG"]}

    def loss(self, config, goals):
        return f"YetiRank:mode={config['mode']}"


PEERS = [Tweedie(), YetiRank()]
