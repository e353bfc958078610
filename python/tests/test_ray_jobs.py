"""Trainings as tasks of a real Ray: the same results as here, also after a task was lost. (What needs no Ray is in
``test_jobs.py``.)"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import json_of, program

import stakes
from stakes.ray import Tasks, _tasks

pytest.importorskip("ray", reason="Ray is not installed (pip install ray)")

QUICK = ["cs-mart:rounds=4,start=none", "ridge"]


def timeless(found: Any) -> dict[str, Any]:
    return {key: value for key, value in dict(found).items() if key != "times"}


def test_compare(cluster: Any, lists: stakes.Dataset, tmp_path: Path) -> None:
    told: list[int] = []

    def heard(event: dict[str, Any]) -> None:
        if event["event"] == "finished":
            told.append(event["done"])

    options: dict[str, Any] = {"k": 3, "folds": 2, "current": "customers"}
    found = stakes.compare(lists, QUICK, **options, ray="auto", run=tmp_path / "run", callbacks=heard)
    assert timeless(found.to_dict()) == timeless(stakes.compare(lists, QUICK, **options).to_dict())
    assert max(told) == 10
    assert len([*(tmp_path / "run" / "cells").glob("*/*.json")]) == 10


def test_auto_of_a_file(cluster: Any, lists: stakes.Dataset, file: Path) -> None:
    options: dict[str, Any] = {"k": 3, "learner": "auto", "effort": "low", "rounds": 6, "baseline": False}
    here = stakes.train(file, **lists.roles, **options)
    assert json_of(stakes.train(file, **lists.roles, **options, ray=Tasks(cpus_per_task=2))) == json_of(here)


def dying_once(mark: Path) -> Any:
    """A task that ends its process the first time that it begins."""
    do_job = _tasks.do_job

    def dies(*words: Any) -> bytes:
        if not mark.exists():
            mark.touch()
            os._exit(1)
        return do_job(*words)

    return dies


def test_tuning_with_a_task_that_is_lost(
    cluster: Any, lists: stakes.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"k": 3, "learner": "two-part", "rounds": 8, "tune": 4, "baseline": False}
    monkeypatch.setattr(_tasks, "do_job", dying_once(tmp_path / "died"))
    tuned = stakes.train(lists, **options, ray="auto")
    assert (tmp_path / "died").exists()
    assert json_of(tuned) == json_of(stakes.train(lists, **options))
    (tmp_path / "died").unlink()
    with pytest.raises(ValueError, match=r"rung 0 trial \d, elsewhere: it was lost 1 times"):
        stakes.train(lists, **options, ray=Tasks(max_retries=0))


def test_what_fails_is_said_in_words(cluster: Any, lists: stakes.Dataset) -> None:
    with pytest.raises(ValueError, match=r"elsewhere: .*there is no feature `height`"):
        stakes.compare(lists, "mart:monotone=height:+", folds=2, ray="auto")


@pytest.fixture
def words(file: Path, lists: stakes.Dataset) -> list[str]:
    """What the program needs to know of the data."""
    roles = [word for role, name in lists.roles.items() for word in (f"--{role}", name)]
    return [str(file), *roles, "-k", "3", "-q"]


def test_the_program(words: list[str], tmp_path: Path) -> None:
    auto = ["train", *words, "--effort", "low", "--rounds", "6"]
    program(*auto, "-o", tmp_path / "here.json")
    program(*auto, "-o", tmp_path / "there.json", "--ray", "local")
    assert (tmp_path / "there.json").read_bytes() == (tmp_path / "here.json").read_bytes()
    folds = ["compare", *words, "--learners", ",".join(QUICK), "--folds", "2", "--json"]
    found = [json.loads(program(*folds, *more)) for more in ([], ["--ray", "local", "--threads", "2"])]
    assert timeless(found[0]) == timeless(found[1])


def test_the_program_refuses(words: list[str], tmp_path: Path) -> None:
    train = ["train", *words, "-o", str(tmp_path / "m.json")]
    said = program(*train, "--learner", "cs-mart", "--ray", "local", code=1)
    assert "cs-mart without tuning is one training" in said and "stakes.ray.train" in said
    said = program("train", "-", *words[1:], "-o", str(tmp_path / "m.json"), "--ray", "local", code=1)
    assert "cannot read them from a pipe" in said
    said = program(*train, "--ray", "ray://there:10001", code=1)
    assert "ray:// " in said or "(ray://)" in said
    assert not (tmp_path / "m.json").exists()


def test_the_program_is_interrupted_and_goes_on(words: list[str], tmp_path: Path) -> None:
    run = tmp_path / "run"
    learners = "ridge,mart:rounds=1500,patience=0"
    slow = ["compare", *words, "--learners", learners, "--folds", "2", "--run", str(run)]
    began = subprocess.Popen(
        [sys.executable, "-m", "stakes", *slow, "--ray", "local"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    until = time.monotonic() + 120
    while not [*run.glob("cells/*/*.json")]:
        assert began.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    began.send_signal(signal.SIGINT)
    assert began.wait(60) == 130
    finished = {path: path.stat().st_mtime_ns for path in run.glob("cells/*/*.json")}
    assert 1 <= len(finished) < 10
    program(*slow)
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert len([*run.glob("cells/*/*.json")]) == 10
