"""Write a LETOR text file of a given size: make_letor.py OUT --mb 100

136 features as in MSLR, written as in MQ2008, all features on every line:
    2 qid:17 1:0.0312457 2:0 ... 136:41 #docid = D0001723 inc = 0.482 prob = 0.119
Values have 6 significant digits. A quarter of the columns hold small counts (many zeros),
a quarter fractions of 1, the rest log-normal reals over several decades. Lists have 50 to
150 items, grades 0-4. The seed is fixed: the same size gives the same bytes.
"""

import argparse

import numpy as np

FEATURES, SEED = 136, 11
LINE = "%d qid:%d " + " ".join(f"{f}:%.6g" for f in range(1, FEATURES + 1)) + " #docid = D%07d inc = %.3f prob = %.3f\n"


def features(rng, n):
    """An n x 136 matrix with counts, fractions and heavy-tailed reals."""
    x = rng.lognormal(1, 2, (n, FEATURES))
    x[:, 0::4] = rng.poisson(rng.lognormal(0, 1.5, (n, len(range(0, FEATURES, 4)))))
    x[:, 1::4] = rng.random((n, len(range(1, FEATURES, 4))))
    return x


def labels(rng, x):
    """Grades 0-4 that depend on a few columns."""
    signal = 0.4 * np.log1p(x[:, 0]) + x[:, 1] + 0.2 * np.log(x[:, 2]) + rng.normal(0, 0.7, len(x))
    return np.clip(np.floor(signal), 0, 4).astype(int)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--mb", type=float, default=100, help="stop after the list that reaches this size")
    arguments = parser.parse_args()
    rng = np.random.default_rng(SEED)
    written = rows = query = 0
    with open(arguments.out, "w", encoding="ascii", newline="\n") as out:
        while written < arguments.mb * 1e6:
            query += 1
            x = features(rng, rng.integers(50, 151))
            grades, notes = labels(rng, x), rng.random((len(x), 2))
            for grade, row, note in zip(grades.tolist(), x.tolist(), notes.tolist()):
                written += out.write(LINE % (grade, query, *row, rows, *note))
                rows += 1
    print(f"{rows} rows, {query} lists, {written} bytes")


if __name__ == "__main__":
    main()
