"""Training."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from stakes import _frames, _stakes
from stakes._dataset import Dataset, as_dataset
from stakes._elsewhere import train_elsewhere
from stakes._errors import say
from stakes._goal import goal
from stakes._model import Model
from stakes._progress import Callback, Follower

if TYPE_CHECKING:
    from stakes.ray import Tasks

#: ``loss(scores, cost, lists) -> (grad, hess)``: arrays over all items; ``lists`` has the index of the first item of
#: each list, and the end of the last. Costs are those of the data; scores start at 0.
Loss = Callable[[Any, Any, Any], Any]
#: ``metric(scores, cost, lists) -> float``, of the same arrays. Higher is better, unless the function has an
#: attribute ``higher_is_better = False``.
Metric = Callable[[Any, Any, Any], float]


#: What people are used to, and what it is called here.
_HABITS = {
    "random_state": "seed=",
    "n_jobs": "stakes.set_threads(n)",
    "num_threads": "stakes.set_threads(n)",
    "verbose": "progress=False (or True)",
    "objective": "learner=, or loss= for a function of yours",
}


def parameters(params: dict[str, Any]) -> dict[str, str]:
    """Parameters of a learner as texts: ``min_rows=5`` is ``min-rows=5`` of the program."""
    for habit, ours in _HABITS.items():
        if habit in params:
            raise TypeError(f"{habit} is {ours} here")
    return {key.replace("_", "-"): _text(value) for key, value in params.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(part) for part in value)
    if isinstance(value, float) and value == int(value) and abs(value) < 2**53:
        return str(int(value))
    return str(value)


def train(
    data: Any,
    k: int | str | None = None,
    learner: str | None = None,
    *,
    budget: float | None = None,
    metric: str | Metric | None = None,
    cost: str | None = None,
    policy: str | None = None,
    loss: Loss | str | None = None,
    effort: str | None = None,
    seed: int = 0,
    valid: Any = None,
    hold_out: float | str | None = None,
    folds: int | None = None,
    tune: int | None = None,
    current: Any = None,
    unit: str | None = None,
    currency: str | None = None,
    per: float | None = None,
    baseline: bool = True,
    allow_leak: str | Sequence[str] | None = None,
    init_model: Model | None = None,
    base: Model | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    ray: str | Tasks | None = None,
    callbacks: Sequence[Callback] | None = None,
    progress: bool | None = None,
    list: Any = None,
    impact: Any = None,
    id: Any = None,
    time: Any = None,
    group: Any = None,
    price: Any = None,
    weight: Any = None,
    drop: Any = None,
    categorical: Any = None,
    numeric: Any = None,
    extras: Any = None,
    missing_impact: str | None = None,
    learner_params: Mapping[str, Any] | None = None,
    _note_leaks: bool = False,
    **params: Any,
) -> Model:
    """Trains a model that ranks by cost, and judges it by lists that it was not trained on.

    Args:
        data: a :class:`stakes.Dataset`, or what it is made of together with roles (``list=``, ``impact=``, ...).
        k: how many items of each list can be acted on: a number, or a share such as ``"10%"``; 10 if it is not given.
        learner: ``auto``, or one of :func:`stakes.learner_names`.
        budget: how much money can be spent in each list instead; needs prices.
        metric: what decides when training stops: the name of a metric, or a function of yours.
        cost: what acting on an item saves, as an expression of columns; by default the impact.
        policy: the probability that each position is acted on.
        loss: a function of yours that boosted trees minimise; called once a round with whole arrays. (With
            ``learner="mart"``, a text is its parameter of that name.)
        effort: of ``auto``: ``low``, ``medium`` or ``high``.
        seed: of all random draws.
        valid: lists to validate with, as ``data``.
        hold_out: the part of the lists to validate with.
        folds: cross-validate with this many folds.
        tune: try this many settings.
        current: how it is decided now: a column, an expression, ``random``, or a score for each row; the verdict is
            then about the difference.
        unit, currency, per: what costs are counted in, for the verdict's sentences.
        baseline: whether a plain regression is trained to compare with.
        allow_leak: features that may put the costs in order almost perfectly.
        init_model: a model whose training is continued.
        base: the model whose top items ``exact-rerank`` re-ranks.
        output: a file for the model, with checkpoints beside it, from which ``resume`` continues.
        ray: make the trainings of ``auto``, of ``tune``, and of ``folds`` of learners that do not boost trees as tasks
            of Ray: the address of a cluster (``"auto"``, ``"local"``), or :class:`stakes.ray.Tasks`. The model is the
            same. Each task has all data: a file is read where the task is, and must be there.
        callbacks: functions that get a dictionary after every round; a true answer stops the training.
        progress: whether a line shows the progress; by default in terminals and notebooks.
        learner_params, params: parameters of the learner: ``rounds=200, leaves=31``; those that have the name of
            an argument of this function, such as ``metric`` of ``adarank``, in a dictionary.

    Ctrl-C stops after the current round: the best model so far is returned, with ``model.interrupted``.

    >>> import stakes
    >>> storms = stakes.generate("storms", lists=30, rows=1500)
    >>> model = stakes.train(storms, k=5, learner="two-part", rounds=20)
    >>> model.learner, model.interrupted
    ('two-part', False)
    """
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
    data = as_dataset(data, **roles)
    other = None
    if valid is not None:
        other = as_dataset(valid, **({} if isinstance(valid, Dataset) else roles))
    params.update(learner_params or {})
    if effort is not None:
        params["effort"] = effort
    if isinstance(loss, str):
        params["loss"], loss = loss, None
    if loss is not None and learner is not None:
        raise TypeError(f"learner is {learner!r} and loss is given; a loss of yours is minimised by boosted trees")
    own = None
    if callable(metric):
        own = (metric, getattr(metric, "__name__", "metric"), bool(getattr(metric, "higher_is_better", True)))
        metric = None
    of_goal = goal(k, budget, cost, policy, metric)
    options = dict(
        learner=learner or "auto",
        params=parameters(params),
        seed=seed,
        hold_out=None if hold_out is None else str(hold_out),
        folds=folds,
        valid=None if other is None else other._data,
        tune=tune,
        current=current_of(data, current),
        unit=unit,
        currency=currency,
        per=per,
        judge=baseline,
        allow_leak=_frames.text_list(allow_leak),
        note_leaks=_note_leaks,
        loss=loss,
        metric=own,
        init_model=None if init_model is None else init_model._model,
        base=None if base is None else base._model,
        output=None if output is None else os.fspath(output),
        resume=resume,
    )
    with (
        train_elsewhere(ray, data, other, of_goal, options) as jobs,
        Follower(learner or ("own loss" if loss is not None else "auto"), progress, callbacks) as follower,
    ):
        model, summary, notes, interrupted = _stakes.train(
            data._data, of_goal, **options, jobs=jobs, follow=follower.call, every=follower.every
        )
    say(notes)
    if interrupted:
        say(["the training was stopped; this is the best model so far"])
    return Model(model, json.loads(summary), interrupted)


def current_of(data: Any, current: Any) -> Any:
    """The present order: a text, or a name and a score for each item."""
    if current is None or isinstance(current, str):
        return current
    name = getattr(current, "name", None)
    return (str(name) if name else "the present order", data._of_rows(current, "current"))
