#!/usr/bin/env python3
"""How fast exact search is where it is meant to be: exact_goals.py [--stakes PATH] [--data DATA]
    [--time-limit 60] [--only pima] [--method cones]

The first 20, 30 and 50 items of Pima and UIS by logistic regression (of all rows, default parameters) as a
list of their own, DCG with a gain of 1 for a positive. For each, one line of
  - coordinate ascent from 40 starts (the learner coordinate-ascent), its value and time,
  - the search alone within one second (method=search), its value,
  - the whole within the time limit: value, bound, gap, seconds, nodes, and when the gap first was below 1 %.
Run it while nothing else runs.
"""

import argparse
import csv
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

METRIC = "clrs-dcg:y=binary"


def rows_of(name, data):
    """Column names and rows of a set; the last column is the label, 0 or 1."""
    if name == "pima":
        names = "pregnant glucose pressure skinfold insulin mass pedigree age label".split()
        lines = (data / "pima/pima-indians-diabetes.data").read_text().split()
        return names, [line.split(",") for line in lines]
    names = "AGE BECK IVHX NDRGTX RACE TREAT SITE".split()
    with open(data / "uis/uis.csv", newline="", encoding="utf-8") as text:
        rows = list(csv.DictReader(text))
    return [*names, "label"], [[*(row[n] for n in names), row["DFREE"]] for row in rows]


def write(path, names, rows):
    with open(path, "w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows([names, *rows])


def run(*command):
    begun = time.time()
    out = subprocess.run(command, capture_output=True, text=True)
    if out.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{out.stderr}")
    return out.stdout, time.time() - begun


def first_items(stakes, folder, name, data, count):
    """A file of the items that logistic regression puts first."""
    names, rows = rows_of(name, data)
    everything, model, scores = folder / "all.csv", folder / "base.json", folder / "scores.txt"
    write(everything, names, rows)
    run(stakes, "train", everything, "--impact", "label", "--learner", "logistic", "--no-baseline", "-o", model)
    run(stakes, "rank", model, everything, "-o", scores)
    order = [float(line) for line in scores.read_text().split()]
    first = sorted(range(len(rows)), key=lambda row: -order[row])[:count]
    path, scores = folder / "first.csv", folder / "first.txt"
    write(path, names, [rows[row] for row in first])
    # Beside the data: a column of them would be a feature.
    scores.write_text("".join(f"{order[row]!r}\n" for row in first))
    return path, scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stakes", default="target/release/stakes")
    parser.add_argument("--data", type=Path, default=os.environ.get("STAKES_DATA", "../shared/data"))
    parser.add_argument("--only", type=lambda text: text.split(","), default=["pima", "uis"])
    parser.add_argument("--items", type=lambda text: list(map(int, text.split(","))), default=[20, 30, 50])
    parser.add_argument("--time-limit", default="60")
    parser.add_argument("--method", default="auto")
    args = parser.parse_args()
    print("| set | items | 40 starts | seconds | search, 1 s | found | bound | gap | seconds | nodes | ended |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in args.only:
        for count in args.items:
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                path, base = first_items(args.stakes, folder, name, Path(args.data), count)
                ascent = ["--learner", "coordinate-ascent", "-p", "restarts=40", "-p", f"metric={METRIC}"]
                data = [path, "--impact", "label"]
                model = folder / "ascent.json"
                _, taken = run(
                    args.stakes, "train", *data, "--metric", METRIC, *ascent, "--no-baseline", "-o", model
                )
                certify = [args.stakes, "certify", *data, "--metric", METRIC, "--json"]
                certify += ["--time-limit", "1", "-p", "method=search"]
                starts = json.loads(run(*certify, "--model", model)[0])["before"]
                by_base = [args.stakes, "certify", *data, "--score-file", base, "--metric", METRIC, "--json"]
                soon = json.loads(run(*by_base, "--time-limit", "1", "-p", "method=search")[0])
                limit = ["--time-limit", args.time_limit, "-p", f"method={args.method}"]
                best = json.loads(run(*by_base, *limit)[0])
            cells = [name, count, f"{starts:.6f}", f"{taken:.2f}", f"{soon['value']:.6f} in {soon['seconds']:.2f} s"]
            cells += [f"{best['value']:.6f}", f"{best['bound']:.6f}", f"{100 * best['gap']:.3f} %"]
            cells += [f"{best['seconds']:.2f}", best["nodes"], best["ended"]]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


main()
