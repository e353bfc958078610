"""Requests a second and p50/p99 of the service beside LightGBM + FastAPI, in one run on loopback.

    benches/serve/run.sh [--seconds 10] [--connections 8]

Both have models of 500 trees of 63 leaves, trained on the same storms, and are asked for the ranking of one row and of
1,000 rows, as JSON. wrk (Debian's package, installed by run.sh) asks from this machine and nowhere else. Sides take
turns, so that a slow minute of the machine is nobody's. With --empty, an empty reply of hyper takes part: what no service
on this machine exceeds while wrk has the same cores.

    cargo build --release -p stakes-serve --example empty_reply
    benches/serve/run.sh --empty target/release/examples/empty_reply
"""

import argparse
import csv
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ROLES = ["--list", "storm", "--impact", "customers_out", "--id", "network"]


def prepare(folder: Path, stakes: str, rounds: int) -> None:
    """Data, a model of each side, and two bodies."""
    subprocess.run(
        [stakes, "generate", "storms", "--lists", "60", "--rows", "30000", "-q", "-o", "all.csv"],
        cwd=folder,
        check=True,
    )
    with (folder / "all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    keys = {"storm", "network", "customers_out"}

    def is_number(name: str) -> bool:
        try:
            return all(float(row[name]) == float(row[name]) for row in rows)
        except ValueError:
            return False

    features = [name for name in rows[0] if name not in keys and is_number(name)]
    names = ["storm", "network", "customers_out", *features]
    with (folder / "storms.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    train = [
        stakes,
        "train",
        "storms.csv",
        *ROLES,
        "-k",
        "10",
        "--learner",
        "mart",
        "-o",
        "model.json",
        "-q",
        "--no-baseline",
    ]
    train += ["-p", f"rounds={rounds}", "-p", "leaves=63", "-p", "patience=0", "--hold-out", "none"]
    subprocess.run(train, cwd=folder, check=True)
    import lightgbm
    import numpy as np

    matrix = np.array([[float(row[name]) for name in features] for row in rows])
    costs = np.array([float(row["customers_out"]) for row in rows])
    settings = {"num_leaves": 63, "objective": "regression", "verbosity": -1, "min_data_in_leaf": 5}
    booster = lightgbm.train(settings, lightgbm.Dataset(matrix, costs, feature_name=features), num_boost_round=rounds)
    booster.save_model(str(folder / "peer.txt"))
    # Validation lists would keep only the best rounds: then the sides would not do the same work.
    info = subprocess.run(
        [stakes, "model", "info", "model.json"], cwd=folder, check=True, capture_output=True, text=True
    )
    if f"{rounds} trees" not in info.stdout or booster.num_trees() != rounds:
        raise SystemExit(f"the models have not {rounds} trees each ({booster.num_trees()} of LightGBM):\n{info.stdout}")
    for size in (1, 1000):
        # New rows, which no model was trained on.
        body = [
            {"storm": "new", "network": f"n{i}", **{name: float(row[name]) * 1.01 for name in features}}
            for i, row in enumerate(rows[:size])
        ]
        (folder / f"{size}.json").write_text(json.dumps(body))


def wait(port: int) -> None:
    """Until the service answers."""
    for _ in range(600):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/v1/health")
            if connection.getresponse().status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit(f"nothing answers on port {port}")


def ask(port: int, folder: Path, size: int, options: argparse.Namespace) -> dict[str, float]:
    """One run of wrk."""
    words = [
        "wrk",
        "-t1",
        f"-c{options.connections}",
        f"-d{options.seconds}s",
        "-s",
        str(HERE / "post.lua"),
        f"http://127.0.0.1:{port}/v1/rank",
    ]
    done = subprocess.run(
        words, env={**os.environ, "BODY": str(folder / f"{size}.json")}, capture_output=True, text=True, check=True
    )
    figures = next(line for line in done.stdout.splitlines() if line.startswith("FIGURES"))
    requests, duration, failed, p50, p99 = map(float, figures.split()[1:])
    if failed:
        raise SystemExit(f"{failed:.0f} requests of {requests:.0f} failed:\n{done.stdout}")
    return {"a second": requests / duration * 1e6, "p50": p50 / 1e3, "p99": p99 / 1e3}


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--stakes", default=str(ROOT / "target/release/stakes"))
    parser.add_argument("--empty", help="the program that sends empty replies, if they are measured as well")
    parser.add_argument("--port", type=int, default=18080)
    options = parser.parse_args()
    options.stakes = str(Path(options.stakes).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, options.stakes, options.rounds)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        ours = [options.stakes, "serve", "model.json", "--port", str(options.port)]
        peer = [sys.executable, "-m", "uvicorn", "peer:app", "--app-dir", str(HERE), "--port", str(options.port + 1)]
        peer += ["--workers", str(os.cpu_count()), "--log-level", "warning", "--no-access-log"]
        sides = {"stakes": options.port, "LightGBM + FastAPI": options.port + 1}
        started = [
            subprocess.Popen(ours, cwd=folder, **quiet),
            subprocess.Popen(peer, cwd=folder, env={**os.environ, "PEER_MODEL": str(folder / "peer.txt")}, **quiet),
        ]
        if options.empty:
            sides["empty reply"] = options.port + 2
            started.append(subprocess.Popen([Path(options.empty).resolve(), str(options.port + 2)], **quiet))
        try:
            for port in sides.values():
                wait(port)
            print(f"{'rows':>5}  {'side':<20}{'requests/s':>12}{'p50 ms':>9}{'p99 ms':>9}")
            for size in (1, 1000):
                best: dict[str, dict[str, float]] = {}
                for turn in range(options.turns):
                    for side, port in list(sides.items())[:: 1 if turn % 2 else -1]:
                        met = ask(port, folder, size, options)
                        if side not in best or met["a second"] > best[side]["a second"]:
                            best[side] = met
                for side in sides:
                    met = best[side]
                    print(f"{size:>5}  {side:<20}{met['a second']:>12.0f}{met['p50']:>9.2f}{met['p99']:>9.2f}")
                a, b = (best[side] for side in list(sides)[:2])
                print(
                    f"       ratio {a['a second'] / b['a second']:.1f} x the requests, p99 {a['p99'] / b['p99']:.2f} x"
                )
        finally:
            for process in started:
                process.terminate()
                process.wait(timeout=60)


if __name__ == "__main__":
    main()
