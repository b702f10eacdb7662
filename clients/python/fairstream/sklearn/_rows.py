"""The rows of X as the texts of records: CSV, in the order of the rows."""

from __future__ import annotations

import math
from typing import Any, Callable, Iterator, Optional

import numpy as np

from fairstream._texts import text

# Rows of a batch: Python writes the next one while the program learns.
BATCH = 8192

_QUOTED = frozenset(',"\r\n')


def quote(cell: str) -> str:
    """A text as a cell of CSV."""
    if _QUOTED.isdisjoint(cell):
        return cell
    return '"' + cell.replace('"', '""') + '"'


class _Texts(dict[Any, str]):
    """The cell of each value that was met; equal values of different types have the text of the first in a column."""

    def __missing__(self, value: Any) -> str:
        cell = self[value] = quote(_text(value))
        return cell


def _text(value: Any) -> str:
    """The text that a JSON record of the value would hold; the empty text where it is missing."""
    if isinstance(value, (float, np.floating)) and math.isinf(value):
        raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
    if isinstance(value, complex):
        raise ValueError("Complex data not supported")
    try:
        return text(value) or ""
    except TypeError as error:
        raise TypeError(f"argument must be a string or a number, not a value of type {type(value).__name__}") from error


def is_whole(column: Any) -> bool:
    """Whether a column of floats has whole numbers only, and one at least. Its numbers are then written without a point: pandas
    makes floats of integers where one is missing."""
    values = floats(column)
    if values is None:
        return False
    known = values[np.isfinite(values)]
    return len(known) > 0 and bool((known == np.floor(known)).all()) and bool((np.abs(known) < 2**53).all())


def floats(column: Any) -> Optional[np.ndarray]:
    """The numbers of a column of floats, NaN where one is missing; None of any other column."""
    kind = getattr(column, "dtype", None)
    if isinstance(kind, np.dtype):
        return np.asarray(column) if kind.kind == "f" else None
    if getattr(kind, "kind", "") == "f":  # pandas' Float64, Arrow's double
        return np.asarray(column.to_numpy(dtype="float64", na_value=math.nan))
    return None


def cells(column: Any, whole: bool) -> list[str]:
    """A column as cells."""
    values = floats(column)
    if values is not None:
        if np.isinf(values).any():
            raise ValueError("Input X contains infinity or a value too large for dtype('float64').")
        single = values.dtype.itemsize < 8  # the shortest digits of its own precision
        shortest: Callable[[Any], str] = str if single else repr
        items: list[Any] = list(values) if single else values.tolist()
        if whole:
            return ["" if x != x else str(int(x)) if x == math.floor(x) else shortest(x) for x in items]
        return ["" if x != x else shortest(x) for x in items]
    kind = getattr(column, "dtype", None)
    if getattr(kind, "kind", "") in "iu" and isinstance(kind, np.dtype):
        return list(map(str, np.asarray(column).tolist()))
    if hasattr(column, "cat"):  # pandas' categories
        known = [quote(_text(c)) for c in column.cat.categories]
        known.append("")  # the code of a missing value is -1
        return [known[code] for code in column.cat.codes]
    texts = _Texts()
    listed: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    try:
        kinds = set(map(type, listed))
        if len(kinds - {type(None)}) == 1:
            return [texts[v] if v == v else "" for v in listed]
        return [quote(_text(v)) for v in listed]
    except TypeError as error:
        if "unhashable" in str(error) or "ambiguous" in str(error):
            return [quote(_text(v)) for v in listed]
        raise


def batches(names: list[str], columns: list[list[str]]) -> Iterator[bytes]:
    """The columns as CSV, a header on each batch."""
    header = ",".join(map(quote, names)) + "\n"
    count = len(columns[0])
    for start in range(0, count, BATCH):
        part = [c[start : start + BATCH] for c in columns]
        rows = "\n".join(map(",".join, zip(*part)))
        yield (header + rows + "\n").encode()


def unique_name(wanted: str, taken: list[str]) -> str:
    """A name that no column has."""
    while wanted in taken:
        wanted += "_"
    return wanted
