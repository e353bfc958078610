"""A random forest of deep trees, ours and the peers', from the same arrays in one sitting:
forest_speed.py --stakes PATH --bench PATH [--rows 16000] [--trees 300] [--threads 1,2] [--repeats 3]

Run it in the peers' Python (`benches/peers/venv.sh FOLDER` prints it), with nothing else running. Generated storms, 83 columns
of numbers (missing values are -1 for scikit-learn, which takes as long with them). All have at most 1,024 leaves
of at least 3 rows, 63.2 % of the rows per tree and a third of the features per split: LightGBM in its mode `rf`, scikit-learn
with `max_samples` and exact splits, so that it does more work. Only training is timed, binning included: of ours from a
data set in memory (`stakes-bench train`), of the others from numpy arrays. Medians of the repeats, which go round over all programs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent / "peers"))
LEAVES, MIN_ROWS, ROWS, FEATURES = 1024, 3, 0.632, 1 / 3
PEERS = ["stakes", "lightgbm-rf", "scikit-learn"]


def train(peer, folder, file, trees, threads):
    """Seconds of one training."""
    if peer == "stakes":
        command = [BENCH, "train", file, threads, "random-forest", f"rounds={trees}", f"leaves={LEAVES}"]
        shape = [f"min-rows={MIN_ROWS}", f"rows={ROWS}", "features-per-split=0.333"]
        done = subprocess.run([str(part) for part in (*command, *shape)], capture_output=True, text=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])["seconds"]
    features = np.fromfile(folder / "features.f32", np.float32)
    labels = np.fromfile(folder / "labels.f32", np.float32)
    features = features.reshape(len(labels), -1)
    if peer == "lightgbm-rf":
        import lightgbm

        shape = {"num_leaves": LEAVES, "min_data_in_leaf": MIN_ROWS, "bagging_fraction": ROWS, "bagging_freq": 1}
        options = {"boosting": "rf", "objective": "l2", "feature_fraction_bynode": FEATURES, "num_threads": threads, "verbosity": -1}
        begun = time.perf_counter()
        lightgbm.train(shape | options, lightgbm.Dataset(features, labels), trees)
        return time.perf_counter() - begun
    from sklearn.ensemble import RandomForestRegressor

    shape = {"max_leaf_nodes": LEAVES, "min_samples_leaf": MIN_ROWS, "max_samples": ROWS, "max_features": FEATURES}
    forest = RandomForestRegressor(trees, n_jobs=threads, **shape)
    features = np.nan_to_num(features, nan=-1.0)
    begun = time.perf_counter()
    forest.fit(features, labels)
    return time.perf_counter() - begun


def main():
    global BENCH
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stakes", required=True, help="the program")
    parser.add_argument("--bench", required=True, help="stakes-bench")
    parser.add_argument("--rows", type=int, default=16_000)
    parser.add_argument("--trees", type=int, default=300)
    parser.add_argument("--threads", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2])
    parser.add_argument("--repeats", type=int, default=3)
    a = parser.parse_args()
    BENCH = a.bench
    with tempfile.TemporaryDirectory() as made:
        folder, file = Path(made), Path(made) / "storms.parquet"
        subprocess.run([a.stakes, "generate", "storms", "--rows", str(a.rows), "--seed", "1", "-q", "-o", file], check=True)
        from boosting import prepare

        prepare(file, folder)
        for threads in a.threads:
            seconds = {peer: [] for peer in PEERS}
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-threads:] if threads == 1 else range(os.cpu_count()))
            os.environ["RAYON_NUM_THREADS"] = str(threads)
            for _ in range(a.repeats):
                for peer in PEERS:
                    seconds[peer].append(train(peer, folder, file, a.trees, threads))
            ours = median(seconds["stakes"])
            for peer in PEERS:
                print(f"{threads} thread(s) {peer}: {median(seconds[peer]):.2f} s ({median(seconds[peer]) / ours:.2f} x)", flush=True)


if __name__ == "__main__":
    main()
