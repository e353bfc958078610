"""Results: small objects over the JSON of the program, with a table, a page for notebooks, and pickling."""

from __future__ import annotations

import html
import json
from typing import Any

from stakes import _frames


class Result:
    """A result. ``result["key"]`` is a part of it as in the JSON of the program; ``to_dict()`` is all of it."""

    #: The part that is shown as a table.
    _rows = ""

    def __init__(self, found: dict[str, Any], frame_kind: str | None = None, picture: str | None = None) -> None:
        self._found, self._kind, self._picture = found, frame_kind, picture

    def __getitem__(self, key: str) -> Any:
        return self._found[key]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as in the JSON of the program."""
        return self._found

    def to_json(self) -> str:
        """Everything, as text."""
        return json.dumps(self._found, indent=2)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the table."""
        rows: list[dict[str, Any]] = self._found[self._rows]
        return rows

    def to_frame(self, kind: str | None = None) -> Any:
        """The table as a frame."""
        return frame_of(self.rows(), kind or self._kind)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return table_text(self.rows())

    def _repr_html_(self) -> str:
        return (self._picture or "") + table_html(self.rows())


def frame_of(rows: list[dict[str, Any]], kind: str | None) -> Any:
    """Rows as a frame; what a row does not have is missing."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [plain(row.get(name)) for row in rows] for name in names}
    return _frames.make(columns, kind or _frames.default_kind())


def plain(value: Any) -> Any:
    """A value that fits into a column."""
    return json.dumps(value) if isinstance(value, (dict, list)) else value


def shown(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(plain(value))


def _cells(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    return names, [[shown(row.get(name)) for name in names] for row in rows]


#: The most rows that are shown; `to_frame()` has all.
_SHOWN = 40


def table_text(rows: list[dict[str, Any]]) -> str:
    """A table for terminals."""
    if not rows:
        return "(empty)"
    names, cells = _cells(rows[:_SHOWN])
    widths = [max(len(name), *(len(row[at]) for row in cells)) for at, name in enumerate(names)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [names, *cells]
    ]
    more = [f"... and {len(rows) - _SHOWN} more rows: to_frame()"] if len(rows) > _SHOWN else []
    return "\n".join([*lines, *more])


def table_html(rows: list[dict[str, Any]]) -> str:
    """A table for notebooks."""
    names, cells = _cells(rows[:_SHOWN])
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in cells)
    more = f"<p>and {len(rows) - _SHOWN} more rows: to_frame()</p>" if len(rows) > _SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class Evaluation(Result):
    """The figures of scores: ``results``, ``comparisons``, and ``by`` group."""

    _rows = "results"

    @property
    def comparisons(self) -> Any:
        """Each score against the baseline, as a frame."""
        return frame_of(self._found["comparisons"], self._kind)

    @property
    def by_group(self) -> Any:
        """Every metric by group, as a frame; the shape of fairlearn's ``MetricFrame.by_group``."""
        rows = [
            {"score": frame["score"], "metric": frame["metric"], "column": frame["column"], **group}
            for frame in self._found["by"]
            for group in frame["by_group"]
        ]
        return frame_of(rows, self._kind)

    def value(self, score: str, metric: str | None = None) -> float:
        """The figure of a score; of the first metric unless one is named."""
        for row in self._found["results"]:
            if row["score"] == score and metric in (None, row["metric"]):
                value: float = row["value"]
                return value
        known = sorted({(row["score"], row["metric"]) for row in self._found["results"]})
        raise KeyError(f"there is no figure of {score!r} by {metric!r}; there are {known}")


class Comparison(Result):
    """Learners and scores compared over folds."""

    _rows = "results"

    @property
    def verdict(self) -> str:
        """What came out, in words."""
        return " ".join(self._found["verdict"])

    def __str__(self) -> str:
        return f"{table_text(self.rows())}\n{self.verdict}"


class Backtest(Comparison):
    """What would have been saved over past periods."""

    @property
    def periods(self) -> Any:
        """What each period brought, as a frame."""
        return frame_of(self._found["periods"], self._kind)


class Audit(Result):
    """How a ranking treats groups; the shape of fairlearn's ``MetricFrame``."""

    _rows = "measures"

    def __init__(self, found: dict[str, Any], frame_kind: str | None, page: str) -> None:
        super().__init__(found, frame_kind)
        self._page = page

    @property
    def by_group(self) -> Any:
        """Each measure of each group."""
        return self.to_frame()

    @property
    def html(self) -> str:
        """A page that stands alone."""
        return self._page


class Plan(Result):
    """Which items to act on in each list, within what there is."""

    _rows = "lists"

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"list": found["list"], **{key: value for key, value in item.items() if key != "because"}}
            for found in self._found["lists"]
            for item in found["items"]
        ]

    @property
    def lists(self) -> Any:
        """What each list's plan comes to, as a frame."""
        keys = ("list", "spent", "expected", "bound", "proven", "gap")
        return frame_of([{key: found[key] for key in keys} for found in self._found["lists"]], self._kind)

    def chosen(self, name: str | None = None) -> list[str]:
        """The ids of the items to act on, of one list; without a name there must be one list."""
        lists = self._found["lists"]
        if name is None and len(lists) != 1:
            raise ValueError(f"there are {len(lists)} lists; name one of them")
        for found in lists:
            if name in (None, found["list"]):
                chosen: list[str] = found["chosen"]
                return chosen
        raise KeyError(f"there is no list {name!r}")


class Explanation(Result):
    """What the features of a model do."""

    _rows = "importance"

    def rows(self) -> list[dict[str, Any]]:
        """The saved cost that depends on each feature; without costs, the share of each in the model."""
        rows: list[dict[str, Any]] = self._found.get("worth") or self._found["importance"]
        return rows

    @property
    def worth(self) -> Any:
        """The saved cost that depends on each feature, as a frame; empty without costs."""
        return frame_of(self._found.get("worth") or [], self._kind)


class Monitoring(Result):
    """Whether a model still fits: ``alarms``, and everything as in the JSON of ``stakes monitor``."""

    _rows = "features"

    def __init__(self, found: dict[str, Any], page: str, frame_kind: str | None = None) -> None:
        super().__init__(found, frame_kind)
        self._page = page

    @property
    def alarms(self) -> list[dict[str, Any]]:
        """What is past its limit and beyond chance; empty if all is well."""
        alarms: list[dict[str, Any]] = self._found["alarms"]
        return alarms

    def __str__(self) -> str:
        return self._page


class Prepared(Result):
    """Lists that were made of a log of events: ``data``, and how it went."""

    def __init__(self, found: dict[str, Any], data: Any) -> None:
        super().__init__(found)
        self.data = data

    def rows(self) -> list[dict[str, Any]]:
        return [{"what": what, "value": value} for what, value in self._found["summary"]]
