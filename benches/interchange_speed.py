"""Scoring of one LightGBM model by everybody who can: ours after import, LightGBM, ONNX Runtime, treelite.

500 trees of 63 leaves on 136 features, 100,000 rows of 32-bit numbers, 1 and 2 threads; the median of several repeats
that go round over all programs. Prints a Markdown table: rows per second, and how many times as fast as LightGBM.
What is not installed is left out, and said. Give the machine to it alone.

    python benches/interchange_speed.py [--rows N] [--trees N] [--repeats N]

The package must be built for speed: ``make wheel``, or a release build of crates/py.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import lightgbm as lgb
import numpy as np

import stakes

Score = Callable[[np.ndarray], np.ndarray]
FEATURES = 136


def trained(trees: int) -> lgb.Booster:
    """A ranker of generated lists: grades that depend on some of the features."""
    draw = np.random.default_rng(1)
    rows = 40_000
    X = draw.normal(size=(rows, FEATURES)).astype(np.float32)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + 0.5 * X[:, 4:20].sum(axis=1)
    grade = np.clip(np.round(signal + draw.normal(size=rows)), 0, 4).astype(int)
    parameters = {"objective": "lambdarank", "num_leaves": 63, "learning_rate": 0.05, "verbose": -1}
    return lgb.train(parameters, lgb.Dataset(X, grade, group=np.full(rows // 40, 40)), trees)


def ours(booster: lgb.Booster, threads: int) -> Score:
    stakes.set_threads(threads)
    model = stakes.import_model(booster, features=[f"f{i}" for i in range(FEATURES)])

    def score(X: np.ndarray) -> np.ndarray:
        stakes.set_threads(threads)
        return model.predict(X)

    return score


def lightgbm(booster: lgb.Booster, threads: int) -> Score:
    return lambda X: booster.predict(X, num_threads=threads)


def treelite(booster: lgb.Booster, threads: int) -> Score:
    import treelite as tl

    model = tl.frontend.from_lightgbm(booster)
    return lambda X: tl.gtil.predict(model, X, nthread=threads)


def onnx_runtime(booster: lgb.Booster, threads: int) -> Score:
    """By our own export, or by onnxmltools."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.onnx")
        model = stakes.import_model(booster, features=[f"f{i}" for i in range(FEATURES)])
        if hasattr(model, "export"):
            model.export(path, to="onnx")
        else:
            from onnxmltools import convert_lightgbm
            from onnxmltools.convert.common.data_types import FloatTensorType

            kind = [("X", FloatTensorType([None, FEATURES]))]
            path.write_bytes(convert_lightgbm(booster, initial_types=kind).SerializeToString())
        session = onnxruntime.InferenceSession(str(path), options)
    name = session.get_inputs()[0].name
    return lambda X: session.run(None, {name: X})[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--trees", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=5)
    asked = parser.parse_args()
    booster = trained(asked.trees)
    X = np.random.default_rng(2).normal(size=(asked.rows, FEATURES)).astype(np.float32)
    theirs = booster.predict(X[:1000])
    print("| program | threads | seconds | million rows per second | times LightGBM | largest difference |")
    print("|---|--:|--:|--:|--:|--:|")
    for threads in (1, 2):
        programs: dict[str, Score] = {}
        for name, make in (
            ("stakes", ours),
            ("LightGBM", lightgbm),
            ("ONNX Runtime", onnx_runtime),
            ("treelite", treelite),
        ):
            try:
                programs[name] = make(booster, threads)
            except Exception as error:
                print(f"<!-- {name} is left out: {error} -->")
        seconds: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(asked.repeats):
            for name, score in programs.items():
                begun = time.perf_counter()
                score(X)
                seconds[name].append(time.perf_counter() - begun)
        medians = {name: statistics.median(all_of) for name, all_of in seconds.items()}
        for name, median in medians.items():
            error = np.max(np.abs(np.asarray(programs[name](X[:1000])).reshape(-1) - theirs))
            ratio = medians["LightGBM"] / median
            print(
                f"| {name} | {threads} | {median:.3f} | {asked.rows / median / 1e6:.2f} | {ratio:.1f} | {error:.1e} |"
            )


if __name__ == "__main__":
    main()
