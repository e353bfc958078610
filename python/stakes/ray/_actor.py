"""One shard, in a process of its own."""

from __future__ import annotations

import hashlib
import importlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stakes._dataset import Dataset
from stakes.ray._deal import fingerprint
from stakes.ray._layout import import_ray


class Engine:
    """What does the work in an actor; tests put another in its place."""

    @property
    def module(self) -> Any:
        return importlib.import_module("stakes._stakes")

    def start(self, threads: int) -> None:
        self.module.set_threads(threads)

    def read(self, source: Any, roles: Mapping[str, Any]) -> Any:
        return Dataset(source, **roles)._data

    def shard(self, *words: Any) -> Any:
        return self.module.Shard(*words)

    def combine(self, messages: Sequence[bytes]) -> bytes:
        combined: bytes = self.module.combine([*messages])
        return combined


#: A message, the events of the rounds since the last one, and whether there is a new checkpoint.
Part = tuple[bytes, list[str], bool]


def join_parts(parts: Sequence[Part], combine: Callable[[Sequence[bytes]], bytes]) -> Part:
    """The messages of several shards as one."""
    messages = [message for message, _, _ in parts]
    kinds = {message[:1] for message in messages}
    if b"E" in kinds:
        message = next(message for message in messages if message[:1] == b"E")
    elif len(kinds) > 1:
        message = b"EThe shards wait for different things; this is an error of Stakes, please report it"
    elif kinds == {b"D"}:
        same = len(set(messages)) == 1
        message = (
            messages[0] if same else b"EThe models of the shards differ; this is an error of Stakes, please report it"
        )
    else:
        message = combine(messages)
    return message, [event for _, events, _ in parts for event in events], any(kept for _, _, kept in parts)


class Actor:
    """One shard, in its own process."""

    def __init__(self, rank: int, shards: int, threads: int, engine: Any) -> None:
        self.rank, self.shards, self.engine = rank, shards, engine
        self.answers = 0
        self.kept: dict[str, bytes] = {}
        engine.start(threads)

    def load(self, sources: Sequence[Any], valid: Sequence[Any] | None, roles: Mapping[str, Any]) -> Any:
        """Reads the lists of this shard; returns fingerprints and notes."""
        prints: dict[str, str] = {}
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            self.data = self._read(sources, roles, prints, "data")
            self.valid = None if valid is None else self._read(valid, roles, prints, "valid")
        return prints, [str(note.message) for note in notes]

    def _read(self, sources: Sequence[Any], roles: Mapping[str, Any], prints: dict[str, str], what: str) -> list[Any]:
        read = []
        if sources and not isinstance(sources[0], str):
            import pyarrow as pa

            tables = import_ray().get([*sources])
            try:
                whole = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
            except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
                raise ValueError(
                    f"a column is not of one type in all parts: {error}; make it numbers or text"
                ) from None
            prints[f"{what} of shard {self.rank}"] = fingerprint(whole)
            if whole.num_rows:
                return [self.engine.read(whole, roles)]
            if what == "valid":
                return []
            raise ValueError(f"shard {self.rank} of {self.shards} has no lists; use fewer actors (num_actors)")
        for path in sources:
            prints[path] = fingerprint(path)
            read.append(self.engine.read(path, roles))
        return read

    def begin(self, options: str, checkpoint: bytes | None, checkpoint_s: float) -> None:
        """Begins the training, or goes on from a checkpoint."""
        self.answers, self.kept = 0, {}
        self.shard: Any = None
        place = (self.rank, self.shards)
        self.shard = self.engine.shard(self.data, self.valid, options, *place, checkpoint, checkpoint_s)

    def step(self, reply: bytes | None) -> Part:
        """Goes on until the other shards are needed."""
        try:
            message, events, checkpoint = self.shard.advance(reply)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # A panic of Rust is no Exception, and would end the graph.
            return f"E{error}".encode(), [], False
        # Checkpoints and models grow, and channels never shrink: the driver fetches them by calls.
        if checkpoint is not None:
            self.kept["checkpoint"] = checkpoint
        if message[:1] == b"D":
            self.kept["model"] = message[1:]
            message = b"D" + hashlib.blake2b(message).digest()
        self.answers += 1
        return message, events, checkpoint is not None

    def join(self, *parts: Part) -> Part:
        """The messages of a group of shards as one."""
        return join_parts(parts, self.engine.combine)

    def answered(self) -> int:
        """How many steps were done; called while a step is running."""
        return self.answers

    def take(self, what: str) -> bytes:
        """The last checkpoint, or the model."""
        return self.kept[what]
