"""The study: our learners beside what people would use instead, by the cost they save.
study.py [--stakes PATH] [--cache DIR] [--output FILE] [--only SETS] [--peers NAMES] [--fresh]
         [--champion NAME] [--budget N] [--workers N] [--report] [--quick]

prepare.py makes CACHE/data from $STAKES_DATA, once. What was learnt is kept in CACHE/results; only what is
not there is made. --only and --peers (names with commas; ours, too) say what to make; the document shows all
that is there. --fresh makes it anew. --report makes nothing. --quick writes no document (quick.py).
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):  # read when numpy and others are imported
    os.environ[f"{library}_NUM_THREADS"] = "1"
warnings.filterwarnings("ignore")

import checks  # noqa: E402
import jobs  # noqa: E402
import ours  # noqa: E402
from peers import PEERS, expanded, peers_of  # noqa: E402
from quick import quick  # noqa: E402
from report import Report  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def prepare(folder, stakes):
    """The data, unless these very scripts have made it before."""
    scripts, stamp = [ROOT / "benches/study/prepare.py", ROOT / "scripts/prepare_data.py"], folder / "made-by.txt"
    digest = hashlib.sha256(b"".join(script.read_bytes() for script in scripts)).hexdigest()
    if not stamp.exists() or stamp.read_text() != digest:
        subprocess.run([sys.executable, scripts[0], folder, "--stakes", stakes], check=True, stdout=sys.stderr)
        stamp.write_text(digest)


def planned(options, sets):
    """Everything there is to learn."""
    program, results, found = ours.identity(options.stakes), options.cache / "results", []
    for dataset in sets:
        for job, made_of in jobs.fold_jobs(options.data, dataset):
            for row in ours.OURS:
                found.append(jobs.of_ours(job, made_of, results, row, options.stakes, program))
            for peer in peers_of(dataset):
                found.append(jobs.of_peer(job, made_of, results, peer, options.budget))
    return found


def main():
    names = [name for name, *_ in ours.OURS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stakes", type=Path, default=ROOT / "target/release/stakes", help="the program")
    parser.add_argument("--cache", type=Path, default=ROOT / "target/study", help="where data and results are")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/study.md")
    parser.add_argument("--only", help="data sets to learn on, with commas")
    parser.add_argument("--peers", default="", help="learners to run, with commas; `ours`, `calm`: groups")
    parser.add_argument("--fresh", action="store_true", help="make anew what the cache has")
    parser.add_argument("--champion", choices=names, default=names[0], help="ours that is compared with all others")
    parser.add_argument("--budget", type=int, default=8, help="configurations of each peer")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--report", action="store_true", help="only write the document from the cache")
    parser.add_argument("--quick", action="store_true", help="few sets, little effort, calm peers, two folds")
    options = parser.parse_args()
    options.data = options.cache / "data"
    prepare(options.data, options.stakes)
    sets = json.loads((options.data / "sets.json").read_text())
    if options.quick:
        fail_if(quick(options, sets))
        return
    sets = [one for one in sets if one["part"] != "whole"]
    checks.check(options.stakes, options.data, sets)
    everything = planned(options, sets)
    chosen = expanded(options.peers)
    wanted = lambda job: (not options.only or job["dataset"]["name"] in options.only.split(",")) and (
        not chosen or job["name"] in chosen
    )
    todo = [job for job in everything if wanted(job) and (options.fresh or not job["path"].exists())]
    complaints = [] if options.report else jobs.work(todo, options.workers)
    text = Report(options, sets, everything, PEERS, names).text()
    unfinished = options.output.with_suffix(".tmp")
    unfinished.write_text(text)
    os.replace(unfinished, options.output)
    print(f"{options.output} written", file=sys.stderr)
    fail_if(complaints)


def fail_if(complaints):
    if complaints:
        sys.exit("\n".join([f"{len(complaints)} runs failed:", *complaints]))


if __name__ == "__main__":
    main()
