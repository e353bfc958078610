"""Command lines of `stakes train`, and peers, on chosen sets: R_CS, paired differences, processor seconds.
try.py SET... [--ours 'NAME: OPTIONS']... [--peers NAMES] [--folds N] [--threads N] [--workers N]
       [--stakes PATH] [--cache DIR] [--fresh] [--list]

    try.py claims-dev --ours 'two-part: --learner two-part' \\
        --ours 'calm: --learner two-part -p leaves=7' --peers lightgbm-two-part-calm

The first row is compared with all others: other minus first, p of random signs over lists, and
in brackets the smallest difference that these lists could show. Results are kept (store.py): what
has been tried costs nothing. The cache is that of study.py; --list shows sets and peers.
"""

import argparse
import json
import os
import shlex
import sys
import warnings
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):  # read when numpy and others are imported
    os.environ[f"{library}_NUM_THREADS"] = "1"
warnings.filterwarnings("ignore")

import jobs  # noqa: E402
import numpy as np  # noqa: E402
import ours  # noqa: E402
import store  # noqa: E402
from data import items_to_judge  # noqa: E402
from goal import Goal, Judge  # noqa: E402
from paired import paired  # noqa: E402
from peers import PEERS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def row_of(text):
    """'NAME: --learner two-part -p leaves=7' -> name, learner, options."""
    name, colon, options = text.partition(":")
    options = shlex.split(options)
    if not colon:
        sys.exit(f"--ours {text!r}: give 'NAME: OPTIONS', such as 'calm: --learner two-part -p leaves=7'")
    learner = "auto"
    if "--learner" in options:
        place = options.index("--learner")
        learner = options[place + 1]
        del options[place : place + 2]
    return name.strip(), learner, options


def planned(options, dataset):
    """name -> the jobs of its folds."""
    program, found = ours.identity(options.stakes), {}
    for job, made_of in jobs.fold_jobs(options.cache / "data", dataset, options.folds):
        for row in map(row_of, options.ours):
            made = jobs.of_ours(job, made_of, options.cache / "tried", row, options.stakes, program, options.threads)
            found.setdefault(row[0], []).append(made)
        for peer in PEERS:
            if peer.name in options.peers.split(","):
                made = jobs.of_peer(job, made_of, options.cache / "results", peer, options.budget)
                found.setdefault(peer.name, []).append(made)
    return found


def show(options, dataset, plan):
    """The table of one set."""
    folds = dataset["folds"][: options.folds]
    items = items_to_judge(options.cache / "data", dataset, folds)
    print(f"\n{dataset['name']} ({dataset['part']}), {len(items.sizes)} lists, {len(items.cost):,} items")
    parts = {}
    for name, some in plan.items():
        if not all(job["path"].exists() for job in some):
            continue
        found = [store.read(job["path"]) for job in some]
        seconds = sum(about["seconds"] for _, about in found)
        cells = []
        for goal in dataset["metrics"]:
            added = Judge(Goal(goal), items).by_list(np.concatenate([scores[goal] for scores, _ in found]))
            first = parts.setdefault(goal, added)
            cell = f"{goal} {added.sum():.4f}"
            if first is not added:
                test = paired(added, first)
                cell += f" {test.difference:+.4f} p {test.p:.3f} [{test.detectable:.4f}]"
            cells.append(f"{cell:45}")
        print(f"  {name:26} {''.join(cells)} {seconds:8.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--ours", action="append", default=[], metavar="'NAME: OPTIONS'")
    parser.add_argument("--peers", default="", help="names with commas")
    parser.add_argument("--folds", type=int, help="only the first so many")
    parser.add_argument("--threads", type=int, default=1, help="of one training of ours")
    parser.add_argument("--workers", type=int, default=1, help="trainings at a time")
    parser.add_argument("--budget", type=int, default=8, help="configurations of a peer that is tuned")
    parser.add_argument("--stakes", type=Path, default=ROOT / "target/release/stakes", help="the program")
    parser.add_argument("--cache", type=Path, default=ROOT / "target/study", help="where data and results are")
    parser.add_argument("--fresh", action="store_true", help="make anew what the cache has")
    parser.add_argument("--list", action="store_true", help="show sets and peers")
    options = parser.parse_args()
    sets = {one["name"]: one for one in json.loads((options.cache / "data/sets.json").read_text())}
    if options.list:
        for one in sets.values():
            print(f"{one['name']:22} {one['part']:12} {one['lists']:5} lists  {', '.join(one['metrics'])}")
        print("peers:", ", ".join(peer.name for peer in PEERS))
    strange = [name for name in options.sets if name not in sets]
    if strange:
        sys.exit(f"no set {', '.join(strange)}: there are {', '.join(sets)}")
    for name in options.sets:
        plan = planned(options, sets[name])
        todo = [job for some in plan.values() for job in some if options.fresh or not job["path"].exists()]
        complaints = jobs.work(todo, options.workers) if todo else []
        show(options, sets[name], plan)
        print(*complaints, sep="\n", end="")


if __name__ == "__main__":
    main()
