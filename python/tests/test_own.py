"""Losses, metrics and callbacks of one's own; interruption; threads and processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import stakes


def squared(scores: Any, cost: Any, lists: Any) -> tuple[Any, Any]:
    """The squared error, which trees of the learner mart minimise too."""
    return scores - cost, np.ones_like(scores)


def saved_at_5(scores: Any, cost: Any, lists: Any) -> float:
    """The cost of the first five items of each list."""
    parts = pairwise(lists)
    return float(sum(cost[a:b][np.argsort(-scores[a:b], kind="stable")[:5]].sum() for a, b in parts))


def test_a_loss_of_ones_own_is_called_once_a_round_with_all_lists(arrays: dict[str, Any]) -> None:
    calls: list[int] = []

    def loss(scores: Any, cost: Any, lists: Any) -> tuple[Any, Any]:
        calls.append(len(scores))
        assert lists[0] == 0 and lists[-1] == len(scores) == len(cost)
        return squared(scores, cost, lists)

    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])
    model = stakes.train(data, k=5, loss=loss, rounds=20, patience=0, hold_out=0.25, baseline=False)
    assert len(calls) == 20 and len(set(calls)) == 1 and 300 < calls[0] < 600
    scores = model.score(data, fitted=True)
    assert np.corrcoef(scores, arrays["y"])[0, 1] > 0.8


def test_a_metric_of_ones_own_decides_when_to_stop(arrays: dict[str, Any]) -> None:
    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])
    model = stakes.train(data, k=5, learner="lambdamart", metric=saved_at_5, rounds=30, patience=5, hold_out=0.25)
    stage = model.info["stages"][0]
    assert stage["measure"].startswith("saved_at_5") and len(stage["curve"]) <= 30
    assert max(stage["curve"]) == stage["curve"][stage["kept"] - 1]
    found = stakes.evaluate(data, {"model": model.score(data, fitted=True)}, metrics=["rcs@5", saved_at_5])
    assert found.value("model", "saved_at_5") > 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda s, c, q: (s, s[:-1]), "numbers for"),
        (lambda s, c, q: (s, s - 1), "second not negative"),
        (lambda s, c, q: (s * np.nan, s), "finite"),
        (lambda s, c, q: s, "two arrays"),
        (lambda s, c, q: 1 / 0, "division by zero"),
    ],
)
def test_a_wrong_loss_is_an_exception(arrays: dict[str, Any], wrong: Any, words: str) -> None:
    with pytest.raises((ValueError, ZeroDivisionError), match=words):
        stakes.train(arrays["X"], k=5, loss=wrong, rounds=5, impact=arrays["y"], list=arrays["qid"])


def test_callbacks_hear_of_every_round_and_stop_the_training(arrays: dict[str, Any]) -> None:
    heard: list[int] = []

    def stop_at_7(event: dict[str, Any]) -> bool:
        if event["event"] != "round":
            return False
        heard.append(event["round"])
        return bool(event["round"] == 7)

    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])
    options: dict[str, Any] = {"k": 5, "learner": "lambdamart", "rounds": 30, "hold_out": 0.25, "baseline": False}
    model = stakes.train(data, **options, callbacks=[stop_at_7])
    assert heard == [1, 2, 3, 4, 5, 6, 7] and model.interrupted
    with pytest.raises(KeyError, match="mine"):
        stakes.train(data, **options, callbacks=[lambda event: {}["mine"]])


def test_ctrl_c_keeps_the_best_so_far(arrays: dict[str, Any]) -> None:
    def interrupt(event: dict[str, Any]) -> None:
        if event["event"] == "round" and event["round"] == 3:
            os.kill(os.getpid(), signal.SIGINT)

    data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])
    # Where tests run in the background, Ctrl-C may be ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        model = stakes.train(
            data,
            k=5,
            learner="lambdamart",
            rounds=5000,
            patience=0,
            hold_out=0.25,
            baseline=False,
            callbacks=[interrupt],
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert model.interrupted and len(model.info["stages"][0]["curve"]) < 5000
    assert len(model.score(data, fitted=True)) == 600


def _scores(_: int = 0) -> bytes:
    data = stakes.generate("storms", lists=10, rows=200, networks=30)
    return stakes.train(data, k=3, learner="two-part", rounds=5, baseline=False).score(data, fitted=True).tobytes()


def test_threads_and_forked_processes_work_and_agree() -> None:
    expected = _scores()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(_scores, range(8))) == {expected}
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as processes:
        assert set(processes.map(_scores, range(4))) == {expected}
    stakes.set_threads(1)
    try:
        assert _scores() == expected
    finally:
        stakes.set_threads(0)


def test_python_goes_on_while_a_model_is_trained(arrays: dict[str, Any]) -> None:
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1

    other = threading.Thread(target=tick)
    other.start()
    _scores()
    done.set()
    other.join()
    assert ticks[0] > 1000


def test_many_fits_leak_nothing(arrays: dict[str, Any]) -> None:
    def memory() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    def fit() -> None:
        data = stakes.Dataset(arrays["X"], impact=arrays["y"], list=arrays["qid"])
        stakes.train(data, k=5, learner="ridge", baseline=False)

    for _ in range(20):
        fit()
    before = memory()
    for _ in range(100):
        fit()
    assert memory() - before < 8 << 20
