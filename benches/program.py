"""The program `stakes` as the checks call it: train and rank fold by fold, evaluate once.

Scores of all folds' test items are put into one file and evaluated once on the file that
holds all tests. So R_CS is the sum of what was saved over the sum of what could be, and not a
mean of folds; means over lists count every list once.
"""

import csv
import json
import subprocess
import time
from pathlib import Path


class Stakes:
    """The program at `path`; files of `sets.json` (scripts/prepare_data.py) are in `folder`."""

    def __init__(self, path, folder, threads=None):
        self.path, self.folder = str(path), Path(folder)
        self.threads = ["--threads", str(threads)] if threads else []

    def call(self, *arguments):
        """What the command prints; its complaint, if it fails, with the command."""
        command = [self.path, *map(str, arguments), *self.threads]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr.strip()}")
        return done.stdout

    def learners(self):
        """Names of all learners."""
        return [row["name"] for row in json.loads(self.call("learners", "--json"))]

    def held_out(self, dataset, name, learner, k, options):
        """Trains on each fold, with `options(fold)`, and ranks its test lists: the file with
        all scores, and the seconds of (training, ranking), reading files included."""
        model, ranked = self.folder / "model.json", self.folder / "ranked.csv"
        rows, seconds = [], [0.0, 0.0]
        for fold in dataset["folds"]:
            start = time.perf_counter()
            train = [self.folder / fold["train"], *roles(dataset), "-k", k, "--learner", learner]
            self.call("train", *train, *options(fold), "--no-baseline", "-o", model)
            middle = time.perf_counter()
            self.call("rank", model, self.folder / fold["test"], "-o", ranked)
            seconds = [seconds[0] + middle - start, seconds[1] + time.perf_counter() - middle]
            with open(ranked, newline="") as file:
                rows += [(row["list"], row["id"], row["score"]) for row in csv.DictReader(file)]
        return self.write_scores(f"{dataset['name']}.{name}", rows), seconds

    def write_scores(self, name, rows):
        """A file of (list, id, score)."""
        path = self.folder / f"{name}.scores.csv"
        with open(path, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([("list", "id", "score"), *rows])
        return path

    def evaluate(self, dataset, scores, metrics, *options):
        """The JSON of `stakes evaluate` for named score files on all test lists."""
        files = [part for name, path in scores.items() for part in ("--score-file", f"{name}={path}")]
        data = self.folder / dataset["all_tests"]
        text = self.call("evaluate", data, *roles(dataset), *files, "-m", ",".join(metrics), "--json", *options)
        return json.loads(text)

    def figures(self, dataset, scores, metric):
        """name -> figure."""
        found = self.evaluate(dataset, scores, [metric], "--no-references", "--no-intervals", "--test", "t")
        return {row["score"]: row["value"] for row in found["results"]}


def roles(dataset):
    """The columns, as options; LETOR files say them themselves."""
    return [part for role, column in dataset["roles"].items() for part in (f"--{role}", column)]
