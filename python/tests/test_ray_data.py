"""Data for training on Ray: what is refused, and which lists go to which actor; scores of many files."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed (pip install ray)")

from ray_engines import ROLES, Dask, Doubling, StandIn, alone, fit, reads  # noqa: E402

from stakes.ray import RayParams, predict, train  # noqa: E402
from stakes.ray._actor import Actor  # noqa: E402
from stakes.ray._deal import deal, deal_files, home_of, split_frame  # noqa: E402


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("num_actors", 0, "num_actors is 0; it must be a whole number from 1 on"),
        ("num_actors", 2.0, "num_actors is 2.0"),
        ("cpus_per_actor", True, "cpus_per_actor is True"),
        ("max_actor_restarts", -1, "max_actor_restarts is -1; it must be a whole number from 0 on"),
        ("timeout_s", 0, "timeout_s is 0; it must be a number of seconds above 0"),
        ("timeout_s", float("nan"), "timeout_s is nan"),
        ("timeout_s", "60", "timeout_s is '60'"),
        ("checkpoint_s", -1, "checkpoint_s is -1; it must be a number of seconds from 0 on"),
    ],
)
def test_wrong_parameters_are_named(field: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RayParams(**{field: value})


def test_without_ray_it_says_how_to_get_it(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match="pip install ray"):
        train(files, list="list")


def test_what_cannot_be_trained_on_ray_is_refused(files: list[str], tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="metric is a function"):
        train(files, list="list", metric=lambda scores, cost, lists: 0.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="list is ndarray; on Ray roles are names"):
        train(files, list=np.zeros(3))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ray job submit"):
        train(files, list="list", address="ray://somewhere:10001")
    with pytest.raises(ValueError, match="no checkpoint"):
        train(files, list="list", resume=True)
    with pytest.raises(FileNotFoundError, match="no unfinished training"):
        train(files, list="list", resume=True, checkpoint=tmp_path / "none")


def test_files_are_dealt_by_size(files: list[str]) -> None:
    dealt = deal_files(files, 3)
    assert sorted(path for part in dealt for path in part) == sorted(files)
    sizes = [sum(os.path.getsize(path) for path in part) for part in dealt]
    assert max(sizes) - min(sizes) <= 5
    assert [len(part) for part in deal_files(files, 12)] == [1] * 12


def test_lists_have_the_same_home_everywhere() -> None:
    homes = [home_of(str(name), 7) for name in range(7000)]
    assert homes[:5] == [1, 5, 6, 2, 3] and min(np.bincount(homes, minlength=7)) > 900


def test_errors_of_data_come_as_they_are(cluster: Any, files: list[str], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        fit(str(tmp_path / "*.csv"), StandIn(tmp_path))
    with pytest.raises(ValueError, match="num_actors is 3, but there are 2 files"):
        fit(files[:2], StandIn(tmp_path), num_actors=3)
    with pytest.raises(ValueError, match=r"0\.txt is given twice"):
        fit([*files, files[0]], StandIn(tmp_path))
    missing = [*files[1:], str(tmp_path / "none")]
    with pytest.raises(FileNotFoundError, match="none"):
        Actor(0, 1, 1, 0, StandIn(tmp_path)).load(missing, None, ROLES)


@pytest.fixture
def frames() -> list[Any]:
    """Sixty lists spread over frames of several kinds; of one of them they are floats, as where a value is missing."""
    pd, pl, pa = [pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow")]
    rows = np.random.default_rng(3).permutation(np.repeat(np.arange(60), 3))
    one, two, three, four = [pd.DataFrame({"list": part, "x": 1.5}) for part in np.split(rows, 4)]
    return [one.astype(float), two, pl.from_pandas(three), pa.Table.from_pandas(four)]


def test_frames_are_shuffled_by_list(cluster: Any, frames: list[Any], tmp_path: Path) -> None:
    engine = StandIn(tmp_path, steps=8, die=((1, "5"),))
    assert fit(frames, engine) == alone(engine) and reads(engine) == ["table"] * 3


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Ray Data's own.
def test_frames_of_dask_and_of_ray(cluster: Any, frames: list[Any]) -> None:
    def lists(data: Any) -> list[list[str]]:
        dealt = [ray.get(refs) for refs in deal(ray, data, "data", "list", 3)]
        return [[str(int(name)) for part in parts for name in part["list"].to_pylist()] for parts in dealt]

    expected = lists(frames)
    assert sorted(int(name) for names in expected for name in names) == sorted([*range(60)] * 3)
    assert all(home_of(name, 3) == rank for rank, names in enumerate(expected) for name in names)
    assert lists(Dask(frames)) == expected
    parts = [
        frames[0].astype(int).astype("category"),
        frames[1].astype(str),
        *(part.to_pandas() for part in frames[2:]),
    ]
    assert lists(importlib.import_module("ray.data").from_pandas(parts)) == expected


def test_wrong_frames_are_refused(cluster: Any, tmp_path: Path) -> None:
    pd, pa = [pytest.importorskip(name) for name in ("pandas", "pyarrow")]
    engine, frame = StandIn(tmp_path), pd.DataFrame({"list": [1, 1], "x": [1.0, 2.0]})
    with pytest.raises(ValueError, match="list is 'list'; the columns are x"):
        split_frame(frame[["x"]], "list", 2)
    with pytest.raises(TypeError, match="a part of the data is a int"):
        split_frame(1, "list", 2)
    with pytest.raises(ValueError, match="list is None"):
        deal(ray, [frame], "data", None, 2)
    actor, table = Actor(1, 2, 1, 0, engine), pa.Table.from_pandas(frame)
    parts = [ray.put(part) for part in (table[:0], table, table.set_column(0, "list", [["a", "b"]]))]
    with pytest.raises(ValueError, match="shard 1 of 2 has no lists; use fewer actors"):
        actor.load(parts[:1], None, ROLES)
    with pytest.raises(ValueError, match="a column is not of one type in all parts"):
        actor.load(parts[1:], None, ROLES)
    actor.load(parts[:2], parts[:1], ROLES)
    assert (actor.data, actor.valid, actor.has_valid) == (["1"], None, True)


def test_lost_actors_score_their_files_again(cluster: Any, files: list[str], tmp_path: Path) -> None:
    model: Any = Doubling(die=tmp_path / "died")
    written = predict(model, files[:4], tmp_path / "scores")
    assert (tmp_path / "died").exists() and written[2].read_text() == "score\n6.0\n8.0\n10.0\n"
    with pytest.raises(RuntimeError, match=r"2\.txt: actors were lost 1 times; max_actor_restarts allows 0"):
        model = Doubling(die=tmp_path / "again")
        predict(model, files[:4], tmp_path / "scores", ray_params=RayParams(max_actor_restarts=0))


def test_scores_of_files(cluster: Any, files: list[str], tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    model: Any = Doubling()
    written = predict(model, files[:4], tmp_path / "scores")
    assert [path.name for path in written] == [f"{number}.scores.csv" for number in range(4)]
    assert written[2].read_text() == "score\n6.0\n8.0\n10.0\n"
    (path,) = predict(model, files[2], tmp_path / "more", format="parquet")
    assert arrow.read_table(path)["score"].to_pylist() == [6, 8, 10]
    with pytest.raises(ValueError, match="cannot be read"):
        predict(model, files, tmp_path / "all")
    # Those that were killed may have left something.
    left = tmp_path / "all" / "3.scores.csv.1.tmp"
    left.touch()
    predict(model, files[:4], tmp_path / "all")
    assert not left.exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "0.txt").write_text("1")
    with pytest.raises(ValueError, match="would both be written"):
        predict(model, [files[0], tmp_path / "other" / "0.txt"], tmp_path / "scores")
