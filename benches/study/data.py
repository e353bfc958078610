"""Items of a data set as the peers want them: a matrix of numbers, costs, and lists as runs of rows.

Values that are names become codes 0, 1, ... of the values met in training; missing values and
names that training has not met are NaN. Numbers stay what they are.
"""

import hashlib

import numpy as np
import pandas

VALIDATION = 0.25


class Items:
    """Rows with the rows of a list side by side. `keys` are (list, id); `lists` are 0, 0, ..., 1, ...;
    `sizes` how many rows each list has; `categorical` the columns of `x` that hold codes."""

    def __init__(self, x, cost, keys, categorical=()):
        names = [name for name, _ in keys]
        lists = np.array(pandas.factorize(np.array(names, dtype=object))[0])
        order = np.argsort(lists, kind="stable")
        self.x, self.cost, self.lists = x[order], cost[order], lists[order]
        self.keys = [keys[row] for row in order]
        self.sizes = np.bincount(self.lists)
        self.starts = np.r_[0, np.cumsum(self.sizes)[:-1]]
        self.categorical = list(categorical)

    def part(self, rows):
        """The rows of a mask."""
        keys = [key for key, taken in zip(self.keys, rows) if taken]
        return Items(self.x[rows], self.cost[rows], keys, self.categorical)

    def as_numbers(self):
        """The same rows, with codes taken for numbers."""
        return Items(self.x, self.cost, self.keys)

    def split(self):
        """Lists to learn from, and a quarter of all lists to choose by: those whose names have
        the smallest hashes."""
        order = self.by_hash("validation")
        inside = self.of_lists(order[: max(1, round(VALIDATION * len(order)))])
        return self.part(~inside), self.part(inside)

    def fewer(self, most):
        """Lists with at most so many rows together, those with the smallest hashes first."""
        size = {self.keys[start][0]: size for start, size in zip(self.starts, self.sizes)}
        order = self.by_hash("fewer")
        fitting = np.cumsum([size[name] for name in order]) <= most
        return self.part(self.of_lists(order[: max(2, fitting.sum())]))

    def by_hash(self, purpose):
        names = [self.keys[start][0] for start in self.starts]
        return sorted(names, key=lambda name: hashlib.sha256(f"{purpose} {name}".encode()).digest())

    def of_lists(self, names):
        names = set(names)
        return np.array([name in names for name, _ in self.keys])


class Fold:
    """`learn` and `choose`: lists to learn from and to choose configurations by. `refit`: what the
    chosen one learns from at last. `test`: the items to score.

    A fold with validation lists of its own (MQ2008) keeps them apart: nothing learns from them."""

    def __init__(self, folder, dataset, fold):
        files = {part: folder / fold[part] for part in ("train", "valid", "test") if part in fold}
        items = read_letor(files, dataset["features"]) if dataset["format"] == "letor" else read_csv(files)
        self.refit, self.test = items["train"], items["test"]
        self.learn, self.choose = (items["train"], items["valid"]) if "valid" in items else items["train"].split()

    def fewer(self, most):
        """Learns from so many rows at most, if there are more."""
        if most and len(self.refit.cost) > most:
            self.refit = self.refit.fewer(most)
            self.learn, self.choose = self.refit.split()
        return self


def items_to_judge(folder, dataset, folds):
    """The test items of these folds without features, fold by fold in the order of store.py."""
    keys, cost = [], []
    for fold in folds:
        if dataset["format"] == "letor":
            rows = [(key, 2.0**grade - 1) for key, grade, _ in letor_rows(folder / fold["test"])]
        else:
            table = pandas.read_csv(folder / fold["test"], usecols=[0, 1, 2], dtype=str, keep_default_na=False)
            rows = [((name, item), float(impact)) for name, item, impact in table.itertuples(index=False)]
        rows.sort(key=lambda row: row[0])
        keys += [key for key, _ in rows]
        cost += [one for _, one in rows]
    return Items(np.zeros((len(keys), 0)), np.array(cost, dtype=float), keys)


def read_csv(files):
    """Columns: list, id, impact, features. A feature is a name if a training value is no number."""
    names = pandas.read_csv(files["train"], nrows=0).columns[:2]
    options = {"keep_default_na": False, "na_values": [""], "dtype": dict.fromkeys(names, str)}
    tables = {part: pandas.read_csv(path, **options) for part, path in files.items()}
    features = list(tables["train"].columns[3:])
    known = {
        name: {value: code for code, value in enumerate(sorted(tables["train"][name].dropna().unique()))}
        for name in features
        if not pandas.api.types.is_numeric_dtype(tables["train"][name])
    }
    items = {}
    for part, table in tables.items():
        column = lambda name: table[name].map(known[name]) if name in known else table[name]
        x = np.column_stack([column(name).to_numpy(dtype=np.float64, na_value=np.nan) for name in features])
        keys = list(zip(table.iloc[:, 0], table.iloc[:, 1]))
        items[part] = Items(x, table.iloc[:, 2].to_numpy(np.float64), keys, map(features.index, known))
    return items


def read_letor(files, width):
    """The cost of a grade is 2^grade - 1."""
    items = {}
    for part, path in files.items():
        rows = list(letor_rows(path))
        x, cost = np.zeros((len(rows), width)), np.empty(len(rows))
        for row, (_, grade, pairs) in enumerate(rows):
            cost[row] = 2.0**grade - 1
            for pair in pairs:
                index, _, value = pair.partition(":")
                x[row, int(index) - 1] = float(value)
        items[part] = Items(x, cost, [key for key, *_ in rows])
    return items


def letor_rows(path):
    """(list, id), grade, and the features as text, of every line."""
    for line in path.read_text().splitlines():
        values, _, comment = line.partition("#docid = ")
        grade, qid, *pairs = values.split()
        yield (qid.removeprefix("qid:"), comment.split()[0]), float(grade), pairs
