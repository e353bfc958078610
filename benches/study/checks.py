"""Is goal.py what `stakes evaluate` measures? The study begins with these tests.

Random scores, coarse ones with many ties, and one value for all, on the first test fold of a table
and of MQ2008. And: our objective for LightGBM must be the sum over pairs, taken one by one; a detectable
difference must be found in four of five trials.
"""

import tempfile
from pathlib import Path

import numpy as np
from compare import write_scores
from data import Fold, Items
from goal import Goal, Judge
from lightgbm_peers import Lambdas
from ours import Stakes
from paired import DETECTABLE, detectable


def same_figures(stakes, folder, dataset):
    test = Fold(folder, dataset, dataset["folds"][0]).test
    random = np.random.default_rng(1).normal(size=len(test.cost))
    program = Stakes(stakes, folder)
    with tempfile.TemporaryDirectory() as work:
        for name, scores in {"normal": random, "ties": np.round(random), "equal": 0 * random}.items():
            files = {name: write_scores(Path(work, f"{name}.csv"), [test.keys], [scores])}
            one_fold = dataset | {"all_tests": dataset["folds"][0]["test"]}
            for metric in dataset["metrics"]:
                figure, own = program.figures(one_fold, files, metric)[name], Judge(Goal(metric), test)(scores)
                assert abs(figure - own) < 1e-9, f"{dataset['name']}, {metric}, {name}: {figure} and {own}"


def right_lambdas():
    random = np.random.default_rng(2)
    names = [f"list {number}" for number in (0, 0, 0, 0, 0, 1, 1, 1)]
    keys = [(name, row) for row, name in enumerate(names)]
    items = Items(np.zeros((8, 1)), random.integers(0, 9, 8).astype(float), keys)
    goal, sigma, scores = Goal("rcs@3"), 1.5, random.normal(size=8)
    gradient, second = Lambdas(goal, items, sigma)(scores, None)
    judge, slow = Judge(goal, items), np.zeros((2, 8))
    for better in range(8):
        for worse in range(8):
            if items.lists[better] == items.lists[worse] and items.cost[better] > items.cost[worse]:
                changed = scores.copy()
                changed[[better, worse]] = scores[[worse, better]]
                change = abs(judge(changed) - judge(scores)) * 8
                wrong = 1 / (1 + np.exp(sigma * (scores[better] - scores[worse])))
                slow[0, [better, worse]] += sigma * change * wrong * np.array([-1, 1])
                slow[1, [better, worse]] += sigma**2 * change * wrong * (1 - wrong)
    assert np.allclose(gradient, slow[0]) and np.allclose(second, slow[1], atol=1e-8)


def right_power():
    """Lists of very unequal size; the test is that of a mean with a known standard error."""
    random = np.random.default_rng(3)
    sizes = random.lognormal(0.0, 1.0, 400)
    least = detectable(random.normal(size=(1000, 400)) * sizes, np.zeros((1000, 400)))
    trials = random.normal(size=(1000, 400)) * sizes + least[:, None] / 400
    found = np.abs(trials.sum(axis=1)) > 1.96 * least / DETECTABLE
    assert 0.75 < found.mean() < 0.85, f"{found.mean()} of all trials find it"


def check(stakes, folder, sets):
    for dataset in sets:
        if dataset["name"] in ("forestfires", "mq2008"):
            same_figures(stakes, folder, dataset)
    right_lambdas()
    right_power()
