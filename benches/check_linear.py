"""Are our linear models right? Another library minimises each objective again:
check_linear.py FOLDER --stakes PATH     (FOLDER: see scripts/prepare_data.py)

- `ridge` and `logistic`: scikit-learn's Ridge and LogisticRegression, on all of concrete's and
  MQ2008's first training fold; predictions must be the same.
- `listmle`, `cs-rglist` and `p-norm-push`: scipy minimises the objective as it is printed, by
  L-BFGS, on a part of the same data; `ranksvm`: liblinear (scikit-learn's LinearSVC) on all
  differences of pairs. Ours must be no higher than theirs by 1e-4, and the scores the same. (The
  sharp hinge is flat around its minimum: scores may differ while the objective hardly does.)

Our weights come from the model file, inputs are standardised here once more: the comparison
covers the whole way from the data file to the model.
"""

import argparse
import csv
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import LinearSVC

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "benches"), str(ROOT / "benches" / "peers")]
from learners import read_csv, read_letor  # noqa: E402
from program import Stakes, roles  # noqa: E402

SETS = {"concrete": 5, "mq2008": 8}  # scipy gets every n-th row, or list of a LETOR file
SAME, OBJECTIVES_WITHIN, SHARP_SCORES_WITHIN = 1e-6, 1e-4, 0.03


class Data:
    """Rows of a training file in the order of their lists."""

    def __init__(self, stakes, dataset, every=1):
        self.name = dataset["name"]
        path = stakes.folder / dataset["folds"][0]["train"]
        self.path, self.roles = path, roles(dataset)
        if every > 1:
            self.path = stakes.folder / f"part-{path.name}"
            thin(path, self.path, every)
        read = read_letor if path.suffix == ".txt" else read_csv
        keys, impacts, rows = read(self.path, dataset["features"])
        self.keys, self.y = keys, np.array(impacts)
        x = np.array(rows, dtype=np.float32).astype(np.float64)
        deviation = x.std(axis=0)
        self.used = np.flatnonzero(deviation > 0)
        self.x = ((x - x.mean(axis=0)) / np.where(deviation > 0, deviation, 1))[:, self.used]
        names = np.array([key[0] for key in keys])
        self.lists = [np.flatnonzero(names == name) for name in dict.fromkeys(names)]
        self.unit = self.y.mean()


def thin(path, out, every):
    """A part of a file: every n-th list (LETOR), or every n-th row."""
    lines = path.read_text().splitlines(keepends=True)
    if path.suffix == ".txt":
        lists = list(dict.fromkeys(line.split()[1] for line in lines))[::every]
        kept = [line for line in lines if line.split()[1] in set(lists)]
    else:
        kept = [lines[0], *lines[1::every]]
    out.write_text("".join(kept))


def ours(stakes, data, learner, params):
    """The weights of our model by used input, and the scores of the rows."""
    with tempfile.TemporaryDirectory() as folder:
        model, ranked = Path(folder) / "model.json", Path(folder) / "ranked.csv"
        train = [data.path, *data.roles, "-k", 10, "--learner", learner, "-p", params]
        stakes.call("train", *train, "--hold-out", "none", "--no-baseline", "-o", model)
        stakes.call("rank", model, data.path, "-o", ranked)
        factor = json.loads(model.read_text())["scorer"]["factors"][0]
        with open(ranked, newline="") as file:
            scores = {(row["list"], row["id"]): float(row["score"]) for row in csv.DictReader(file)}
    net = factor["net"]
    used = [entry["number"]["feature"] for entry in net["inputs"]]
    assert used == list(data.used), "other inputs than expected"
    return np.array(net["layers"][0]["weights"]), np.array([scores[key] for key in data.keys])


# Objectives as they are printed: value and slopes by score, list by list.


def likelihood(counts, cost, ids, together):
    """sum of counts x (log sum exp over what comes with or after an item - its score)."""
    n = len(cost)
    place = np.empty(n, dtype=int)
    place[sorted(range(n), key=lambda i: (-cost[i], ids[i]))] = np.arange(n)
    after = (cost[None, :] <= cost[:, None]) if together else (place[None, :] >= place[:, None])
    if together:
        counts = np.where(cost == cost.min(), 0.0, counts)

    def value(s):
        parts = np.where(after, np.exp(s - s.max())[None, :], 0.0)
        sums = parts.sum(axis=1)
        slopes = (parts / sums[:, None]).T @ counts - counts
        return counts @ (np.log(sums) + s.max() - s), slopes

    return value


def levels(cost):
    return np.array([(cost == c).sum() for c in cost])


def listmle(data, together):
    def of_list(rows):
        return likelihood(np.ones(len(rows)), data.y[rows], [data.keys[r][1] for r in rows], together)

    return of_list, len(data.lists)


def cs_rglist(data, together, pcf):
    def of_list(rows):
        y = data.y[rows]
        importance = pcf**y if pcf else y / data.unit
        return likelihood(importance / levels(y), y, [data.keys[r][1] for r in rows], together)

    return of_list, len(data.lists)


def with_pairs(data):
    return sum(len(set(data.y[rows])) > 1 for rows in data.lists)


def p_norm_push(data, p):
    def of_list(rows):
        y = data.y[rows]
        dearer = y[:, None] > y[None, :]  # dearer[i, j]: i pushes j
        if not dearer.any():
            return lambda s: (0.0, np.zeros(len(rows)))
        pushing, pushed = dearer.any(axis=1).sum(), dearer.any(axis=0).sum()

        def value(s):
            parts = np.where(dearer, np.exp(s[None, :] - s[:, None]) / pushing, 0.0)
            sums = parts.sum(axis=0)
            by_part = p * sums ** (p - 1) * parts / pushed
            return (sums**p).sum() / pushed, by_part.sum(axis=0) - by_part.sum(axis=1)

        return value

    return of_list, with_pairs(data)


def scipy_minimum(data, objective, c):
    """The whole objective, and its minimum by L-BFGS."""
    of_list, count = objective
    terms = [(rows, of_list(rows)) for rows in data.lists]

    def whole(w):
        scores = data.x @ w
        value, slopes = 0.0, np.zeros(len(scores))
        for rows, term in terms:
            of_term, slope = term(scores[rows])
            value += of_term
            slopes[rows] = slope
        return w @ w / 2 + c / count * value, w + c / count * (data.x.T @ slopes)

    options = {"maxiter": 20_000, "maxfun": 100_000, "ftol": 1e-16, "gtol": 1e-9, "maxcor": 50}
    found = minimize(whole, np.zeros(data.x.shape[1]), jac=True, method="L-BFGS-B", options=options)
    return lambda w: whole(w)[0], found.x


def liblinear_minimum(data, squared, by_cost, c):
    """The whole objective of RankSVM over all pairs, and its minimum by liblinear."""
    differences, stakes, totals = [], [], []
    for rows in data.lists:
        y = data.y[rows] / data.unit
        i, j = np.nonzero(y[:, None] > y[None, :])
        stake = y[i] - y[j] if by_cost else np.ones(len(i))
        differences.append(data.x[rows[i]] - data.x[rows[j]])
        stakes.append(stake)
        totals.append(stake.sum())
    # Alike: lists count 1 each, divided by their pairs. By cost: by their sum of stakes.
    count = sum(total > 0 for total in totals)
    mean = np.sum(totals) / count
    for stake, total in zip(stakes, totals, strict=True):
        stake /= count * (mean if by_cost else max(total, 1))
    d, v = np.concatenate(differences), np.concatenate(stakes)

    def whole(w):
        z = np.maximum(0, 1 - d @ w)
        return w @ w / 2 + c * v @ (z * z if squared else z)

    # liblinear wants two classes: every other pair is turned round.
    sign = np.where(np.arange(len(d)) % 2 == 0, 1.0, -1.0)
    loss, tol = ("squared_hinge", 1e-8) if squared else ("hinge", 1e-6)
    # Weights around 1, so that its tolerance means something.
    svm = LinearSVC(loss=loss, tol=tol, dual=not squared, fit_intercept=False, C=c * v.mean(), max_iter=100_000, random_state=0)
    svm.fit(d * sign[:, None], sign, sample_weight=v / v.mean())
    return whole, svm.coef_[0]


class Table:
    """Rows as they are found, and whether all were right."""

    def __init__(self):
        self.right = True
        print("| learner | data | items | peer | objective above the lower | scores differ by deviations |")
        print("|---|---|---|---|---|---|")

    def row(self, case, data, peer, above, differ):
        """`above` and `differ` are pairs of what was met and what is allowed."""
        cells = [self.cell(above) if above else "", self.cell(differ)]
        print(f"| {case} | {data.name} | {len(data.y)} | {peer} | {' | '.join(cells)} |", flush=True)

    def cell(self, figure):
        met, allowed = figure
        self.right &= bool(met <= allowed)
        return f"{met:.0e}" if met <= allowed else f"**{met:.1e}**, allowed {allowed:g}"


def regressions(table, stakes, data):
    def row(learner, params, peer, predicted):
        _, scores = ours(stakes, data, learner, params)
        differ = np.abs(scores - predicted).max() / predicted.std()
        table.row(f"{learner} {params}", data, type(peer).__name__, None, (differ, SAME))

    ridge = Ridge(alpha=0.01 * len(data.y), tol=1e-12).fit(data.x, data.y)
    row("ridge", "l2=0.01", ridge, ridge.predict(data.x))
    threshold = 0 if (data.y == 0).any() else 40
    logistic = LogisticRegression(C=0.3, tol=1e-12, max_iter=1000, solver="newton-cholesky")
    chances = logistic.fit(data.x, data.y > threshold).predict_proba(data.x)[:, 1]
    row("logistic", f"c=0.3,threshold={threshold}", logistic, chances)


def minima(table, stakes, data):
    def row(learner, c, params, peer, minimum, scores_within=SAME):
        whole, theirs = minimum
        weights, scores = ours(stakes, data, learner, f"c={c},{params}")
        lower = min(whole(theirs), whole(weights))
        above = (whole(weights) - lower) / lower
        predicted = data.x @ theirs
        differ = np.abs(scores - predicted).max() / predicted.std()
        case = f"{learner} c={c},{params}"
        table.row(case, data, peer, (above, OBJECTIVES_WITHIN), (differ, scores_within))

    grades = data.name == "mq2008"
    importance = "grade" if grades else "cost"
    for ties in ("together", "order"):
        together = ties == "together"
        row("listmle", 0.5, f"ties={ties}", "scipy", scipy_minimum(data, listmle(data, together), 0.5))
        objective = cs_rglist(data, together, 3 if grades else None)
        params = f"ties={ties},importance={importance},pcf=3"
        row("cs-rglist", 2, params, "scipy", scipy_minimum(data, objective, 2))
    for p, c in ((2, 10), (4, 1)):
        row("p-norm-push", c, f"p={p}", "scipy", scipy_minimum(data, p_norm_push(data, p), c))
    for hinge, within in (("sharp", SHARP_SCORES_WITHIN), ("squared", SAME)):
        for mode in ("insensitive", "cs"):
            minimum = liblinear_minimum(data, hinge == "squared", mode == "cs", 5)
            row("ranksvm", 5, f"hinge={hinge},mode={mode}", "liblinear", minimum, within)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stakes", required=True)
    arguments = parser.parse_args()
    stakes = Stakes(arguments.stakes, arguments.folder)
    sets = {one["name"]: one for one in json.loads((arguments.folder / "sets.json").read_text())}
    table = Table()
    for name, every in SETS.items():
        regressions(table, stakes, Data(stakes, sets[name]))
        minima(table, stakes, Data(stakes, sets[name], every))
    sys.exit(0 if table.right else 1)


main()
