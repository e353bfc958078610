"""Models of other libraries: their own scores, on generated rows and on 100,000 public ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import program

import stakes
from stakes import _stakes

pd = pytest.importorskip("pandas")

ROWS = 4000


@pytest.fixture(scope="module")
def world() -> dict[str, Any]:
    """32-bit features with missing values and categories, costs, grades and lists."""
    draw = np.random.default_rng(3)
    frame = pd.DataFrame(draw.normal(size=(ROWS, 4)).astype(np.float32), columns=["wind", "rain", "snow", "heat"])
    frame["age"] = draw.integers(0, 50, ROWS).astype(np.float32)
    frame["pole"] = pd.Categorical(draw.choice(["wood", "steel", "iron", "glass"], ROWS))
    cost = np.exp(frame["wind"] + (frame["pole"] == "wood") + 0.3 * draw.normal(size=ROWS)).round(3).to_numpy(float)
    cost = np.where(cost < 0.6, 0.0, cost)
    frame.loc[draw.random(ROWS) < 0.1, "wind"] = np.nan
    lists = np.repeat(np.arange(ROWS // 20), 20)
    return {
        "frame": frame,
        "numbers": frame[["wind", "rain", "snow", "heat", "age"]],
        "cost": cost,
        "grade": np.minimum(4, cost // 1.5).astype(int),
        "lists": lists,
    }


def near(model: Any, rows: Any, theirs: Any, tolerance: float, **options: Any) -> stakes.Model:
    """The imported model, whose scores of the rows are the library's."""
    imported = stakes.import_model(model, **options)
    ours = imported.predict(rows)
    scale = np.maximum(1.0, np.abs(theirs))
    assert np.max(np.abs(ours - theirs) / scale) <= tolerance
    assert len(np.unique(ours)) > 10
    return imported


@pytest.mark.parametrize(
    ("parameters", "target", "tolerance"),
    [
        ({"objective": "regression"}, "cost", 0.0),
        ({"objective": "regression_l1"}, "cost", 0.0),
        ({"objective": "quantile", "alpha": 0.8}, "cost", 0.0),
        ({"objective": "tweedie"}, "cost", 1e-14),
        ({"objective": "poisson"}, "cost", 1e-14),
        ({"objective": "binary", "sigmoid": 1.5}, "any", 1e-14),
        ({"objective": "cross_entropy"}, "any", 1e-14),
        ({"objective": "lambdarank"}, "grade", 0.0),
        ({"objective": "rank_xendcg"}, "grade", 0.0),
        ({"objective": "regression", "boosting": "dart"}, "cost", 0.0),
        ({"objective": "regression", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}, "cost", 1e-14),
        ({"objective": "regression", "zero_as_missing": True}, "cost", 0.0),
        ({"objective": "regression", "use_missing": False}, "cost", 0.0),
    ],
)
def test_lightgbm(world: dict[str, Any], parameters: dict[str, Any], target: str, tolerance: float) -> None:
    lgb = pytest.importorskip("lightgbm")
    frame, cost = world["frame"], world["cost"]
    labels = {"cost": cost, "any": (cost > 1).astype(float), "grade": world["grade"]}[target]
    group = np.bincount(world["lists"]) if target == "grade" else None
    rows = frame
    if "zero_as_missing" in parameters:
        # Numbers of which many are 0, on both sides of it.
        rows = frame.assign(age=np.round(frame["heat"] * 2).astype(np.float32))
    booster = lgb.train(
        {"verbose": -1, "num_leaves": 15, "min_data_per_group": 20, "max_cat_to_onehot": 2, **parameters},
        lgb.Dataset(rows, labels, group=group),
        20,
    )
    imported = near(booster, rows, booster.predict(rows), tolerance)
    assert imported.learner == "lightgbm"
    # The number of rows at a time changes nothing.
    some = imported.predict(rows.iloc[:5])
    assert np.array_equal(some, imported.predict(rows)[:5])


@pytest.mark.filterwarnings("ignore")  # LightGBM is about to rename eval_set.
def test_lightgbm_estimators_stop_early(world: dict[str, Any]) -> None:
    lgb = pytest.importorskip("lightgbm")
    half = ROWS // 2
    model = lgb.LGBMRanker(n_estimators=100, verbose=-1, learning_rate=0.5)
    rows, grade = world["numbers"], world["grade"]
    sizes = np.full(half // 20, 20)
    model.fit(
        rows[:half],
        grade[:half],
        group=sizes,
        eval_set=[(rows[half:], grade[half:])],
        eval_group=[sizes],
        callbacks=[lgb.early_stopping(3, verbose=False)],
    )
    assert model.best_iteration_ < 100
    imported = near(model, rows, model.predict(rows), 0.0)
    assert imported.info["trees"] == model.best_iteration_


def test_many_categories_of_lightgbm(world: dict[str, Any]) -> None:
    """Codes that no test names need no code of ours, so features of thousands of categories can be imported."""
    lgb = pytest.importorskip("lightgbm")
    draw = np.random.default_rng(5)
    rows = world["numbers"].assign(office=draw.integers(0, 2000, ROWS).astype(np.float32))
    cost = world["cost"] + 5 * (rows["office"] % 50 == 3)
    train = lgb.Dataset(rows, cost, categorical_feature=["office"])
    parameters = {"verbose": -1, "min_data_per_group": 2, "cat_smooth": 1, "max_cat_threshold": 8}
    booster = lgb.train(parameters, train, 5)
    near(booster, rows, booster.predict(rows), 0.0)


@pytest.mark.parametrize(
    ("parameters", "target"),
    [
        ({"objective": "reg:squarederror"}, "cost"),
        ({"objective": "reg:absoluteerror"}, "cost"),
        ({"objective": "reg:tweedie"}, "cost"),
        ({"objective": "count:poisson"}, "cost"),
        ({"objective": "binary:logistic"}, "any"),
        ({"objective": "binary:logitraw"}, "any"),
        ({"objective": "rank:ndcg"}, "grade"),
        ({"objective": "rank:pairwise"}, "grade"),
        ({"objective": "reg:squarederror", "booster": "dart", "rate_drop": 0.3}, "cost"),
        ({"objective": "reg:squarederror", "max_cat_to_onehot": 1}, "cost"),
        ({"objective": "reg:squarederror", "num_parallel_tree": 3, "subsample": 0.5}, "cost"),
        ({"objective": "reg:squarederror", "base_score": 3.0}, "cost"),
    ],
)
@pytest.mark.parametrize("format", ["json", "ubj"])
def test_xgboost(world: dict[str, Any], parameters: dict[str, Any], target: str, format: str, tmp_path: Path) -> None:
    xgb = pytest.importorskip("xgboost")
    cost = world["cost"]
    labels = {"cost": cost, "any": (cost > 1).astype(float), "grade": world["grade"]}[target]
    rows = world["frame"]
    qid = {"qid": world["lists"]} if target == "grade" else {}
    train = xgb.DMatrix(rows, labels, enable_categorical=True, **qid)
    booster = xgb.train({"max_depth": 4, **parameters}, train, 15)
    path = tmp_path / f"model.{format}"
    booster.save_model(path)
    theirs = booster.predict(train)
    imported = near(path, rows, theirs, 5e-6)
    assert imported.learner == "xgboost"


def test_xgboost_linear_and_estimators(world: dict[str, Any]) -> None:
    xgb = pytest.importorskip("xgboost")
    rows, grade = world["numbers"], world["grade"]
    booster = xgb.train({"booster": "gblinear"}, xgb.DMatrix(rows, world["cost"]), 10)
    near(booster, rows, booster.predict(xgb.DMatrix(rows)), 5e-6)
    half = ROWS // 2
    lists = world["lists"]
    ranker = xgb.XGBRanker(n_estimators=100, early_stopping_rounds=2, max_depth=3, learning_rate=0.7)
    evaluated = {"eval_set": [(rows[half:], grade[half:])], "eval_qid": [lists[half:]]}
    ranker.fit(rows[:half], grade[:half], qid=lists[:half], **evaluated, verbose=False)
    assert ranker.best_iteration < 90
    imported = near(ranker, rows, ranker.predict(rows), 5e-6)
    assert imported.info["trees"] == ranker.best_iteration + 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"loss_function": "RMSE"},
        {"loss_function": "Tweedie:variance_power=1.5"},
        {"loss_function": "Poisson"},
        {"loss_function": "Quantile:alpha=0.7"},
        {"loss_function": "RMSE", "grow_policy": "Lossguide", "max_leaves": 20},
        {"loss_function": "RMSE", "nan_mode": "Max"},
        {"loss_function": "YetiRank"},
        {"loss_function": "Logloss"},
    ],
)
def test_catboost(world: dict[str, Any], parameters: dict[str, Any]) -> None:
    cb = pytest.importorskip("catboost")
    loss = parameters["loss_function"]
    kind = {"YetiRank": cb.CatBoostRanker, "Logloss": cb.CatBoostClassifier}.get(loss, cb.CatBoostRegressor)
    labels = {"YetiRank": world["grade"], "Logloss": world["cost"] > 1}.get(loss, world["cost"])
    rows = world["frame"].assign(pole=world["frame"]["pole"].astype(str))
    group = {"group_id": world["lists"]} if loss == "YetiRank" else {}
    pool = cb.Pool(rows, labels, cat_features=["pole"], **group)
    model = kind(iterations=20, verbose=0, allow_writing_files=False, one_hot_max_size=10, **parameters)
    model.fit(pool)
    theirs = model.predict_proba(rows)[:, 1] if loss == "Logloss" else model.predict(rows)
    near(model, rows, theirs, 1e-12, pool=pool)


def test_catboost_without_names_or_with_statistics_of_the_target(world: dict[str, Any]) -> None:
    cb = pytest.importorskip("catboost")
    rows = world["frame"].assign(pole=world["frame"]["pole"].astype(str))
    model = cb.CatBoostRegressor(iterations=5, verbose=0, allow_writing_files=False, cat_features=["pole"])
    with pytest.raises(ValueError, match="save it with the data"):
        stakes.import_model(model.copy().set_params(one_hot_max_size=10).fit(rows, world["cost"]))
    with pytest.raises(ValueError, match="one_hot_max_size=255"):
        stakes.import_model(model.set_params(one_hot_max_size=1).fit(rows, world["cost"]))


@pytest.mark.filterwarnings("ignore::stakes.StakesNote")
def test_scikit_learn(world: dict[str, Any]) -> None:
    pytest.importorskip("skl2onnx")
    from sklearn.ensemble import (
        ExtraTreesRegressor,
        GradientBoostingClassifier,
        GradientBoostingRegressor,
        RandomForestClassifier,
        RandomForestRegressor,
    )
    from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeRegressor

    rows, cost = world["numbers"].fillna(0.0), world["cost"]
    size = {"n_estimators": 10, "random_state": 0}
    for model in (
        DecisionTreeRegressor(max_depth=6),
        RandomForestRegressor(max_depth=6, **size),
        ExtraTreesRegressor(max_depth=6, **size),
        GradientBoostingRegressor(**size),
        make_pipeline(StandardScaler(), GradientBoostingRegressor(**size)),
        LinearRegression(),
        make_pipeline(StandardScaler(), Ridge()),
    ):
        # Rows whose 64-bit standardised values are on the other side of a threshold than the 32-bit ones may differ.
        model.fit(rows, cost)
        imported = stakes.import_model(model)
        assert imported.features == list(rows.columns)
        wrong = np.abs(imported.predict(rows) - model.predict(rows)) > 2e-6 * np.maximum(1, np.abs(model.predict(rows)))
        assert wrong.mean() <= (0.002 if hasattr(model, "steps") else 0.0), model
    for model in (
        RandomForestClassifier(max_depth=6, **size),
        GradientBoostingClassifier(**size),
        LogisticRegression(max_iter=1000),
    ):
        model.fit(rows, cost > 1)
        near(model, rows, model.predict_proba(rows)[:, 1], 2e-6)


def test_what_cannot_be_imported(world: dict[str, Any], tmp_path: Path) -> None:
    lgb = pytest.importorskip("lightgbm")
    rows, cost = world["numbers"], world["cost"]
    train = lgb.Dataset(rows, cost.astype(int) % 3, free_raw_data=False)
    classes = lgb.train({"objective": "multiclass", "num_class": 3, "verbose": -1}, train, 2)
    with pytest.raises(ValueError, match="3 classes"):
        stakes.import_model(classes)
    linear = lgb.train({"linear_tree": True, "verbose": -1}, lgb.Dataset(rows, cost), 2)
    with pytest.raises(ValueError, match="linear_tree"):
        stakes.import_model(linear)
    with pytest.raises(TypeError, match="cannot be imported"):
        stakes.import_model(object())
    with pytest.raises(ValueError, match="pickle"):
        stakes.import_model(b"\x80\x04")
    with pytest.raises(FileNotFoundError):
        stakes.import_model(tmp_path / "none.txt")
    with pytest.raises(ValueError, match="did you mean `xgboost`"):
        stakes.import_model(b"", kind="xgbost")
    assert "lightgbm" in _stakes.import_kinds()


@pytest.mark.filterwarnings("ignore::stakes.StakesNote")
def test_expected_costs_plans_and_the_program(world: dict[str, Any], tmp_path: Path) -> None:
    lgb = pytest.importorskip("lightgbm")
    frame = world["frame"].assign(storm=world["lists"], network=np.arange(ROWS) % 20, cost=world["cost"])
    half = ROWS // 2
    booster = lgb.train(
        {"objective": "tweedie", "verbose": -1}, lgb.Dataset(world["frame"][:half], world["cost"][:half]), 20
    )
    roles = {"list": "storm", "id": "network", "impact": "cost"}
    model = stakes.import_model(booster, k=5, calibrate=frame[half:], **roles)
    ranked = model.rank(frame[half:])
    assert ranked["expected_cost"].notna().all() and ranked["act"].sum() == 5 * half // 20
    held_out = stakes.Dataset(frame[half:], **roles)
    with pytest.warns(stakes.StakesNote, match="trained elsewhere"):
        found = stakes.evaluate(held_out, {"imported": model}, k=5)
    assert found.value("imported") > found.value("random")
    # The program writes the same model.
    booster.save_model(tmp_path / "booster.txt")
    model.save(tmp_path / "ours.json")
    frame[half:].to_csv(tmp_path / "rows.csv", index=False)
    words = ["--list", "storm", "--id", "network", "--impact", "cost", "-k", "5"]
    program("model", "import", tmp_path / "booster.txt", "-o", tmp_path / "theirs.json", *words)
    theirs, ours = (json.loads((tmp_path / name).read_text()) for name in ("theirs.json", "ours.json"))
    assert theirs["scorer"] == ours["scorer"] and theirs["features"] == ours["features"]


def test_a_hundred_thousand_claims(shared_data: Path) -> None:
    """Public data: scores of LightGBM and XGBoost are the same on 100,000 rows."""
    lgb, xgb = pytest.importorskip("lightgbm"), pytest.importorskip("xgboost")
    path = shared_data / "fremtpl2-claims" / "fremtpl2.csv.gz"
    frame = pd.read_csv(path, nrows=100_000).drop(columns=["list", "IDpol", "ClaimNb"])
    cost = frame.pop("impact").to_numpy(float)
    texts = ["Region", "Area", "VehBrand", "VehGas"]
    numbers = [name for name in frame if name not in texts]
    rows = frame.astype({**dict.fromkeys(texts, "category"), **dict.fromkeys(numbers, np.float32)})
    booster = lgb.train({"objective": "tweedie", "verbose": -1}, lgb.Dataset(rows, cost), 10)
    near(booster, rows, booster.predict(rows), 1e-14)
    booster = lgb.train({"objective": "regression", "verbose": -1}, lgb.Dataset(rows, cost), 10)
    near(booster, rows, booster.predict(rows), 0.0)
    trained = xgb.DMatrix(rows, cost, enable_categorical=True)
    booster = xgb.train({"objective": "reg:tweedie", "max_depth": 5}, trained, 10)
    near(booster, rows, booster.predict(trained), 1e-5)
