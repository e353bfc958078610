"""Boosted trees of the peers in Python, one measurement per process, alone on the machine:
boosting.py prepare FILE FOLDER                     a Parquet file as plain float32 files
boosting.py cut FILE OUT STEP ONE_LIST               part of a file, for `benches/growth.py`
boosting.py train PEER THREADS TREES LEAVES GOAL TRAIN TEST PREFIX
boosting.py score PEER THREADS PREFIX TEST
`benches/speed.py` calls it, and hessboost's program and ours in the same way. The answer is one
JSON line. TRAIN and TEST are folders made by `prepare`: features.f32 (row by row), labels.f32,
sizes.u32 (rows of each list). Reading them is not timed; it takes no more memory than the matrix.

`train` times binning (from the float32 matrix to what trees grow on) and boosting, in seconds on
the clock and on all processors, and the peak of resident memory meanwhile. The model goes to
PREFIX.model, the scores of TEST to PREFIX.scores. GOAL is `rank` (NDCG) or `squares`. Everywhere:
learning rate 0.1, 255 bins, at least 20 rows in a leaf, no penalty on leaf values, no sampling.
- LightGBM: `lambdarank` as it is by default (30 first ranks, normalised). Variants: `-col`, `-row`
  force the direction of histograms (by default it tries both first, inside the boosting time);
  `-quantised` has 16 levels of gradients, leaves renewed.
- XGBoost: `hist`, leaf by leaf, `rank:ndcg` on pairs with the 30 first ranks. It has no least
  number of rows, only a least sum of second derivatives: 20 is the same for squared error; for
  ranking it is 0.001, LightGBM's default and ours.
- CatBoost: symmetric trees, depth 5 for 31 leaves and 6 for 63; 254 borders are 255 bins; no
  bootstrap, no random strength, plain boosting. A least number of rows does not exist for such
  trees. `catboost` learns by YetiRank, its counterpart of lambdarank; `catboost-queryrmse` by
  QueryRMSE, its quickest loss that knows of lists. Squared error is RMSE.

`score` times raw scores of all rows together, and of rows one by one: LightGBM through the C
function made for single rows; XGBoost and CatBoost through Python, which has a share in the time.
CatBoost's Pool is made before the clock starts.
"""

import ctypes
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np

from isolated import peak_rss_mb, restart_peak

RATE, BINS, MIN_ROWS, MIN_HESSIAN, RANKS = 0.1, 255, 20, 1e-3, 30
SINGLES = 2_000
ROLES = {"query", "storm", "network", "customers_out", "grade", "crew_hours", "settlement", "date"}


def prepare(file, folder):
    """All columns of numbers that play no other part. Lists are runs of rows."""
    import pyarrow.parquet
    import pyarrow.types

    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    table = pyarrow.parquet.read_table(file)
    names = [f.name for f in table.schema if f.name not in ROLES and pyarrow.types.is_floating(f.type)]
    column = lambda name: table[name].to_numpy(zero_copy_only=False)
    lists, impacts = ("query", "grade") if "query" in table.column_names else ("storm", "customers_out")
    ids = column(lists)
    starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
    if len(starts) != len(set(ids)):
        sys.exit(f"{file}: rows of a list are not side by side")
    matrix = np.empty((table.num_rows, len(names)), dtype=np.float32)
    for index, name in enumerate(names):
        matrix[:, index] = column(name)
    matrix.tofile(folder / "features.f32")
    column(impacts).astype(np.float32).tofile(folder / "labels.f32")
    np.diff(np.r_[starts, table.num_rows]).astype(np.uint32).tofile(folder / "sizes.u32")
    return {"rows": table.num_rows, "features": len(names), "lists": len(starts)}


def cut(file, out, step, one_list):
    """Every STEP-th feature of a file of generated search; all rows as one list, if asked."""
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(file)
    features = [name for name in table.column_names if name not in ROLES]
    table = table.select([*(name for name in table.column_names if name in ROLES), *features[:: int(step)]])
    if int(one_list):
        one = pyarrow.repeat(table["query"][0], table.num_rows)
        table = table.set_column(table.column_names.index("query"), "query", one)
    pyarrow.parquet.write_table(table, out)
    return {"rows": table.num_rows}


class Data:
    def __init__(self, folder):
        folder = Path(folder)
        self.labels = np.fromfile(folder / "labels.f32", dtype=np.float32)
        self.sizes = np.fromfile(folder / "sizes.u32", dtype=np.uint32)
        self.features = np.fromfile(folder / "features.f32", dtype=np.float32).reshape(len(self.labels), -1)


class Clock:
    """Seconds since it was made: on the clock, and of all threads together."""

    def __init__(self):
        self.begun = time.perf_counter(), time.process_time()

    def read(self):
        return time.perf_counter() - self.begun[0], time.process_time() - self.begun[1]


class LightGBM:
    package = "lightgbm"
    variants = {
        "lightgbm": {},
        "lightgbm-col": {"force_col_wise": True},
        "lightgbm-row": {"force_row_wise": True},
        "lightgbm-quantised": {"use_quantized_grad": True, "num_grad_quant_bins": 16, "quant_train_renew_leaf": True},
    }

    def __init__(self, variant, threads):
        import lightgbm

        self.module, self.threads, self.own = lightgbm, threads, self.variants[variant]

    def bin(self, data, trees, leaves, goal):
        self.trees = trees
        self.params = self.own | {
            "objective": "lambdarank" if goal == "rank" else "regression",
            "lambdarank_truncation_level": RANKS,
            "num_leaves": leaves,
            "learning_rate": RATE,
            "min_data_in_leaf": MIN_ROWS,
            "min_sum_hessian_in_leaf": MIN_HESSIAN,
            "max_bin": BINS,
            "num_threads": self.threads,
            "verbosity": -1,
        }
        group = data.sizes if goal == "rank" else None
        self.binned = self.module.Dataset(data.features, data.labels, group=group, params=self.params).construct()

    def boost(self):
        self.model = self.module.train(self.params, self.binned, self.trees)

    def save(self, prefix):
        self.model.save_model(f"{prefix}.model")

    def load(self, prefix):
        self.model = self.module.Booster(model_file=f"{prefix}.model")

    def scorer(self, features):
        return lambda: self.model.predict(features, raw_score=True, num_threads=self.threads)

    def single(self, features):
        """The C function for single rows: no Python but the call itself."""
        library, handle = self.module.basic._LIB, ctypes.c_void_p()
        settings = (ctypes.c_int(1), ctypes.c_int(0), ctypes.c_int(-1), ctypes.c_int(0))  # raw, from 0, all, float32
        width, parameters = ctypes.c_int32(features.shape[1]), ctypes.c_char_p(b"num_threads=1")
        begin = library.LGBM_BoosterPredictForMatSingleRowFastInit
        if begin(self.model._handle, *settings, width, parameters, ctypes.byref(handle)):
            sys.exit("LightGBM refuses to score single rows")
        out, length = ctypes.c_double(), ctypes.c_int64()
        first, step = features.ctypes.data, features.strides[0]
        rows = [ctypes.c_void_p(first + step * row) for row in range(len(features))]
        results = ctypes.byref(length), ctypes.byref(out)
        score = library.LGBM_BoosterPredictForMatSingleRowFast

        def one(row):
            score(handle, rows[row], *results)
            return out.value

        return one


class XGBoost:
    package = "xgboost-cpu"
    variants = {"xgboost": {}}

    def __init__(self, _variant, threads):
        import xgboost

        self.module, self.threads = xgboost, threads

    def bin(self, data, trees, leaves, goal):
        rank = goal == "rank"
        self.trees = trees
        self.params = {
            "objective": "rank:ndcg" if rank else "reg:squarederror",
            "tree_method": "hist",
            "grow_policy": "lossguide",
            "max_depth": 0,
            "max_leaves": leaves,
            "eta": RATE,
            "max_bin": BINS,
            "lambda": 0,
            "min_child_weight": MIN_HESSIAN if rank else MIN_ROWS,
            "nthread": self.threads,
        }
        if rank:
            self.params |= {"lambdarank_pair_method": "topk", "lambdarank_num_pair_per_sample": RANKS}
        group = data.sizes if rank else None
        matrix = self.module.QuantileDMatrix
        self.binned = matrix(data.features, data.labels, group=group, max_bin=BINS, nthread=self.threads)

    def boost(self):
        self.model = self.module.train(self.params, self.binned, self.trees)

    def save(self, prefix):
        self.model.save_model(f"{prefix}.ubj")

    def load(self, prefix):
        self.model = self.module.Booster({"nthread": self.threads}, model_file=f"{prefix}.ubj")

    def scorer(self, features):
        """From the matrix itself. `predict` of a DMatrix remembers what it answered: from the
        second time on it would do nothing, and the first time it is no quicker than this."""
        return lambda: self.model.inplace_predict(features, predict_type="margin")

    def single(self, features):
        rows = [features[row : row + 1] for row in range(len(features))]
        return lambda row: self.model.inplace_predict(rows[row], predict_type="margin")[0]


class CatBoost:
    package = "catboost"
    variants = {"catboost": "YetiRank", "catboost-queryrmse": "QueryRMSE"}

    def __init__(self, variant, threads):
        import catboost

        self.module, self.threads, self.loss = catboost, threads, self.variants[variant]

    def bin(self, data, trees, leaves, goal):
        lists = np.repeat(np.arange(len(data.sizes)), data.sizes) if goal == "rank" else None
        self.binned = self.module.Pool(data.features, data.labels, group_id=lists, thread_count=self.threads)
        self.binned.quantize(border_count=BINS - 1)
        self.params = {
            "loss_function": self.loss if goal == "rank" else "RMSE",
            "iterations": trees,
            "depth": leaves.bit_length(),
            "learning_rate": RATE,
            "l2_leaf_reg": 0,
            "bootstrap_type": "No",
            "random_strength": 0,
            "boosting_type": "Plain",
            "border_count": BINS - 1,
            "thread_count": self.threads,
            "allow_writing_files": False,
            "verbose": False,
        }

    def boost(self):
        self.model = self.module.CatBoost(self.params).fit(self.binned)

    def save(self, prefix):
        self.model.save_model(f"{prefix}.cbm")

    def load(self, prefix):
        self.model = self.module.CatBoost().load_model(f"{prefix}.cbm")

    def scorer(self, features):
        pool = self.module.Pool(features, thread_count=self.threads)
        return lambda: self.model.predict(pool, thread_count=self.threads)

    def single(self, features):
        return lambda row: self.model.predict(features[row], thread_count=1)


PEERS = {variant: kind for kind in (LightGBM, XGBoost, CatBoost) for variant in kind.variants}


def train(name, threads, trees, leaves, goal, train_folder, test_folder, prefix):
    data, peer = Data(train_folder), PEERS[name](name, int(threads))
    before, clock = restart_peak(), Clock()
    peer.bin(data, int(trees), int(leaves), goal)
    binning = clock.read()
    peer.boost()
    whole = clock.read()
    peak = peak_rss_mb()
    peer.save(prefix)
    test = Data(test_folder).features
    np.savetxt(f"{prefix}.scores", peer.scorer(test)(), fmt="%.9g")
    line = {"rows": len(data.labels), "features": data.features.shape[1], "trees": int(trees)}
    line |= {"binning": binning[0], "binning_cpu": binning[1]}
    line |= {"boosting": whole[0] - binning[0], "boosting_cpu": whole[1] - binning[1]}
    line |= {"seconds": whole[0], "cpu": whole[1], "rss_before_mb": before, "peak_rss_mb": peak}
    return line | {"version": version(peer.package)}


def score(name, threads, prefix, test_folder):
    peer, features = PEERS[name](name, int(threads)), Data(test_folder).features
    peer.load(prefix)
    many = repeated(peer.scorer(features))
    line = {"rows": len(features), "seconds": many[0], "cpu": many[1], "version": version(peer.package)}
    singles = features[:SINGLES]
    one, rows = peer.single(singles), range(len(singles))
    together = peer.scorer(singles)()
    if not np.allclose([one(row) for row in rows], together, rtol=1e-5, atol=1e-6):
        sys.exit(f"{name}: rows alone have other scores than together")

    def each():
        for row in rows:
            one(row)

    return line | {"one_row_us": repeated(each)[0] / len(singles) * 1e6}


def repeated(work):
    """Medians of seconds and processor seconds: 5 to 200 repeats in about 2 seconds."""
    work()
    spans, whole = [], Clock()
    while len(spans) < 5 or (len(spans) < 200 and whole.read()[0] < 2):
        clock = Clock()
        work()
        spans.append(clock.read())
    return median(wall for wall, _ in spans), median(cpu for _, cpu in spans)


if __name__ == "__main__":
    works = {"prepare": prepare, "cut": cut, "train": train, "score": score}
    if len(sys.argv) < 2 or sys.argv[1] not in works:
        sys.exit(__doc__)
    print(json.dumps(works[sys.argv[1]](*sys.argv[2:])))
