"""Every metric as a function: ``stakes.metrics.rcs(cost, scores, lists, k=10)``.

The arguments are those of scikit-learn's metrics: first what was observed, then what was predicted.

>>> import stakes
>>> stakes.metrics.rcs([10000, 100, 0], [5, 4, 3], k=1)
1.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stakes import _stakes
from stakes._dataset import Dataset, numbers
from stakes._workflows import metric_names

__all__ = ["per_list", "value"]


def _data(cost: Any, lists: Any, price: Any, weight: Any) -> Dataset:
    costs = numbers("cost", cost)
    matrix = np.zeros((len(costs), 1), np.float32)
    return Dataset(matrix, impact=costs, list=lists, price=price, weight=weight, name="the arrays")


def _found(
    metric: str, cost: Any, scores: Any, lists: Any, k: Any, budget: Any, price: Any, weight: Any
) -> tuple[float | None, list[float | None], Dataset]:
    from stakes._goal import goal

    data = _data(cost, lists, price, weight)
    values = data._of_rows(scores, "scores")
    figure, of_lists = _stakes.figure(data._data, values, metric, goal(k, budget))
    return figure, of_lists, data


def value(
    metric: str,
    cost: Any,
    scores: Any,
    lists: Any = None,
    *,
    k: int | str | None = None,
    budget: float | None = None,
    price: Any = None,
    weight: Any = None,
) -> float:
    """The figure of a metric by name, with its options: ``value("ndcg@10:gain=linear", cost, scores, lists)``."""
    figure, _, _ = _found(metric, cost, scores, lists, k, budget, price, weight)
    return float("nan") if figure is None else figure


def per_list(
    metric: str,
    cost: Any,
    scores: Any,
    lists: Any = None,
    *,
    k: int | str | None = None,
    budget: float | None = None,
    price: Any = None,
    weight: Any = None,
) -> dict[str, float]:
    """The value of each list; a list without a value (nothing to save) is NaN."""
    _, of_lists, data = _found(metric, cost, scores, lists, k, budget, price, weight)
    return {name: float("nan") if found is None else found for name, found in zip(data.lists, of_lists, strict=True)}


def __getattr__(name: str) -> Callable[..., float]:
    metric = name.replace("_", "-")
    if name.startswith("__") or metric not in metric_names():
        raise AttributeError(f"there is no metric {name!r}; stakes.metric_names() has all")

    def of(cost: Any, scores: Any, lists: Any = None, **options: Any) -> float:
        return value(metric, cost, scores, lists, **options)

    of.__name__ = name
    of.__doc__ = f"The metric ``{metric}``: see ``stakes metrics {metric}``; arguments as for :func:`value`."
    return of


def __dir__() -> list[str]:
    return sorted([*__all__, *(name.replace("-", "_") for name in metric_names())])
