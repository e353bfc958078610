"""Data of every kind become the same data set, and wrong data are refused with words that help."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import stakes

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROLES = {"list": "storm", "impact": "customers_out", "id": "network"}


def frames(storms: stakes.Dataset) -> dict[str, Any]:
    pandas = storms.to_frame("pandas").drop(columns=["date"])
    return {
        "pandas": pandas,
        "polars": pl.from_pandas(pandas),
        "pyarrow": pa.Table.from_pandas(pandas, preserve_index=False),
        "dict": {name: pandas[name].to_numpy() for name in pandas},
    }


def test_scores_are_the_same_bits_from_every_kind_of_frame_and_from_a_file(
    storms: stakes.Dataset, model: stakes.Model, tmp_path: Any
) -> None:
    scores = {kind: model.score(frame, fitted=True) for kind, frame in frames(storms).items()}
    path = tmp_path / "storms.csv"
    frames(storms)["pandas"].to_csv(path, index=False)
    scores["csv"] = model.score(path, fitted=True)
    for kind, values in scores.items():
        assert values.tobytes() == scores["pandas"].tobytes(), kind


def test_rankings_come_back_as_the_kind_that_went_in(storms: stakes.Dataset, model: stakes.Model) -> None:
    kinds = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table, "dict": dict}
    for kind, frame in frames(storms).items():
        assert isinstance(model.rank(frame), kinds[kind]), kind


def test_the_index_of_a_frame_is_carried_along(storms: stakes.Dataset, model: stakes.Model) -> None:
    frame = frames(storms)["pandas"].sample(frac=1, random_state=3)
    frame.index = [f"row {number}" for number in range(len(frame))]
    ranked = model.rank(frame)
    assert sorted(ranked.index) == sorted(frame.index)
    assert (frame.loc[ranked.index, "network"] == ranked["id"]).all()
    assert (frame.loc[ranked.index, "storm"] == ranked["list"]).all()


def test_scores_are_in_the_order_of_the_rows(storms: stakes.Dataset, model: stakes.Model) -> None:
    frame = frames(storms)["pandas"]
    shuffled = frame.sample(frac=1, random_state=5)
    scores = pd.Series(model.score(frame, fitted=True), index=frame.index)
    again = pd.Series(model.score(shuffled, fitted=True), index=shuffled.index)
    assert (scores == again.reindex(scores.index)).all()


def test_a_matrix_of_32_bits_is_not_copied(arrays: dict[str, Any]) -> None:
    X = arrays["X"]
    data = stakes.Dataset(X, impact=arrays["y"], list=arrays["qid"])
    assert data._data.address == X.__array_interface__["data"][0]
    # Lists that do not stand together are put together in a copy.
    mixed = stakes.Dataset(X, impact=arrays["y"], list=np.arange(600) % 20)
    assert mixed._data.address != X.__array_interface__["data"][0]
    assert (mixed._data.matrix()[:30] == X[::20]).all()


@pytest.mark.parametrize("made", ["float64", "strided", "fortran", "int", "sparse"])
def test_other_matrices_are_copied_without_a_change(arrays: dict[str, Any], made: str) -> None:
    X = np.round(arrays["X"] * 4)
    given: Any = {
        "float64": X.astype(np.float64),
        "strided": np.repeat(X, 2, axis=0)[::2],
        "fortran": np.asfortranarray(X),
        "int": X.astype(np.int16),
        "sparse": pytest.importorskip("scipy.sparse").csr_matrix(X),
    }[made]
    data = stakes.Dataset(given, impact=arrays["y"], list=arrays["qid"])
    assert (data._data.matrix() == X).all()


def test_categories_and_missing_values_are_those_of_the_frame() -> None:
    frame = pd.DataFrame(
        {
            "cost": [1.0, 2.0, 0.0, 4.0],
            "kind": pd.Categorical(["oak", None, "ash", "oak"]),
            "level": pd.Categorical([3, 1, 3, 2]),
            "wind": [1.5, np.nan, 2.0, 3.0],
            "dry": [True, False, True, False],
        }
    )
    data = stakes.Dataset(frame, impact="cost").to_frame("dict")
    assert data["kind"] == ["oak", None, "ash", "oak"]
    assert data["level"] == ["3", "1", "3", "2"]
    assert np.isnan(data["wind"][1]) and data["dry"].tolist() == [1, 0, 1, 0]
    # Without pyarrow frames are read column by column, to the same data.
    columns = {name: frame[name].to_numpy() for name in ("cost", "wind", "dry")}
    columns |= {"kind": frame["kind"].astype(object), "level": frame["level"].astype(str)}
    again = stakes.Dataset(columns, impact="cost").to_frame("dict")
    assert again["kind"] == data["kind"] and (again["dry"] == data["dry"]).all()


def test_roles_may_be_arrays_beside_a_frame(arrays: dict[str, Any]) -> None:
    frame = pd.DataFrame(arrays["X"], columns=list("abcde"))
    data = stakes.Dataset(frame, impact=arrays["y"], list=arrays["qid"])
    assert data.n_lists == 20 and data.features == list("abcde")
    assert data.impact is not None and (data.impact == arrays["y"]).all()


def test_data_sets_are_pickled(storms: stakes.Dataset) -> None:
    again = pickle.loads(pickle.dumps(storms))
    assert (len(again), again.n_lists, again.features) == (len(storms), storms.n_lists, storms.features)


WRONG = [
    ({"data": np.zeros((0, 2), np.float32)}, ValueError, "no rows"),
    ({"data": np.zeros(4, np.float32)}, ValueError, "two dimensions"),
    ({"data": np.zeros((3, 2), np.float32), "impact": [1, 2]}, ValueError, "impact has 2 values; the data have 3 rows"),
    ({"data": np.zeros((2, 1), np.float32), "impact": [1, -3]}, ValueError, "-3"),
    ({"data": np.zeros((2, 1), np.float32), "impact": [1, np.nan]}, ValueError, "impact is missing"),
    ({"data": np.zeros((2, 1), np.float32), "impact": "cost"}, TypeError, "must be an array"),
    ({"data": np.array([["a", "b"]], dtype=object)}, ValueError, "data frame"),
    ({"data": np.array([[np.inf, 1.0]], np.float32)}, ValueError, "f0"),
    ({"data": {"a": [1, 2], "b": [1]}}, ValueError, "length"),
    ({"data": pd.DataFrame({"a": []})}, ValueError, "no rows"),
    ({"data": pd.DataFrame({"a": [1, "x"], "cost": [1, 2]}), "impact": "cost"}, ValueError, "several kinds"),
    ({"data": pd.DataFrame([[1, 2]], columns=["a", "a"])}, ValueError, "several columns named 'a'"),
    ({"data": pd.DataFrame({"a": [1], "cost": [1]}), "impact": "cots"}, ValueError, "cost"),
    ({"data": "nowhere.csv"}, FileNotFoundError, "no such file"),
    ({"data": pl.DataFrame({"a": [[1, 2]], "cost": [1]}), "impact": "cost"}, ValueError, "a"),
]


@pytest.mark.parametrize(("given", "error", "words"), WRONG)
def test_wrong_data_are_refused(given: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        stakes.Dataset(**given)


def test_a_series_of_other_rows_is_refused(arrays: dict[str, Any]) -> None:
    frame = pd.DataFrame(arrays["X"], columns=list("abcde"))
    frame["y"], frame["q"] = arrays["y"], arrays["qid"]
    mixed = frame.sample(frac=1, random_state=1)
    for given in ({"list": frame["q"], "impact": mixed["y"]}, {"list": mixed["q"], "impact": frame["y"]}):
        with pytest.raises(ValueError, match="the index of"):
            stakes.Dataset(mixed[list("abcde")], **given)
    data = stakes.Dataset(mixed, list="q", impact="y")
    with pytest.raises(ValueError, match="the index of"):
        stakes.evaluate(data, {"a": frame["a"]}, k=5)
    assert stakes.evaluate(data, {"a": mixed["a"]}, k=5).value("a") > 0.2


def test_rankings_have_lists_and_ids_as_they_went_in(arrays: dict[str, Any]) -> None:
    frame = pd.DataFrame(arrays["X"], columns=list("abcde"))
    frame["y"], frame["q"], frame["n"] = arrays["y"], arrays["qid"], np.arange(600)
    model = stakes.train(frame, k=5, learner="ridge", list="q", impact="y", id="n", baseline=False)
    ranked = model.rank(frame)
    assert ranked["list"].dtype == frame["q"].dtype and ranked["id"].dtype == frame["n"].dtype
    assert len(frame.merge(ranked, left_on=["q", "n"], right_on=["list", "id"])) == 600
    assert model.rank(pl.from_pandas(frame))["id"].dtype == pl.Int64


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (pd.Series([1.0, 2.0]), "one column"),
        (pl.LazyFrame({"a": [1]}), "collect"),
        ([{"a": 1}, {"a": 2}], "list of dictionaries"),
    ],
)
def test_what_is_no_frame_is_said(data: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        stakes.Dataset(data)


def test_names_of_columns_need_not_be_text() -> None:
    frame = pd.DataFrame([[0, 1.0, 5.0], [0, 2.0, 0.0], [1, 3.0, 2.0]])
    data = stakes.Dataset(frame, list=0, impact=2)
    assert data.n_lists == 2 and data.features == ["1"]
    assert "3 items in 2 lists" in data._repr_html_() and len(data.head(2)) == 2
    kept, held_out = stakes.generate("storms", lists=20, rows=400).hold_out("25%")
    assert (kept.n_lists, held_out.n_lists) == (15, 5)


def test_numbers_as_text_are_said() -> None:
    frame = pd.DataFrame({"y": [1.0, 2.0, 0.0], "a": ["1.5", None, "7"], "b": ["x", "1", "2"], "c": ["1", "2", "3"]})
    with pytest.warns(stakes.StakesNote, match="a holds numbers as text") as heard:
        data = stakes.Dataset(frame, impact="y", categorical="c")
    assert len(heard) == 1 and data.to_frame("dict")["a"] == ["1.5", None, "7"]
    assert stakes.Dataset(frame, impact="y", numeric="a", drop="c").to_frame("dict")["a"].tolist()[2] == 7.0
