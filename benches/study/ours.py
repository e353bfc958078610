"""Our learners, as a user calls them: `stakes train` and `stakes rank` on one thread."""

import csv
import hashlib
import resource
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from program import Stakes, roles  # noqa: E402

# Name in the tables, learner, options of `stakes train`. NAMED: single learners at their defaults. The
# first of OURS is what a user gets without asking: it is compared with all others.
NAMED = [
    ("two-part", "two-part", []),
    ("tweedie-mart", "tweedie-mart", []),
    ("cs-mart", "cs-mart", []),
]
OURS = [("auto", "auto", []), ("auto-low", "auto", ["-p", "effort=low"]), *NAMED]


def identity(path):
    """What tells one program from another."""
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return {"version": Stakes(path, ".").call("--version").strip(), "bytes": digest}


def learn(path, folder, dataset, fold, learner, options):
    """Scores of the test items by goal: (list, id) -> score; and the processor seconds of training,
    reading the file and writing the model included."""
    stakes = Stakes(path, folder, threads=1)
    valid = ["--valid", folder / fold["valid"]] if "valid" in fold else []
    found, seconds = {}, 0.0
    with tempfile.TemporaryDirectory() as work:
        model, ranked = Path(work, "model.json"), Path(work, "ranked.csv")
        for k, goal in zip(dataset["k"], dataset["metrics"]):
            started = children()
            chosen = [*roles(dataset), "-k", k, "--metric", goal, "--learner", learner, *options, *valid]
            stakes.call("train", folder / fold["train"], *chosen, "--no-baseline", "--quiet", "-o", model)
            seconds += children() - started
            stakes.call("rank", model, folder / fold["test"], "-o", ranked)
            with open(ranked, newline="") as file:
                found[goal] = {(row["list"], row["id"]): float(row["score"]) for row in csv.DictReader(file)}
    return found, seconds


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
