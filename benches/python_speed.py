#!/usr/bin/env python3
"""The Python package beside the program and beside its peers, in one run on the same arrays.

    make wheel && python3 -m venv /tmp/speed && /tmp/speed/bin/pip install target/wheels/*.whl lightgbm xgboost ranx \\
        scikit-learn && /tmp/speed/bin/python benches/python_speed.py

Ratios of medians; run it when nothing else runs. `--trial` is a quick look at whether it works.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import stakes


def median(work: Callable[[], Any], times: int) -> float:
    """The median of the seconds that work takes."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def show(what: str, seconds: float, against: float | None = None) -> None:
    """A line of the table."""
    ratio = "" if against is None else f"  {seconds / against:6.2f} x ours"
    print(f"{what:48} {seconds:9.3f} s{ratio}", flush=True)


def arrays(queries: int) -> tuple[Any, Any, Any]:
    """Generated search data: features, grades, queries."""
    data = stakes.generate("search", lists=queries)
    offsets = data._data.offsets
    qid = np.repeat(np.arange(data.n_lists), np.diff(offsets))
    return np.ascontiguousarray(data._data.matrix()), data._data.impact, qid


def training(X: Any, y: Any, qid: Any, rounds: int, times: int) -> None:
    """One hundred trees of 63 leaves, from arrays."""
    import lightgbm as lgb
    import xgboost as xgb

    sizes = np.unique(qid, return_counts=True)[1]
    settings = {"rounds": rounds, "leaves": 63, "rate": 0.1, "min_rows": 20, "patience": 0}

    def ours() -> stakes.Model:
        data = stakes.Dataset(X, impact=y, list=qid)
        options: dict[str, Any] = {"hold_out": "none", "baseline": False, "progress": False}
        return stakes.train(data, k=10, learner="lambdamart", metric="ndcg", **options, **settings)

    def lightgbm() -> Any:
        data = lgb.Dataset(X, y, group=sizes, params={"max_bin": 255})
        params = {"objective": "lambdarank", "num_leaves": 63, "learning_rate": 0.1, "verbose": -1, "num_threads": 2}
        return lgb.train(params, data, rounds)

    def xgboost() -> Any:
        data = xgb.QuantileDMatrix(X, y, qid=qid, max_bin=256)
        params = {"objective": "rank:ndcg", "max_leaves": 63, "max_depth": 0, "grow_policy": "lossguide"}
        return xgb.train({**params, "tree_method": "hist", "eta": 0.1, "nthread": 2}, data, rounds)

    stakes.set_threads(2)
    first = median(ours, times)
    show("train: stakes.train from numpy", first)
    show("train: lightgbm.train", median(lightgbm, times), first)
    show("train: xgboost.train", median(xgboost, times), first)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.parquet"
        stakes.Dataset(X, impact=y, list=qid).save(path)
        words = [word for key, value in settings.items() for word in ("-p", f"{key.replace('_', '-')}={value}")]
        command = [Path(sys.executable).parent / "stakes", "train", path, "--list", "list", "--impact", "impact"]
        command += ["-k", "10", "--learner", "lambdamart", "-m", "ndcg", "--hold-out", "none", "--no-baseline", "-q"]
        command += ["--threads", "2", *words, "-o", Path(folder) / "m.json"]
        program = median(lambda: subprocess.run(command, check=True), times)
        show("train: the program, reading included", program, first)


def evaluation(y: Any, qid: Any, times: int) -> None:
    """NDCG@10 of a score, from arrays."""
    from ranx import Qrels, Run
    from ranx import evaluate as ranx_evaluate
    from sklearn.metrics import ndcg_score

    scores = np.random.default_rng(0).normal(size=len(y))
    ours = median(lambda: stakes.metrics.ndcg(y, scores, qid, k=10), times)
    show("evaluate: stakes.metrics.ndcg", ours)
    ends = np.cumsum(np.unique(qid, return_counts=True)[1])
    lists = np.split(np.arange(len(y)), ends[:-1])

    def sklearn() -> float:
        found = [ndcg_score(y[None, at], scores[None, at], k=10) for at in lists if len(at) > 1]
        return float(np.mean(found))

    show("evaluate: sklearn.metrics.ndcg_score", median(sklearn, 1), ours)
    names = [f"d{number}" for number in range(len(y))]

    def ranx() -> Any:
        truth = Qrels({f"q{i}": {names[j]: int(y[j]) for j in at} for i, at in enumerate(lists)})
        run = Run({f"q{i}": {names[j]: scores[j] for j in at} for i, at in enumerate(lists)})
        return ranx_evaluate(truth, run, "ndcg@10", make_comparable=False)

    ranx()  # compiled once
    show("evaluate: ranx from arrays", median(ranx, times), ours)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trial", action="store_true")
    trial = parser.parse_args().trial
    X, y, qid = arrays(100 if trial else 2000)
    print(f"{X.shape[0]} x {X.shape[1]} in {qid[-1] + 1} lists")
    training(X, y, qid, 10 if trial else 100, 1 if trial else 3)
    evaluation(y, qid, 1 if trial else 5)


if __name__ == "__main__":
    main()
