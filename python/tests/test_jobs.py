"""Trainings elsewhere, without Ray: jobs are done here, as a task would do them, the last first."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from conftest import json_of

import stakes
from stakes.ray import Tasks, _tasks

AUTO = {"k": 3, "learner": "auto", "effort": "low", "rounds": 6}
TUNED = {"k": 3, "learner": "two-part", "rounds": 8, "tune": 4, "hold_out": 0.3}


class Near:
    """Does jobs in this process, the last first, by what would travel."""

    done: ClassVar[list[str]] = []

    def __init__(self, tasks: Tasks, work: Any, *args: Any) -> None:
        self.sent = pickle.dumps((work, args))

    def work(self, jobs: list[tuple[str, bytes]]) -> Iterator[Any]:
        yield None
        for at, (name, begun) in reversed([*enumerate(jobs)]):
            Near.done.append(name)
            try:
                yield at, _tasks.do_job(pickle.loads(self.sent), name, begun, 1, stakes.__version__)
            except ValueError as error:
                yield at, str(error)

    def close(self) -> None:
        pass


@pytest.fixture(autouse=True)
def near(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(_tasks, "Place", Near)
    Near.done = []
    yield
    stakes.set_threads()


def timeless(found: Any) -> dict[str, Any]:
    return {key: value for key, value in found.to_dict().items() if key != "times"}


@pytest.mark.parametrize("options", [AUTO, TUNED, {"k": 3, "learner": "ridge", "folds": 3}])
@pytest.mark.parametrize("kind", ["columns", "frame", "file"])
def test_a_model_is_the_same(options: dict[str, Any], kind: str, lists: stakes.Dataset, file: Path) -> None:
    data: Any = lists
    if kind == "file":
        data = stakes.Dataset(file, **lists.roles)
    elif kind == "frame":
        pytest.importorskip("pandas")
        data = stakes.Dataset(lists.to_frame("pandas"), **lists.roles, extras="poles")
        assert "poles" not in data.features
    here = stakes.train(data, **options, baseline=False, current="customers")
    there = stakes.train(data, **options, baseline=False, current="customers", ray="local")
    assert json_of(there) == json_of(here)
    assert Near.done


def test_experiments_are_the_same(lists: stakes.Dataset, tmp_path: Path) -> None:
    quick = ["cs-mart:rounds=4,start=none", "ridge"]
    for verb, more in ((stakes.compare, {"learning_curve": [0.5], "tune": 2}), (stakes.backtest, {})):
        Near.done = []
        options: dict[str, Any] = {"k": 3, "folds": "time:2", "current": "customers", **more}
        here = verb(lists, quick, **options)
        assert not Near.done
        assert timeless(verb(lists, quick, **options, ray=Tasks(cpus_per_task=1))) == timeless(here)
        assert len(Near.done) == len(set(Near.done)) >= 8


def test_what_is_finished_is_kept(lists: stakes.Dataset, tmp_path: Path) -> None:
    options: dict[str, Any] = {"k": 3, "folds": 2, "run": tmp_path / "run", "ray": "local"}
    events: list[dict[str, Any]] = []

    def stop_after_two(event: dict[str, Any]) -> bool:
        events.append(event)
        return event["event"] == "finished" and event["done"] >= 2

    with pytest.raises(KeyboardInterrupt, match="interrupted after 2 of 10 trainings"):
        stakes.compare(lists, "ridge,mart:rounds=3", **options, callbacks=stop_after_two)
    done = [*Near.done]
    assert [event["done"] for event in events if event["event"] == "finished"] == [0, 1, 2]
    found = stakes.compare(lists, "ridge,mart:rounds=3", **options)
    assert len(done) == 2 and len(Near.done) == 8 == len(set(Near.done))
    assert timeless(found) == timeless(stakes.compare(lists, "ridge,mart:rounds=3", k=3, folds=2))


def test_what_goes_wrong_is_said_in_words(lists: stakes.Dataset, file: Path) -> None:
    with pytest.raises(ValueError, match="cs-mart without tuning is one training"):
        stakes.train(lists, learner="cs-mart", ray="local")
    with pytest.raises(TypeError, match=r"ray is 8; it must be the address of a cluster"):
        stakes.train(lists, ray=8)
    with pytest.raises(ValueError, match=r"mart:monotone=height:\+, .*, elsewhere: .*no feature `height`"):
        stakes.compare(lists, "mart:monotone=height:+", folds=2, ray="local")
    data = stakes.Dataset(file, **lists.roles)
    rows = file.read_text().splitlines()
    with contextlib.ExitStack() as stack:
        stack.callback(file.write_text, "\n".join(rows) + "\n")
        file.write_text("\n".join(rows[:-20]) + "\n")
        with pytest.raises(ValueError, match="not the same on all machines: the data was"):
            stakes.train(data, **AUTO, ray="local")


def test_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match=r"and 0\.0 where the work was given out; install the same version"):
        _tasks.do_job((_tasks.train_one, ()), "member 0", b"", 1, "0.0")


def test_columns_that_are_no_features_stay_none(lists: stakes.Dataset) -> None:
    data = stakes.Dataset(dict(lists._data.columns()), **lists.roles, extras="poles")
    again = pickle.loads(pickle.dumps(data))
    assert again.features == data.features and "poles" not in data.features
    assert [*dict(again._data.columns())] == [*dict(data._data.columns())]
