"""What tests of training on Ray share: engines that do as they are told, and a few things to wait for.

Stand-ins for shards are quick, and say where they were: each list gives random whole numbers at every step, all of them
are added, and the model is the hash of all replies, so that one reply that is wrong, lost or repeated changes it."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stakes.ray import RayParams
from stakes.ray._actor import Engine
from stakes.ray._checkpoint import Held
from stakes.ray._fit import fit as fit_on_ray

ROLES = {"list": "list"}
#: The CPUs of the first machine; they only count.
CPUS = 9


@dataclass
class StandIn:
    """An engine of stand-ins. Faults are kept as files, so that each happens once."""

    folder: Path
    steps: int = 24
    words: int = 500
    die: tuple[tuple[int, str], ...] = ()
    hang: tuple[int, str] | None = None
    fail: tuple[int, str] | None = None
    nap: float = 0.0

    def start(self, threads: int) -> None:
        assert threads >= 1

    def read(self, source: Any, roles: Any, stream_above: int) -> list[str]:
        with open(self.folder / "reads", "a") as log:
            log.write("\n".join(source if isinstance(source, list) else ["table"]) + "\n")
        if isinstance(source, list):
            return [name for path in source for name in Path(path).read_text().split()]
        return sorted({str(int(name)) for name in source[roles["list"]].to_pylist()})

    def shard(self, data: Any, *words: Any) -> Any:
        rank, checkpoint = words[3], words[5]
        self.at(rank, "begin")
        return StandInShard(self, data, rank, checkpoint)

    def combine(self, messages: Any) -> bytes:
        if messages[0][:1] == b"G":
            return b"G" + b"".join(message[1:] for message in messages)
        assert {message[:1] for message in messages} == {b"S"}
        return b"S" + sum(np.frombuffer(message[1:], np.int64) for message in messages).tobytes()

    def at(self, rank: int, where: str) -> None:
        """What happens here: nothing, or a fault."""
        if (rank, where) in self.die and is_first(self.folder / f"died-{rank}-{where}"):
            os._exit(1)
        if self.hang == (rank, where):
            time.sleep(100)
        if self.fail == (rank, where):
            raise ValueError(f"rank {rank} fails at {where}")


class StandInShard:
    def __init__(self, engine: StandIn, data: Any, rank: int, checkpoint: bytes | None) -> None:
        self.engine, self.rank = engine, rank
        self.lists = sorted(data)
        self.step, self.state = (0, "") if checkpoint is None else json.loads(checkpoint)

    def advance(self, heard: Sequence[bytes] | None) -> tuple[bytes, list[str], bytes | None]:
        engine, events, checkpoint = self.engine, [], None
        if heard is not None:
            reply = engine.combine(heard)
            # What is gathered comes in the order of the ranks, which is that of no list.
            said = b",".join(sorted(reply[1:].split(b","))) if reply[:1] == b"G" else reply
            self.state = hashlib.blake2b(self.state.encode() + said).hexdigest()
            self.step += 1
            if self.rank == 0:
                events = [json.dumps({"event": "round", "round": self.step})]
                if self.step % 4 == 0:
                    checkpoint = json.dumps([self.step, self.state]).encode()
        engine.at(self.rank, str(self.step))
        time.sleep(engine.nap)
        if self.step == engine.steps:
            return b"D" + json.dumps({"model": self.state}).encode(), events, checkpoint
        if self.step % 6 == 5:
            return b"G" + "".join(f"{name}," for name in self.lists).encode(), events, checkpoint
        words = engine.words * (self.step + 1)
        draws = [np.random.default_rng([int(name), self.step]).integers(-9, 9, words) for name in self.lists]
        return b"S" + np.sum(draws, axis=0, dtype=np.int64).tobytes(), events, checkpoint


def alone(engine: StandIn) -> bytes:
    """The model by a loop without Ray: one shard with all lists."""
    whole = StandIn(engine.folder, engine.steps, engine.words)
    shard = StandInShard(whole, [str(name) for name in range(60)], 0, None)
    heard = None
    while True:
        message, _, _ = shard.advance(heard)
        if message[:1] == b"D":
            return message[1:]
        heard = [message]


def fit(
    data: Any,
    engine: StandIn,
    hear: Callable[[dict[str, Any]], Any] | None = None,
    path: Path | None = None,
    resume: bool = False,
    options: str = "{}",
    **params: Any,
) -> bytes:
    """Trains stand-ins on Ray."""
    import ray

    return fit_on_ray(ray, data, None, ROLES, Held(path, resume, options), RayParams(**params), hear, engine)


def reads(engine: StandIn) -> list[str]:
    """What was read, in order."""
    return (engine.folder / "reads").read_text().split()


@dataclass
class Killed(Engine):
    """The real engine, whose actors are killed: after each beginning of the training the next of ``plan``, which is a
    rank and a number of steps."""

    folder: Path
    plan: Sequence[tuple[int, int]]

    def shard(self, *words: Any) -> Any:
        rank = words[4]
        at = len([*self.folder.glob("killed-*")])
        steps = self.plan[at][1] if at < len(self.plan) and self.plan[at][0] == rank else None
        return KilledShard(super().shard(*words), self.folder / f"killed-{at}", steps)


class KilledShard:
    def __init__(self, shard: Any, mark: Path, steps: int | None) -> None:
        self.shard, self.mark, self.left = shard, mark, steps

    def advance(self, heard: Sequence[bytes] | None) -> Any:
        if self.left is not None:
            self.left -= 1
            if self.left == 0 and is_first(self.mark):
                os.kill(os.getpid(), signal.SIGKILL)
        return self.shard.advance(heard)


def is_first(mark: Path) -> bool:
    """Whether this file was not there yet; it is from now on."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@dataclass
class Doubling:
    """A model whose scores are twice the numbers in a file; it may die once."""

    die: Path | None = None

    def predict(self, path: str) -> Any:
        numbers = np.array(Path(path).read_text().split(), dtype=float)
        if self.die is not None and numbers[0] == 3 and is_first(self.die):
            os._exit(1)
        if numbers[0] == 52:
            raise ValueError(f"{path}: it cannot be read")
        return numbers * 2


class Delayed:
    """As a part of a data frame of Dask."""

    def __init__(self, part: Any) -> None:
        self.part = part

    def compute(self, scheduler: str) -> Any:
        return self.part


class Dask:
    """As a data frame of Dask."""

    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def to_delayed(self) -> list[Delayed]:
        return [Delayed(part) for part in self.parts]


def wait_for(is_so: Callable[[], bool]) -> None:
    """Waits for what Ray hears of a little later."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)
