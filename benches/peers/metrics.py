"""NDCG@10 over 1,000,000 items in 10,000 lists: ranx, pytrec_eval, scikit-learn.

    python metrics.py FOLDER --make    # write the data, once
    python metrics.py FOLDER           # one JSON line per peer

FOLDER holds raw little-endian arrays, so that every program measures the same data:
labels.f64 and scores.f64 (one value per item), offsets.u64 (list starts, then the total).
Grades 0-4, continuous scores, fixed seed. The scores are multiples of 2^-20 and distinct
within a list, because trec_eval keeps float32: there are no ties.

The value is the mean of NDCG@10 with *linear* gain and log2 discount, which is what all
three compute under that name (ours: ndcg@10:gain=linear). The peers must agree, or the
script stops.

In the time (median of 5 calls after one warm-up, one thread each):
  ranx          evaluate(Qrels, Run). Not in it: building Qrels and Run from Python dicts,
                which is where ranx sorts every list; compilation; saving per-list results.
  ranx-arrays   the same evaluate on ready typed lists: only the metric's compiled loop.
                Lists are already sorted, so this is less work than the others do. (Ours on
                prepared lists, stakes-prepared, knows the ideal orders, but sorts the scores.)
  pytrec_eval   RelevanceEvaluator.evaluate(run). In it: turning the Python dicts of the run
                into C structures, sorting, and the dict of results. Not in it: the qrels.
  scikit-learn  ndcg_score on 10,000 x 100 arrays, ignore_ties=True: sorting included,
                nothing to convert. It works only because all lists have the same length.
Reading the files is not timed.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time
from importlib.metadata import version

os.environ["NUMBA_NUM_THREADS"] = "1"  # before numba is imported
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

LISTS, LENGTH, SEED, REPEATS = 10_000, 100, 7, 5


def make(folder):
    rng = np.random.default_rng(SEED)
    labels = rng.choice(5, (LISTS, LENGTH), p=[0.5, 0.25, 0.15, 0.07, 0.03]).astype("<f8")
    scores = np.empty((LISTS, LENGTH), "<f8")
    for row, y in zip(scores, labels):
        while True:  # distinct within the list, and exact in float32
            row[:] = np.round((0.5 * y + rng.normal(size=LENGTH)) * 2**20) / 2**20
            if len(np.unique(row.astype(np.float32))) == LENGTH:
                break
    folder.mkdir(parents=True, exist_ok=True)
    labels.tofile(folder / "labels.f64")
    scores.tofile(folder / "scores.f64")
    np.arange(0, labels.size + 1, LENGTH).astype("<u8").tofile(folder / "offsets.u64")


def load(folder):
    labels = np.fromfile(folder / "labels.f64", "<f8")
    scores = np.fromfile(folder / "scores.f64", "<f8")
    offsets = np.fromfile(folder / "offsets.u64", "<u8").astype(int)
    return labels, scores, offsets


def as_dicts(values, offsets, kind):
    """{list: {item: value}}, the form in which ranx and pytrec_eval take data."""
    return {
        f"q{q}": {f"d{i}": kind(v) for i, v in enumerate(values[a:b])}
        for q, (a, b) in enumerate(zip(offsets, offsets[1:]))
    }


def median_time(call):
    value = call()  # warm-up: compilation, caches
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        value = call()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), value


def peer_ranx(labels, scores, offsets):
    import ranx

    qrels = ranx.Qrels(as_dicts(labels, offsets, int))
    run = ranx.Run(as_dicts(scores, offsets, float))
    measure = lambda q, r: lambda: ranx.evaluate(q, r, "ndcg@10", threads=1, save_results_in_run=False)
    yield "ranx", "ranx", *median_time(measure(qrels, run))
    yield "ranx-arrays", "ranx", *median_time(measure(qrels.to_typed_list(), run.to_typed_list()))


def peer_pytrec_eval(labels, scores, offsets):
    import pytrec_eval

    evaluator = pytrec_eval.RelevanceEvaluator(as_dicts(labels, offsets, int), {"ndcg_cut.10"})
    run = as_dicts(scores, offsets, float)
    seconds, results = median_time(lambda: evaluator.evaluate(run))
    yield "pytrec_eval", "pytrec-eval-terrier", seconds, np.mean([r["ndcg_cut_10"] for r in results.values()])


def peer_sklearn(labels, scores, offsets):
    import sklearn.metrics

    if len(set(np.diff(offsets))) != 1:
        return
    shape = (len(offsets) - 1, -1)
    y, s = labels.reshape(shape), scores.reshape(shape)
    yield "scikit-learn", "scikit-learn", *median_time(lambda: sklearn.metrics.ndcg_score(y, s, k=10, ignore_ties=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--make", action="store_true", help="write the data and stop")
    arguments = parser.parse_args()
    if arguments.make:
        return make(arguments.folder)
    data = load(arguments.folder)
    rows, values = len(data[0]), []
    for peer in (peer_ranx, peer_pytrec_eval, peer_sklearn):
        for name, package, seconds, value in peer(*data):
            values.append(value)
            line = {"peer": name, "work": "ndcg@10", "rows": rows, "seconds": seconds}
            line |= {"rows_per_second": rows / seconds, "value": float(value), "version": version(package)}
            print(json.dumps(line), flush=True)
    if not np.allclose(values, values[0], rtol=1e-9):
        sys.exit(f"the peers disagree: {values}")


if __name__ == "__main__":
    main()
