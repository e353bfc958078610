"""How a training is laid out, and the connection to Ray."""

from __future__ import annotations

import contextlib
import importlib
import logging
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class RayParams:
    """How a training is laid out on Ray.

    Args:
        num_actors: how many actors share the lists.
        cpus_per_actor: how many CPUs each has; it uses as many threads.
        max_actor_restarts: how often the training goes on after actors were lost; actors that are lost together, as
            with their machine, count once.
        timeout_s: how long, in seconds, an actor may take for one step (or to start and load its lists).
        stream_above: features of an actor's Parquet files that would take more bytes than this in memory stay in the
            files and are read piece by piece; the files must stay as they are.
        checkpoint_s: how long, in seconds, the training goes on until it makes another checkpoint; 0 makes one after
            every round.

    >>> RayParams(num_actors=0)
    Traceback (most recent call last):
    ...
    ValueError: num_actors is 0; it must be a whole number from 1 on
    """

    num_actors: int = 2
    cpus_per_actor: int = 1
    max_actor_restarts: int = 2
    timeout_s: float = 600.0
    stream_above: int = 1 << 30
    checkpoint_s: float = 2.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name.endswith("_s"):
                is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
                may_be_0 = field.name == "checkpoint_s"
                if not is_number or not math.isfinite(value) or value < 0 or (value == 0 and not may_be_0):
                    allowed = "from 0 on" if may_be_0 else "above 0"
                    raise ValueError(f"{field.name} is {value!r}; it must be a number of seconds {allowed}")
                continue
            least = 0 if field.name in ("max_actor_restarts", "stream_above") else 1
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{field.name} is {value!r}; it must be a whole number from {least} on")


def import_ray() -> Any:
    # By name: this module is called ray, too.
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise ImportError("stakes.ray needs Ray: pip install ray") from error


def check_address(address: str | None) -> None:
    if (address or "").startswith("ray://") or importlib.import_module("ray.util.client").ray.is_connected():
        raise ValueError(
            "connections by Ray's client (ray://) are not supported; run the program on a machine of the cluster "
            "(ray job submit), with address='auto'"
        )


@contextlib.contextmanager
def connected(address: str | None, layout: RayParams) -> Iterator[Any]:
    """Ray as it is connected, or connected for this one call."""
    ray = import_ray()
    check_address(address)
    if ray.is_initialized():
        yield ray
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    # Not whatever Ray finds on the machine: the address of one that was killed is still there, and is waited for.
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    if address != "local":
        ray.init(address=address, **quiet)
    if address == "local":
        # Workers of Ray give way to all other processes unless they are told not to: a training beside two busy ones
        # would get a thirtieth of the time that it gets without Ray.
        os.environ.setdefault("RAY_worker_niceness", "0")
        # CPUs of Ray only count: with more actors than CPUs they are slow, but do not wait for each other for ever.
        cpus = max(os.cpu_count() or 1, layout.num_actors * layout.cpus_per_actor)
        ray.init(address="local", num_cpus=cpus, include_dashboard=False, **quiet)
    try:
        yield ray
    finally:
        ray.shutdown()


@contextlib.contextmanager
def plain_errors(ray: Any) -> Iterator[None]:
    """Errors of our own code as they were raised, without the trace of a worker."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        raise getattr(error, "cause", None) or error from None
