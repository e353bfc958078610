"""LightGBM: Tweedie, two-part, lambdarank, and an objective of our own, lambdas of |delta R_CS|."""

import lightgbm
import numpy as np

from goal import Goal, Judge, stakes
from peer import MOST_ROWS_OF_SLOW, ROUNDS, Peer, Watch, by_grades, grades_of

FIXED = {"num_threads": 1, "deterministic": True, "force_col_wise": True, "verbosity": -1, "seed": 1}
FIXED |= {"min_data_per_group": 10, "bagging_freq": 1}
DEFAULT = {
    "num_leaves": 31,
    "learning_rate": 0.05,
    "bagging_fraction": 1.0,
    "feature_fraction": 1.0,
    "min_data_in_leaf": 20,
    "lambda_l2": 0.0,
}
RANGES = {
    "num_leaves": [4, 8, 16, 31, 63],
    "learning_rate": [0.03, 0.05, 0.1],
    "bagging_fraction": [0.5, 0.75, 1.0],
    "feature_fraction": [0.3, 0.6, 1.0],
    "min_data_in_leaf": [3, 5, 10, 20, 50],
    "lambda_l2": [0.0, 1.0, 10.0],
}


class LightGBM(Peer):
    """One booster. A kind says its parameters and its labels, weights and groups."""

    package = "lightgbm"
    stop = "loss"
    loss, sign = "", -1  # the metric of LightGBM that is the loss; -1: smaller is better
    groups = False

    def prepared(self, config, items, goals):
        """What LightGBM is to learn: (parameters, function from Items to labels and weights)."""
        raise NotImplementedError

    def own(self, config):
        return {knob: value for knob, value in config.items() if knob in RANGES}

    def dataset(self, items, labels, weights, reference=None):
        sizes = items.sizes if self.groups else None
        about = {"weight": weights, "group": sizes, "categorical_feature": items.categorical or "auto"}
        return lightgbm.Dataset(items.x, labels, reference=reference, **about)

    def search(self, config, learn, choose, judges):
        params, target = self.prepared(config, learn, list(judges))
        params |= FIXED | self.own(config) | {"metric": self.loss or "None"}
        data = self.dataset(learn, *target(learn))
        valid = self.dataset(choose, *target(choose), reference=data)
        watch = Watch(["loss"] if self.stop == "loss" else list(judges))

        def goals(scores, _):
            return [(goal, judge(scores), True) for goal, judge in judges.items()]

        def after(env):
            figures = {name: value for _, name, value, *_ in env.evaluation_result_list}
            loss = [self.sign * value for name, value in figures.items() if name not in judges]
            if watch.see({name: figures[name] for name in judges} | ({"loss": loss[0]} if loss else {})):
                raise lightgbm.callback.EarlyStopException(env.iteration, env.evaluation_result_list)

        lightgbm.train(params, data, ROUNDS, valid_sets=[valid], feval=goals, callbacks=[after])
        return watch.chosen(judges, self.stop)

    def fit(self, config, items, rounds, goals):
        params, target = self.prepared(config, items, goals)
        params |= FIXED | self.own(config)
        model = lightgbm.train(params, self.dataset(items, *target(items)), rounds)
        return lambda new: model.predict(new.x, raw_score=True)


class Tweedie(LightGBM):
    name = "lightgbm-tweedie"
    what = "LightGBM, Tweedie deviance of the cost"
    loss = "tweedie"
    default = DEFAULT | {"tweedie_variance_power": 1.5}
    ranges = RANGES | {"tweedie_variance_power": [1.1, 1.3, 1.5, 1.7, 1.9]}

    def prepared(self, config, items, goals):
        scale = items.cost.mean()
        power = config["tweedie_variance_power"]
        params = {"objective": "tweedie", "tweedie_variance_power": power}
        return params, lambda some: (some.cost / scale, None)


class Chance(LightGBM):
    loss = "binary_logloss"

    def prepared(self, config, items, goals):
        return {"objective": "binary"}, lambda some: ((some.cost > 0).astype(float), None)


class Size(LightGBM):
    loss = "l2"

    def prepared(self, config, items, goals):
        return {"objective": "regression"}, lambda some: (np.log(some.cost), None)


class TwoPart(Peer):
    """Both boosters have the same configuration, each its own rounds by its own loss."""

    name = "lightgbm-two-part"
    what = "LightGBM, chance of any cost x exp(expected log cost if any)"
    package = "lightgbm"
    default, ranges = DEFAULT, RANGES

    def search(self, config, learn, choose, judges):
        rounds = [0, 0]
        if (learn.cost == 0).any():
            rounds[0] = self.rounds(Chance(), config, learn, choose)
        positive = [some.part(some.cost > 0) for some in (learn, choose)]
        rounds[1] = self.rounds(Size(), config, *positive) if len(positive[1].cost) else 100
        scores = self.fit(config, learn, rounds, list(judges))(choose)
        return {goal: (judge(scores), rounds) for goal, judge in judges.items()}

    def rounds(self, part, config, learn, choose):
        return part.search(config, learn, choose, {"all": lambda _: 0.0})["all"][1]

    def fit(self, config, items, rounds, goals):
        size = Size().fit(config, items.part(items.cost > 0), rounds[1], goals)
        if rounds[0] == 0:
            return size
        chance = Chance().fit(config, items, rounds[0], goals)
        log_chance = lambda new: -np.logaddexp(0.0, -chance(new))
        return lambda new: log_chance(new) + size(new)


class LambdaRank(LightGBM):
    name = "lightgbm-lambdarank"
    what = "LightGBM, lambdarank on 31 grades of cost, gains = mean cost of a grade, lists weighed"
    left_out = ("claims",)
    stop = "goal"
    groups = True
    default = DEFAULT | {"weights": "stake", "truncation": 1, "norm": True}
    ranges = RANGES | {"weights": ["stake", "root", "none"], "truncation": [1, 2, 4], "norm": [True, False]}

    def prepared(self, config, items, goals):
        goal = max(map(Goal, goals), key=lambda goal: goal.k)
        cuts, gains = by_grades(items.cost)
        params = {
            "objective": "lambdarank",
            "label_gain": gains,
            "lambdarank_truncation_level": config["truncation"] * goal.k,
            "lambdarank_norm": config["norm"],
            "bagging_by_query": True,
        }
        power = {"stake": 1.0, "root": 0.5, "none": 0.0}[config["weights"]]
        weights = lambda some: np.repeat(stakes(goal, some) ** power, some.sizes)
        return params, lambda some: (grades_of(some.cost, cuts), weights(some))


class CostLambdas(LightGBM):
    """Lambdas as in LambdaMART with the change of the goal when two items change places. Pairs
    have an item among the first `reach` x k: others change nothing."""

    name = "lightgbm-cost-lambdas"
    what = "LightGBM with an objective in numpy: lambdas of the change of R_CS@k"
    stop = "goal"
    per_goal = True
    most_rows = MOST_ROWS_OF_SLOW
    groups = True
    default = DEFAULT | {"sigma": 1.0, "reach": 1}
    ranges = RANGES | {"sigma": [0.5, 1.0, 2.0], "reach": [1, 2]}

    def prepared(self, config, items, goals):
        (goal,) = map(Goal, goals)
        goal.k *= config["reach"]
        params = {"objective": Lambdas(goal, items, config["sigma"]), "bagging_by_query": True}
        return params, lambda some: (some.cost, None)


class Lambdas:
    """Gradients and second derivatives, scaled to 1 per row on average in size of weight."""

    def __init__(self, goal, items, sigma):
        self.judge, self.sigma = Judge(goal, items), sigma
        upper, lower = [], []
        for start, size in zip(items.starts, items.sizes):
            first, second = np.triu_indices(min(size, goal.k), 1, size)
            upper.append(first + start)
            lower.append(second + start)
        self.upper, self.lower = np.concatenate(upper), np.concatenate(lower)
        chances = self.judge.chances
        self.change = (chances[self.upper] - chances[self.lower]) * self.judge.worth[self.upper] * len(items.cost)

    def __call__(self, scores, _):
        order = self.judge.order(scores)
        s, cost = scores[order], self.judge.items.cost[order]
        gap = cost[self.upper] - cost[self.lower]  # below 0: the pair is in the wrong order
        weight = np.abs(gap) * self.change
        wrong = 1 / (1 + np.exp(self.sigma * np.sign(gap) * (s[self.upper] - s[self.lower])))
        pull = self.sigma * np.sign(gap) * weight * wrong
        bend = self.sigma**2 * weight * wrong * (1 - wrong)
        sums = lambda values, rows: np.bincount(rows, values, len(order))
        gradient, second = np.empty(len(order)), np.empty(len(order))
        gradient[order] = sums(pull, self.lower) - sums(pull, self.upper)
        second[order] = sums(bend, self.lower) + sums(bend, self.upper)
        return gradient, second + 1e-9


PEERS = [Tweedie(), TwoPart(), LambdaRank(), CostLambdas()]
