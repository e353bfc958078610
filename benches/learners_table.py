"""Every learner on every data set, on lists it did not learn from:
learners_table.py FOLDER --stakes PATH [--only NAMES] [--learner NAMES]

FOLDER is made by scripts/prepare_data.py. Each learner is trained with its defaults for each k
on each fold (lists for early stopping are held out of the training lists, or are the fold's own
validation lists), and all folds' test lists are measured together. An interval is over lists.
Beside the learners stand a random order, the best single feature (chosen on these very lists)
and the ideal order. A set may name further metrics (`also`) that its scores are measured by.
Seconds are of training and ranking, reading included, for all folds.
"""

import argparse
import json
import sys
from pathlib import Path

from program import Stakes

REFERENCES = {"best-feature": "best single feature", "random": "random order", "ideal": "ideal order"}


def measure(stakes, dataset, learners):
    """(kind, row, metric) -> cells for figure with interval and for seconds."""
    cells, failed = {}, []
    for k, metric in zip(dataset["k"], dataset["metrics"]):
        files, seconds = {}, {}
        for learner in learners:
            sides = lambda fold: ["--valid", stakes.folder / fold["valid"]] if "valid" in fold else []
            options = lambda fold: [*sides(fold), "--metric", metric]
            try:
                # References have names like some learners.
                name = f"learner {learner}"
                files[name], seconds[name] = stakes.held_out(dataset, learner, learner, k, options)
            except RuntimeError as error:
                failed.append(f"{dataset['name']}, {learner}, {metric}: {error}")
                print(failed[-1], file=sys.stderr, flush=True)
        asked = [metric, *dataset.get("also", [])]
        rows = stakes.evaluate(dataset, files, asked, "--test", "t")["results"] if files else []
        # Metrics come back with all their conventions, in the order they were asked for.
        names = dict(zip(dict.fromkeys(row["metric"] for row in rows), asked))
        for row in rows:
            rivals = [r["value"] for r in rows if r["metric"] == row["metric"] and r["kind"] == "score"]
            best = max(rivals, default=None)
            text = f"{row['value']:.4f}"
            text = f"**{text}**" if row["value"] == best and row["kind"] == "score" else text
            if row["low"] is not None and row["score"] != "ideal":
                text += f" [{row['low']:.3f}, {row['high']:.3f}]"
            text += f" {row['feature']['name']}" if "feature" in row else ""
            times = seconds.get(row["score"]) if row["kind"] == "score" else None
            cells[row["kind"], row["score"], names[row["metric"]]] = (text, f"{times[0]:.1f} + {times[1]:.1f}" if times else "")
    return cells, failed


def show(dataset, cells, learners):
    counts = f"{dataset['rows']:,} items in {dataset['lists']} test lists, {dataset['features']} features"
    print(f"## {dataset['name']}\n\n{counts}, {len(dataset['folds'])} fold(s)\n")
    goals, also = dataset["metrics"], dataset.get("also", [])
    heads = [f"{metric} | seconds" for metric in goals] + also
    print("| learner | " + " | ".join(heads) + " |")
    print("|---" * (1 + 2 * len(goals) + len(also)) + "|")
    rows = [("score", f"learner {name}", name) for name in learners]
    rows += [("reference", name, words) for name, words in REFERENCES.items()]
    for kind, name, words in rows:
        cell = lambda metric: cells.get((kind, name, metric), ("failed", ""))
        row = [" | ".join(cell(metric)) for metric in goals] + [cell(metric)[0] for metric in also]
        print(f"| {words} | " + " | ".join(row) + " |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stakes", required=True)
    parser.add_argument("--only", help="data sets, with commas")
    parser.add_argument("--learner", help="learners, with commas")
    a = parser.parse_args()
    stakes = Stakes(a.stakes, a.folder)
    learners = a.learner.split(",") if a.learner else stakes.learners()
    sets = json.loads((a.folder / "sets.json").read_text())
    failed = []
    print("# Every learner on lists it did not learn from\n")
    print("Defaults everywhere; how it is measured: `benches/learners_table.py`.\n")
    for dataset in sets:
        if not a.only or dataset["name"] in a.only.split(","):
            cells, complaints = measure(stakes, dataset, learners)
            show(dataset, cells, learners)
            failed += complaints
    if failed:
        sys.exit(f"{len(failed)} runs failed")


if __name__ == "__main__":
    main()
