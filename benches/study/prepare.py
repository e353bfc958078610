"""The data sets of the study: prepare.py FOLDER [--data DATA] [--stakes PATH]

Writes what scripts/prepare_data.py writes: a file with all test items, the files of the folds, and
FOLDER/sets.json. Every set has a part in the study:
- development: parameters of ours may be chosen by it, test lists included;
- judging: looked at only when everything has been chosen;
- whole: both halves of a set together, for figures that others publish; not in the study.
A set with enough lists is cut in two by the hash of its lists' names (mines: of their states): NAME-dev
and NAME have no list in common. Generated storms of another seed are another company's.
Without --stakes there are no storms. Needs nothing but Python.
"""

import argparse
import csv
import gzip
import json
import math
import os
import sys
from itertools import groupby
from operator import itemgetter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
import prepare_data as base  # noqa: E402

DEVELOPMENT, JUDGING, WHOLE = {"part": "development"}, {"part": "judging"}, {"part": "whole"}
STORMS, STORMS_TO_LEARN_FROM, STORM_ROWS = 800, 100, 160_000
TAILS = ["hurdle", "compound", "tempered"]
SEEDS = {"-dev": 1, "": 4}
LARGEST_CLAIM = 100_000
FOLDS_OF_LARGE = 3


def claims(data):
    """French motor insurance: in each municipality, the policies that will cost the most.

    Lists of 100 policies or more; costs capped, or a single policy has 7 % of all. Left out: the number
    of claims (an outcome), the policy's number (low ones have more claims), and what is the same for a
    whole list: region, area, density."""
    features = "Exposure VehPower VehAge DrivAge BonusMalus VehBrand VehGas".split()
    yield ["municipality", "policy", "claims", *features]
    for rows in lists_of(data / "fremtpl2-claims/fremtpl2.csv.gz", least=100):
        for number, row in enumerate(rows, 1):
            cost = min(float(row["impact"]), LARGEST_CLAIM)
            yield [row["list"], number, f"{cost:g}" if cost == int(cost) else cost, *(row[f] for f in features)]


def mines(data):
    """Mines of the United States: in each state and year, those with the most injuries.

    Lists of 20 mines or more. Left out: state and year, the same for a whole list."""
    rows_of = list(lists_of(data / "msha-mine-injuries/msha_injuries.csv.gz", least=20))
    features = [name for name in rows_of[0][0] if name not in ("list", "impact", "YEAR", "US_STATE")]
    yield ["state_year", "mine", "injuries", *features]
    for rows in rows_of:
        for number, row in enumerate(rows, 1):
            yield [row["list"], number, row["impact"], *(row[f] for f in features)]


def lists_of(path, least):
    """The lists with so many rows; rows of a list are together in the file."""
    with gzip.open(path, "rt", newline="") as text:
        for _, rows in groupby(csv.DictReader(text), itemgetter("list")):
            rows = list(rows)
            if len(rows) >= least:
                yield rows


def halves(out, name, table, ks, dealt):
    """The whole set, and its halves. `dealt`: what must not be in two halves, nor in two folds."""
    header, *rows = table
    order = base.by_hash(f"half {dealt(row)}" for row in rows)
    first = set(order[: len(order) // 2])
    inside = [row for row in rows if f"half {dealt(row)}" in first]
    outside = [row for row in rows if f"half {dealt(row)}" not in first]
    written = lambda name, rows, folds: base.write_table(out, name, [header, *rows], ks, dealt, folds)
    yield written(f"{name}-dev", inside, FOLDS_OF_LARGE) | DEVELOPMENT
    yield written(name, outside, FOLDS_OF_LARGE) | JUDGING
    yield written(f"{name}-all", rows, base.FOLDS) | WHOLE


def storms(stakes, out, tail, seed, name):
    """The oldest 100 of 800 storms are learnt from, the others judge. Oracle: the true expected impact of
    the judging items, in a file of scores of its own."""
    size = ["--lists", str(STORMS), "--rows", str(STORM_ROWS), "--seed", str(seed)]
    header, *rows = base.generate(stakes, *size, "--tail", tail, "--oracle")
    rows.sort(key=itemgetter(header.index("date")))
    oldest = set(list(dict.fromkeys(row[0] for row in rows))[:STORMS_TO_LEARN_FROM])
    parts = {
        "train": [row for row in rows if row[0] in oldest],
        "test": [row for row in rows if row[0] not in oldest],
    }
    (out / name).mkdir(exist_ok=True)
    paths = {part: f"{name}/fold1.{part}.csv" for part in parts}
    for part, table in parts.items():
        table = base.without([header, *table], "crew_hours", "date", "expected_impact")
        base.write_csv(out / paths[part], table[0], table[1:])
    truth = header.index("expected_impact")
    base.write_csv(out / name / "oracle.csv", ("list", "id", "score"), [(*r[:2], r[truth]) for r in parts["test"]])
    entry = base.describe(name, table[0], parts["test"], [10, 25], paths["test"], [paths])
    return entry | {"oracle": f"{name}/oracle.csv"}


def mslr(data, out):
    """All 122 queries of the four samples, dealt to folds."""
    files = sorted((data / "mslr-sample").glob("*.txt.gz"))
    lines = [line for file in files for line in base.letor_lines(file)]
    qid = lambda line: line.split(" ", 2)[1]
    fold_of = {name: place % FOLDS_OF_LARGE for place, name in enumerate(base.by_hash(map(qid, lines)))}
    part = lambda chosen: [line for line in lines if chosen(fold_of[qid(line)])]
    folds = range(FOLDS_OF_LARGE)
    parts = [{"train": part(lambda f: f != fold), "test": part(lambda f: f == fold)} for fold in folds]
    return graded(base.write_letor(out, "mslr-sample", parts))


def graded(dataset):
    """All goals of a set with grades: NDCG@10, and R_CS with the cost 2^grade - 1."""
    ks = [math.ceil(dataset["rows"] / dataset["lists"] * share) for share in (0.125, 0.25)]
    goals = {"k": [10, *ks], "metrics": ["ndcg@10", *(f"rcs@{k}" for k in ks)]}
    return dataset | goals | {"roles": {"cost": "exp2"}}  # `--cost exp2` is an option, as the roles are


def sets(data, out, stakes):
    for make in (base.crime, base.concrete, base.forestfires, base.outages):
        yield base.write_table(out, make.__name__, make(data)) | DEVELOPMENT
    yield from halves(out, "claims", claims(data), [10, 50], itemgetter(0))
    yield from halves(out, "mines", mines(data), [10, 40], lambda row: row[0].partition("-")[0])
    yield graded(base.letor_folds(data, out, "mq2008", "mq2008")) | JUDGING
    yield graded(base.letor_folds(data, out, "ohsumed", "ohsumed-letor3-qln")) | JUDGING
    yield mslr(data, out) | JUDGING
    for end, seed in SEEDS.items() if stakes else ():
        for tail in TAILS:
            yield storms(stakes, out, tail, seed, f"storms-{tail}{end}") | (DEVELOPMENT if end else JUDGING)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", default=os.environ.get("STAKES_DATA"), help="default: $STAKES_DATA")
    parser.add_argument("--stakes", help="the program, to generate storms")
    a = parser.parse_args()
    if not a.data or not Path(a.data, "communities-crime").is_dir():
        sys.exit(f"there are no data sets in {a.data!r}: give their folder with --data or STAKES_DATA")
    a.folder.mkdir(parents=True, exist_ok=True)
    found = list(sets(Path(a.data), a.folder, a.stakes))
    (a.folder / "sets.json").write_text(json.dumps(found, indent=1) + "\n")
    for one in found:
        print(one["name"], one["part"], f"{one['rows']:,} items, {one['lists']} lists", ", ".join(one["metrics"]))


if __name__ == "__main__":
    main()
