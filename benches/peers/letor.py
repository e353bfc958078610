"""Reading a LETOR text file: letor.py FILE   (make one with make_letor.py)

One JSON line per peer; each in its own process, see isolated.py. In the time: opening,
parsing and whatever structure the peer ends with. Not in it: importing the peer.

  scikit-learn        load_svmlight_file(FILE, query_id=True): CSR matrix of float64, one thread.
  xgboost             DMatrix(FILE?format=libsvm), 1 and 2 threads: reads qid and comments
                      itself, CSR of float32. (Marked deprecated by its authors.)
  lightgbm-few-bins   Dataset(FILE).construct(), 1 and 2 threads. LightGBM cannot read `qid:` or
                      `#` comments, so it gets a copy without them, and the list sizes in the
                      FILE.query file that it looks for; making that copy is not in the time, and
                      it has fewer bytes to parse (mb_per_second is of the copy). It always bins;
                      here as little as it can: max_bin=2 from 2,000 sampled rows, no bundling.
  lightgbm            the same with its default 255 bins from 200,000 rows: what a user pays.
"""

import argparse
import itertools
import os
import tempfile

from isolated import Clock, child, run


def sklearn_peer(file, _threads):
    from sklearn.datasets import load_svmlight_file

    with Clock() as clock:
        x, _, _ = load_svmlight_file(file, query_id=True)
    return clock, x.shape[0], "scikit-learn"


def xgboost_peer(file, threads):
    import xgboost

    with Clock() as clock:
        data = xgboost.DMatrix(f"{file}?format=libsvm", nthread=threads)
    assert len(data.get_uint_info("group_ptr")) > 1, "no lists were read"
    return clock, data.num_row(), "xgboost-cpu"


def lightgbm_peer(file, threads, **params):
    import lightgbm

    params |= {"num_threads": threads, "feature_pre_filter": False, "verbosity": -1}
    with Clock() as clock:
        data = lightgbm.Dataset(file, params=params).construct()
    assert len(data.get_group()) > 1, "no lists were read"
    return clock, data.num_data(), "lightgbm"


def lightgbm_few_bins(file, threads):
    return lightgbm_peer(
        file, threads, max_bin=2, min_data_in_bin=1, bin_construct_sample_cnt=2000, enable_bundle=False
    )


PEERS = {
    "scikit-learn": sklearn_peer,
    "xgboost": xgboost_peer,
    "lightgbm-few-bins": lightgbm_few_bins,
    "lightgbm": lightgbm_peer,
}


def copy_for_lightgbm(file, out):
    """The same rows without qid and comment; list sizes go to out.query."""
    queries = []
    with open(file) as lines, open(out, "w") as copy:
        for line in lines:
            label, qid, rest = line.split("#", 1)[0].rstrip().split(" ", 2)
            queries.append(qid)
            copy.write(f"{label} {rest}\n")
    with open(out + ".query", "w") as sizes:
        sizes.writelines(f"{len(list(items))}\n" for _, items in itertools.groupby(queries))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--one", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    a = parser.parse_args()
    if a.one:
        return child(PEERS, a.one, a.file, a.threads)
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "plain.txt")
        copy_for_lightgbm(a.file, plain)
        for name in PEERS:
            file = plain if name.startswith("lightgbm") else a.file
            for threads in (1,) if name == "scikit-learn" else (1, 2):
                run(__file__, PEERS, name, file, threads, "letor", a.repeats)


if __name__ == "__main__":
    main()
