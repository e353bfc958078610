"""Data frames: recognised by what they are, without importing what is not there; results come back as the kind
that went in."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Columns = dict[str, Any]


def kind_of(data: Any) -> str | None:
    """``pandas``, ``polars``, ``pyarrow``, ``dict`` or ``arrow`` (anything with an Arrow stream); else ``None``."""
    for name, kinds in (
        ("pandas", ("DataFrame",)),
        ("polars", ("DataFrame",)),
        ("pyarrow", ("Table", "RecordBatch")),
    ):
        module = sys.modules.get(name)
        if module is not None and isinstance(data, tuple(getattr(module, kind) for kind in kinds)):
            return name
    if isinstance(data, Mapping):
        return "dict"
    is_frame = hasattr(data, "__arrow_c_stream__") and type(data).__name__ != "Series"
    return "arrow" if is_frame else None


def default_kind() -> str:
    """The kind of frames for data that were none: what is imported, else what is installed."""
    for name in ("pandas", "polars", "pyarrow"):
        if name in sys.modules:
            return name
    for name in ("pandas", "polars", "pyarrow"):
        try:
            __import__(name)
        except ImportError:
            continue
        return name
    return "dict"


def make(columns: Columns, kind: str, index: Any = None) -> Any:
    """A frame of these columns."""
    if kind == "pandas":
        import pandas as pd

        return pd.DataFrame(columns, index=index)
    if kind == "polars":
        import polars as pl

        return pl.DataFrame(columns)
    if kind in ("pyarrow", "arrow"):
        try:
            import pyarrow as pa
        except ImportError:
            return columns
        return pa.table(columns)
    return columns


def names(frame: Any, kind: str) -> list[str]:
    """The names of the columns."""
    if kind == "dict":
        return [str(name) for name in frame]
    if kind == "pyarrow":
        return [str(name) for name in frame.schema.names]
    if kind == "arrow":
        schema = getattr(frame, "schema", None)
        return [str(name) for name in getattr(schema, "names", [])]
    return [str(name) for name in frame.columns]


def rows(frame: Any, kind: str) -> int | None:
    """The number of rows, where it is known."""
    if kind == "dict":
        return next((len(column) for column in frame.values()), 0)
    return getattr(frame, "num_rows", None) if kind in ("pyarrow", "arrow") else len(frame)


def column(frame: Any, kind: str, name: str) -> Any:
    """One column, as numpy sees it."""
    return np.asarray(frame[name])


def with_columns(frame: Any, kind: str, columns: Columns) -> Any:
    """The frame with further columns."""
    if not columns:
        return frame
    if kind == "pandas":
        return frame.assign(**{name: np.asarray(values) for name, values in columns.items()})
    if kind == "polars":
        import polars as pl

        return frame.with_columns(**{name: pl.Series(name, np.asarray(values)) for name, values in columns.items()})
    if kind == "dict":
        return {**frame, **columns}
    import pyarrow as pa

    table = pa.table(frame)
    for name, values in columns.items():
        table = table.append_column(name, pa.array(values))
    return table


def stream(frame: Any, kind: str) -> Any:
    """The frame as something with an Arrow stream; ``None`` if it must be read column by column."""
    if kind == "dict":
        return None
    if kind != "pandas":
        return frame
    try:
        import pyarrow as pa
    except ImportError:
        return None
    frame = plain(frame)
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise ValueError(
            f"a column of the frame holds values of several kinds: {error}; make it numbers or text, or drop it"
        ) from None


def plain(frame: Any) -> Any:
    """A frame of pandas whose columns are named by text and whose categories are text."""
    import pandas as pd

    repeated = frame.columns[frame.columns.duplicated()]
    if len(repeated):
        raise ValueError(f"the frame has several columns named {repeated[0]!r}; give each its own name")
    if not all(isinstance(name, str) for name in frame.columns):
        frame = frame.rename(columns=str)
    for name in frame.columns[[isinstance(kind, pd.CategoricalDtype) for kind in frame.dtypes]]:
        categories = frame[name].cat.categories
        if not all(isinstance(category, str) for category in categories):
            frame = frame.assign(**{name: frame[name].cat.rename_categories(lambda value: str(value))})
    return frame


def numbers_as_text(frame: Any, kind: str, skipped: set[str]) -> list[str]:
    """The columns of pandas or polars whose text is all numbers, as far as their first rows tell."""
    if kind not in ("pandas", "polars"):
        return []
    found = []
    for name in frame.columns:
        if str(name) in skipped or str(frame[name].dtype).lower() not in ("object", "str", "string", "large_string"):
            continue
        first = [value for value in frame[name].head(1000).to_list() if value is not None and value == value]
        if first and all(isinstance(value, str) and _is_number(value) for value in first):
            found.append(str(name))
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def codes(values: Any) -> tuple[list[str], Any]:
    """Texts as distinct names and a code for each row, -1 where there is none."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"a column has {array.ndim} dimensions; it must have one")
    if array.dtype.kind == "f":
        whole = array[np.isfinite(array)]
        if np.all(whole == np.floor(whole)) and np.all(np.abs(whole) < 2**53):
            filled = np.where(np.isfinite(array), array, 0).astype(np.int64)
            found, at = np.unique(filled, return_inverse=True)
            return [str(value) for value in found], np.where(np.isfinite(array), at, -1).astype(np.int32)
    if array.dtype.kind in "iub":
        found, at = np.unique(array, return_inverse=True)
        return [str(value) for value in found.tolist()], at.astype(np.int32)
    known: dict[str, int] = {}
    coded = np.empty(len(array), np.int32)
    for row, value in enumerate(array.tolist()):
        missing = value is None or value != value
        coded[row] = -1 if missing else known.setdefault(str(value), len(known))
    return list(known), coded


def read_column(values: Any) -> Any:
    """A column as numbers, or as texts by codes."""
    array = np.asarray(values)
    if array.dtype.kind in "fiub" and array.ndim == 1:
        return np.ascontiguousarray(array, dtype=np.float64)
    if array.dtype.kind == "M":
        return codes(np.datetime_as_string(array))
    return codes(array)


def columns_of(frame: Any, kind: str) -> list[tuple[str, Any]]:
    """All columns, for frames that have no Arrow stream."""
    if kind == "pandas":
        frame = plain(frame)
    lengths = {len(np.asarray(frame[name])) for name in names(frame, kind)}
    if len(lengths) > 1:
        raise ValueError(f"the columns differ in length: {sorted(lengths)}")
    return [(str(name), read_column(frame[name])) for name in names(frame, kind)]


def text_list(value: str | Sequence[str] | None) -> list[str]:
    """One name or several as a list."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else [str(name) for name in value]
