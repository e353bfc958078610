#!/usr/bin/env python3
"""The public data sets, ready to train on: prepare_data.py FOLDER [--data DATA] [--stakes PATH] [--study]

Reads the public files from DATA (default $STAKES_DATA) and writes into FOLDER, for each set,
one file with everything, NAME.csv, and five folds, NAME/fold1.train.csv and fold1.test.csv to
fold5 (LETOR sets: .txt, also fold1.valid.txt). FOLDER/sets.json says what is where: columns,
k, metrics, folds. A table of it is printed. With --stakes, generated storms are a set, too.
Needs nothing but Python; the files are for a temporary folder, not for the repository.

With --study it is the sets of `make study`: the tables, six sets of generated storms (two kinds
of tails, three seeds), each with one split by time and the truth in a file beside it, and MQ2008
with two goals: NDCG@10, and R_CS with the cost 2^grade - 1.

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
from pathlib import Path

FOLDS = 5
STUDY_SEEDS = [1, 2, 3]
STUDY_STORMS, STUDY_TRAINING, STUDY_ROWS = 400, 100, 80_000
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


def study_storms(stakes, out):
    """Storms for the study: the oldest 100 of 400 are for training, the others for evaluation. Oracle: the
    true expected impact of the judging items, in a file of scores of its own."""
    for tail in ("hurdle", "compound"):
        for seed in STUDY_SEEDS:
            name = f"storms-{tail}-{seed}"
            size = ["--lists", str(STUDY_STORMS), "--rows", str(STUDY_ROWS), "--seed", str(seed)]
            header, *rows = generate(stakes, *size, "--tail", tail, "--oracle")
            rows.sort(key=lambda row: row[header.index("date")])
            oldest = set(list(dict.fromkeys(row[0] for row in rows))[:STUDY_TRAINING])
            parts = {
                "train": [row for row in rows if row[0] in oldest],
                "test": [row for row in rows if row[0] not in oldest],
            }
            (out / name).mkdir(exist_ok=True)
            paths = {part: f"{name}/fold1.{part}.csv" for part in parts}
            for part, table in parts.items():
                table = without([header, *table], "crew_hours", "date", "expected_impact")
                write_csv(out / paths[part], table[0], table[1:])
            truth = header.index("expected_impact")
            oracle = [(row[0], row[1], row[truth]) for row in parts["test"]]
            write_csv(out / name / "oracle.csv", ("list", "id", "score"), oracle)
            entry = describe(name, table[0], parts["test"], [10, 25], paths["test"], [paths])
            yield entry | {"oracle": f"{name}/oracle.csv"}


def blank(value):
    return "" if value in ("?", "NA") else value


def write_table(out, name, rows, ks=None, dealt=0):
    """Everything in one file, and the folds. Columns: list, id, impact, features. `dealt` is the
    column whose values are dealt to the folds: 0 the list, 1 the id (folds by row)."""
    header, *rows = rows
    texts = {str(row[dealt]) for row in rows}
    order = sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())
    fold_of = {text: i % FOLDS for i, text in enumerate(order)}
    write_csv(out / f"{name}.csv", header, rows)
    (out / name).mkdir(exist_ok=True)
    folds = []
    for fold in range(FOLDS):
        paths = {part: f"{name}/fold{fold + 1}.{part}.csv" for part in ("train", "test")}
        write_csv(out / paths["train"], header, [r for r in rows if fold_of[str(r[dealt])] != fold])
        write_csv(out / paths["test"], header, [r for r in rows if fold_of[str(r[dealt])] == fold])
        folds.append(paths)
    return describe(name, header, rows, ks, f"{name}.csv", folds)


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
    """`folds`: for each fold, part -> source files."""
    (out / name).mkdir(exist_ok=True)
    entries, tests = [], []
    for number, fold in enumerate(folds, 1):
        entries.append({part: f"{name}/fold{number}.{part}.txt" for part in fold})
        for part, sources in fold.items():
            lines = [line for source in sources for line in letor_lines(source)]
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
    parts = [data / f"{folder}/S{part}.txt.gz" for part in range(1, FOLDS + 1)]
    turned = [parts[fold:] + parts[:fold] for fold in range(FOLDS)]
    folds = [{"train": t[:3], "valid": t[3:4], "test": t[4:]} for t in turned]
    return write_letor(out, name, folds)


def letor_sets(data, out):
    # As LETOR's papers have it: lists with nothing relevant count 0.
    goal = {"metrics": ["avgndcg:empty=zero"], "also": ["ndcg@10:empty=zero", "map"]}
    yield letor_folds(data, out, "mq2008", "mq2008") | goal
    yield letor_folds(data, out, "ohsumed", "ohsumed-letor3-qln") | goal
    mslr = data / "mslr-sample"
    sources = {
        "train": [mslr / "rankeval-msn1.fold1.train.5k.txt.gz"],
        "valid": [mslr / "onlinelambdamart-fold1.vali.sample.txt.gz"],
        "test": [mslr / "rankeval-msn1.fold1.test.5k.txt.gz"],
    }
    yield write_letor(out, "mslr-sample", [sources])
    example = data / "lightgbm-lambdarank"
    sources = {part: [example / f"rank.{part}.gz"] for part in ("train", "test")}
    yield write_letor(out, "lightgbm-lambdarank", [sources])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", default=os.environ.get("STAKES_DATA"), help="default: $STAKES_DATA")
    parser.add_argument("--stakes", help="the program, to generate storms")
    parser.add_argument("--study", action="store_true", help="the sets of `make study`; needs --stakes")
    a = parser.parse_args()
    if not a.data or not Path(a.data, "communities-crime").is_dir():
        sys.exit(f"there are no data sets in {a.data!r}: give their folder with --data or STAKES_DATA")
    if a.study and not a.stakes:
        sys.exit("--study generates storms: say where the program is with --stakes")
    data, out = Path(a.data), a.folder
    out.mkdir(parents=True, exist_ok=True)
    sets = [write_table(out, make.__name__, make(data)) for make in (crime, concrete, forestfires, outages)]
    if a.study:
        sets += study_storms(a.stakes, out)
        # 5 is a quarter of the mean list; the cost stands among the roles: both are options.
        two_goals = {"k": [10, 5], "metrics": ["ndcg@10", "rcs@5"], "roles": {"cost": "exp2"}}
        sets.append(letor_folds(data, out, "mq2008", "mq2008") | two_goals)
    else:
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
