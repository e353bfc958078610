"""One shard, in a process of its own."""

from __future__ import annotations

import hashlib
import importlib
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stakes._dataset import _ROLES, Dataset, Source
from stakes._errors import say
from stakes.ray._deal import fingerprint
from stakes.ray._layout import import_ray


class Engine:
    """What does the work in an actor; tests put another in its place."""

    @property
    def module(self) -> Any:
        return importlib.import_module("stakes._stakes")

    def start(self, threads: int) -> None:
        self.module.set_threads(threads)

    def read(self, source: Any, roles: Mapping[str, Any], stream_above: int) -> Any:
        """Lists in files, or in a table."""
        if not isinstance(source, list):
            return Dataset(source, **roles)._data
        own = {role: given for role, given in roles.items() if role in _ROLES}
        options = {key: given for key, given in roles.items() if key not in _ROLES}
        data = self.module.read_files(source, Source(None, own, options, {}, None, None)._roles({}), stream_above)
        say(data.notes)
        return data

    def shard(self, *words: Any) -> Any:
        return self.module.Shard(*words)

    def combine(self, messages: Sequence[bytes]) -> bytes:
        combined: bytes = self.module.combine([*messages])
        return combined


#: A message, the events of the rounds since the last one, and whether there is a new checkpoint.
Part = tuple[bytes, list[str], bool]
#: What is told of a step: how the training ended, if it did, events, whether there is a new checkpoint, and the bytes
#: of all messages.
Told = tuple[bytes, list[str], bool, int]


def joined(parts: Sequence[Part]) -> tuple[bytes | None, list[str], bool]:
    """How the training ended, if it did; the events of all shards, and whether there is a new checkpoint."""
    messages = [message for message, _, _ in parts]
    kinds = {message[:1] for message in messages}
    end = None
    if b"E" in kinds:
        end = next(message for message in messages if message[:1] == b"E")
    elif len(kinds) > 1:
        end = b"EThe shards wait for different things; this is an error of Stakes, please report it"
    elif kinds == {b"D"}:
        same = len(set(messages)) == 1
        end = messages[0] if same else b"EThe models of the shards differ; this is an error of Stakes, please report it"
    return end, [event for _, events, _ in parts for event in events], any(kept for _, _, kept in parts)


def join_parts(parts: Sequence[Part], combine: Callable[[Sequence[bytes]], bytes]) -> Part:
    """The messages of several shards as one."""
    end, events, kept = joined(parts)
    return combine([message for message, _, _ in parts]) if end is None else end, events, kept


class Actor:
    """One shard, in its own process."""

    def __init__(self, rank: int, shards: int, threads: int, stream_above: int, engine: Any) -> None:
        self.rank, self.shards, self.stream_above, self.engine = rank, shards, stream_above, engine
        self.answers = 0
        self.kept: dict[str, bytes] = {}
        engine.start(threads)

    def load(self, sources: Sequence[Any], valid: Sequence[Any] | None, roles: Mapping[str, Any]) -> Any:
        """Reads the lists of this shard; returns fingerprints and notes."""
        prints: dict[str, str] = {}
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            self.data = self._read(sources, roles, prints, "data")
            self.has_valid = valid is not None
            self.valid = None if valid is None else self._read(valid, roles, prints, "valid")
        return prints, [str(note.message) for note in notes]

    def _read(self, sources: Sequence[Any], roles: Mapping[str, Any], prints: dict[str, str], what: str) -> Any:
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
                return self.engine.read(whole, roles, self.stream_above)
            if what == "valid":
                return None
            raise ValueError(f"shard {self.rank} of {self.shards} has no lists; use fewer actors (num_actors)")
        prints |= {path: fingerprint(path) for path in sources}
        return self.engine.read([*sources], roles, self.stream_above) if sources else None

    def begin(self, options: str, checkpoint: bytes | None, checkpoint_s: float) -> None:
        """Begins the training, or goes on from a checkpoint."""
        self.answers, self.kept = 0, {}
        self.heard: list[bytes] | None = None
        self.shard: Any = None
        lists = (self.data, self.valid, self.has_valid)
        self.shard = self.engine.shard(*lists, options, self.rank, self.shards, checkpoint, checkpoint_s)

    def step(self, _: int) -> Part:
        """Goes on until the other shards are needed."""
        try:
            message, events, checkpoint = self.shard.advance(self.heard)
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

    def pass_on(self, part: Part) -> Part:
        """What all shards have said, for a group of them."""
        return part

    def hear(self, *parts: Part) -> Told | None:
        """Takes the messages of all shards, which answer its own. Rank 0 tells of the step."""
        end, events, kept = joined(parts)
        self.heard = [message for message, _, _ in parts]
        return None if self.rank else (end or b"", events, kept, sum(map(len, self.heard)))

    def answered(self) -> int:
        """How many steps were done; called while a step is running."""
        return self.answers

    def take(self, what: str) -> bytes:
        """The last checkpoint, or the model."""
        return self.kept[what]
