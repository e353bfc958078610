"""Are our nets right? Each is gone through again in NumPy, and minimised again by scipy:
check_nets.py FOLDER --stakes PATH     (FOLDER: see scripts/prepare_data.py)

- Scores: linear scores and nets with one and two hidden layers, relu and tanh, of every learner
  that is a net, from the model file by matrix products of NumPy; to 1e-9 of the largest score.
- Real costs, which left the cells of ListNet empty in the papers' tables: `listnet` and
  `cr-listnet` on held-out lists of crime, concrete and forest fires must save more than chance.
- Minima: `ranknet` and `listnet` on a linear score with a penalty, all lists at a time and
  without an end in sight; scipy (L-BFGS) minimises the formula as it is printed. Ours must be no
  higher than 1e-3 of theirs.

Inputs are made here once more from the file of data: what is compared is all of the way from
there to the scores.
"""

import argparse
import csv
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "benches"), str(ROOT / "benches" / "peers")]
from learners import read_csv, read_letor  # noqa: E402
from program import Stakes, roles  # noqa: E402

LEARNERS = ["ranknet", "cr-ranknet", "listnet", "cr-listnet", "lambdarank", "cs-lambdarank"]
SHAPES = [("0", "relu"), ("8", "relu"), ("8", "tanh"), ("8,4", "tanh")]
SCORES_WITHIN, LOSS_WITHIN, L2 = 1e-9, 1e-3, 0.01


class Data:
    """Rows of a training file."""

    def __init__(self, stakes, dataset):
        self.name = dataset["name"]
        self.path = stakes.folder / dataset["folds"][0]["train"]
        self.roles = roles(dataset)
        read = read_letor if self.path.suffix == ".txt" else read_csv
        keys, impacts, rows = read(self.path, dataset["features"])
        self.y = np.array(impacts)
        self.x = np.array(rows, dtype=np.float32)
        names = np.array([key[0] for key in keys])
        self.keys = keys
        self.lists = [np.flatnonzero(names == name) for name in dict.fromkeys(names)]
        cost = 2**self.y - 1 if dataset["roles"].get("cost") == "exp2" else self.y
        # As the losses see them: in units of their mean, in 24 bits.
        self.cost = (cost / cost.mean()).astype(np.float32).astype(np.float64)


def inputs_of(net, x):
    """What the first layer sees, column by column."""

    def column(given):
        ((kind, what),) = given.items()
        values = x[:, what["feature"]].astype(np.float64)
        if kind == "number":
            return np.where(np.isnan(values), 0.0, (values - what["mean"]) / what["deviation"])
        if kind == "missing":
            return np.isnan(values).astype(np.float64)
        return (values == what["code"]).astype(np.float64)

    return np.stack([column(given) for given in net["inputs"]], axis=1)


def forwards(net, x):
    values = inputs_of(net, x)
    for layer in net["layers"]:
        biases = np.array(layer["biases"])
        weights = np.array(layer["weights"]).reshape(len(biases), -1)
        values = values @ weights.T + biases
        if layer["activation"] == "relu":
            values = np.maximum(values, 0.0)
        elif layer["activation"] == "tanh":
            values = np.tanh(values)
    return values[:, 0]


def train(stakes, data, learner, params):
    """The net of a model, and the scores that the program gives to the same rows."""
    with tempfile.TemporaryDirectory() as folder:
        model, ranked = Path(folder) / "model.json", Path(folder) / "ranked.csv"
        given = [part for key, value in params.items() for part in ("-p", f"{key}={value}")]
        what = [data.path, *data.roles, "-k", 10, "--learner", learner, *given]
        stakes.call("train", *what, "--hold-out", "none", "--no-baseline", "-o", model)
        stakes.call("rank", model, data.path, "-o", ranked)
        factor = json.loads(model.read_text())["scorer"]["factors"][0]
        with open(ranked, newline="") as file:
            scores = {(row["list"], row["id"]): float(row["score"]) for row in csv.DictReader(file)}
    return factor["net"], np.array([scores[key] for key in data.keys])


def ranknet(data):
    """Mean over lists of the mean over pairs of log(1 + exp(-(s_i - s_j)))."""
    pairs = []
    for items in data.lists:
        i, j = np.nonzero(data.cost[items][:, None] > data.cost[items][None, :])
        if len(i):
            pairs.append((items[i], items[j]))

    def loss(s):
        value, by_score = 0.0, np.zeros_like(s)
        for i, j in pairs:
            gap = s[i] - s[j]
            value += np.logaddexp(0.0, -gap).mean()
            pull = 1.0 / (1.0 + np.exp(np.clip(gap, -700, 700))) / len(i)
            np.subtract.at(by_score, i, pull)
            np.add.at(by_score, j, pull)
        return value / len(data.lists), by_score / len(data.lists)

    return loss


def listnet(data):
    """Mean over lists of the cross entropy of softmax(cost / deviation of costs) and softmax(score)."""

    cost = data.cost / data.cost.std()

    def loss(s):
        value, by_score = 0.0, np.zeros_like(s)
        for items in data.lists:
            target = np.exp(cost[items] - logsumexp(cost[items]))
            log_share = s[items] - logsumexp(s[items])
            value -= target @ log_share
            by_score[items] = np.exp(log_share) - target
        return value / len(data.lists), by_score / len(data.lists)

    return loss


def penalised(loss, x):
    def of_weights(w):
        value, by_score = loss(x @ w)
        return value + L2 / 2 * w @ w, x.T @ by_score + L2 * w

    return of_weights


class Table:
    """Rows as they are found, and whether all were right."""

    def __init__(self):
        self.failed = False
        print("| data | learner | what | ours | theirs | apart | |\n|---|---|---|---|---|---|---|")

    def row(self, data, learner, what, values, apart, within):
        self.failed |= not apart <= within
        ours, theirs = (f"{value:.9g}" for value in values) if values else ("", "")
        mark = "" if apart <= within else "**no**"
        print(f"| {data} | {learner} | {what} | {ours} | {theirs} | {apart:.1e} | {mark} |", flush=True)


def check_scores(stakes, data, table):
    for learner in LEARNERS:
        for hidden, activation in SHAPES:
            params = {"hidden": hidden, "activation": activation, "nets": 3, "rounds": 5}
            net, ours = train(stakes, data, learner, params)
            theirs = forwards(net, data.x)
            apart = np.abs(ours - theirs).max() / np.abs(theirs).max()
            table.row(data.name, learner, f"scores, hidden {hidden} {activation}", None, apart, SCORES_WITHIN)


def check_real_costs(stakes, dataset, table):
    k = dataset["k"][0]
    keys = all_tests(stakes.folder / dataset["all_tests"], dataset["roles"])
    chance = stakes.write_scores(f"{dataset['name']}.chance", [(*key, 0) for key in keys])
    for learner in ["listnet", "cr-listnet"]:
        scores, _ = stakes.held_out(dataset, learner, learner, k, lambda fold: [])
        found = stakes.figures(dataset, {"ours": scores, "chance": chance}, f"rcs@{k}")
        values = found["ours"], found["chance"]
        apart = max(0.0, values[1] - values[0])
        table.row(dataset["name"], learner, f"rcs@{k} beside chance", values, apart, 0.0)


def all_tests(path, columns):
    with open(path, newline="") as file:
        return [(row[columns["list"]], row[columns["id"]]) for row in csv.DictReader(file)]


def check_minima(stakes, data, table):
    for learner, loss in [("ranknet", ranknet(data)), ("listnet", listnet(data))]:
        params = {"hidden": 0, "l2": L2, "batch": len(data.lists), "rounds": 2000, "patience": 0}
        net, _ = train(stakes, data, learner, params)
        objective = penalised(loss, inputs_of(net, data.x))
        ours = objective(np.array(net["layers"][0]["weights"]))[0]
        options = {"maxiter": 5000, "maxfun": 20_000, "ftol": 1e-14, "gtol": 1e-9}
        start = np.zeros(len(net["inputs"]))
        theirs = minimize(objective, start, jac=True, method="L-BFGS-B", options=options).fun
        table.row(data.name, learner, f"loss, l2 = {L2}", (ours, theirs), ours / theirs - 1, LOSS_WITHIN)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stakes", type=Path, required=True)
    given = parser.parse_args()
    stakes = Stakes(given.stakes, given.folder)
    sets = {d["name"]: d for d in json.loads((given.folder / "sets.json").read_text())}
    table = Table()
    check_scores(stakes, Data(stakes, sets["concrete"]), table)
    for name in ["crime", "concrete", "forestfires"]:
        check_real_costs(stakes, sets[name], table)
    for name in ["concrete", "mq2008"]:
        check_minima(stakes, Data(stakes, sets[name]), table)
    sys.exit(table.failed)


if __name__ == "__main__":
    main()
