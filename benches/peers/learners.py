"""Are our tree learners right? The same data and settings for us and for the peers:
learners.py FOLDER --stakes PATH [--peers-only]     (FOLDER: see scripts/prepare_data.py)

Both sides' scores of the test items are measured by the same program, `stakes evaluate`.

Ranking: `lambdamart` against LightGBM's `lambdarank`, NDCG@10 (gain 2^y - 1, discount log2, lists
with nothing relevant left out). LightGBM has two things that ours has not:
- `lambdarank_norm` divides a list's gradients by their size. Ours does not, so the figure that
  counts is the one without; the other is shown beside it.
- its `lambdarank_truncation_level` T chooses pairs (one item among the first T) and the ideal
  DCG@T, but positions below T keep their discount 1/log2(p + 1). Ours is the change of NDCG@T
  itself, where positions below T count nothing. Lists up to T items see no difference.
Regression: `mart` against scikit-learn's HistGradientBoostingRegressor on squared error, RMSE;
LightGBM's `regression` stands beside it: two right programs do not give the same figure either.

Folds are by list (crime, storms), by row for concrete: 14 lists are too few, and a model that
never saw an age says little about itself. Columns of text are left out, as scikit-learn wants
numbers; numbers are rounded to 32 bits first, as ours are. Tests of all folds are measured once.

How sure is a difference? A spread says how a peer's figure moves when nothing that matters is
changed: 5 counts of bins (255, 250, ..., 235), and for LightGBM 5 seeds of bagging at 95 % of the
lists. The verdict `within` is on 255 bins against 255 bins. As one such figure is a draw from
its spread, the mean over the 5 counts of bins is compared as well: difference +- standard error.
(lightgbm-lambdarank has at most 101 values in a column: there, bins change nothing.)
"""

import argparse
import csv
import json
import math
import os
import sys
import time
from importlib.metadata import version
from operator import itemgetter
from pathlib import Path
from statistics import mean, variance

os.environ["OMP_NUM_THREADS"] = "1"  # scikit-learn reads it when it is imported

import lightgbm
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "benches"), str(ROOT / "scripts")]
from prepare_data import write_table  # noqa: E402
from program import Stakes  # noqa: E402

ROUNDS, RATE, LEAVES, MIN_ROWS, BINS = 100, 0.1, 31, 20, 255
OURS = f"leaves={LEAVES},rate={RATE},rounds={ROUNDS},patience=0,min-rows={MIN_ROWS},min-hessian=0.001"
LIGHTGBM = {
    "num_leaves": LEAVES,
    "learning_rate": RATE,
    "min_data_in_leaf": MIN_ROWS,
    "min_sum_hessian_in_leaf": 1e-3,
    "max_bin": BINS,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbosity": -1,
}
ALL_BINS = [BINS, 250, 245, 240, 235]
SEEDS = [1, 2, 3, 4, 5]
BAGGING = {"bagging_fraction": 0.95, "bagging_freq": 1}
CUTOFFS = [30, 10]
RANKING = ["lightgbm-lambdarank", "mq2008", "mslr-sample"]
NDCG_WITHIN, RMSE_WITHIN = 0.01, 0.01
FAR = "**no**"  # neither within these nor within the peer's spread: the check fails
MEANS = ["mean over bins", "ours", "difference"]


class Items:
    """The rows of a file: their keys (list, id), impacts, features and list lengths."""

    def __init__(self, path, width):
        keys, impacts, rows = (read_letor if path.suffix == ".txt" else read_csv)(path, width)
        self.keys, self.y = keys, np.array(impacts)
        self.x = np.array(rows, dtype=np.float32).astype(np.float64)
        changes = [i for i in range(len(keys)) if i == 0 or keys[i][0] != keys[i - 1][0]]
        self.sizes = np.diff([*changes, len(keys)])


def read_letor(path, width):
    keys, impacts, rows = [], [], []
    for line in path.read_text().splitlines():
        values, _, comment = line.partition("#docid = ")
        label, qid, *pairs = values.split()
        row = np.zeros(width)
        for pair in pairs:
            index, _, value = pair.partition(":")
            row[int(index) - 1] = float(value)
        keys.append((qid.removeprefix("qid:"), comment.split()[0]))
        impacts.append(float(label))
        rows.append(row)
    return keys, impacts, rows


def read_csv(path, _width):
    _, *rows = csv.reader(open(path, newline=""))
    features = [[float(value or "nan") for value in row[3:]] for row in rows]
    return [(row[0], row[1]) for row in rows], [float(row[2]) for row in rows], features


def lambdarank(train, test, **params):
    """LightGBM's lambdarank; by default without the normalisation that ours has not."""
    params = LIGHTGBM | {"objective": "lambdarank", "lambdarank_norm": False, "bagging_by_query": True} | params
    data = lightgbm.Dataset(train.x, train.y, group=train.sizes)
    return lightgbm.train(params, data, ROUNDS).predict(test.x)


def lightgbm_regression(train, test, **params):
    params = LIGHTGBM | {"objective": "regression"} | params
    return lightgbm.train(params, lightgbm.Dataset(train.x, train.y), ROUNDS).predict(test.x)


def scikit_learn(train, test, max_bin=BINS):
    model = HistGradientBoostingRegressor(
        max_iter=ROUNDS,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=MIN_ROWS,
        l2_regularization=0.0,
        max_bins=max_bin,
        early_stopping=False,
    )
    return model.fit(train.x, train.y).predict(test.x)


class Check:
    """One data set: figures of the peers' variants and of ours."""

    def __init__(self, stakes, dataset, metric):
        self.stakes, self.dataset, self.metric = stakes, dataset, metric
        read = lambda fold, part: Items(stakes.folder / fold[part], dataset["features"])
        self.folds = [(read(fold, "train"), read(fold, "test")) for fold in dataset["folds"]]
        self.files = {}

    def peer(self, name, learn, **params):
        rows = []
        for train, test in self.folds:
            scores = learn(train, test, **params)
            rows += [(*key, repr(float(score))) for key, score in zip(test.keys, scores)]
        self.files[name] = self.stakes.write_scores(f"{self.dataset['name']}.{name}", rows)

    def ours(self, name, learner, params):
        options = ["-p", params, "--hold-out", "none"]
        self.files[name], _ = self.stakes.held_out(self.dataset, name, learner, 10, lambda _: options)

    def over_bins(self, name, learn, ours, **params):
        """Both sides with each count of bins, as NAME-BINS and ours-NAME-BINS. `ours` is the
        learner and its parameters, or None."""
        for bins in ALL_BINS:
            self.peer(f"{name}-{bins}", learn, max_bin=bins, **params)
            if ours:
                self.ours(f"ours-{name}-{bins}", ours[0], f"{OURS},{ours[1]}bins={bins}")

    def figures(self):
        return self.stakes.figures(self.dataset, self.files, self.metric)

    def chance(self, ours, peer):
        """p of the paired randomisation test over lists: could the two be equally good?"""
        files = {name: self.files[name] for name in (peer, ours)}
        options = ("--no-references", "--no-intervals", "--baseline", peer, "--test", "randomisation")
        return self.stakes.evaluate(self.dataset, files, [self.metric], *options)["comparisons"][0]["p"]


def over(figures, *prefixes):
    """The figures of all variants whose names begin so."""
    return [value for name, value in figures.items() if name.startswith(prefixes)]


def compared(check, found, name, within, spread, relative):
    """The cells about ours: figure, difference, p, verdict, and the means over bins."""
    peer, ours = found[f"{name}-{BINS}"], found.get(f"ours-{name}-{BINS}")
    theirs, own = over(found, f"{name}-"), over(found, f"ours-{name}-")
    if ours is None:
        return f" | | | not run | {figure(mean(theirs))} | | "
    scale = 1 / peer if relative else 1
    percent = lambda value: f"{100 * value:+.2f} %" if relative else f"{value:+.4f}"
    verdict = "yes" if abs(ours - peer) * scale <= within else FAR
    if verdict == FAR and min(spread) <= ours <= max(spread):
        verdict = "no, but within its spread"
    p = check.chance(f"ours-{name}-{BINS}", f"{name}-{BINS}")
    error = math.sqrt((variance(theirs) + variance(own)) / len(own)) * scale
    means = f"{figure(mean(theirs))} | {figure(mean(own))}"
    difference = f"{percent((mean(own) - mean(theirs)) * scale)} ± {percent(error)[1:]}"
    return f"{figure(ours)} | {percent((ours - peer) * scale)} | {p:.2f} | {verdict} | {means} | {difference}"


def figure(value):
    return f"{value:.4f}" if value < 10 else f"{value:.1f}"


def span(values):
    return f"{figure(min(values))} to {figure(max(values))}"


def table(title, columns):
    print(f"## {title}\n\n| {' | '.join(columns)} |\n{'|---' * len(columns)}|")


def row(side, ours):
    text = f"| {side} | {ours} |"
    print(text, flush=True)
    return text


def ranking(stakes, sets, peers_only):
    columns = ["data set", "test lists", "cutoff", "LightGBM", "with norm", "its spread"]
    columns += ["ours", "difference", "p", f"within {NDCG_WITHIN}", *MEANS]
    table("NDCG@10: LightGBM `lambdarank` and `lambdamart`", columns)
    for name in RANKING:
        for cutoff in CUTOFFS:
            check, start = Check(stakes, sets[name], "ndcg@10"), time.perf_counter()
            level = {"lambdarank_truncation_level": cutoff}
            check.over_bins("bins", lambdarank, None if peers_only else ("lambdamart", f"cutoff=all,pairs={cutoff},"), **level)
            check.peer("norm", lambdarank, lambdarank_norm=True, **level)
            for seed in SEEDS:
                check.peer(f"seed-{seed}", lambdarank, bagging_seed=seed, **BAGGING, **level)
            found = check.figures()
            spread = over(found, "bins-", "seed-")
            side = f"{name} | {sets[name]['lists']} | {cutoff} | {figure(found[f'bins-{BINS}'])}"
            side += f" | {figure(found['norm'])} | {span(spread)}"
            note(f"{name}, cutoff {cutoff}: {time.perf_counter() - start:.0f} s")
            yield row(side, compared(check, found, "bins", NDCG_WITHIN, spread, False))


def regression(stakes, sets, peers_only):
    columns = ["data set", "test rows", "scikit-learn", "its spread", "LightGBM"]
    columns += ["ours", "difference", "p", f"within {100 * RMSE_WITHIN:.0f} %", *MEANS]
    print()
    table("RMSE: scikit-learn's histogram boosting and `mart`", columns)
    for dataset in regression_sets(stakes.folder, sets):
        check, start = Check(stakes, dataset, "rmse"), time.perf_counter()
        check.over_bins("bins", scikit_learn, None if peers_only else ("mart", ""))
        check.peer("lightgbm", lightgbm_regression)
        found = check.figures()
        spread = over(found, "bins-")
        side = f"{dataset['name']} | {dataset['rows']:,} | {figure(found[f'bins-{BINS}'])}"
        side += f" | {span(spread)} | {figure(found['lightgbm'])}"
        note(f"{dataset['name']}: {time.perf_counter() - start:.0f} s")
        yield row(side, compared(check, found, "bins", RMSE_WITHIN, spread, True))


def note(text):
    print(text, file=sys.stderr, flush=True)


def regression_sets(folder, sets):
    """Numeric columns only; concrete in folds by row."""
    for name, dealt in (("concrete", 1), ("crime", 0), ("storms", 0)):
        with open(folder / sets[name]["all_tests"], newline="") as file:
            header, *rows = csv.reader(file)
        keep = [c for c in range(len(header)) if c < 3 or all(is_number(row[c]) for row in rows)]
        table = ([row[c] for c in keep] for row in [header, *rows])
        yield write_table(folder, f"{name}-numeric", table, dealt=itemgetter(dealt))
    yield sets["mslr-sample"]


def is_number(text):
    try:
        return text == "" or float(text) is not None
    except ValueError:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stakes", required=True, help="the program; it measures the peers, too")
    parser.add_argument("--peers-only", action="store_true", help="do not train ours")
    a = parser.parse_args()
    sets = {s["name"]: s for s in json.loads((a.folder / "sets.json").read_text())}
    stakes = Stakes(a.stakes, a.folder)
    peers = ", ".join(f"{name} {version(name)}" for name in ("lightgbm", "scikit-learn"))
    print(f"# Tree learners beside their peers ({peers})\n")
    print(f"{ROUNDS} rounds, rate {RATE}, {LEAVES} leaves, {MIN_ROWS} items in a leaf at least, {BINS} bins; what is")
    print("compared and how: `benches/peers/learners.py`.\n")
    rows = [*ranking(stakes, sets, a.peers_only), *regression(stakes, sets, a.peers_only)]
    sys.exit(any(FAR in row for row in rows))


if __name__ == "__main__":
    main()
