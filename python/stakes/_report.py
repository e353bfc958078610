"""Reports: one page to decide from."""

from __future__ import annotations

import html as escaping
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stakes import _frames, _stakes
from stakes._dataset import Dataset
from stakes._model import Model
from stakes._progress import Callback, Follower
from stakes._results import Result
from stakes._train import current_of


class Report(Result):
    """A page to decide from: ``save("report.html")``; notebooks show it. ``report["curve"]`` and the others are its
    figures."""

    def __init__(self, found: dict[str, Any], page: str) -> None:
        super().__init__(found)
        self._page = page

    def rows(self) -> list[dict[str, Any]]:
        """What is reached at each position of the slider; empty where outcomes are not known."""
        curve, slider = self._found["curve"], self._found["slider"]
        if curve is None:
            return []
        columns = {key: values for key, values in curve.items() if isinstance(values, list)}
        return [
            {"amount": amount, **{key: values[at] for key, values in columns.items()}}
            for at, amount in enumerate(slider["positions"])
        ]

    @property
    def verdict(self) -> str:
        """What the model would have reached, in words; empty where outcomes are not known."""
        return " ".join((self._found["verdict"] or {}).get("sentences", []))

    @property
    def html(self) -> str:
        """The page, which stands alone."""
        return self._page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self._page, encoding="utf-8")

    def __str__(self) -> str:
        return "\n".join(filter(None, [self._found["title"], self._found["subtitle"], self.verdict]))

    def _repr_html_(self) -> str:
        # A frame of its own: neither the page nor the notebook reaches into the other.
        return (
            '<iframe sandbox="allow-scripts allow-downloads" width="100%" height="800" '
            f'srcdoc="{escaping.escape(self._page)}"></iframe>'
        )


def report(
    model: Model | None = None,
    data: Any = None,
    *results: Result,
    past: Any = None,
    k: int | str | None = None,
    budget: float | None = None,
    plan: Mapping[str, float] | None = None,
    current: Any = None,
    unit: str | None = None,
    currency: str | None = None,
    per: float | None = None,
    group: str | Sequence[str] | None = None,
    title: str | None = None,
    name: str = "the model",
    seed: int = 0,
    progress: bool | None = None,
    callbacks: Sequence[Callback] | None = None,
) -> Report:
    """One page to decide from: what a model saves, which items to act on and why (``stakes report``).

    Args:
        model: a model, and
        data: the lists to act on; if outcomes are known, they also judge the model.
        results: comparisons, backtests, plans and audits, to be shown as well; also without a model.
        past: lists whose outcomes are known, to judge by instead.
        k: how many items can be acted on; as in training if it is not given.
        budget: how much money can be spent instead.
        plan: plans within limits: ``{"budget": 80, "crew_hours": 40}`` or ``{"k": 10}``.
        current: how it is decided now: a column, an expression, or a score for each row of the lists that judge.
        unit, currency, per: what the cost is counted in, and what a unit of it is worth.
        group: columns of groups, to see how they are treated; ``data`` must be a :class:`stakes.Dataset` then.
        title: of the page.
        name: of the model on the page.

    >>> import stakes
    >>> storms = stakes.generate("storms", lists=40, rows=2000)
    >>> older, newest = storms.hold_out(0.25)
    >>> model = stakes.train(older, k=10, learner="two-part", rounds=30)
    >>> page = stakes.report(model, newest, current="customers")
    >>> page["slider"]["positions"][page["slider"]["start"]]
    10
    """
    if (model is None) != (data is None):
        raise TypeError("a model and the lists that it ranks go together; give both or neither")
    if model is None and not results:
        raise TypeError("nothing to report: give a model and data, or results such as those of stakes.compare")
    asked = {"past": past, "k": k, "budget": budget, "plan": plan, "current": current, "group": group}
    without = [key for key, value in asked.items() if model is None and value is not None]
    if without:
        raise TypeError(f"{without[0]} goes with a model and data")
    groups = _frames.text_list(group)
    if groups and not isinstance(data, Dataset):
        raise TypeError("group needs data as a stakes.Dataset, which keeps the columns of groups")
    limits = dict(plan or {})
    planned = (_whole(limits.pop("k", None)), limits.pop("budget", None), [*limits.items()]) if plan else None
    read = None if model is None else model._read(data, report=True)
    judged = None if model is None or past is None else model._read(past, report=True)
    with Follower("report", progress, callbacks) as follower:
        page, found = _stakes.report(
            None if model is None else model._model,
            None if read is None else read._data,
            name=name,
            past=None if judged is None else judged._data,
            documents=[(type(result).__name__, result.to_json()) for result in results],
            k=None if k is None else str(k),
            budget=budget,
            plan=planned,
            current=current_of(judged or read, current),
            unit=unit,
            currency=currency,
            per=per,
            groups=groups,
            title=title,
            seed=seed,
            follow=follower.call,
            every=follower.every,
        )
    return Report(json.loads(found), page)


def _whole(k: float | None) -> int | None:
    if k is not None and k != int(k):
        raise ValueError(f"k is {k}; it is a number of items")
    return None if k is None else int(k)
