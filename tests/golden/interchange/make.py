"""Small models of other libraries on generated data, and their own scores of a few rows.

Writes, beside itself, the model files, ``rows.json`` (the rows that are scored) and ``scores.json`` (each file's scores
by the library that wrote it). Versions: ``python/requirements.txt``, and fastrank 0.8.0 for its models, which are left
as they are where it is not installed. Run: ``python tests/golden/interchange/make.py``.
"""

from __future__ import annotations

import json
import pathlib
import sys
import tempfile

import numpy as np
import pandas as pd

HERE = pathlib.Path(__file__).parent
NUMBERS = ["wind", "age", "customers"]
POLES = ["iron", "steel", "wood"]


def data(rows: int = 600) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Features, costs and lists. All numbers have 32 bits; wind is missing here and there, most customers are 0."""
    random = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "wind": random.normal(14, 5, rows).round(2).astype(np.float32),
            "age": random.integers(0, 60, rows).astype(np.float32),
            "customers": (random.integers(-3, 40, rows) * (random.random(rows) < 0.4)).astype(np.float32),
            "pole": pd.Categorical(random.choice(POLES, rows), categories=POLES),
        }
    )
    cost = np.maximum(0, frame.wind - 12) * (1 + 2 * (frame.pole == "wood")) + (frame.customers == 0) * 3
    cost = (cost * random.gamma(2, 1, rows)).round(2).to_numpy(np.float64)
    frame.loc[random.random(rows) < 0.15, "wind"] = np.nan
    return frame, cost, np.repeat(np.arange(rows // 20), 20)


FRAME, COST, LISTS = data()
COST = np.nan_to_num(COST)
ROWS = FRAME.iloc[:40]
NUMERIC = FRAME[NUMBERS].to_numpy(np.float32)
#: Codes as data have them that never saw pandas: few of them, and far apart.
CODES = np.array([7, 300, 1000])[FRAME.pole.cat.codes]


def lightgbm() -> dict[str, list[float]]:
    import lightgbm as lgb

    scores = {}
    base = {
        "num_leaves": 4,
        "verbose": -1,
        "min_data_in_leaf": 20,
        "min_data_per_group": 5,
        "cat_smooth": 1,
        "max_cat_to_onehot": 1,
        "num_threads": 1,
    }

    def make(name: str, matrix, target, parameters, group=None, rounds: int = 3) -> None:
        train = lgb.Dataset(matrix, target, group=group, free_raw_data=False)
        if name == "lightgbm-codes":
            train.set_categorical_feature([3])
        booster = lgb.train({**base, **parameters}, train, rounds)
        booster.save_model(HERE / f"{name}.txt")
        scores[f"{name}.txt"] = booster.predict(matrix[: len(ROWS)]).tolist()

    grades = np.minimum(4, COST // 5).astype(int)
    make("lightgbm-regression", NUMERIC, COST, {"objective": "regression"})
    make("lightgbm-tweedie", NUMERIC, COST, {"objective": "tweedie"})
    make("lightgbm-binary", NUMERIC, COST > 8, {"objective": "binary", "sigmoid": 2.0})
    make("lightgbm-lambdarank", NUMERIC, grades, {"objective": "lambdarank"}, np.bincount(LISTS))
    make("lightgbm-pandas", FRAME, COST, {"objective": "regression"})
    make("lightgbm-codes", np.c_[NUMERIC, CODES], COST, {"objective": "regression"})
    make("lightgbm-zero", NUMERIC, COST, {"objective": "regression", "zero_as_missing": True, "num_leaves": 8})
    make("lightgbm-no-missing", NUMERIC, COST, {"objective": "regression", "use_missing": False})
    forest = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.7, "objective": "poisson"}
    make("lightgbm-forest", NUMERIC, COST, forest)
    dart = {"boosting": "dart", "objective": "regression", "drop_rate": 0.5, "skip_drop": 0.0}
    make("lightgbm-dart", NUMERIC, COST, dart, rounds=5)
    return scores


def xgboost() -> dict[str, list[float]]:
    import xgboost as xgb

    scores = {}

    def make(name: str, matrix, target, parameters, **options) -> None:
        train = xgb.DMatrix(matrix, target, enable_categorical=True, **options)
        booster = xgb.train({"max_depth": 2, "nthread": 1, **parameters}, train, 3)
        booster.save_model(HERE / name)
        rows = xgb.DMatrix(matrix[: len(ROWS)], enable_categorical=True, **options)
        scores[name] = booster.predict(rows).astype(float).tolist()

    make("xgboost-regression.json", NUMERIC, COST, {})
    make("xgboost-tweedie.ubj", FRAME[NUMBERS], COST, {"objective": "reg:tweedie"})
    make("xgboost-pandas.ubj", FRAME, COST, {"max_cat_to_onehot": 1})
    codes = {"feature_types": ["q", "q", "q", "c"]}
    make("xgboost-codes.json", np.c_[NUMERIC, FRAME.pole.cat.codes], COST, {}, **codes)
    dart = {"booster": "dart", "rate_drop": 0.6, "one_drop": True, "seed": 3, "objective": "binary:logistic"}
    make("xgboost-dart.json", NUMERIC, COST > 8, dart)
    make("xgboost-linear.json", NUMERIC, COST, {"booster": "gblinear"})
    ranker = xgb.XGBRanker(n_estimators=30, max_depth=2, early_stopping_rounds=2, n_jobs=1)
    grades = np.minimum(4, COST // 5).astype(int)
    half = len(COST) // 2
    ranker.fit(
        NUMERIC[:half],
        grades[:half],
        qid=LISTS[:half],
        eval_set=[(NUMERIC[half:], grades[half:])],
        eval_qid=[LISTS[half:]],
        verbose=False,
    )
    ranker.save_model(HERE / "xgboost-ranker.json")
    scores["xgboost-ranker.json"] = ranker.predict(NUMERIC[: len(ROWS)]).astype(float).tolist()
    return scores


def main() -> None:
    known = HERE / "scores.json"
    scores = json.loads(known.read_text()) if known.exists() else {}
    for make in (lightgbm, xgboost):
        try:
            scores.update(make())
        except ImportError as error:
            print(f"left as they are: models of {make.__name__} ({error})", file=sys.stderr)
    known.write_text(lines(scores))
    rows = {name: [None if np.isnan(x) else float(x) for x in ROWS[name]] for name in NUMBERS}
    rows["pole"] = ROWS.pole.astype(str).tolist()
    rows["code"] = CODES[: len(ROWS)].tolist()
    (HERE / "rows.json").write_text(lines(rows))


def lines(table: dict[str, list]) -> str:
    """JSON with a line for each entry."""
    rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(table.items()))
    return "{\n" + rows + "\n}\n"


if __name__ == "__main__":
    main()
