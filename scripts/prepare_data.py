#!/usr/bin/env python3
"""The public data sets, ready to train on: prepare_data.py FOLDER [--data DATA] [--stakes PATH]

Reads the public files from DATA (default $STAKES_DATA) and writes into FOLDER, for each set,
one file with everything, NAME.csv, and five folds, NAME/fold1.train.csv and fold1.test.csv to
fold5 (LETOR sets: .txt, also fold1.valid.txt). FOLDER/sets.json says what is where: columns,
k, metrics, folds. A table of it is printed. With --stakes, generated storms are a set, too.
Needs nothing but Python; the files are for a temporary folder, not for the repository.

The sets of `make study` are made by benches/study/prepare.py, with the functions of this file.

Folds are by list: lists in the order of the SHA-256 of their names are dealt to the five folds
in turn, so the folds are the same everywhere and follow neither file order nor size. MQ2008
and OHSUMED have their own five folds; mslr-sample and lightgbm-lambdarank have one split, their own.

What is an outcome is never a feature: each function below says what it leaves out. k is 12.5 %
and 25 % of the mean list length, rounded up (McBride et al., Cost-Sensitive Learning to Rank).
"""

import argparse
import csv
import datetime
import gzip
import hashlib
import json
import math
import os
import subprocess
import sys
from itertools import groupby
from operator import itemgetter
from pathlib import Path

FOLDS = 5
VIOLENT = ["murders", "rapes", "robberies", "assaults"]
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def crime(data):
    """Communities and Crime: in each state, the communities with the most violent crimes.

    The impact is a count (the rate would make every order look good). Left out: all 18 crime
    counts and rates, and the codes and the fold, which are not predictive.
    """
    folder = data / "communities-crime"
    names = (folder / "CommViolPredUnnormalizedData.columns.csv").read_text().strip().split(",")
    outcomes = names[names.index("murders") :]
    features = [n for n in names[5:] if n not in outcomes]
    yield ["state", "community", "violent_crimes", *features]
    with gzip.open(folder / "CommViolPredUnnormalizedData.txt.gz", "rt", encoding="latin-1") as text:
        for values in filter(None, csv.reader(text)):
            row = dict(zip(names, values, strict=True))
            if row["ViolentCrimesPerPop"] != "?":
                count = sum(int(row[crime]) for crime in VIOLENT)
                yield [row["state"], row["communityName"], count, *(blank(row[f]) for f in features)]


def concrete(data):
    """Concrete: among mixtures of one age, the strongest. The age is list and feature."""
    features = "cement slag fly_ash water superplasticizer coarse_aggregate fine_aggregate".split()
    yield ["age", "mixture", "strength", *features, "age_days"]
    with open(data / "concrete/Concrete_Data.csv", newline="") as text:
        for number, row in enumerate(list(csv.reader(text))[1:], 1):
            *mixture, age, strength = row
            yield [age, number, strength, *mixture, age]


def forestfires(data):
    """Forest fires: in each month, those that burn the most. The month is list and feature."""
    with open(data / "forest-fires/forestfires.csv", newline="") as text:
        rows = list(csv.DictReader(text))
    features = [n for n in rows[0] if n not in ("month", "area")]
    yield ["month", "fire", "area", *features, "month_number"]
    for number, row in enumerate(rows, 1):
        month = MONTHS.index(row["month"]) + 1
        yield [row["month"], number, row["area"], *(row[f] for f in features), month]


def outages(data):
    """Major power outages: in each quarter of a year, those that hit the most customers.

    Lists are quarters because the columns about states separate items only where states are
    mixed, and months have 6 outages on average. Left out: duration, demand loss and
    restoration (outcomes), names of hurricanes (they do not come again; whether it is one
    stays), and the 450 rows without customers or without a start.
    """
    with open(data / "power-outages/outage.csv", newline="") as text:
        rows = list(csv.DictReader(text))
    outcomes = ["OUTAGE.DURATION", "DEMAND.LOSS.MW", "CUSTOMERS.AFFECTED"]
    outcomes += ["OUTAGE.RESTORATION.DATE", "OUTAGE.RESTORATION.TIME"]
    replaced = ["OBS", "POSTAL.CODE", "OUTAGE.START.DATE", "OUTAGE.START.TIME", "HURRICANE.NAMES"]
    features = [n for n in rows[0] if n not in outcomes + replaced]
    yield ["quarter", "outage", "customers_affected", "hurricane", "weekday", "hour", *features]
    for row in rows:
        customers, start = blank(row["CUSTOMERS.AFFECTED"]), blank(row["OUTAGE.START.DATE"])
        if customers and start:
            start = datetime.date.fromisoformat(start)
            hurricane = int(blank(row["HURRICANE.NAMES"]) != "")
            known = [hurricane, start.weekday(), int(row["OUTAGE.START.TIME"][:2])]
            quarter = f"{start.year}-Q{(start.month + 2) // 3}"
            yield [quarter, row["OBS"], customers, *known, *(blank(row[f]) for f in features)]


def storms(stakes):
    """Generated storms: in each storm, the networks where the most customers lose power.

    Left out: a price and a time, which are roles and not features."""
    table = generate(stakes, "--lists", "100", "--rows", "20000", "--seed", "7")
    yield from without(table, "crew_hours", "date")


def generate(stakes, *options):
    """The rows of generated storms, the header first."""
    command = [stakes, "generate", "storms", *options, "--to", "csv"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return list(csv.reader(text.splitlines()))


def without(table, *names):
    """The table without some columns."""
    keep = [i for i, name in enumerate(table[0]) if name not in names]
    return [[row[i] for i in keep] for row in table]


def blank(value):
    return "" if value in ("?", "NA") else value


def write_table(out, name, rows, ks=None, dealt=itemgetter(0), folds=FOLDS):
    """Everything in one file, and the folds. Columns: list, id, impact, features. `dealt` tells of a
    row what is dealt to the folds: the list, or the id (folds by row), or something larger."""
    header, *rows = rows
    fold_of = {text: place % folds for place, text in enumerate(by_hash(str(dealt(row)) for row in rows))}
    write_csv(out / f"{name}.csv", header, rows)
    (out / name).mkdir(exist_ok=True)
    entries = []
    for fold in range(folds):
        paths = {part: f"{name}/fold{fold + 1}.{part}.csv" for part in ("train", "test")}
        write_csv(out / paths["train"], header, [r for r in rows if fold_of[str(dealt(r))] != fold])
        write_csv(out / paths["test"], header, [r for r in rows if fold_of[str(dealt(r))] == fold])
        entries.append(paths)
    return describe(name, header, rows, ks, f"{name}.csv", entries)


def by_hash(texts):
    """The distinct texts in the order of their SHA-256: an order that follows nothing."""
    return sorted(set(texts), key=lambda text: hashlib.sha256(text.encode()).digest())


def describe(name, header, rows, ks, all_tests, folds):
    """The entry of a table in sets.json; `rows` are those of `all_tests`."""
    lists = len({row[0] for row in rows})
    ks = ks or [math.ceil(len(rows) / lists * share) for share in (0.125, 0.25)]
    return {
        "name": name,
        "rows": len(rows),
        "lists": lists,
        "features": len(header) - 3,
        "k": ks,
        "metrics": [f"rcs@{k}" for k in ks],
        "roles": dict(zip(("list", "id", "impact"), header)),
        "format": "csv",
        "all_tests": all_tests,
        "folds": folds,
    }


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def letor_lines(path):
    """The lines of a LETOR file, each with a qid and an id: where the file has none, lists are
    taken from the .query file beside it, and items are called by their line number."""
    lines = gzip.open(path, "rt").read().splitlines()
    if " qid:" not in lines[0]:
        sizes = path.with_suffix(".query").read_text().split()
        qids = [number for number, size in enumerate(sizes, 1) for _ in range(int(size))]
        parts = (line.partition(" ") for line in lines)
        lines = [f"{y} qid:{qid} {x}" for (y, _, x), qid in zip(parts, qids, strict=True)]
    if "#" not in lines[0]:
        lines = [f"{line.rstrip()} #docid = {number}" for number, line in enumerate(lines, 1)]
    return lines


def write_letor(out, name, folds, k=10):
    """`folds`: for each fold, part -> lines."""
    (out / name).mkdir(exist_ok=True)
    entries, tests = [], []
    for number, fold in enumerate(folds, 1):
        entries.append({part: f"{name}/fold{number}.{part}.txt" for part in fold})
        for part, lines in fold.items():
            (out / entries[-1][part]).write_text("\n".join(lines) + "\n")
            tests += lines if part == "test" else []
    (out / f"{name}.txt").write_text("\n".join(tests) + "\n")
    qid = lambda line: line.split(" ", 2)[1]
    return {
        "name": name,
        "rows": len(tests),
        "lists": sum(1 for _ in groupby(tests, qid)),
        "features": max(int(pair.split(":")[0]) for line in tests for pair in line.partition("#")[0].split()[2:]),
        "k": [k],
        "metrics": [f"ndcg@{k}"],
        "roles": {},
        "format": "letor",
        "all_tests": f"{name}.txt",
        "folds": entries,
    }


def letor_folds(data, out, name, folder):
    """A LETOR set with its own folds: three parts to learn from, one to stop by, one to judge."""
    parts = [letor_lines(data / f"{folder}/S{part}.txt.gz") for part in range(1, FOLDS + 1)]
    turned = [parts[fold:] + parts[:fold] for fold in range(FOLDS)]
    folds = [{"train": sum(t[:3], []), "valid": t[3], "test": t[4]} for t in turned]
    return write_letor(out, name, folds)


def letor_sets(data, out):
    # As LETOR's papers have it: lists with nothing relevant count 0.
    goal = {"metrics": ["avgndcg:empty=zero"], "also": ["ndcg@10:empty=zero", "map"]}
    yield letor_folds(data, out, "mq2008", "mq2008") | goal
    yield letor_folds(data, out, "ohsumed", "ohsumed-letor3-qln") | goal
    mslr = data / "mslr-sample"
    parts = {
        "train": letor_lines(mslr / "rankeval-msn1.fold1.train.5k.txt.gz"),
        "valid": letor_lines(mslr / "onlinelambdamart-fold1.vali.sample.txt.gz"),
        "test": letor_lines(mslr / "rankeval-msn1.fold1.test.5k.txt.gz"),
    }
    yield write_letor(out, "mslr-sample", [parts])
    example = data / "lightgbm-lambdarank"
    yield write_letor(
        out, "lightgbm-lambdarank", [{part: letor_lines(example / f"rank.{part}.gz") for part in ("train", "test")}]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", default=os.environ.get("STAKES_DATA"), help="default: $STAKES_DATA")
    parser.add_argument("--stakes", help="the program, to generate storms")
    a = parser.parse_args()
    if not a.data or not Path(a.data, "communities-crime").is_dir():
        sys.exit(f"there are no data sets in {a.data!r}: give their folder with --data or STAKES_DATA")
    data, out = Path(a.data), a.folder
    out.mkdir(parents=True, exist_ok=True)
    sets = [write_table(out, make.__name__, make(data)) for make in (crime, concrete, forestfires, outages)]
    if a.stakes:
        sets.append(write_table(out, "storms", storms(a.stakes), ks=[10, 25]))
    sets += letor_sets(data, out)
    (out / "sets.json").write_text(json.dumps(sets, indent=1) + "\n")
    print("| data set | rows | lists | features | metrics | folds |\n|---|---|---|---|---|---|")
    for s in sets:
        counts = f"{s['rows']:,} | {s['lists']} | {s['features']}"
        print(f"| {s['name']} | {counts} | {', '.join(s['metrics'])} | {len(s['folds'])} |")


if __name__ == "__main__":
    main()
