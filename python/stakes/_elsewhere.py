"""Trainings elsewhere, where they are asked for; :mod:`stakes.ray` is only loaded then."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any


def train_elsewhere(ray: Any, data: Any, valid: Any, goal: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """A context of the jobs of a training: ``None`` without ``ray``."""
    if ray is None:
        return contextlib.nullcontext()
    from stakes.ray import _tasks

    sent = dict(options, valid=None if valid is None else _tasks.Sent(valid))
    for name in ("init_model", "base"):
        sent[name] = options[name] and options[name].to_json()
    return _tasks.elsewhere(ray, _tasks.train_one, _tasks.Sent(data), goal, sent)


def experiment_elsewhere(ray: Any, verb: str, data: Any, goal: Mapping[str, Any], asked: Mapping[str, Any]) -> Any:
    """A context of the jobs of an experiment: ``None`` without ``ray``."""
    if ray is None:
        return contextlib.nullcontext()
    from stakes.ray import _tasks

    return _tasks.elsewhere(ray, _tasks.experiment_one, verb, _tasks.Sent(data), goal, asked)
