"""Reading a Parquet table into a numpy matrix: parquet.py FILE

    python parquet.py FILE --make 100000    # write one: list id, label, 136 float32 columns
    python parquet.py FILE                  # one JSON line per setting

pyarrow.parquet.read_table(FILE), then every floating-point column copied into one row-major
float32 matrix, as a learner needs it; with one thread (use_threads=False, one-thread pools)
and with pyarrow's defaults. Each in its own process, see isolated.py. In the time: reading,
decompressing, decoding, the copy into the matrix. Not in it: importing pyarrow and numpy.

The file made is Snappy-compressed with pyarrow's default row groups and encodings.
"""

import argparse

import numpy as np

from isolated import Clock, child, run


def make(file, rows):
    import pyarrow
    import pyarrow.parquet

    from make_letor import FEATURES, SEED, features, labels

    rng = np.random.default_rng(SEED)
    x = features(rng, rows)
    columns = {"list": np.arange(rows) // 100, "label": labels(rng, x).astype(np.int32)}
    columns |= {f"f{j + 1}": x[:, j].astype(np.float32) for j in range(FEATURES)}
    pyarrow.parquet.write_table(pyarrow.table(columns), file)


def pyarrow_peer(file, threads):
    import pyarrow
    import pyarrow.parquet

    if threads:
        pyarrow.set_cpu_count(threads)
        pyarrow.set_io_thread_count(threads)
    with Clock() as clock:
        table = pyarrow.parquet.read_table(file, use_threads=threads != 1)
        columns = [c for c in table.columns if pyarrow.types.is_floating(c.type)]
        matrix = np.empty((table.num_rows, len(columns)), np.float32)
        for j, column in enumerate(columns):
            matrix[:, j] = column.to_numpy()
    return clock, len(matrix), "pyarrow"


PEERS = {"pyarrow": pyarrow_peer}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--make", type=int, metavar="ROWS", help="write such a file and stop")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.make:
        return make(a.file, a.make)
    if a.one:
        return child(PEERS, a.one, a.file, a.threads)
    for threads in (1, 0):
        run(__file__, PEERS, "pyarrow", a.file, threads, "parquet", a.repeats)


if __name__ == "__main__":
    main()
