#!/usr/bin/env python3
"""Training on Parquet files that are not read as a whole: the program beside LightGBM and XGBoost, on the same files.

    make wheel && python3 -m venv /tmp/large && /tmp/large/bin/pip install target/wheels/*.whl lightgbm xgboost pyarrow \\
        && /tmp/large/bin/python benches/larger_than_memory.py /tmp/search --stakes /tmp/large/bin/stakes

Generated search, 136 features, 10,000,000 rows in 40 files (6 GB as 32-bit numbers). Each one in a process of its own:
seconds from start to end, and the peak of its memory. LightGBM reads by `Sequence`, row group by row group, XGBoost by
`ExtMemQuantileDMatrix`, which keeps its own copy on disk. Run it when nothing else runs; `--lists 2000` is a quick look.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

LISTS_PER_ROW = 1 / 119.2
RUNNERS = ["stakes", "lightgbm", "xgboost"]


def files_of(folder: Path) -> list[Path]:
    """The parts, in order."""
    return sorted(folder.glob("search-*.parquet"))


def stakes(folder: Path, program: str, rounds: int, threads: int) -> None:
    """Our program."""
    words = [program, "train", str(folder / "search-*.parquet"), "--list", "query", "--impact", "grade", "-k", "10"]
    words += ["--learner", "lambdamart", "-m", "ndcg", "--hold-out", "none", "--no-baseline", "-q"]
    for parameter in (f"rounds={rounds}", "leaves=63", "rate=0.1", "min-rows=20", "patience=0"):
        words += ["-p", parameter]
    os.execv(program, [*words, "--threads", str(threads), "-o", str(folder / "model.json")])


def groups_of(path: Path) -> Any:
    """The features, the grades and the queries of each row group of a file."""
    import numpy as np
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    for group in range(file.num_row_groups):
        table = file.read_row_group(group)
        names = [name for name in table.column_names if name not in ("query", "grade")]
        values = np.stack([table[name].to_numpy().astype(np.float32) for name in names], axis=1)
        yield values, table["grade"].to_numpy(), table["query"].to_pylist()


def labels_of(files: list[Path]) -> tuple[Any, Any]:
    """The grades, and the sizes of the queries, which are whole in each file."""
    import numpy as np
    import pyarrow.parquet as pq

    grades, sizes = [], []
    for path in files:
        table = pq.read_table(path, columns=["grade", "query"])
        grades.append(table["grade"].to_numpy())
        names = np.asarray(table["query"].to_pylist())
        starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]]))
        sizes.append(np.diff(np.append(starts, len(names))))
    return np.concatenate(grades), np.concatenate(sizes)


def lightgbm(folder: Path, rounds: int, threads: int) -> None:
    """LightGBM, by sequences that hold one row group at a time."""
    import lightgbm as lgb
    import numpy as np
    import pyarrow.parquet as pq

    class Part(lgb.Sequence):  # type: ignore[misc]
        batch_size = 8192

        def __init__(self, path: Path) -> None:
            self.file = pq.ParquetFile(path)
            rows = [self.file.metadata.row_group(g).num_rows for g in range(self.file.num_row_groups)]
            self.starts = np.concatenate([[0], np.cumsum(rows)])
            self.names = [name for name in self.file.schema_arrow.names if name not in ("query", "grade")]
            self.held: tuple[int, Any] = (-1, None)

        def __len__(self) -> int:
            return int(self.starts[-1])

        def group(self, number: int) -> Any:
            if self.held[0] != number:
                table = self.file.read_row_group(number, columns=self.names)
                self.held = (number, np.stack([table[name].to_numpy() for name in self.names], axis=1))
            return self.held[1]

        def __getitem__(self, at: Any) -> Any:
            if not isinstance(at, slice):
                number = int(np.searchsorted(self.starts, at, "right")) - 1
                return self.group(number)[at - self.starts[number]].astype(np.float64)
            pieces, row = [], at.start
            while row < at.stop:
                number = int(np.searchsorted(self.starts, row, "right")) - 1
                end = min(at.stop, int(self.starts[number + 1]))
                pieces.append(self.group(number)[row - self.starts[number] : end - self.starts[number]])
                row = end
            return np.concatenate(pieces).astype(np.float64)

    files = files_of(folder)
    grades, sizes = labels_of(files)
    params = {"objective": "lambdarank", "num_leaves": 63, "learning_rate": 0.1, "min_data_in_leaf": 20, "verbose": -1}
    params |= {"num_threads": threads, "max_bin": 255}
    data = lgb.Dataset([Part(path) for path in files], grades, group=sizes, params=params)
    lgb.train(params, data, rounds)


def xgboost(folder: Path, rounds: int, threads: int) -> None:
    """XGBoost, by its external memory."""
    import numpy as np
    import xgboost as xgb

    files = files_of(folder)

    class Parts(xgb.DataIter):  # type: ignore[misc]
        def __init__(self) -> None:
            self.at = 0
            super().__init__(cache_prefix=str(folder / "cache"))

        def next(self, input_data: Any) -> bool:
            if self.at == len(files):
                return False
            groups = list(groups_of(files[self.at]))
            names = [name for _, _, queries in groups for name in queries]
            qid = np.unique(np.asarray(names), return_inverse=True)[1] + self.at * 1_000_000
            values, grades = np.concatenate([g[0] for g in groups]), np.concatenate([g[1] for g in groups])
            input_data(data=values, label=grades, qid=qid)
            self.at += 1
            return True

        def reset(self) -> None:
            self.at = 0

    data = xgb.ExtMemQuantileDMatrix(Parts(), max_bin=256, nthread=threads)
    params = {"objective": "rank:ndcg", "max_leaves": 63, "max_depth": 0, "grow_policy": "lossguide", "eta": 0.1}
    xgb.train({**params, "tree_method": "hist", "nthread": threads}, data, rounds)


def measured(command: list[str]) -> tuple[float, float, int]:
    """The seconds of a command, its peak memory in GB, and its exit code."""
    begun = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - begun, usage.ru_maxrss * 1024 / 1e9, os.waitstatus_to_exitcode(status)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stakes", default="stakes")
    parser.add_argument("--lists", type=int, default=round(10_000_000 * LISTS_PER_ROW))
    parser.add_argument("--parts", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default=",".join(RUNNERS), help="which, separated by commas")
    parser.add_argument("--run", choices=RUNNERS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.run == "stakes":
        return stakes(asked.folder, asked.stakes, asked.rounds, asked.threads)
    if asked.run:
        return globals()[asked.run](asked.folder, asked.rounds, asked.threads)
    if not files_of(asked.folder):
        asked.folder.mkdir(parents=True, exist_ok=True)
        made = [asked.stakes, "generate", "search", "--lists", str(asked.lists), "--parts", str(asked.parts)]
        subprocess.run([*made, "-o", str(asked.folder / "search.parquet")], check=True)
    print("| | seconds | peak memory, GB |\n|---|---|---|", flush=True)
    for name in asked.only.split(","):
        seconds, peak, code = measured([sys.executable, *sys.argv, "--run", name])
        end = "" if code == 0 else f" (ended with {code})"
        print(f"| {name}{end} | {seconds:.1f} | {peak:.2f} |", flush=True)


if __name__ == "__main__":
    main()
