"""Scores of many files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from stakes._model import Model
from stakes.ray._actor import Engine
from stakes.ray._deal import found_files
from stakes.ray._layout import RayParams, connected, plain_errors


def predict(
    model: Model | str | os.PathLike[str],
    data: Any,
    output: str | os.PathLike[str],
    *,
    format: str | None = None,
    ray_params: RayParams | None = None,
    address: str | None = None,
) -> list[Path]:
    """The model's own score of each row of files (:meth:`Model.predict`), ``num_actors`` files at a time.

    For ``day1.csv`` it writes ``day1.scores.csv`` into the folder ``output``: one column, ``score``, whose rows are in
    the order of the file's. All machines must see files and folder. A file that is there was written completely.

    Args:
        model: the model, or its file.
        data: files, as a path, a pattern or a sequence of paths.
        output: the folder; it is made if it is missing.
        format: ``parquet`` or ``csv``; by default Parquet for Parquet files, else CSV.
        ray_params, address: as in :func:`train`.

    Returns:
        The files that were written, in the order of ``data``.
    """
    layout = ray_params or RayParams()
    if format not in (None, "parquet", "csv"):
        raise ValueError(f"format is {format!r}; it must be 'parquet' or 'csv'")
    paths, folder = found_files(data), Path(output)
    written = [_named(folder, path, format) for path in paths]
    for at, path in enumerate(written):
        if path in written[:at]:
            other = paths[written.index(path)]
            raise ValueError(f"{paths[at]} and {other} would both be written to {path}; give their files other names")
    folder.mkdir(parents=True, exist_ok=True)
    judge = Model.load(model) if isinstance(model, (str, os.PathLike)) else model
    with connected(address, layout) as ray:
        kept = ray.put(judge)
        task = ray.remote(_score).options(num_cpus=layout.cpus_per_actor, max_retries=layout.max_actor_restarts)
        waiting = [*zip(paths, written, strict=True)][::-1]
        running: dict[Any, str] = {}
        try:
            while waiting or running:
                while waiting and len(running) < layout.num_actors:
                    source, target = waiting.pop()
                    running[task.remote(kept, source, str(target), layout.cpus_per_actor)] = source
                done, _ = ray.wait([*running], timeout=layout.timeout_s)
                if not done:
                    names = ", ".join(running.values())
                    raise TimeoutError(f"{names}: no scores within {layout.timeout_s:g} s (timeout_s)")
                with plain_errors(ray):
                    ray.get(done)
                for ref in done:
                    del running[ref]
        finally:
            for ref in running:
                ray.cancel(ref, force=True)
    return written


def _named(folder: Path, path: str, format: str | None) -> Path:
    name = Path(path).name
    stem = name.split(".")[0] or name
    is_parquet = format == "parquet" or (format is None and name.lower().endswith((".parquet", ".pq")))
    return folder / f"{stem}.scores.{'parquet' if is_parquet else 'csv'}"


def _score(model: Any, path: str, target: str, threads: int) -> None:
    """Scores one file, on any machine."""
    Engine().start(threads)
    scores = model.predict(path)
    # Of its own name: a task that was thought lost may still be writing.
    temporary = f"{target}.{os.getpid()}.tmp"
    try:
        if target.endswith(".parquet"):
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.table({"score": scores}), temporary)
        else:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write("score\n")
                file.writelines("\n" if score != score else f"{score!r}\n" for score in scores.tolist())
        os.replace(temporary, target)
    finally:
        Path(temporary).unlink(missing_ok=True)
