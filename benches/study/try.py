"""Command lines of `stakes train`, and peers, on chosen sets: R_CS, paired differences, processor seconds.
try.py SET... [--ours 'NAME: OPTIONS']... [--peers NAMES] [--folds N] [--workers N] [--budget N]
       [--stakes PATH] [--cache DIR] [--fresh] [--list]

    try.py claims-dev --ours 'two-part: --learner two-part' \\
        --ours 'calm: --learner two-part -p leaves=7' --peers lightgbm-two-part-calm

The first row is compared with all others: other minus first, p of random signs over lists, and in
brackets the smallest difference that these lists could show. What has been tried is kept and costs
nothing. The data must be there (study.py or prepare.py makes it); --list shows sets and peers.
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

from peers import PEERS, expanded  # noqa: E402
from trial import Trial  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]


def row_of(text):
    """'NAME: --learner two-part -p leaves=7' -> name, learner, options."""
    name, colon, options = text.partition(":")
    options, learner = shlex.split(options), "auto"
    if not colon:
        sys.exit(f"--ours {text!r}: give 'NAME: OPTIONS', such as 'calm: --learner two-part -p leaves=7'")
    if "--learner" in options:
        place = options.index("--learner")
        learner = options[place + 1]
        del options[place : place + 2]
    return name.strip(), learner, options


def refuse_strange(what, names, known):
    strange = [name for name in names if name not in known]
    if strange:
        sys.exit(f"no {what} {', '.join(strange)}: there are {', '.join(known)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--ours", action="append", default=[], type=row_of, metavar="'NAME: OPTIONS'")
    parser.add_argument("--peers", default="", help="names with commas; `calm`: all calm ones")
    parser.add_argument("--folds", type=int, help="only the first so many")
    parser.add_argument("--workers", type=int, default=1, help="trainings at a time, on one thread each")
    parser.add_argument("--budget", type=int, default=8, help="configurations of a peer that is tuned")
    parser.add_argument("--stakes", type=Path, default=ROOT / "target/release/stakes", help="the program")
    parser.add_argument("--cache", type=Path, default=ROOT / "target/study", help="where data and results are")
    parser.add_argument("--fresh", action="store_true", help="make anew what is kept")
    parser.add_argument("--list", action="store_true", help="show sets and peers")
    options = parser.parse_args()
    sets = {one["name"]: one for one in json.loads((options.cache / "data/sets.json").read_text())}
    if options.list:
        for one in sets.values():
            print(f"{one['name']:22} {one['part']:12} {one['lists']:5} lists  {', '.join(one['metrics'])}")
        print("peers:", ", ".join(peer.name for peer in PEERS))
    peers = expanded(options.peers)
    refuse_strange("set", options.sets, sets)
    refuse_strange("peer", peers, [peer.name for peer in PEERS])
    trial = Trial(options, options.ours, peers, options.folds)
    complaints = [complaint for name in options.sets for complaint in trial.run(sets[name])]
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
