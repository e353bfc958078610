"""The actors of a training: started, asked, and started again when they are lost."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stakes._errors import say
from stakes.ray._actor import Actor, Told
from stakes.ray._exchange import GRACE, WHILE, Exchange, too_late
from stakes.ray._layout import RayParams, plain_errors


class Crew:
    """The actors of a training, and what is known of each."""

    def __init__(
        self, ray: Any, parts: Any, valid: Any, roles: Mapping[str, Any], layout: RayParams, engine: Any
    ) -> None:
        self.ray, self.parts, self.valid, self.roles, self.layout = ray, parts, valid, roles, layout
        self.engine = engine
        self.prints: list[dict[str, str]] = [{} for _ in parts]
        self.actors: list[Any] = [None for _ in parts]
        self.first: list[Any] = [None for _ in parts]
        self.loads: list[Any] = [None for _ in parts]
        self.exchange: Any = None
        self.has_graph = False

    def start(self, ranks: Sequence[int]) -> None:
        """Starts actors, which begin to load at once."""
        options = dict(num_cpus=self.layout.cpus_per_actor, max_restarts=0, scheduling_strategy="SPREAD")
        made = self.ray.remote(Actor).options(**options)
        for rank in ranks:
            settings = (self.layout.cpus_per_actor, self.layout.stream_above, self.engine)
            actor = made.remote(rank, len(self.parts), *settings)
            valid = None if self.valid is None else self.valid[rank]
            self.actors[rank], self.first[rank] = actor, actor.answered.remote()
            self.loads[rank] = actor.load.remote(self.parts[rank], valid, self.roles)
        # Beside the driver: a machine that is lost takes both of them, or neither.
        here = self.ray.get_runtime_context().get_node_id()
        strategies = importlib.import_module("ray.util.scheduling_strategies")
        options = dict(num_cpus=0, scheduling_strategy=strategies.NodeAffinitySchedulingStrategy(here, soft=False))
        self.exchange = self.ray.remote(Exchange).options(**options).remote(self.actors)

    def load(self) -> None:
        """Waits until all have their lists; the same lists as before, if they were lost."""
        said: list[str] = []
        for rank, (prints, notes) in enumerate(self._get(self.loads, "loading", self._cpus)):
            for source, known in self.prints[rank].items():
                if prints[source] != known:
                    raise ValueError(
                        f"{source} has changed since the training began (its hash was {known}, now {prints[source]}); "
                        "begin anew, with data that stay as they are"
                    )
            said += [note for note in notes if not self.prints[rank] and note not in said]
            self.prints[rank] = prints
        say(said)

    def begin(self, options: str, checkpoint: bytes | None) -> None:
        """Begins the training on all of them."""
        kept = self.ray.put(checkpoint)
        every = self.layout.checkpoint_s
        self._get([actor.begin.remote(options, kept, every) for actor in self.actors], "beginning")
        self.has_graph = True
        self._ask(self.exchange.compile, self.layout.timeout_s)

    def run(self) -> tuple[Told, int]:
        """Goes on until there is something to tell; gives the number of steps so far as well."""
        told: tuple[Told, int] = self._ask(self.exchange.run, self.layout.timeout_s)
        return told

    def take(self, what: str) -> bytes:
        """What rank 0 keeps for us."""
        taken: bytes = self._get([self.actors[0].take.remote(what)], f"fetching the {what}")[0]
        return taken

    def lost(self) -> list[int]:
        """The ranks of the actors that are gone."""
        return [rank for rank in range(len(self.actors)) if not self._is_alive(rank)]

    def have_run(self, ranks: Sequence[int]) -> bool:
        """Whether any of these actors ever ran; one that is sent to a machine that is gone never does."""
        for rank in ranks:
            with contextlib.suppress(self.ray.exceptions.RayError):
                self.ray.get(self.first[rank], timeout=0)
                return True
        return False

    def restart(self, lost: Sequence[int]) -> None:
        """Starts again those that were lost."""
        if self.has_graph:
            try:
                self._ask(self.exchange.close)
            except Exception:  # Actors that stay in a graph are of no use.
                lost = range(len(self.actors))
        self._kill([self.exchange, *(self.actors[rank] for rank in lost)])
        self.has_graph = False
        self.start(lost)

    def end(self) -> None:
        """Ends all of them."""
        self._kill([*self.actors, self.exchange])

    def _kill(self, actors: Sequence[Any]) -> None:
        for actor in actors:
            if actor is not None:
                self.ray.kill(actor)

    def _is_alive(self, rank: int) -> bool:
        try:
            if not self.ray.wait([self.loads[rank]], timeout=0)[0]:
                return True
            self.ray.get([self.loads[rank], self.actors[rank].answered.remote()], timeout=self.layout.timeout_s)
        except self.ray.exceptions.RayError:
            return False
        return True

    def _ask(self, call: Any, *words: Any) -> Any:
        """An answer of the exchange, which itself waits for the actors no longer than is allowed."""
        try:
            with plain_errors(self.ray):
                return self.ray.get(call.remote(*words), timeout=self.layout.timeout_s + WHILE + 2 * GRACE)
        except self.ray.exceptions.GetTimeoutError:
            raise TimeoutError(f"the exchange did not answer within {self.layout.timeout_s:g} s (timeout_s)") from None

    def _get(self, refs: Sequence[Any], what: str, advice: Callable[[], str] = str) -> list[Any]:
        try:
            with plain_errors(self.ray):
                got: list[Any] = self.ray.get([*refs], timeout=self.layout.timeout_s)
        except Exception as error:
            done, late = self.ray.wait([*refs], num_returns=len(refs), timeout=0)
            for ref in done:
                # Ray writes out errors that nobody has seen.
                with contextlib.suppress(Exception):
                    self.ray.get(ref)
            if not isinstance(error, self.ray.exceptions.GetTimeoutError):
                raise
            ranks = [rank for rank, ref in enumerate(refs) if ref in late]
            raise too_late(what, ranks, len(self.parts), self.layout.timeout_s, advice()) from None
        return got

    def _cpus(self) -> str:
        asked = self.layout.num_actors * self.layout.cpus_per_actor
        there = self.ray.cluster_resources().get("CPU", 0)
        return f"; the actors need {asked} CPUs, the cluster has {there:g}"
