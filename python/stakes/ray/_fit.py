"""A training on Ray, from data to the model."""

from __future__ import annotations

import json
import time as clock
from collections.abc import Mapping
from typing import Any

from stakes._errors import say
from stakes._progress import Callback
from stakes.ray._checkpoint import Held
from stakes.ray._crew import Crew
from stakes.ray._deal import deal
from stakes.ray._exchange import LostError
from stakes.ray._layout import RayParams


def fit(
    ray: Any,
    data: Any,
    valid: Any,
    roles: Mapping[str, Any],
    held: Held,
    layout: RayParams,
    hear: Callback | None,
    engine: Any,
) -> bytes:
    """The training: begins again at the last checkpoint whenever actors are lost."""
    parts = deal(ray, data, "data", roles["list"], layout.num_actors)
    others = None if valid is None else deal(ray, valid, "valid", roles["list"], layout.num_actors)
    crew = Crew(ray, parts, others, roles, layout, engine)
    losses, since = 0, clock.monotonic()
    notes: list[str] = []
    try:
        crew.start(range(layout.num_actors))
        while True:
            try:
                crew.load()
                held.check(crew.prints)
                model = run_steps(crew, held, hear, notes)
                held.done()
                say(notes)
                return model
            except (LostError, ray.exceptions.RayError) as error:
                if getattr(error, "actor_init_failed", False):
                    raise RuntimeError(
                        f"an actor cannot start; is stakes installed on all machines? {error}"
                    ) from error
                lost = crew.lost()
                if not lost or crew.have_run(lost):
                    losses, since = losses + 1, clock.monotonic()
                if losses > layout.max_actor_restarts or clock.monotonic() - since > layout.timeout_s:
                    raise RuntimeError(
                        f"actors were lost {losses} times; max_actor_restarts allows {layout.max_actor_restarts}. "
                        f"The last time Ray said: {error}"
                    ) from error
                crew.restart(lost)
    finally:
        crew.end()


def run_steps(crew: Crew, held: Held, hear: Callback | None, notes: list[str]) -> bytes:
    """Steps of all shards until the model is there."""
    crew.begin(held.options, held.last)
    while True:
        (end, said, has_checkpoint, size), steps = crew.run()
        if has_checkpoint:
            held.keep(crew.take("checkpoint"))
        # How much was exchanged so far goes along.
        events = [{**json.loads(event), "steps": steps, "bytes": size} for event in said]
        # Shards that begin again repeat what they note.
        notes += {event["note"]: None for event in events if event["event"] == "note" and event["note"] not in notes}
        # Every event is heard, whatever is answered to the first.
        if hear is not None and any([hear(event) for event in events]):
            raise KeyboardInterrupt("a callback stopped the training")
        if end[:1] == b"E":
            raise ValueError(end[1:].decode(errors="replace"))
        if end[:1] == b"D":
            return crew.take("model")
