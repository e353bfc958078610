"""Everything learnt on one data set, measured by `stakes evaluate`: figures with intervals, and paired
tests of every row against the champion.

Peers are one family of comparisons: p is corrected (Holm) over them. Our other learners and the
oracle are another, so that more rows of ours do not change what is said about a peer.
"""

import csv
import tempfile
from collections import namedtuple
from pathlib import Path

import store
from data import keys_of
from ours import Stakes

LEVEL = 0.05
RANDOM = "random order"
Row = namedtuple("Row", "value low high difference p")  # difference: to the champion


class Comparison:
    """`rows`: goal -> name -> Row; `seconds`: name -> processor seconds; `missing`: names."""

    def __init__(self, stakes, folder, dataset, results, champion, peers):
        """`results`: name -> the files of the folds. Only what all folds have is shown."""
        self.dataset, self.champion, self.goals = dataset, champion, dataset["metrics"]
        complete = {name: files for name, files in results.items() if all(file.exists() for file in files)}
        self.missing = [name for name in results if name not in complete]
        self.rows, self.seconds = {goal: {} for goal in self.goals}, {}
        if champion not in complete:
            return
        program = Stakes(stakes, folder)
        found = {name: [store.read(file) for file in files] for name, files in complete.items()}
        self.seconds = {name: sum(about["seconds"] for _, about in folds) for name, folds in found.items()}
        keys = [sorted(keys_of(folder / fold["test"], dataset["format"])) for fold in dataset["folds"]]
        for goal in self.goals:
            with tempfile.TemporaryDirectory() as work:
                files = {"oracle": folder / dataset["oracle"]} if "oracle" in dataset else {}
                for name, folds in found.items():
                    scores = [scores[goal] for scores, _ in folds]
                    files[name] = write_scores(Path(work, f"{name}.csv"), keys, scores)
                others = [name for name in files if name != champion]
                self.measure(program, goal, files, [name for name in others if name in peers])
                self.measure(program, goal, files, [name for name in others if name not in peers])

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
                self.rows[goal][name] = Row(*cells)

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
