#!/usr/bin/env python3
"""Do two builds of the program learn the same? scripts/same_scores.py OLD NEW [--only NAMES]

Trains every learner of the table with both programs on generated storms, on concrete (lists by
age) and on a part of MQ2008 ($STAKES_DATA, default ../shared/data), scores the same data, and
compares the scores as text: numbers are written so that they read back to the same bits, so equal
texts are equal bits. Ends with 1 if anything differs. Results of OLD are kept in the folder
--keep, so that NEW can be compared again and again.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("STAKES_DATA", ROOT / "../shared/data"))

# Rounds are few: what is compared is every path of the code, not how good it gets.
ROUNDS = {"coordinate-ascent": 3, "cr-coordinate-ascent": 3, "cs-coordinate-ascent": 3}
DEFAULT_ROUNDS = 25
MORE = {
    "auto": ["--effort", "low"],
    "exact-rerank": ["-p", "nodes=200", "--top", "20", "--base", "ridge"],
    "cs-coordinate-ascent": ["-p", "restarts=2"],
    "coordinate-ascent": ["-p", "restarts=2"],
    "cr-coordinate-ascent": ["-p", "restarts=2"],
}


def prepare(stakes, folder):
    """The data sets: name, file, roles."""
    subprocess.run([stakes, "generate", "storms", "--lists", "40", "--rows", "4000", "-o", folder / "storms.csv"], check=True)
    sets = [("storms", "storms.csv", ["--list", "storm", "--impact", "customers_out", "--id", "network", "--time", "date", "-k", "10"])]
    concrete = DATA / "concrete/Concrete_Data.csv"
    if concrete.exists():
        with open(concrete, newline="") as file:
            rows = list(csv.reader(file))
        names = ["cement", "slag", "ash", "water", "plasticizer", "coarse", "fine", "age", "strength"]
        with open(folder / "concrete.csv", "w", newline="") as file:
            csv.writer(file).writerows([names, *rows[1:]])
        sets.append(("concrete", "concrete.csv", ["--list", "age", "--impact", "strength", "-k", "12.5%"]))
    else:
        print(f"skipped: {concrete} is not there", file=sys.stderr)
    queries = DATA / "mq2008/S1.txt.gz"
    if queries.exists():
        sets.append(("mq2008", str(queries), ["--format", "letor", "-k", "10"]))
    else:
        print(f"skipped: {queries} is not there", file=sys.stderr)
    return sets


def scores(stakes, folder, data, roles, learner, has_rounds):
    """The scores of one learner as text, or why there are none."""
    rounds = ["-p", f"rounds={ROUNDS.get(learner, DEFAULT_ROUNDS)}"] if has_rounds else []
    train = [stakes, "train", data, *roles, "--learner", learner, *rounds, *MORE.get(learner, []), "--seed", "7", "-q", "-o", "model.json"]
    done = subprocess.run(train, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        return "refused: " + done.stderr
    roles = roles[: roles.index("-k")]
    rank = [stakes, "rank", "model.json", data, *roles, "--to", "scores"]
    return subprocess.run(rank, cwd=folder, capture_output=True, text=True, check=True).stdout


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("old", type=Path)
    arguments.add_argument("new", type=Path, nargs="?")
    arguments.add_argument("--only", help="learners, with commas")
    arguments.add_argument("--keep", type=Path, help="folder for the results of OLD")
    options = arguments.parse_args()
    keep = options.keep or Path(tempfile.mkdtemp())
    keep.mkdir(parents=True, exist_ok=True)
    old, new = options.old.resolve(), options.new and options.new.resolve()
    table = json.loads(subprocess.run([old, "learners", "--json"], capture_output=True, check=True).stdout)
    learners = [(row["name"], any(p["key"] == "rounds" for p in row["parameters"])) for row in table]
    if options.only:
        learners = [row for row in learners if row[0] in options.only.split(",")]
    same = different = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, data, roles in prepare(old, folder):
            for learner, has_rounds in learners:
                kept = keep / f"{name}-{learner}.txt"
                if not kept.exists():
                    kept.write_text(scores(old, folder, data, roles, learner, has_rounds))
                if new is None:
                    continue
                before, now = kept.read_text(), scores(new, folder, data, roles, learner, has_rounds)
                refused = before.startswith("refused") and now.startswith("refused")
                if before == now or refused:
                    same += 1
                else:
                    different += 1
                    what = now.strip().splitlines()[0] if now.startswith("refused") else "other scores"
                    print(f"{name}, {learner}: {what}")
                if refused:
                    print(f"{name}, {learner}: both refuse: {now.strip()}")
    print(f"{same} the same, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
