"""Is our coordinate ascent better than a grid of steps? The same data for us and for the peers:
check_search.py FOLDER --stakes PATH [--only NAMES]     (FOLDER: see scripts/prepare_data.py)

The searches are compared by what they maximise: the metric on the training lists. NDCG@10
(gain 2^y - 1, discount log2, lists with nothing relevant left out) on the training lists of every
fold of MQ2008 and OHSUMED, R_CS@k on all of crime, concrete and forest fires.

- ours: `coordinate-ascent` or `cs-coordinate-ascent`, defaults.
- grid: RankLib's algorithm (CoorAscent.java, reimplemented here) on the same inputs: from equal
  weights, 5 times with inputs in another random order; each weight tries steps that begin at 0.001
  (at 0.05 of a weight below 0.002) and double 25 times, upwards, then downwards, then to 0; weights
  are scaled to the sum 1; it ends when nothing helps, or when 0.001 has not been added in all.
- fastrank: coordinate ascent of the package of that name (the same grid, random starts), NDCG@10
  only, with the features as they are in the file.

All scores are measured here, by a NumPy metric with the mean over the orders of a tie. Seconds are
of the processor, all threads together (the machine may be busy); ours include reading the file.
`looks` is how often lists were valued: metric evaluations of the grid; for ours line searches, at
most (rounds x twice the inputs x climbers), each of which looks at every order on its line.

Fails where ours is not at least as good as the grid.
"""

import argparse
import csv
import json
import os
import resource
import sys
import time
from pathlib import Path

os.environ.setdefault("NUMBA_NUM_THREADS", "1")

import numpy as np
from numba import njit

sys.path.append(str(Path(__file__).resolve().parent))
from program import Stakes, roles  # noqa: E402

RESTARTS, ITERATIONS, STEP_BASE, STEP_SCALE, TOLERANCE = 5, 25, 0.05, 2.0, 0.001
COST = {"crime": "crime.csv", "concrete": "concrete.csv", "forestfires": "forestfires.csv"}
LETOR = ["mq2008", "ohsumed"]


class Lists:
    """Items sorted by list, inputs, and gains that are shares of the figure."""

    def __init__(self, lists, ids, impact, features, k, metric):
        order = sorted(range(len(lists)), key=lambda i: (lists[i], i))
        self.keys = [(lists[i], ids[i]) for i in order]
        self.impact, self.features = impact[order], features[order]
        names = [lists[i] for i in order]
        starts = [i for i in range(len(names)) if i == 0 or names[i] != names[i - 1]]
        self.offsets = np.array([*starts, len(names)])
        self.inputs = standardised(self.features)
        if metric == "ndcg":
            gains, self.discounts = 2.0**self.impact - 1, 1 / np.log2(np.arange(k) + 2)
        else:
            gains, self.discounts = self.impact.copy(), 1 - np.arange(k) / k
        ideal = np.zeros(len(starts))
        for i, (a, b) in enumerate(zip(self.offsets, self.offsets[1:])):
            best = np.sort(gains[a:b])[::-1][:k]
            ideal[i] = best @ self.discounts[: len(best)]
        for i, (a, b) in enumerate(zip(self.offsets, self.offsets[1:])):
            whole = np.sum(ideal > 0) * ideal[i] if metric == "ndcg" else ideal.sum()
            gains[a:b] = gains[a:b] / whole if ideal[i] > 0 else 0.0
        self.gains = gains

    def value(self, scores):
        return value(np.asarray(scores, dtype=float), self.offsets, self.gains, self.discounts)


def standardised(features):
    """As our linear learners see features: mean 0, deviation 1, missing values an input."""
    missing = np.isnan(features)
    mean, deviation = np.nanmean(features, axis=0), np.nanstd(features, axis=0)
    inputs = np.where(missing, 0.0, (features - mean) / np.where(deviation > 0, deviation, 1.0))
    return np.ascontiguousarray(np.hstack([inputs, missing[:, missing.any(axis=0)].astype(float)]))


@njit(cache=False)
def value(scores, offsets, gains, discounts):
    total = 0.0
    top = np.empty(len(discounts))
    for at in range(len(offsets) - 1):
        a, b = offsets[at], offsets[at + 1]
        k = min(b - a, len(discounts))
        # The k-th largest score, then those that reach it, in order.
        top[:k] = -np.inf
        for item in range(a, b):
            place = k
            while place > 0 and scores[item] > top[place - 1]:
                place -= 1
            if place < k:
                for after in range(k - 1, place, -1):
                    top[after] = top[after - 1]
                top[place] = scores[item]
        chosen = a + np.flatnonzero(scores[a:b] >= top[k - 1])
        chosen = chosen[np.argsort(-scores[chosen])]
        start = 0
        while start < k:
            end, gain = start, 0.0
            while end < len(chosen) and scores[chosen[end]] == scores[chosen[start]]:
                gain += gains[chosen[end]]
                end += 1
            for rank in range(start, min(end, k)):
                total += gain / (end - start) * discounts[rank]
            start = end
    return total


@njit(cache=False)
def grid(inputs, offsets, gains, discounts, orders):
    """The best weights, their value, and how often lists were valued."""
    n, width = inputs.shape
    best_weights, best_value, looks, used = np.zeros(width), -1.0, 0, 0
    for _ in range(RESTARTS):
        weights = np.full(width, 1.0 / width)
        start = value(inputs @ weights, offsets, gains, discounts)
        looks += 1
        so_far, fails = start, 0
        while fails < max(width - 1, 1):
            order = orders[used % len(orders)]
            used += 1
            for input in order:
                scores, original = inputs @ weights, weights[input]
                column = inputs[:, input].copy()
                best_step, found = 0.0, False
                for sign in (1, -1, 0):
                    step = 0.001 * sign
                    if original != 0 and abs(step) > 0.5 * abs(original):
                        step = STEP_BASE * abs(original) * sign
                    total, tries = step, ITERATIONS
                    if sign == 0:
                        total, tries = -original, 1
                    for _ in range(tries):
                        looks += 1
                        now = value(scores + total * column, offsets, gains, discounts)
                        if now > so_far:
                            so_far, best_step, found = now, total, True
                        step *= STEP_SCALE
                        total += step
                    if found:
                        break
                if found:
                    weights[input] = original + best_step
                    weights /= np.abs(weights).sum()
                    fails = 0
                else:
                    fails += 1
            if so_far - start < TOLERANCE:
                break
        reached = value(inputs @ weights, offsets, gains, discounts)
        if reached > best_value:
            best_value, best_weights = reached, weights.copy()
    return best_weights, best_value, looks


def read_table(path, dataset, k):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    role = dataset["roles"]
    columns = []
    for name in rows[0]:
        if name in role.values():
            continue
        values = [row[name] for row in rows]
        try:
            columns.append([float(v) if v else np.nan for v in values])
        except ValueError:
            columns += [[float(v == name) for v in values] for name in sorted(set(values))]
    lists, ids = [row[role["list"]] for row in rows], [row[role["id"]] for row in rows]
    impact = np.array([float(row[role["impact"]]) for row in rows])
    return Lists(lists, ids, impact, np.array(columns).T, k, "rcs")


def read_letor(path, k):
    lists, ids, impact, features = [], [], [], []
    with open(path) as file:
        for number, line in enumerate(file):
            body, _, comment = line.partition("#")
            grade, query, *numbers = body.split()
            lists.append(query.removeprefix("qid:"))
            ids.append(comment.split("=")[1].split()[0] if "docid" in comment else str(number + 1))
            impact.append(float(grade))
            features.append([float(part.split(":")[1]) for part in numbers])
    return Lists(lists, ids, np.array(impact), np.array(features), k, "ndcg")


def processor(what):
    """What it gives, and the seconds of the processor, children included."""
    spent = lambda: sum(
        u.ru_utime + u.ru_stime
        for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    start = spent()
    return what(), spent() - start


def ours(stakes, path, dataset, lists, learner, k, metric):
    model, ranked = stakes.folder / "search.model.json", stakes.folder / "search.ranked.csv"
    options = [*roles(dataset), "-k", k, "--learner", learner, "--metric", metric]
    wall = time.perf_counter()
    train = lambda: stakes.call("train", path, *options, "--hold-out", "none", "--no-baseline", "-o", model)
    _, seconds = processor(train)
    wall = time.perf_counter() - wall
    stakes.call("rank", model, path, "-o", ranked)
    with open(ranked, newline="") as file:
        scores = {(row["list"], row["id"]): float(row["score"]) for row in csv.DictReader(file)}
    said = json.loads(model.read_text())
    rounds = len(said["stages"][0]["curve"])
    inputs = len(said["scorer"]["factors"][0]["net"]["inputs"])
    # Restarts and the one from their mean; inputs, and as many random directions.
    restarts = min(max(4_000_000 // (len(lists.keys) * inputs), 5), 100)
    looks = rounds * 2 * inputs * (restarts + 1)
    return lists.value([scores[key] for key in lists.keys]), seconds, looks, wall


def gridded(lists):
    draw = np.random.default_rng(7)
    orders = np.array([draw.permutation(lists.inputs.shape[1]) for _ in range(400)])
    grid(lists.inputs[:0], lists.offsets[:1], lists.gains[:0], lists.discounts, orders[:1])  # compiles
    run = lambda: grid(lists.inputs, lists.offsets, lists.gains, lists.discounts, orders)
    (_, reached, looks), seconds = processor(run)
    return reached, seconds, looks


def fastranked(lists, k):
    from fastrank import CDataset, TrainRequest

    query = np.repeat(np.arange(len(lists.offsets) - 1), np.diff(lists.offsets))
    data = CDataset.from_numpy(lists.features.astype(np.float32), lists.impact, query)
    request = TrainRequest.coordinate_ascent()
    request.measure = f"ndcg@{k}"
    request.params.quiet, request.params.seed = True, 7
    model, seconds = processor(lambda: data.train_model(request))
    scores = data.predict_scores(model)
    return lists.value([scores[i] for i in range(len(lists.keys))]), seconds


def cases(folder, sets, only):
    for name, file in COST.items():
        if name in only:
            for k in sets[name]["k"]:
                lists = read_table(folder / file, sets[name], k)
                yield f"{name}, R_CS@{k}", folder / file, sets[name], lists, k, "cs-coordinate-ascent", f"rcs@{k}"
    for name in LETOR:
        for fold, files in enumerate(sets[name]["folds"] if name in only else []):
            path = folder / files["train"]
            lists = read_letor(path, 10)
            yield f"{name} fold {fold + 1}, NDCG@10", path, sets[name], lists, 10, "coordinate-ascent", "ndcg@10"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stakes", required=True)
    parser.add_argument("--only", default=",".join([*COST, *LETOR]), help="data sets, with commas")
    a = parser.parse_args()
    stakes = Stakes(a.stakes, a.folder)
    sets = {s["name"]: s for s in json.loads((a.folder / "sets.json").read_text())}
    print("# Coordinate ascent on the training lists\n")
    print("How it is measured: `benches/check_search.py`. Seconds are of the processor.\n")
    print("| data | ours | seconds | looks | grid | seconds | looks | fastrank | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    worse = []
    for words, path, dataset, lists, k, learner, metric in cases(a.folder, sets, a.only.split(",")):
        own, own_seconds, own_looks, _ = ours(stakes, path, dataset, lists, learner, k, metric)
        peer, peer_seconds, peer_looks = gridded(lists)
        fast = fastranked(lists, k) if learner == "coordinate-ascent" else None
        cells = [words, f"{own:.5f}", f"{own_seconds:.2f}", f"{own_looks:,}"]
        cells += [f"{peer:.5f}", f"{peer_seconds:.2f}", f"{peer_looks:,}"]
        cells += [f"{fast[0]:.5f}", f"{fast[1]:.2f}"] if fast else ["", ""]
        print("| " + " | ".join(cells) + " |", flush=True)
        if own < peer - 1e-9:
            worse.append(f"{words}: {own:.6f} against {peer:.6f}")
    for line in worse:
        print(f"worse than the grid: {line}", file=sys.stderr)
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
