"""scikit-learn's manners."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stakes

pytest.importorskip("sklearn")
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from stakes.sklearn import (
    CSMartRanker,
    ListKFold,
    MartRanker,
    RidgeRanker,
    StakesRanker,
    TimeListSplit,
    TwoPartRanker,
    make_scorer,
)

#: An item twice is not an item of twice the weight: it takes two places of a list.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": "a repeated row takes a second place in its list",
    "check_sample_weight_equivalence_on_sparse_data": "a repeated row takes a second place in its list",
}


@parametrize_with_checks(
    [StakesRanker(), TwoPartRanker(rounds=20), RidgeRanker()], expected_failed_checks=lambda _: EXPECTED
)
def test_the_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


def test_a_grid_search_knows_the_lists(arrays: dict[str, Any]) -> None:
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    grid = {"num_leaves": [2, 5], "rounds": [5, 20]}
    with config_context(enable_metadata_routing=True):
        ranker = StakesRanker("two-part", k=5).set_fit_request(qid=True).set_score_request(qid=True)
        search = GridSearchCV(ranker, grid, cv=GroupKFold(3)).fit(X, y, groups=q, qid=q)
        assert search.best_score_ > 0.6 and search.best_params_["rounds"] in (5, 20)
        assert len(search.predict(X)) == len(X)
        scorer = make_scorer("ndcg@5").set_score_request(qid=True)
        search = GridSearchCV(ranker, {"rounds": [5]}, cv=ListKFold(3), scoring=scorer).fit(X, y, groups=q, qid=q)
        assert 0 < search.best_score_ <= 1
        scores = cross_val_score(ranker, X, y, cv=GroupKFold(3), params={"groups": q, "qid": q})
        assert len(scores) == 3 and (scores > 0.5).all()


def test_a_pipeline(arrays: dict[str, Any]) -> None:
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    pipeline = make_pipeline(StandardScaler(), RidgeRanker(k=5))
    pipeline.fit(X, y, ridgeranker__qid=q)
    assert pipeline.predict(X).shape == (600,)


def test_parameters_by_any_of_their_names(arrays: dict[str, Any]) -> None:
    ranker = CSMartRanker(num_leaves=5, learning_rate=0.1, rounds=10)
    assert clone(ranker).get_params() == ranker.get_params()
    ranker.fit(arrays["X"], arrays["y"], qid=arrays["qid"])
    parameters = ranker.model_.info["parameters"]
    assert (parameters["leaves"], parameters["rate"], parameters["rounds"]) == ("5", "0.1", "10")
    ranker.set_params(num_leaves=3, max_bin=20)
    assert ranker.get_params()["max_bin"] == 20
    same = StakesRanker("cs-mart", leaves=5, rate=0.1, rounds=10).fit(arrays["X"], arrays["y"], qid=arrays["qid"])
    again = CSMartRanker(leaves=5, rate=0.1, rounds=10).fit(arrays["X"], arrays["y"], qid=arrays["qid"])
    assert same.model_.to_json() == again.model_.to_json()
    assert (
        MartRanker(loss="quantile", rounds=3).fit(arrays["X"], arrays["y"]).model_.info["parameters"]["loss"]
        == "quantile"
    )


def test_ids_and_sizes_are_told_apart(arrays: dict[str, Any]) -> None:
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    sizes = np.full(20, 30)
    by_id = TwoPartRanker(rounds=5).fit(X, y, qid=q)
    by_size = TwoPartRanker(rounds=5).fit(X, y, group=sizes)
    assert (by_id.predict(X) == by_size.predict(X)).all()
    for wrong, words in [
        ({"group": q}, "give it as qid|from 1 on"),
        ({"qid": sizes}, "give them as group"),
        ({"group": sizes[:-1]}, "sum to 570"),
        ({"qid": q, "group": sizes}, "both"),
        ({"qid": q[:-1]}, "an id for each of 600 rows"),
    ]:
        with pytest.raises(ValueError, match=words):
            TwoPartRanker(rounds=5).fit(X, y, **wrong)


def test_attributes_of_a_fitted_ranker(arrays: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(arrays["X"], columns=list("abcde"))
    frame["kind"] = pd.Categorical(np.where(arrays["X"][:, 2] > 0, "oak", "ash"))
    q = arrays["qid"]
    valid = frame[q >= 15], arrays["y"][q >= 15]
    ranker = TwoPartRanker(k=5, rounds=20).fit(
        frame[q < 15], arrays["y"][q < 15], qid=q[q < 15], eval_set=[valid], eval_qid=[q[q >= 15]]
    )
    assert ranker.n_features_in_ == 6 and list(ranker.feature_names_in_) == [*"abcde", "kind"]
    assert ranker.feature_importances_.argmax() == 0 and ranker.feature_importances_.sum() == pytest.approx(1)
    assert ranker.best_iteration_ >= 1 and ranker.evals_result_
    ranks = ranker.rank(frame, qid=q)
    assert sorted(ranks[:30]) == list(range(1, 31))
    assert (np.diff(ranker.predict(frame)[:30][np.argsort(ranks[:30])]) <= 0).all()
    assert 0 < ranker.score(frame, arrays["y"], qid=q) <= 1


def test_folds_of_lists_and_of_times() -> None:
    q = np.repeat(np.arange(12), 5)
    for train, test in ListKFold(4, shuffle=True).split(np.zeros(60), groups=q):
        assert not set(q[train]) & set(q[test]) and len(set(q[test])) == 3
    times = np.repeat(np.arange(12)[::-1], 5)
    splits = list(TimeListSplit(times, 3).split(np.zeros(60), groups=q))
    assert len(splits) == 3
    for train, test in splits:
        assert times[train].max() < times[test].min() and not set(q[train]) & set(q[test])
    with pytest.raises(ValueError, match="groups"):
        next(ListKFold(2).split(np.zeros(4)))


def test_scorers_are_checked_at_once() -> None:
    with pytest.raises(ValueError, match="rcs"):
        make_scorer("rsc@10")


def test_joblib(arrays: dict[str, Any]) -> None:
    from joblib import Parallel, delayed

    def fit(rounds: int) -> Any:
        ranker = TwoPartRanker(rounds=rounds).fit(arrays["X"], arrays["y"], qid=arrays["qid"])
        return ranker.predict(arrays["X"])

    apart = Parallel(n_jobs=2)(delayed(fit)(rounds) for rounds in (3, 6))
    assert (apart[0] == fit(3)).all() and (apart[1] == fit(6)).all()


def test_the_classes_are_those_of_the_table() -> None:
    script = Path(stakes.__file__).parents[1] / "learners.py"
    if not script.exists():
        pytest.skip("only in a clone of the repository")
    pytest.importorskip("ruff")
    ran = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_a_budget_needs_prices(arrays: dict[str, Any]) -> None:
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    price = 1 + np.arange(600) % 5
    ranker = TwoPartRanker(budget=10.0, rounds=5).fit(X, y, qid=q, price=price)
    assert 0 < ranker.score(X, y, qid=q, price=price) <= 1
    assert "10" in ranker.model_._model.goal
    for wrong in (TwoPartRanker(rounds=5), TwoPartRanker(budget=10.0, rounds=5)):
        given = {} if wrong.budget else {"price": price}
        with pytest.raises(ValueError, match="both or neither"):
            wrong.fit(X, y, qid=q, **given)


def test_lists_that_are_forgotten_are_said(arrays: dict[str, Any]) -> None:
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    ranker = TwoPartRanker(k=5, rounds=5).fit(X, y, qid=q)
    with pytest.warns(stakes.StakesNote, match="scored as one"):
        ranker.score(X, y)
    with pytest.raises(ValueError, match="eval_qid"):
        TwoPartRanker(rounds=5).fit(X, y, qid=q, eval_set=[(X, y)])
    with pytest.warns(stakes.StakesNote, match="f1"):
        TwoPartRanker(rounds=5).fit(np.column_stack([X[:, 0], y * 2]), y, qid=q)
    with pytest.raises(TypeError, match="random_state is seed="):
        TwoPartRanker(random_state=1).fit(X, y, qid=q)


def test_an_interrupted_fit_is_not_taken_for_a_model(arrays: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    import stakes._ranker

    whole = stakes.train(arrays["X"], k=5, learner="ridge", impact=arrays["y"], list=arrays["qid"])
    half = stakes.Model(whole._model, interrupted=True)
    monkeypatch.setattr(stakes._ranker, "train", lambda *_, **__: half)
    ranker = RidgeRanker()
    with pytest.raises(KeyboardInterrupt):
        ranker.fit(arrays["X"], arrays["y"], qid=arrays["qid"])
    assert not hasattr(ranker, "model_")


@pytest.mark.filterwarnings("ignore:X has feature names")
def test_frames_of_any_names(arrays: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    by_matrix = RidgeRanker().fit(X, y, qid=q)
    frame = pd.DataFrame(X)
    assert (by_matrix.predict(frame.rename(columns=str)) == by_matrix.predict(X)).all()
    by_number = RidgeRanker().fit(frame, y, qid=q)
    assert (by_number.predict(frame) == by_matrix.predict(X)).all()
    assert not hasattr(by_number, "feature_names_in_")


def test_validation_rows_of_matrices_and_a_second_fit(arrays: dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    X, y, q = arrays["X"], arrays["y"], arrays["qid"]
    train, valid = q < 15, q >= 15
    ranker = TwoPartRanker(k=5, rounds=10)
    for _ in range(2):
        ranker.fit(X[train], y[train], qid=q[train], eval_set=(X[valid], y[valid]), eval_qid=[q[valid]])
    first = ranker.predict(X)
    # Of other columns, by the same estimator.
    frame = pd.DataFrame(X[:, :3], columns=list("abc"))
    ranker.fit(frame[train], y[train], qid=q[train], eval_set=[(frame[valid], y[valid])], eval_qid=[q[valid]])
    assert ranker.n_features_in_ == 3 and (ranker.predict(frame) != first).any()
    price = 1 + np.arange(600) % 5
    budget = TwoPartRanker(budget=10.0, rounds=5).fit(frame, y, qid=q, price=price)
    assert 0 < budget.score(frame, y, qid=q, price=price) <= 1
