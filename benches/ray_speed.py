#!/usr/bin/env python3
"""Training on Ray beside two threads of one process, and beside XGBoost on Ray, on the same files.

    make wheel && python3 -m venv /tmp/ray && /tmp/ray/bin/pip install target/wheels/*.whl 'ray[train]' xgboost pyarrow \\
        && /tmp/ray/bin/python benches/ray_speed.py /tmp/search-1m

Generated search, 136 features, 1,000,000 rows in 8 files, 100 trees of 63 leaves. Ray is started before; the start of
the actors and reading are measured with the training. With `--model` seconds and bytes per tree are measured for several
numbers of rows and actors, and a cost model is fitted to them (docs/scale.md). Run it when nothing else runs;
`--lists 500` is a quick look.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import stakes
import stakes.ray
from stakes.ray import RayParams

OPTIONS: dict[str, Any] = {"list": "query", "impact": "grade", "k": 10, "learner": "lambdamart", "metric": "ndcg"}
OPTIONS |= {"hold_out": "none", "progress": False}
SETTINGS: dict[str, Any] = {"leaves": 63, "rate": 0.1, "min_rows": 20, "patience": 0}


def made(folder: Path, lists: int, parts: int) -> list[str]:
    """The files, which are generated where they are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("search-*.parquet")):
        words = [
            "generate",
            "search",
            "--lists",
            str(lists),
            "--parts",
            str(parts),
            "-o",
            str(folder / "search.parquet"),
        ]
        subprocess.run([sys.executable, "-m", "stakes", *words], check=True)
    return sorted(map(str, folder.glob("search-*.parquet")))


def seconds(work: Callable[[], Any], times: int) -> float:
    """The median of the seconds that work takes."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def ours(files: list[str], rounds: int, actors: int, **more: Any) -> str:
    """The model by actors of one core, as JSON."""
    options = {**OPTIONS, **SETTINGS, "rounds": rounds, **more}
    return stakes.ray.train(files, ray_params=RayParams(num_actors=actors), **options).to_json()


def one_process(files: list[str], rounds: int, threads: int, **more: Any) -> str:
    """The model by threads of this process, as JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stakes.set_threads(threads)
    table = pa.concat_tables([pq.read_table(path) for path in files])
    return stakes.train(table, baseline=False, rounds=rounds, **OPTIONS, **SETTINGS, **more).to_json()


def xgboost_loop(config: dict[str, Any]) -> None:
    """What each worker of XGBoost does."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    import xgboost as xgb

    train = importlib.import_module("ray.train")
    context = train.get_context()
    mine = config["files"][context.get_world_rank() :: context.get_world_size()]
    table = pa.concat_tables([pq.read_table(path) for path in mine])
    names = [name for name in table.column_names if name not in ("query", "grade")]
    values = np.stack([table[name].to_numpy().astype(np.float32) for name in names], axis=1)
    qid = np.unique(np.asarray(table["query"].to_pylist()), return_inverse=True)[1]
    order = np.argsort(qid, kind="stable")
    data = xgb.QuantileDMatrix(values[order], table["grade"].to_numpy()[order], qid=qid[order], max_bin=256)
    params = {"objective": "rank:ndcg", "max_leaves": 63, "max_depth": 0, "grow_policy": "lossguide", "eta": 0.1}
    xgb.train({**params, "tree_method": "hist", "nthread": 1}, data, config["rounds"])


def xgboost_on_ray(files: list[str], rounds: int, actors: int) -> None:
    """XGBoost by Ray Train."""
    train = importlib.import_module("ray.train")
    trainer = importlib.import_module("ray.train.xgboost").XGBoostTrainer
    scaling = train.ScalingConfig(num_workers=actors, resources_per_worker={"CPU": 1})
    config = {"files": files, "rounds": rounds}
    trainer(train_loop_per_worker=xgboost_loop, train_loop_config=config, scaling_config=scaling).fit()


@dataclass
class Tree:
    """What a tree took, in a training of so many rows, leaves and actors."""

    rows: int
    leaves: int
    actors: int
    seconds: float
    steps: float
    #: The messages of all shards together.
    bytes: float

    def terms(self) -> list[float]:
        """What the seconds are a sum of, each times a constant: rows on each core, once and at every level of the tree,
        steps, and bytes that each actor takes in. Actors share the cores of this machine."""
        cores = os.cpu_count() or 1
        busy = max(1.0, self.actors / cores)
        a_core = self.rows / self.actors * busy
        return [a_core, a_core * math.log2(self.leaves), self.steps, self.bytes * busy]


def tree(files: list[str], rows: int, leaves: int, actors: int, rounds: int) -> Tree:
    """A tree, as the median over the rounds of a training."""
    heard: list[tuple[float, int, int]] = []

    def hear(event: dict[str, Any]) -> None:
        if event["event"] == "round":
            heard.append((time.perf_counter(), event["steps"], event["bytes"]))

    ours(files, rounds, actors, leaves=leaves, callbacks=[hear])
    # Rounds are told of several at a time: those after the first time, until the last.
    first, last = heard[0], heard[-1]
    done = sum(moment[1:] != first[1:] for moment in heard)
    per_tree = [(end - begin) / done for begin, end in zip(first, last, strict=True)]
    return Tree(rows, leaves, actors, *per_tree)


def model(files: list[str], rounds: int) -> None:
    """Fits the cost model to measured trees, and checks it by those that were held back."""
    import numpy as np
    import pyarrow.parquet as pq
    from scipy.optimize import nnls

    sizes = [pq.ParquetFile(path).metadata.num_rows for path in files]
    fitted = [(1, 63, 1), (2, 63, 1), (8, 63, 1), (2, 63, 2), (4, 63, 2), (8, 63, 2), (8, 15, 2), (8, 63, 4)]
    held_back = [(4, 31, 4), (8, 31, 2)]
    print(
        "| rows | leaves | actors | ms per tree | model | steps | MB exchanged |\n|---|---|---|---|---|---|---|",
        flush=True,
    )
    measured = {}
    for parts, leaves, actors in [*fitted, *held_back]:
        parts = max(parts, actors)
        measured[parts, leaves, actors] = tree(files[:parts], sum(sizes[:parts]), leaves, actors, rounds)
    known = [measured[max(parts, actors), leaves, actors] for parts, leaves, actors in fitted]
    # Relative errors count.
    terms = np.array([[term / one.seconds for term in one.terms()] for one in known])
    constants, _ = nnls(terms, np.ones(len(known)))
    for key, one in measured.items():
        expected = float(np.dot(constants, one.terms()))
        mark = " (held back)" if key in held_back else ""
        row = [f"{one.rows:,}", one.leaves, one.actors, f"{1e3 * one.seconds:.0f}", f"{1e3 * expected:.0f}{mark}"]
        print("|", " | ".join(map(str, [*row, f"{one.steps:.1f}", f"{one.bytes / 1e6:.1f}"])), "|", flush=True)
    names = ["per row on a core", "per row on a core and level", "per step", "per byte taken in"]
    for name, constant in zip(names, constants, strict=True):
        print(f"{name}: {constant:.3g} s")
    moments: list[float] = []
    one_process(files, rounds, 2, callbacks=[lambda event: heard_round(event, moments)])
    taken = (moments[-1] - moments[0]) / (len(moments) - 1)
    print(f"{sum(sizes):,} rows, 63 leaves, 2 threads of one process: {1e3 * taken:.0f} ms per tree")


def heard_round(event: dict[str, Any], moments: list[float]) -> None:
    """Notes when a round has ended."""
    if event["event"] == "round":
        moments.append(time.perf_counter())


def compare(files: list[str], rounds: int, times: int) -> None:
    """The table."""
    first = seconds(lambda: one_process(files, rounds, 2), times)
    print(f"{'stakes, 2 threads of one process':44} {first:8.1f} s", flush=True)
    rows: list[tuple[str, Callable[[], Any]]] = [
        ("stakes.ray, 2 actors of one core", lambda: ours(files, rounds, 2)),
        ("XGBoost by Ray Train, 2 workers of one core", lambda: xgboost_on_ray(files, rounds, 2)),
    ]
    for name, work in rows:
        taken = seconds(work, times)
        print(f"{name:44} {taken:8.1f} s  {taken / first:5.2f} x", flush=True)
    same = json.loads(ours(files, 5, 2)) == json.loads(one_process(files, 5, 2))
    print("the model of 2 actors is that of one process:", same)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lists", type=int, default=8400)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--model", action="store_true", help="fit the cost model instead")
    asked = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = importlib.import_module("ray")
    files = made(asked.folder, asked.lists, 8)
    ray.init(address="local", num_cpus=4, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    if asked.model:
        model(files, asked.rounds)
    else:
        compare(files, asked.rounds, asked.times)


if __name__ == "__main__":
    main()
