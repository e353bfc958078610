"""Models."""

from __future__ import annotations

import contextlib
import html
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stakes import _frames, _stakes
from stakes._dataset import Dataset, Floats, Source
from stakes._errors import say
from stakes._export import Exported
from stakes._progress import Callback, Follower
from stakes._results import Explanation, Plan, table_html, table_text

#: Columns of a ranking that are not told of the item itself.
_POSITION = "item"


class Model:
    """A trained model: made by :func:`stakes.train` or :meth:`Model.load`."""

    def __init__(self, model: _stakes.Model, summary: dict[str, Any] | None = None, interrupted: bool = False) -> None:
        self._model, self._summary = model, summary
        #: Whether the training was stopped early; the model is then the best until there.
        self.interrupted = interrupted

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, of this package or of the program: they are the same."""
        path = os.fspath(path)
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path}: there is no such file")
        return cls(_stakes.Model.load(path))

    @classmethod
    def from_json(cls, text: str | bytes) -> Model:
        """The model of :meth:`to_json`."""
        return cls(_stakes.Model.from_json(text.encode() if isinstance(text, str) else text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file named ``.json``, ``.json.zst`` or ``.json.gz``."""
        self._model.save(os.fspath(path))

    def export(
        self,
        path: str | os.PathLike[str],
        to: str,
        *,
        parity_rows: int = 200,
        seed: int = 0,
        no_missing: bool = False,
    ) -> Exported:
        """Writes the model for another program; a format that cannot hold all of it says what it cannot.

        Beside it goes a parity pack, ``PATH.parity.csv``: rows at the model's thresholds, with missing, unseen and
        extreme values, and the scores that the other program must give.

        Args:
            path: the file to write.
            to: the format: ``lightgbm``, ``xgboost``, ``onnx``, ``ranklib``, ``es-ltr``, ``opensearch``, ``treelite``,
                ``sql``, ``c`` or ``rust``.
            parity_rows: how many rows the parity pack has; 0 for no pack.
            seed: the seed of these rows.
            no_missing: no value will be missing there; for formats that treat missing values in their own way.
        """
        text = _stakes.export(
            self._model, os.fspath(path), to=to, parity_rows=parity_rows, seed=seed, no_missing=no_missing
        )
        return Exported(**json.loads(text))

    def to_json(self) -> str:
        """The model as text, the same bytes as in its file."""
        return self._model.to_json().decode()

    def __reduce__(self) -> Any:
        return _restore, (self._model.to_json(), self._summary, self.interrupted)

    def __repr__(self) -> str:
        return f"<stakes.Model: {self.learner} for {self._model.goal}, {len(self.features)} features>"

    def __str__(self) -> str:
        lines = [repr(self)]
        if self._summary and self._summary.get("results"):
            rows = [
                {key: row[key] for key in ("score", "metric", "value", "low", "high")}
                for row in self._summary["results"]
            ]
            lines.append(table_text(rows))
        return "\n".join([*lines, *([self.verdict] if self.verdict else [])])

    def _repr_html_(self) -> str:
        rows = (self._summary or {}).get("results") or []
        shown = [{key: row[key] for key in ("score", "metric", "value", "low", "high")} for row in rows]
        words = f"<p>{html.escape(self.verdict)}</p>" if self.verdict else ""
        return f"<p><code>{html.escape(repr(self))}</code></p>" + (table_html(shown) if shown else "") + words

    @property
    def learner(self) -> str:
        """The name of the learner."""
        return self._model.learner

    @property
    def features(self) -> list[str]:
        """The names of the features."""
        return self._model.features

    @property
    def info(self) -> dict[str, Any]:
        """Learner, goal, parameters, stages, importance, calibration, data: ``stakes model info --json``."""
        found: dict[str, Any] = json.loads(self._model.info())
        return found

    @property
    def summary(self) -> dict[str, Any]:
        """How the training went and how good the model is: ``stakes train --json``."""
        if self._summary is None:
            raise AttributeError("the model was loaded; only a model that was just trained has a summary")
        return self._summary

    @property
    def verdict(self) -> str:
        """What the model would have reached on lists that it was not trained on, in words; empty if not known."""
        verdict = (self._summary or {}).get("verdict") or {}
        return " ".join(verdict.get("sentences", []))

    @property
    def curve(self) -> dict[str, list[float]]:
        """The measured value after each round, by stage."""
        return {stage["name"]: stage["curve"] for stage in self.info["stages"]}

    @property
    def importances(self) -> dict[str, float]:
        """The share of each feature in what the model learnt, the most important first."""
        return {row["feature"]: row["gain"] for row in self.info["importance"]}

    def _read(
        self, data: Any, measure: bool = False, prices: bool = False, report: bool = False, **roles: Any
    ) -> Dataset:
        """Data for this model: columns have the roles that they had in training."""
        if isinstance(data, Dataset):
            return data
        matrix = _frames.kind_of(data) is None and not isinstance(data, (str, os.PathLike))
        named = {key: value for key, value in roles.items() if value is not None}
        if matrix:
            source = Source(data, named, {}, {}, self.features, None)
            return Dataset._of(source.read(), source)
        options: dict[str, Any] = {key: named.pop(key) for key in ("drop", "extras") if key in named}
        source = Source(data, named, options, {}, None, None)
        purpose = "report" if report else "measure" if measure else "rank"
        made = source.read((self._model, purpose, prices or self._model.has_budget))
        return Dataset._of(made, source)

    def score(self, data: Any, *, list: Any = None, id: Any = None, fitted: bool = False) -> Floats:
        """The score of each row, in the order of the rows; higher scores first.

        Lists that the model was trained on are scored by models that were not, where it keeps these scores, unless
        ``fitted``.
        """
        read = self._read(data, list=list, id=id)
        return read._to_rows(self._scores(read, fitted))

    def predict(self, data: Any) -> Floats:
        """The model's own score of each row, in the order of the rows; as :meth:`score` with ``fitted``, and no word on
        lists that it was trained on."""
        read = self._read(data)
        return read._to_rows(self._model.score(read._data, True)[0])

    def _scores(self, data: Dataset, fitted: bool, figures: bool = False) -> Floats:
        values, note = self._model.score(data._data, fitted, figures)
        say([note] if note else [])
        return values

    def rank(
        self,
        data: Any,
        k: int | str | None = None,
        *,
        budget: float | None = None,
        top: int | None = None,
        reasons: int = 0,
        min_share: str | Sequence[str] | None = None,
        at_most: str | Sequence[str] | None = None,
        fitted: bool = False,
        list: Any = None,
        id: Any = None,
        price: Any = None,
    ) -> Any:
        """The items of each list in order, as a frame of the kind that went in.

        Columns are ``list``, ``rank``, ``id``, ``score``, ``act`` (whether to act on the item) and, if the model is
        calibrated, ``expected_cost`` with intervals and running totals. The index of a frame of pandas is carried
        along. With ``reasons`` there is a column ``because``.

        Args:
            data: what to rank: a frame, a file, a matrix, a data set.
            k: how many items can be acted on; as in training if it is not given.
            budget: how much money can be spent instead.
            top: only this many items of each list.
            reasons: how many reasons to give for each position.
            min_share: a share of a group that every beginning of a list has at least: ``"sex=F:0.4"``.
            at_most: the most items of a group to act on: ``"region=3"``.
        """
        data = self._read(data, prices=budget is not None, list=list, id=id, price=price)
        columns, notes = _stakes.rank(
            self._model,
            data._data,
            k=None if k is None else str(k),
            budget=budget,
            top=top,
            reasons=reasons,
            min_share=_frames.text_list(min_share),
            at_most=_frames.text_list(at_most),
            fitted=fitted,
        )
        say(notes)
        items = columns.pop(_POSITION)
        rows = data.rows[items]
        index = data._source.index
        # Lists and ids as they went in: of the type that other frames have them in.
        for role in ("list", "id"):
            given = data._source.values_of(data.roles.get(role), role)
            if given is not None:
                columns[role] = given[rows]
        if index is not None and "id" not in data.roles:
            columns["id"] = index[rows]
        return _frames.make(columns, data._source.frame_kind, None if index is None else index[rows])

    def plan(
        self,
        data: Any,
        *,
        budget: float | None = None,
        k: int | None = None,
        resources: Mapping[str, float] | None = None,
        at_most: str | Sequence[str] | None = None,
        at_least: str | Sequence[str] | None = None,
        must: Sequence[str] = (),
        must_not: Sequence[str] = (),
        current: str | None = None,
        reasons: int = 0,
        fitted: bool = False,
        list: Any = None,
        id: Any = None,
        price: Any = None,
    ) -> Plan:
        """Which items to act on within what there is, as :func:`stakes.plan`, by the model's expected costs."""
        extras = [*_frames.text_list(current), *(resources or {})]
        data = self._read(data, prices=budget is not None, list=list, id=id, price=price, extras=extras or None)
        return plan(
            data,
            model=self,
            budget=budget,
            k=k,
            resources=resources,
            at_most=at_most,
            at_least=at_least,
            must=must,
            must_not=must_not,
            current=current,
            reasons=reasons,
            fitted=fitted,
        )

    def contributions(self, data: Any) -> tuple[float, Any, Dataset]:
        """The score of the data's mean item, and what each feature adds to it for each item (in the data's order)."""
        data = self._read(data)
        base, values = self._model.contributions(data._data)
        return base, values, data

    def explain(self, data: Any) -> Any:
        """What each feature adds to each row's score beyond the mean row: a ``shap.Explanation`` if shap is
        installed, whose plots work with it; else an object with the same ``values``, ``base_values``, ``data`` and
        ``feature_names``."""
        base, values, data = self.contributions(data)
        order = np.argsort(data.rows, kind="stable")
        values = values[order]
        columns = dict(data._data.columns())
        width = len(self.features)
        shown = np.empty((len(data), width), dtype=object)
        for at, name in enumerate(self.features):
            shown[:, at] = np.asarray(columns[name], dtype=object)[order] if name in columns else None
        if all(not isinstance(value, str) and value is not None for value in shown[0] if width):
            with contextlib.suppress(TypeError, ValueError):
                shown = shown.astype(np.float64)
        bases = np.full(len(values), base)
        try:
            import shap
        except ImportError:
            return Contributions(values, bases, shown, self.features)
        return shap.Explanation(values, bases, shown, feature_names=self.features)

    def because(self, data: Any, reasons: int = 3, k: int | str | None = None, top: int | None = None) -> Any:
        """The ranking with the reasons for each position, against the item at the cut-off, in words."""
        return self.rank(data, k, reasons=reasons, top=top, fitted=True)

    def effects(
        self,
        data: Any = None,
        *,
        features: Sequence[str] | None = None,
        repeats: int = 5,
        seed: int = 0,
        progress: bool | None = None,
        callbacks: Sequence[Callback] | None = None,
    ) -> Explanation:
        """What features do: the saved cost that depends on each, effects and interactions (``stakes explain``)."""
        read = None if data is None else self._read(data, measure=True)
        with Follower("explaining", progress, callbacks) as follower:
            text = self._model.explain(
                None if read is None else read._data,
                with_cost=read is not None and read._data.impact is not None,
                repeats=repeats,
                seed=seed,
                features=_frames.text_list(features),
                follow=follower.call,
                every=follower.every,
            )
        return Explanation(json.loads(text))


class Contributions:
    """As ``shap.Explanation``, where shap is not installed."""

    def __init__(self, values: Any, base_values: Any, data: Any, feature_names: list[str]) -> None:
        self.values, self.base_values, self.data, self.feature_names = (
            values,
            base_values,
            data,
            feature_names,
        )

    def __len__(self) -> int:
        return len(self.values)


def _restore(text: bytes, summary: dict[str, Any] | None, interrupted: bool) -> Model:
    return Model(_stakes.Model.from_json(text), summary, interrupted)


def plan(
    data: Any,
    *,
    model: Model | None = None,
    expected: Any = None,
    budget: float | None = None,
    k: int | None = None,
    resources: Mapping[str, float] | None = None,
    at_most: str | Sequence[str] | None = None,
    at_least: str | Sequence[str] | None = None,
    must: Sequence[str] = (),
    must_not: Sequence[str] = (),
    current: Any = None,
    reasons: int = 0,
    fitted: bool = False,
) -> Plan:
    """Which items of each list to act on, within what there is: by expected saving per price, proven where possible.

    Args:
        data: a data set; a price is what :class:`stakes.Dataset` knows as ``price``.
        model: whose expected costs are saved; or
        expected: the column, or the values, of what acting on each item saves.
        budget: at most this much of the price.
        k: at most this many items.
        resources: at most this much of columns: ``{"crew_hours": 40}``.
        at_most, at_least: items of a group: ``"region=2"``, ``"region:north=1"``.
        must, must_not: ids of items that are taken, or not taken, in any case.
        current: the column, or the values, by which items are chosen now.
        reasons: how many reasons to give for each chosen item.

    >>> import stakes
    >>> columns = {"id": ["a", "b", "c"], "saves": [10.0, 7.0, 6.0], "hours": [5, 4, 3]}
    >>> data = stakes.Dataset(columns, id="id", price="hours")
    >>> stakes.plan(data, expected="saves", budget=7).chosen()
    ['c', 'b']
    """
    if not isinstance(data, Dataset):
        raise TypeError("data must be a stakes.Dataset, which knows ids and prices")
    if (model is None) == (expected is None):
        raise TypeError("give either a model or what acting on each item is expected to save (expected)")

    def values(what: str, given: Any) -> Floats | None:
        if given is None:
            return None
        return data._data.numbers(given) if isinstance(given, str) else data._of_rows(given, what)

    text, notes = _stakes.plan(
        data._data,
        model=None if model is None else model._model,
        expected=values("expected", expected),
        k=k,
        budget=budget,
        resources=list((resources or {}).items()),
        at_most=_frames.text_list(at_most),
        at_least=_frames.text_list(at_least),
        must=[str(name) for name in must],
        must_not=[str(name) for name in must_not],
        current=values("current", current),
        reasons=reasons,
        fitted=fitted,
    )
    say(notes)
    return Plan(json.loads(text), data._source.frame_kind)
