"""Everything learnt on one data set, measured by `stakes evaluate`: figures with intervals, and paired
tests of every row against the champion; and the power of these tests (paired.py).

Peers are one family of comparisons: p is corrected (Holm) over them. Our other learners and the
oracle are another, so that more rows of ours do not change what is said about a peer.
"""

import csv
import tempfile
from collections import namedtuple
from pathlib import Path

import numpy as np
import store
from data import items_to_judge
from goal import Goal, Judge
from ours import Stakes
from paired import detectable

LEVEL = 0.05
RANDOM = "random order"
# difference: to the champion; detectable: the smallest that would be found, None where there are no scores.
Row = namedtuple("Row", "value low high difference p detectable")
ONE_TRAINING = "two-part"  # the measure of work


class Comparison:
    """`rows`: goal -> name -> Row; `seconds`: name -> processor seconds; `work`: the same in trainings of
    our two-part model on the same folds; `missing`: names."""

    def __init__(self, stakes, folder, dataset, results, champion, peers):
        """`results`: name -> the files of the folds. Only what all folds have is shown."""
        self.dataset, self.champion, self.goals = dataset, champion, dataset["metrics"]
        complete = {name: files for name, files in results.items() if all(file.exists() for file in files)}
        self.missing = [name for name in results if name not in complete]
        self.peers = [name for name in results if name in peers]
        self.rows, self.seconds, self.work = {goal: {} for goal in self.goals}, {}, {}
        if champion not in complete:
            return
        found = {name: [store.read(file) for file in files] for name, files in complete.items()}
        self.seconds = {name: sum(about["seconds"] for _, about in folds) for name, folds in found.items()}
        if ONE_TRAINING in self.seconds:  # it learns once for each goal
            training = self.seconds[ONE_TRAINING] / len(self.goals)
            self.work = {name: seconds / training for name, seconds in self.seconds.items()}
        self.items = items_to_judge(folder, dataset, dataset["folds"])
        for goal in self.goals:
            scores = {name: np.concatenate([fold[goal] for fold, _ in folds]) for name, folds in found.items()}
            self.compare(Stakes(stakes, folder), goal, scores)

    def compare(self, program, goal, scores):
        judge = Judge(Goal(goal), self.items)
        added = {name: judge.by_list(some) for name, some in scores.items()}
        self.power = {name: detectable(some, added[self.champion]) for name, some in added.items()}
        with tempfile.TemporaryDirectory() as work:
            files = {name: self.write(Path(work, f"{name}.csv"), some) for name, some in scores.items()}
            if "oracle" in self.dataset:
                files["oracle"] = program.folder / self.dataset["oracle"]
            others = [name for name in files if name != self.champion]
            self.measure(program, goal, files, [name for name in others if name in self.peers])
            self.measure(program, goal, files, [name for name in others if name not in self.peers])

    def write(self, path, scores):
        return write_scores(path, [self.items.keys], [scores])

    def measure(self, program, goal, files, family):
        """The champion and one family; with them, a random order."""
        files = {name: files[name] for name in [self.champion, *family]}
        tests = ["--baseline", self.champion, "--test", "randomisation", "--correction", "holm"]
        found = program.evaluate(self.dataset, files, [goal], *tests)
        against = {test["score"]: test for test in found["comparisons"]}
        for row in found["results"]:
            name = RANDOM if row["score"] == "random" else row["score"]
            if name in (*files, RANDOM):
                test = against.get(name, {})
                cells = row["value"], row["low"], row["high"], test.get("difference"), test.get("p_adjusted")
                self.rows[goal][name] = Row(*cells, self.power.get(name))

    def best(self, goal, names):
        """The one of them with the best figure, or None."""
        there = [name for name in names if name in self.rows[goal]]
        return max(there, key=lambda name: self.rows[goal][name].value, default=None)

    def verdict(self, goal, name):
        """Of the champion against a row: win, tie or loss."""
        row = self.rows[goal][name]
        return "tie" if row.p >= LEVEL else ("win" if row.difference < 0 else "loss")

    def verdicts(self, goal, names):
        return [self.verdict(goal, name) for name in names if name in self.rows[goal]]


def write_scores(path, keys, scores):
    """`keys` and `scores`: fold by fold."""
    rows = [(*key, repr(float(score))) for fold in zip(keys, scores) for key, score in zip(*fold, strict=True)]
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("list", "id", "score"), *rows])
    return path
