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


def catboost() -> dict[str, list[float]]:
    import catboost as cb

    scores = {}
    base = {"iterations": 3, "depth": 3, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
    base["random_seed"] = 1
    frame = FRAME.assign(pole=FRAME.pole.astype(str))
    grades = np.minimum(4, COST // 5).astype(int)

    def make(name: str, model, matrix, target, **options) -> None:
        pool = cb.Pool(matrix, target, **options)
        model.fit(pool)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.json")
            model.save_model(path, format="json", pool=pool)
            content = json.loads(path.read_text())
        # What was asked for and when is half of the file; the loss is all of it that a reader may need.
        content["model_info"] = {"params": {"loss_function": content["model_info"]["params"]["loss_function"]}}
        (HERE / f"{name}.json").write_text(json.dumps(content) + "\n")
        rows = matrix[: len(ROWS)]
        chance = isinstance(model, cb.CatBoostClassifier)
        scores[f"{name}.json"] = (model.predict_proba(rows)[:, 1] if chance else model.predict(rows)).tolist()

    make("catboost-regression", cb.CatBoostRegressor(**base), NUMERIC, COST)
    make("catboost-maximum", cb.CatBoostRegressor(**base, nan_mode="Max"), NUMERIC, COST)
    make("catboost-tweedie", cb.CatBoostRegressor(**base, loss_function="Tweedie:variance_power=1.5"), NUMERIC, COST)
    make("catboost-classes", cb.CatBoostClassifier(**base), NUMERIC, COST > 8)
    make("catboost-ranker", cb.CatBoostRanker(**base), NUMERIC, grades, group_id=LISTS)
    one_hot = {**base, "one_hot_max_size": 10}
    make("catboost-pandas", cb.CatBoostRegressor(**one_hot), frame, COST, cat_features=["pole"])
    deep = {**base, "grow_policy": "Lossguide", "max_leaves": 6}
    make("catboost-lossguide", cb.CatBoostRegressor(**deep), NUMERIC, COST)
    return scores


def fastrank() -> dict[str, list[float]]:
    import fastrank as fr

    scores = {}
    # Without missing values, which fastrank would take for 0, and by rows, as it reads memory.
    matrix = np.ascontiguousarray(np.nan_to_num(NUMERIC))
    grades = np.minimum(4, COST // 5)
    data = fr.CDataset.from_numpy(matrix, grades, LISTS)
    for name in ("coordinate_ascent", "random_forest"):
        request = getattr(fr.TrainRequest, name)()
        request.params.seed, request.params.quiet = 1, True
        if name == "random_forest":
            request.params.num_trees, request.params.max_depth = 3, 3
        model = data.train_model(request)
        file = f"fastrank-{name.replace('_', '-')}.json"
        (HERE / file).write_text(json.dumps(model.to_dict()) + "\n")
        predicted = model.predict_scores(data)
        scores[file] = [predicted[row] for row in range(len(ROWS))]
    return scores


def onnx() -> dict[str, list[float]]:
    from skl2onnx import to_onnx
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, RandomForestRegressor
    from sklearn.linear_model import LinearRegression, LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeRegressor

    scores = {}
    # Without missing values, which most of these estimators refuse or ONNX does not hold.
    matrix = np.nan_to_num(NUMERIC)
    small = {"n_estimators": 3, "max_depth": 2, "random_state": 0}
    for name, model, target in (
        ("tree", DecisionTreeRegressor(max_depth=3), COST),
        ("forest", RandomForestRegressor(**small), COST),
        ("boosting", GradientBoostingRegressor(**small), COST),
        ("classes", GradientBoostingClassifier(**small), COST > 8),
        ("scaled", make_pipeline(StandardScaler(), GradientBoostingRegressor(**small)), COST),
        ("linear", make_pipeline(StandardScaler(), LinearRegression()), COST),
        ("logistic", LogisticRegression(max_iter=1000), COST > 8),
    ):
        model.fit(matrix, target)
        file = f"onnx-{name}.onnx"
        (HERE / file).write_bytes(to_onnx(model, matrix[:1]).SerializeToString())
        rows = matrix[: len(ROWS)]
        chance = hasattr(model, "predict_proba")
        scores[file] = (model.predict_proba(rows)[:, 1] if chance else model.predict(rows)).tolist()
    return scores


#: As RankLib writes them (its source was read; no release of it can be run here), on the columns of ``NUMBERS``.
RANKLIB = {
    "ranklib-lambdamart.txt": """## LambdaMART
## No. of trees = 2
## No. of leaves = 3
## Learning rate = 0.1

<ensemble>
\t<tree id="1" weight="0.1">
\t\t<split>
\t\t\t<feature>1 </feature>
\t\t\t<threshold> 12.5 </threshold>
\t\t\t<split pos="left">
\t\t\t\t<output>-1.9999998807907104 </output>
\t\t\t</split>
\t\t\t<split pos="right">
\t\t\t\t<feature>3 </feature>
\t\t\t\t<threshold> 0.0 </threshold>
\t\t\t\t<split pos="left">
\t\t\t\t\t<output>1.5 </output>
\t\t\t\t</split>
\t\t\t\t<split pos="right">
\t\t\t\t\t<output>0.3333333432674408 </output>
\t\t\t\t</split>
\t\t\t</split>
\t\t</split>
\t</tree>
\t<tree id="2" weight="0.1">
\t\t<split>
\t\t\t<feature>2 </feature>
\t\t\t<threshold> 30.0 </threshold>
\t\t\t<split pos="left">
\t\t\t\t<output>0.7 </output>
\t\t\t</split>
\t\t\t<split pos="right">
\t\t\t\t<output>-0.2 </output>
\t\t\t</split>
\t\t</split>
\t</tree>
</ensemble>
""",
    "ranklib-forest.txt": """## Random Forests
## No. of bags = 2
## Sub-sampling = 1.0

<ensemble>
\t<tree id="1" weight="1.0">
\t\t<split>
\t\t\t<feature>1 </feature>
\t\t\t<threshold> 14.25 </threshold>
\t\t\t<split pos="left">
\t\t\t\t<output>0.5 </output>
\t\t\t</split>
\t\t\t<split pos="right">
\t\t\t\t<output>2.5 </output>
\t\t\t</split>
\t\t</split>
\t</tree>
</ensemble>

<ensemble>
\t<tree id="1" weight="1.0">
\t\t<split>
\t\t\t<output>1.25 </output>
\t\t</split>
\t</tree>
</ensemble>
""",
    "ranklib-coordinate-ascent.txt": """## Coordinate Ascent
## Restart = 5
## MaxIteration = 25
1:0.5 2:-0.125 3:0.015625
""",
}


def ranklib() -> dict[str, list[float]]:
    """Scores by a walk of the XML that shares nothing with ours, with the 32-bit sums of RankLib."""
    import xml.etree.ElementTree as xml

    rows = np.nan_to_num(NUMERIC[: len(ROWS)])

    def value(split, row) -> np.float32:
        if split.find("output") is not None:
            return np.float32(split.find("output").text)
        is_left = row[int(split.find("feature").text) - 1] <= np.float32(split.find("threshold").text)
        left, right = split.findall("split")
        return value(left if is_left else right, row)

    def score(text: str, row) -> float:
        body = "\n".join(line for line in text.splitlines() if not line.startswith("##"))
        if "<" not in body:
            return sum(float(row[int(i) - 1]) * float(w) for i, w in (pair.split(":") for pair in body.split()))
        sums = []
        for ensemble in xml.fromstring(f"<all>{body}</all>"):
            total = np.float32(0)
            for tree in ensemble:
                total += value(tree.find("split"), row) * np.float32(tree.get("weight"))
            sums.append(float(total))
        return sum(sums) / len(sums)

    for file, text in RANKLIB.items():
        (HERE / file).write_text(text)
    return {file: [score(text, row) for row in rows] for file, text in RANKLIB.items()}


def main() -> None:
    known = HERE / "scores.json"
    scores = json.loads(known.read_text()) if known.exists() else {}
    for make in (lightgbm, xgboost, catboost, onnx, fastrank, ranklib):
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
