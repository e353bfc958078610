"""Ray: training on many machines, many trainings at a time, and scores of many files.

Each of ``num_actors`` actors holds whole lists, its shard. All shards run the same training; where it needs a sum over
all lists (histograms of a node) or what every shard knows (a metric of each list), every shard gives a message, and all
of them get the messages of all, in the order of the ranks::

    shard 0:  advance(None) -> m0 --+--> advance([m0, m1]) -> ...
    shard 1:  advance(None) -> m1 --+--> advance([m0, m1]) -> ...

Sums are of whole numbers, so the order of adding changes nothing; of more than eight shards the messages are added in
groups first. Messages go from actor to actor through a compiled graph of Ray (channels of shared memory): a call of an
actor costs ten times as much. An actor that is lost is started again, and the training begins again at the last
checkpoint that the driver holds, with the same result to the byte.

>>> from stakes.ray import RayParams
>>> RayParams(num_actors=4).num_actors
4
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from stakes import _frames
from stakes._goal import goal
from stakes._model import Model
from stakes._progress import Callback, Follower
from stakes._train import parameters
from stakes.ray._actor import Engine
from stakes.ray._checkpoint import Held
from stakes.ray._fit import fit
from stakes.ray._layout import RayParams, connected
from stakes.ray._predict import predict
from stakes.ray._tasks import Tasks

__all__ = ["RayParams", "Tasks", "predict", "train"]


def train(
    data: Any,
    *,
    list: str | None,
    impact: str | None = None,
    k: int | str | None = None,
    learner: str = "cs-mart",
    budget: float | None = None,
    metric: str | None = None,
    cost: str | None = None,
    policy: str | None = None,
    seed: int = 0,
    valid: Any = None,
    hold_out: float | str | None = None,
    folds: int | None = None,
    allow_leak: str | Sequence[str] | None = None,
    ray_params: RayParams | None = None,
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    callbacks: Sequence[Callback] | None = None,
    progress: bool | None = None,
    id: str | None = None,
    time: str | None = None,
    group: str | None = None,
    price: str | None = None,
    weight: str | None = None,
    drop: str | Sequence[str] | None = None,
    categorical: str | Sequence[str] | None = None,
    numeric: str | Sequence[str] | None = None,
    extras: str | Sequence[str] | None = None,
    missing_impact: str | None = None,
    learner_params: Mapping[str, Any] | None = None,
    **params: Any,
) -> Model:
    """Trains a model on Ray; what is not named here is as in :func:`stakes.train`.

    Args:
        data: files, as a path, a pattern such as ``"storms/*.parquet"`` or a sequence of paths, that every machine can
            read: each actor reads its own, dealt by size, and each list must be wholly in one file. Or a
            ``ray.data.Dataset``, a data frame of Dask, or a sequence of frames (pandas, polars, pyarrow): these are
            shuffled once, so that lists are whole. A row goes to the actor of number ``h % num_actors``, where ``h`` is
            the blake2b hash (8 bytes, little-endian) of the text of its list, on every machine the same.
        list: the column of the list that an item belongs to; ``None`` only where files say it themselves (LETOR).
        learner: boosted trees or ``random-forest``; the others, ``auto`` among them, need all lists in one place
            (``stakes.train(..., ray="auto")`` makes the trainings of ``auto`` as tasks).
        valid: lists to validate with, as ``data``.
        ray_params: how many actors there are, and what they may do.
        address: of the cluster, such as ``"auto"`` on one of its machines; by default the one that this program is
            connected to, else that of ``RAY_ADDRESS``, else (or with ``"local"``) Ray is started on this machine, and
            ended afterwards.
        checkpoint: a file that keeps the last checkpoint, as long as the training lasts.
        resume: continue from that file.
        callbacks: functions that get a dictionary after every round, also with the ``steps`` and ``bytes`` that were
            exchanged so far; a true answer is as Ctrl-C.

    Ctrl-C ends the actors and raises ``KeyboardInterrupt``; ``resume`` continues from the file ``checkpoint``.
    """
    layout = ray_params or RayParams()
    params.update(learner_params or {})
    for name, value in (("metric", metric), ("loss", params.get("loss"))):
        if callable(value):
            raise TypeError(f"{name} is a function; on Ray it must be a name (stakes.train takes functions)")
    options = {
        "goal": goal(k, budget, cost, policy, metric),
        "learner": learner,
        "params": parameters(params),
        "seed": seed,
        "hold_out": None if hold_out is None else str(hold_out),
        "folds": folds,
        "allow_leak": _frames.text_list(allow_leak),
    }
    roles = dict(
        list=list,
        impact=impact,
        id=id,
        time=time,
        group=group,
        price=price,
        weight=weight,
        drop=drop,
        categorical=categorical,
        numeric=numeric,
        extras=extras,
        missing_impact=missing_impact,
    )
    for role, given in roles.items():
        if given is not None and not isinstance(given, (str, Sequence)):
            raise TypeError(f"{role} is {type(given).__name__}; on Ray roles are names of columns")
    held = Held(checkpoint, resume, json.dumps(options, sort_keys=True))
    with connected(address, layout) as ray, Follower(learner, progress, callbacks) as follower:
        text = fit(ray, data, valid, roles, held, layout, follower.call, Engine())
    return Model.from_json(text)
