"""Scores of many files."""

from __future__ import annotations

import contextlib
import glob
import os
from pathlib import Path
from typing import Any

from stakes._model import Model
from stakes.ray._actor import Engine
from stakes.ray._deal import found_files
from stakes.ray._exchange import GRACE
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
    for path in written:
        # What a process left that was killed.
        for unfinished in folder.glob(f"{glob.escape(path.name)}.*.tmp"):
            unfinished.unlink(missing_ok=True)
    with connected(address, layout) as ray:
        _score_all(ray, judge, [*zip(paths, written, strict=True)], layout)
    return written


def _score_all(ray: Any, model: Model, files: list[tuple[str, Path]], layout: RayParams) -> None:
    """Scores all files by actors, of which each has one at a time."""
    # No tasks: where one is cancelled while it ends by itself, a check of Ray 2.60 fails and ends the driver.
    kept, made = ray.put(model), ray.remote(_Scorer).options(num_cpus=layout.cpus_per_actor)
    free = [made.remote(kept, layout.cpus_per_actor) for _ in files[: layout.num_actors]]
    waiting, losses = files[::-1], 0
    running: dict[Any, tuple[Any, tuple[str, Path]]] = {}
    try:
        while waiting or running:
            while waiting and free:
                file, actor = waiting.pop(), free.pop()
                running[actor.score.remote(file[0], str(file[1]))] = actor, file
            done, _ = ray.wait([*running], timeout=layout.timeout_s)
            if not done:
                names = ", ".join(path for _, (path, _) in running.values())
                raise TimeoutError(f"{names}: no scores within {layout.timeout_s:g} s (timeout_s)")
            for ref in done:
                actor, file = running.pop(ref)
                free.append(actor)
                try:
                    with plain_errors(ray):
                        ray.get(ref)
                except ray.exceptions.RayActorError as error:
                    losses += 1
                    if losses > layout.max_actor_restarts:
                        raise RuntimeError(
                            f"{file[0]}: actors were lost {losses} times; max_actor_restarts allows "
                            f"{layout.max_actor_restarts}. The last time Ray said: {error}"
                        ) from error
                    waiting.append(file)
                    free[-1] = made.remote(kept, layout.cpus_per_actor)
    finally:
        for actor in [*free, *(actor for actor, _ in running.values())]:
            ray.kill(actor)
        for ref in running:
            # Ray writes out errors that nobody has seen.
            with contextlib.suppress(Exception):
                ray.get(ref, timeout=GRACE)


def _named(folder: Path, path: str, format: str | None) -> Path:
    name = Path(path).name
    stem = name.split(".")[0] or name
    is_parquet = format == "parquet" or (format is None and name.lower().endswith((".parquet", ".pq")))
    return folder / f"{stem}.scores.{'parquet' if is_parquet else 'csv'}"


class _Scorer:
    """Scores files, on any machine."""

    def __init__(self, model: Any, threads: int) -> None:
        Engine().start(threads)
        self.model = model

    def score(self, path: str, target: str) -> None:
        """Scores one file."""
        scores = self.model.predict(path)
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
