"""Data sets: lists of items with what each cost."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stakes import _frames
from stakes._errors import say
from stakes._results import table_html
from stakes._stakes import Data, read_columns, read_file, read_frame, read_matrix

Floats = NDArray[np.float64]
#: A column by name, or its values.
Role = str | Sequence[Any] | NDArray[Any] | None
Names = str | Sequence[str] | None

_ROLES = ("list", "impact", "id", "group", "weight", "price", "time")
_TEXTS = ("list", "id", "group", "time")


class Dataset:
    """Lists of items, checked once.

    Args:
        data: a file (CSV, TSV, xlsx, Parquet, Arrow, LETOR), many of the same columns (``"storms/*.parquet"``), a frame
            of pandas, polars or pyarrow, anything with an Arrow stream, a dictionary of columns, or a matrix of numpy
            or scipy.
        list: the column of the list that an item belongs to; without it all items are one list.
        impact: the column of the observed cost. For matrices this and all other roles are arrays; for frames they
            may be.
        id: the column of the item's id, unique within its list.
        time: when the item was observed: numbers or ISO dates. Models are then judged by later lists only.
        group: the protected group.
        price: what acting on the item costs.
        weight: an importance beside the cost.
        drop: columns to leave out.
        categorical: features that are categories although they look like numbers.
        numeric: features that must be numbers.
        extras: numeric columns that are kept, but are no features.
        missing_impact: rows without an impact: ``refuse``, ``drop`` or ``zero``.
        features: names of the columns of a matrix.
        name: what the data are called in messages.
        format, sheet, decimal, dates: how a file is read, as in the program.

    A matrix of 32-bit numbers in row order, whose lists stand together, is used where it is: do not change it as
    long as the data set is in use. A sparse matrix is made dense; what it does not hold is 0.

    >>> import stakes
    >>> columns = {"storm": [1, 1, 2], "customers": [120, 0, 35], "wind": [14.0, 9.0, 12.0]}
    >>> data = stakes.Dataset(columns, list="storm", impact="customers")
    >>> len(data), data.n_lists, data.features
    (3, 2, ['wind'])
    """

    def __init__(
        self,
        data: Any,
        *,
        list: Role = None,
        impact: Role = None,
        id: Role = None,
        time: Role = None,
        group: Role = None,
        price: Role = None,
        weight: Role = None,
        drop: Names = None,
        categorical: Names = None,
        numeric: Names = None,
        extras: Names = None,
        missing_impact: str | None = None,
        features: Sequence[str] | None = None,
        name: str | None = None,
        format: str | None = None,
        sheet: str | None = None,
        decimal: str | None = None,
        dates: str | None = None,
    ) -> None:
        roles = dict(list=list, impact=impact, id=id, group=group, weight=weight, price=price, time=time)
        options = {
            "drop": drop,
            "categorical": categorical,
            "numeric": numeric,
            "extras": extras,
            "missing_impact": missing_impact,
        }
        files = {"format": format, "sheet": sheet, "decimal": decimal, "dates": dates}
        source = Source(data, roles, options, files, features, name)
        self._data = source.read()
        self._source = source
        say(self._data.notes)

    @classmethod
    def _of(cls, data: Data, source: Source | None = None) -> Dataset:
        made = cls.__new__(cls)
        made._data = data
        made._source = source if source is not None else Source(None, {}, {}, {}, None, None)
        return made

    def __len__(self) -> int:
        return len(self._data)

    def __repr__(self) -> str:
        return f"<stakes.Dataset: {len(self)} items in {self.n_lists} lists of {self._data.source}>"

    def __reduce__(self) -> Any:
        columns, roles = dict(self._data.columns()), dict(self._data.roles)
        named = {*self._data.features, *roles.values()}
        return _restore, (columns, roles, [name for name in columns if name not in named], self._data.source)

    @property
    def n_lists(self) -> int:
        """The number of lists."""
        return self._data.n_lists

    @property
    def features(self) -> list[str]:
        """The names of the features."""
        return self._data.features

    @property
    def lists(self) -> list[str]:
        """The names of the lists, in order of appearance."""
        return self._data.list_ids

    @property
    def roles(self) -> dict[str, str]:
        """The columns that have a role."""
        return dict(self._data.roles)

    @property
    def impact(self) -> Floats | None:
        """The cost of each row, in the order of the data that went in."""
        impact = self._data.impact
        return None if impact is None else self._to_rows(impact)

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row that each item came from. Items of a list stand together here."""
        lines = self._data.lines
        if self._source.has_rows:
            return lines - 1
        return np.argsort(np.argsort(lines, kind="stable"), kind="stable")

    def hold_out(self, part: float | str = 0.2, seed: int = 0) -> tuple[Dataset, Dataset]:
        """Two data sets: the lists that are kept, and a part that is held out (the latest where times are known): a
        share (``0.2``, ``"20%"``) or a number of lists.

        >>> import stakes
        >>> kept, held_out = stakes.generate("storms", lists=20, rows=800).hold_out(0.25)
        >>> kept.n_lists, held_out.n_lists
        (15, 5)
        """
        kept, held_out = self._data.hold_out(str(part), seed)
        return Dataset._of(kept), Dataset._of(held_out)

    def to_frame(self, kind: str | None = None) -> Any:
        """All columns as a frame of the kind that went in, or of ``kind`` (pandas, polars, pyarrow, dict)."""
        return _frames.make(dict(self._data.columns()), kind or self._source.frame_kind)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the data; the format is that of the extension."""
        self._data.write(os.fspath(path))

    def _to_rows(self, values: Floats) -> Floats:
        """Values of items in the order of the rows."""
        rows = self.rows
        found = np.full(max(self._source.n_rows or 0, int(rows.max()) + 1), np.nan)
        found[rows] = values
        return found

    def head(self, rows: int = 5) -> Any:
        """The first rows, as a frame."""
        columns = {name: values[:rows] for name, values in self._data.columns()}
        return _frames.make(columns, self._source.frame_kind)

    def _repr_html_(self) -> str:
        names = [name for name, _ in self._data.columns()]
        shown = [{name: values[row] for name, values in self._data.columns()} for row in range(min(5, len(self)))]
        roles = ", ".join(f"{role}: {name}" for role, name in self.roles.items())
        text = f"{len(self)} items in {self.n_lists} lists, {len(names)} columns; {roles}"
        return f"<p>{html.escape(text)}</p>" + table_html(shown)

    def _of_rows(self, values: Any, what: str) -> Floats:
        """Values of rows in the order of the items."""
        check_index(what, values, self._source.index)
        array = np.asarray(values, dtype=np.float64)
        rows = self.rows
        expected = max(self._source.n_rows or 0, int(rows.max()) + 1)
        if array.shape != (expected,):
            raise ValueError(f"{what} has the shape {array.shape}; it must have one number for each of {expected} rows")
        return np.ascontiguousarray(array[rows])


def _restore(columns: dict[str, Any], roles: dict[str, str], extras: list[str], source: str) -> Dataset:
    return Dataset(columns, name=source, extras=extras, **roles)


class Source:
    """What data are read from, and how; for a model it may be read again."""

    def __init__(
        self,
        data: Any,
        roles: dict[str, Role],
        options: dict[str, Any],
        files: dict[str, str | None],
        features: Sequence[str] | None,
        name: str | None,
    ) -> None:
        self.data, self.roles, self.options, self.files = data, roles, options, files
        self.feature_names, self.name = features, name
        self.kind = None if isinstance(data, (str, os.PathLike)) else _frames.kind_of(data)
        self.is_file = isinstance(data, (str, os.PathLike))
        self.n_rows: int | None = None

    @property
    def has_rows(self) -> bool:
        """Whether rows are numbered as in an array."""
        return not self.is_file and self.data is not None

    @property
    def frame_kind(self) -> str:
        return self.kind or _frames.default_kind()

    @property
    def index(self) -> Any:
        """The index of a frame of pandas."""
        return self.data.index if self.kind == "pandas" else None

    def values_of(self, column: str | None, role: str) -> Any:
        """The values of a role as they were given, row by row; ``None`` where they are not in memory."""
        if column is None or not self.has_rows:
            return None
        given = self.roles.get(role)
        if given is not None and not isinstance(given, str):
            return np.asarray(given)
        if self.kind in ("pandas", "polars", "dict") and column in _frames.names(self.data, self.kind):
            by_name = {str(name): name for name in (self.data if self.kind == "dict" else self.data.columns)}
            values = self.data[by_name[column]]
            # Types of pandas are kept as they are.
            return values.array if self.kind == "pandas" else np.asarray(values)
        return None

    def read(self, model: tuple[Any, str, bool] | None = None) -> Data:
        """Reads the data, with the roles of a model where it has some."""
        if self.is_file:
            return self._file(model)
        if self.kind is not None:
            return self._frame(model)
        if isinstance(self.data, Data):
            return self.data
        return self._matrix()

    def _file(self, model: Any) -> Data:
        path = os.fspath(self.data)
        if path != "-" and not os.path.exists(path) and not set(os.path.basename(path)) & set("*?"):
            raise FileNotFoundError(f"{path}: there is no such file")
        wrong = [role for role, value in self.roles.items() if value is not None and not isinstance(value, str)]
        if wrong:
            raise TypeError(f"{wrong[0]} is an array; the roles of a file are names of columns")
        files = {key: self.files.get(key) for key in ("format", "sheet", "decimal", "dates")}
        return read_file(path, files, self._roles({}), model)

    def _frame(self, model: Any) -> Data:
        kind = self.kind
        assert kind is not None
        taken = set(_frames.names(self.data, kind))
        for role, value in self.roles.items():
            # Names of columns need not be text.
            if isinstance(value, (int, tuple)) and str(value) in taken:
                self.roles[role] = str(value)
        given = {role: value for role, value in self.roles.items() if value is not None and not isinstance(value, str)}
        called = {role: role if role not in taken else f"_{role}" for role in given}
        self.n_rows = _frames.rows(self.data, kind)
        if self.n_rows == 0:
            raise ValueError("the frame has no rows; a data set needs at least one")
        for role, value in given.items():
            _check_length(role, value, self.n_rows)
            check_index(role, value, self.index)
        columns = {called[role]: value for role, value in given.items()}
        frame = _frames.with_columns(self.data, kind, columns)
        roles, name = self._roles(called), self.name or "the frame"
        arrow = _frames.stream(frame, kind)
        if model is None:
            known = {role for role in self.roles.values() if isinstance(role, str)}
            known |= {column for key in ("drop", "categorical", "numeric", "extras") for column in roles[key]}
            for column in _frames.numbers_as_text(frame, kind, known | set(columns)):
                say([f"{column} holds numbers as text, so it is a category; numeric={column!r} makes them numbers"])
        if arrow is None:
            return read_columns(_frames.columns_of(frame, kind), name, roles, model)
        return read_frame(arrow, name, roles, model)

    def _roles(self, called: dict[str, str]) -> dict[str, Any]:
        roles: dict[str, Any] = {}
        for role in _ROLES:
            value = self.roles.get(role)
            roles[role] = called.get(role, value if isinstance(value, str) else None)
        for key in ("drop", "categorical", "numeric", "extras"):
            roles[key] = _frames.text_list(self.options.get(key))
        roles["outcomes"] = _frames.text_list(self.options.get("outcomes"))
        roles["missing_impact"] = self.options.get("missing_impact")
        return roles

    def _matrix(self) -> Data:
        used = [key for key in ("drop", "categorical", "numeric", "extras", "missing_impact") if self.options.get(key)]
        if used:
            raise TypeError(f"{used[0]} goes with frames and files; a matrix has numeric features only")
        matrix = as_matrix(self.data)
        rows, width = matrix.shape
        self.n_rows = rows
        if rows == 0:
            raise ValueError("the matrix has no rows; a data set needs at least one")
        names = [str(name) for name in self.feature_names] if self.feature_names is not None else None
        if names is None:
            names = [f"f{number}" for number in range(width)]
        if len(names) != width:
            raise ValueError(f"features has {len(names)} names; the matrix has {width} columns")
        roles: dict[str, Any] = {"names": []}
        for role in _ROLES:
            value = self.roles.get(role)
            if isinstance(value, str):
                raise TypeError(f"{role} is {value!r}; beside a matrix it must be an array with one value for each row")
            if value is None:
                roles[role] = None
                continue
            _check_length(role, value, rows)
            if role in names:
                roles["names"].append((role, f"_{role}"))
            roles[role] = _frames.codes(value) if role in _TEXTS else numbers(role, value)
        return read_matrix(matrix, names, self.name or "the array", roles)


def numbers(what: str, values: Any) -> Floats:
    """One number for each row."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{what} has the shape {array.shape}; it must have one dimension")
    return np.ascontiguousarray(array)


def check_index(what: str, values: Any, index: Any) -> None:
    """Refuses a series whose rows are not those of the frame: by position they would be of others."""
    own = getattr(values, "index", None)
    if index is not None and own is not None and hasattr(values, "to_numpy") and not own.equals(index):
        raise ValueError(
            f"the index of {what} is not that of the frame; put it in the same order (reindex), or give .to_numpy()"
        )


def _check_length(what: str, values: Any, rows: int | None) -> None:
    if not hasattr(values, "__len__"):
        raise TypeError(f"{what} is {values!r}; it must be the name of a column, or a value for each row")
    if rows is not None and len(values) != rows:
        raise ValueError(f"{what} has {len(values)} values; the data have {rows} rows")


def as_matrix(data: Any) -> NDArray[Any]:
    """A matrix of 32-bit or 64-bit numbers."""
    if hasattr(data, "tocsr") and hasattr(data, "toarray"):
        data = data.toarray()
    kind = f"{type(data).__module__.split('.')[0]} {type(data).__name__}"
    if kind in ("pandas Series", "polars Series", "polars LazyFrame"):
        advice = "collect it first" if kind.endswith("LazyFrame") else "it is one column"
        raise TypeError(f"the data are a {kind}; give a data frame ({advice})")
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], dict):
        raise TypeError("the data are a list of dictionaries; give a data frame of them, or a dictionary of columns")
    array = np.asarray(data)
    if array.ndim != 2:
        raise ValueError(f"the matrix has the shape {array.shape}; it must have two dimensions: rows and features")
    if array.dtype == np.float32:
        return array
    if array.dtype.kind == "O":
        try:
            return np.asarray(array, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                "the matrix holds text or other objects; give a data frame, whose columns have types"
            ) from None
    if array.dtype.kind not in "fiub":
        raise ValueError(f"the matrix is of type {array.dtype}; it must hold numbers")
    return np.asarray(array, dtype=np.float64)


def as_dataset(data: Any, **roles: Any) -> Dataset:
    """A data set as it is, or one made of what is given."""
    if isinstance(data, Dataset):
        given = [role for role, value in roles.items() if value is not None]
        if given:
            raise TypeError(f"{given[0]} is given, but the data set has its roles already")
        return data
    return Dataset(data, **roles)


def read(path: str | os.PathLike[str], **roles: Any) -> Dataset:
    """Reads a file: ``stakes.read("storms.csv", list="storm", impact="customers")``. As :class:`Dataset`."""
    return Dataset(os.fspath(path), **roles)
