"""The messages of shards, carried between them."""

from __future__ import annotations

import importlib
import logging
import time as clock
from collections.abc import Sequence
from typing import Any

from stakes.ray._actor import Told
from stakes.ray._layout import import_ray

#: More messages than this are combined by the actors first, in groups of this many.
_GROUP = 8
#: How often, in seconds, the driver hears of rounds.
WHILE = 0.2
#: How long, in seconds, actors may take to say how far they are.
GRACE = 5.0


class Exchange:
    """Drives the shards, whose messages go from one to the other by a compiled graph. It has a process of its own, as
    Ray frees the memory of channels only when the process that made them ends."""

    def __init__(self, actors: Sequence[Any]) -> None:
        self.ray, self.actors = import_ray(), actors
        # Ray writes a trace for every actor that is lost; we say it ourselves.
        logging.getLogger("ray.dag.compiled_dag_node").setLevel(logging.CRITICAL)

    def compile(self, timeout: float) -> None:
        """Makes the graph: all actors do a step, and their messages go to all of them, those of many in groups."""
        dag = importlib.import_module("ray.dag")
        with dag.InputNode() as step:
            parts = [actor.step.bind(step) for actor in self.actors]
            heard = (
                [parts for _ in self.actors] if len(parts) <= _GROUP else [[part] for part in _sums(self.actors, parts)]
            )
            pairs = zip(self.actors, heard, strict=True)
            output = dag.MultiOutputNode([actor.hear.bind(*own) for actor, own in pairs])
        # One step at a time: each channel then has one buffer, not ten. To begin it is a part of a step, so that
        # our limit holds, and not Ray's of 10 seconds.
        self.graph = output.experimental_compile(_max_inflight_executions=1, _submit_timeout=timeout)
        self.steps = self.bytes = 0

    def run(self, timeout: float) -> tuple[Told, int]:
        """Steps until there is something to tell: an end or an error, a checkpoint, or events of a while. Gives the
        steps and the bytes of messages so far as well."""
        told: list[str] = []
        until = clock.monotonic() + WHILE
        while True:
            self.steps += 1
            try:
                end, events, has_checkpoint, size = self.ray.get(self.graph.execute(self.steps), timeout=timeout)[0]
            except self.ray.exceptions.RayChannelTimeoutError:
                raise too_late(f"step {self.steps}", self._late(), len(self.actors), timeout) from None
            except self.ray.exceptions.RayTaskError:
                raise
            except self.ray.exceptions.RayError as error:
                raise LostError(str(error)) from None
            self.bytes += size
            told += events
            if end or has_checkpoint or clock.monotonic() > until:
                return (end, told, has_checkpoint, self.bytes), self.steps

    def _late(self) -> list[int]:
        asked = [actor.answered.remote() for actor in self.actors]
        self.ray.wait(asked, num_returns=len(asked), timeout=GRACE)
        late = []
        for rank, ref in enumerate(asked):
            try:
                if self.ray.get(ref, timeout=0) < self.steps:
                    late.append(rank)
            except self.ray.exceptions.RayError:
                late.append(rank)
        return late

    def close(self) -> None:
        """Frees the actors for another graph."""
        self.graph.teardown()


def _sums(actors: Sequence[Any], parts: Sequence[Any]) -> list[Any]:
    """The sum of many messages, for each actor: the first of each group adds those of its group, and passes on to it
    what all groups come to. So nobody takes in or gives out more than a few."""
    if len(parts) == 1:
        return [*parts]
    groups = [slice(at, at + _GROUP) for at in range(0, len(parts), _GROUP)]
    leaders = actors[::_GROUP]
    joined = [leader.join.bind(*parts[group]) for leader, group in zip(leaders, groups, strict=True)]
    sums = _sums(leaders, joined)
    passed = [leader.pass_on.bind(whole) for leader, whole in zip(leaders, sums, strict=True)]
    return [passed[at // _GROUP] for at in range(len(parts))]


class LostError(Exception):
    """An actor was lost."""


def too_late(what: str, ranks: Sequence[int], shards: int, timeout: float, advice: str = "") -> TimeoutError:
    names = f"rank{'s' if len(ranks) != 1 else ''} {', '.join(map(str, ranks))}"
    return TimeoutError(f"{what}: {names} of {shards} did not answer within {timeout:g} s (timeout_s){advice}")
