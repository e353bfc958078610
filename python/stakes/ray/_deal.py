"""Which lists go to which actor: files by their size, frames by a hash of the list."""

from __future__ import annotations

import glob
import hashlib
import io
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from stakes import _frames


def found_files(data: Any) -> list[str]:
    """Paths and patterns as the files that there are."""
    given = [data] if isinstance(data, (str, os.PathLike)) else [*data]
    found: list[str] = []
    for path in [os.fspath(path) for path in given]:
        matches = [path] if os.path.exists(path) else sorted(glob.glob(path, recursive=True))
        if not matches:
            raise FileNotFoundError(f"{path}: there is no such file")
        found += [os.path.abspath(match) for match in matches]
    repeated = [path for at, path in enumerate(found) if path in found[:at]]
    if repeated or not found:
        raise ValueError(f"{repeated[0]} is given twice" if repeated else "no files are given; give at least one")
    return found


def deal_files(paths: Sequence[str], shards: int) -> list[list[str]]:
    """Files for each actor, about equal in size: the largest first, each to who has least."""
    sizes = {path: os.path.getsize(path) for path in paths}
    dealt: list[list[str]] = [[] for _ in range(shards)]
    loads = [0] * shards
    for path in sorted(paths, key=lambda path: (-sizes[path], path)):
        rank = loads.index(min(loads))
        # Empty files count, too: each actor gets one before any gets two.
        loads[rank] += max(1, sizes[path])
        dealt[rank].append(path)
    return dealt


def home_of(name: str, shards: int) -> int:
    """The rank of the shard of a list, the same on every machine.

    >>> [home_of(name, 4) for name in ("1", "2", "3")]
    [2, 3, 2]
    """
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little") % shards


def split_frame(part: Any, list: str, shards: int) -> Any:
    """The rows of a frame for each shard; a task of Ray."""
    import pyarrow as pa

    if hasattr(part, "compute"):
        part = part.compute(scheduler="synchronous")
    kind = _frames.kind_of(part)
    if kind in (None, "dict"):
        raise TypeError(
            f"a part of the data is a {type(part).__name__}; it must be a frame of pandas, polars or pyarrow"
        )
    table = part.to_arrow() if kind == "polars" else pa.table(_frames.stream(part, kind))
    if list not in table.column_names:
        raise ValueError(f"list is {list!r}; the columns are {', '.join(table.column_names)}")
    names, codes = _frames.codes(table[list].to_pandas() if pa.types.is_dictionary(table[list].type) else table[list])
    # A row without a list goes to the last shard; reading says that it has none.
    homes = np.array([*(home_of(name, shards) for name in names), shards - 1])[codes]
    tables = [table.filter(pa.array(homes == rank)) for rank in range(shards)]
    return tables if shards > 1 else tables[0]


def deal(ray: Any, data: Any, what: str, list: str | None, shards: int) -> list[list[Any]]:
    """What each actor reads: paths, or references to tables."""
    if isinstance(data, (str, os.PathLike)) or _all_paths(data):
        paths = found_files(data)
        if what == "data" and len(paths) < shards:
            raise ValueError(
                f"num_actors is {shards}, but there are {len(paths)} files, and each actor reads its own; "
                f"use at most {len(paths)} actors, or more files (each list wholly in one)"
            )
        return deal_files(paths, shards)
    if list is None:
        raise ValueError("list is None; frames are shuffled by list, so it must be the name of a column")
    if type(data).__module__.startswith("ray.data"):
        parts = data.to_arrow_refs()
    elif hasattr(data, "to_delayed"):
        parts = data.to_delayed()
    else:
        parts = [data] if _frames.kind_of(data) is not None else [*data]
    if not parts:
        raise ValueError(f"{what} has no parts; give at least one")
    task = ray.remote(split_frame).options(num_returns=shards)
    dealt = [task.remote(part, list, shards) for part in parts]
    return [[refs[rank] if shards > 1 else refs for refs in dealt] for rank in range(shards)]


def _all_paths(data: Any) -> bool:
    is_some = isinstance(data, Sequence) and len(data) > 0
    return is_some and all(isinstance(path, (str, os.PathLike)) for path in data)


class _Digest(io.RawIOBase):
    """A file that only keeps the hash of what is written to it."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=16)

    def writable(self) -> bool:
        return True

    def write(self, part: Any) -> int:
        self.hash.update(part)
        return memoryview(part).nbytes


def fingerprint(source: Any) -> str:
    """The hash of a file's bytes, or of a table."""
    digest = _Digest()
    if isinstance(source, str):
        with open(source, "rb") as file:
            while part := file.read(1 << 20):
                digest.write(part)
        return digest.hash.hexdigest()
    import pyarrow as pa

    with pa.ipc.new_stream(pa.PythonFile(digest, "w"), source.schema) as stream:
        stream.write_table(source)
    return digest.hash.hexdigest()
