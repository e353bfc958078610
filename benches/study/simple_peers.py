"""scikit-learn's random forest, ridge regression on the log of the cost, and the best single feature."""

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, QuantileTransformer, StandardScaler

from goal import Goal, Judge
from peer import Peer


class Simple(Peer):
    """No rounds: learns, and is looked at once."""

    package = "scikit-learn"

    def search(self, config, learn, choose, judges):
        scores = self.fit(config, learn, 0, list(judges))(choose)
        return {goal: (judge(scores), 0) for goal, judge in judges.items()}


class Forest(Simple):
    name = "random-forest"
    what = "scikit-learn, random forest of 100 trees"
    default = {"max_features": 0.33, "min_samples_leaf": 5, "max_samples": 1.0, "target": "cost"}
    ranges = {
        "max_features": [0.1, 0.2, 0.33],
        "min_samples_leaf": [1, 3, 5, 10, 20],
        "max_samples": [0.3, 0.6, 1.0],
        "target": ["cost", "root", "log"],
    }

    def fit(self, config, items, rounds, goals):
        knobs = {knob: config[knob] for knob in ("max_features", "min_samples_leaf", "max_samples")}
        target = {"cost": lambda cost: cost, "root": np.sqrt, "log": np.log1p}[config["target"]]
        model = RandomForestRegressor(100, n_jobs=1, random_state=1, **knobs)
        model.fit(items.x, target(items.cost))
        return lambda new: model.predict(new.x)


class RidgeLog(Simple):
    """Names as 0/1 columns, numbers standardised (or as normal quantiles), missing ones the median
    and a column that says so."""

    name = "ridge"
    what = "scikit-learn, ridge regression of log(1 + cost)"
    default = {"alpha": 1.0, "numbers": "plain"}
    ranges = {"alpha": [0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0], "numbers": ["plain", "normal"]}

    def fit(self, config, items, rounds, goals):
        quantiles = {"n_quantiles": min(200, len(items.cost)), "output_distribution": "normal"}
        scaling = StandardScaler() if config["numbers"] == "plain" else QuantileTransformer(**quantiles, random_state=1)
        numbers = [column for column in range(items.x.shape[1]) if column not in items.categorical]
        columns = ColumnTransformer([
            ("numbers", make_pipeline(SimpleImputer(strategy="median", add_indicator=True), scaling), numbers),
            ("names", OneHotEncoder(handle_unknown="ignore", sparse_output=False), items.categorical),
        ])
        model = make_pipeline(columns, Ridge(alpha=config["alpha"]))
        model.fit(items.x, np.log1p(items.cost))
        return lambda new: model.predict(new.x)


class BestFeature(Peer):
    """Chosen on the training lists, its direction too; missing values come last."""

    name = "single-feature"
    what = "the single feature, and its direction, that is best on the training lists"
    package = "numpy"
    per_goal = True

    def search(self, config, learn, choose, judges):
        return {goal: (0.0, 0) for goal in judges}

    def fit(self, config, items, rounds, goals):
        judge = Judge(Goal(goals[0]), items)
        numbers = [column for column in range(items.x.shape[1]) if column not in items.categorical]
        sides = [(column, sign) for column in numbers for sign in (1.0, -1.0)]
        score = lambda some, side: np.nan_to_num(side[1] * some.x[:, side[0]], nan=-1e300)
        best = max(sides, key=lambda side: judge(score(items, side)))
        return lambda new: score(new, best)


PEERS = [Forest(), RidgeLog(), BestFeature()]
