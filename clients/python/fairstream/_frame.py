"""Columns of pandas, polars and Arrow as fields: numbers stay arrays, and of all else each distinct text is weighed once."""

from __future__ import annotations

import sys
import warnings
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence

import numpy as np

from fairstream._model import ABSENT, Text
from fairstream._texts import EXACT, RecordError, flatten, text
from fairstream._times import Parts


class WholeFloatWarning(UserWarning):
    """A column of floats that are all whole was read as integers: 39.0 as 39. Text columns tell the two apart."""


class Field:
    """The values of one field: numbers (int64, or float64 whose texts are repr) with those that are missing, or codes of texts."""

    def __init__(
        self,
        numbers: Optional[np.ndarray] = None,
        missing: Optional[np.ndarray] = None,
        coded: Optional[tuple[np.ndarray, list[Text]]] = None,
    ) -> None:
        self.numbers, self.missing, self._coded = numbers, missing, coded

    def texts(self) -> tuple[np.ndarray, list[Text]]:
        """The code of each row, and the text of each code."""
        if self._coded is None:
            assert self.numbers is not None
            distinct, codes = np.unique(self.numbers.view(np.int64), return_inverse=True)
            found: list[Text] = [text(x) for x in distinct.view(self.numbers.dtype).tolist()]
            codes = codes.reshape(-1)
            if self.missing is not None:
                codes = np.where(self.missing, len(found), codes)
                found.append(None)
            self._coded = codes, found
        return self._coded


class _Coder(dict[Text, int]):
    """Gives each text that is met for the first time the next code."""

    def __missing__(self, key: Text) -> int:
        code = self[key] = len(self)
        return code


def coded(texts: Iterable[Text], rows: int) -> Field:
    coder = _Coder()
    codes = np.fromiter(map(coder.__getitem__, texts), np.intp, rows)
    return Field(coded=(codes, list(coder)))


def from_values(values: list[Any]) -> Field:
    """The field of single values, each with its own type."""
    return coded([v if type(v) is str else text(v) for v in values], len(values))


def from_codes(codes: np.ndarray, values: list[Any], name: str) -> Field:
    """The field of dictionary codes, of which -1 is missing."""
    found: list[Text]
    if values and all(isinstance(v, (float, np.floating)) for v in values):
        category = from_numbers(np.array(values, np.float64), None, name)
        inner, distinct = category.texts()
        found = [distinct[i] for i in inner]
    else:
        found = [text(v) for v in values]
    codes = codes.astype(np.intp)
    if (codes < 0).any():
        codes = np.where(codes < 0, len(found), codes)
        found.append(None)
    return Field(coded=(codes, found))


def from_numbers(x: np.ndarray, missing: Optional[np.ndarray], name: str) -> Field:
    """The field of an array of booleans or numbers."""
    kind = x.dtype.kind
    if missing is not None and not missing.any():
        missing = None
    if kind == "b":
        codes = x.astype(np.intp)
        return from_codes(codes if missing is None else np.where(missing, -1, codes), [False, True], name)
    if kind == "u" and x.dtype.itemsize == 8 and len(x) and x.max() >= 2**63:
        return from_values([None if missing is not None and missing[i] else v for i, v in enumerate(x.tolist())])
    if kind in "iu":
        return Field(x.astype(np.int64, copy=False), missing)
    there = ~np.isnan(x) if missing is None else ~(np.isnan(x) | missing)
    missing = None if there.all() else ~there
    values = x if missing is None else x[there]
    values = values.astype(np.float64, copy=False)
    if len(values) and np.all(np.abs(values) <= EXACT) and np.all(values == np.trunc(values)):
        warnings.warn(
            f"column {name!r}: its floats are all whole, and are read as integers, 39.0 as 39; convert the column if that is wrong",
            WholeFloatWarning,
            stacklevel=2,
        )
        return Field((x if missing is None else np.where(there, x, 0)).astype(np.int64), missing)
    if x.dtype != np.float64 or np.isinf(values).any():  # their texts have digits of their own, or are no numbers
        return from_values([None if missing is not None and missing[i] else v for i, v in enumerate(x)])
    return Field(np.ascontiguousarray(x), missing)


class Source:
    """One column of a frame: its field, and its single values where a time or a nested value is asked for."""

    def __init__(self, field: Callable[[], Field], values: Callable[[], list[Any]]) -> None:
        self.field, self.values = field, values


def _pandas(frame: Any) -> tuple[int, list[tuple[str, Source]]]:
    import pandas as pd

    def field(name: str, series: Any) -> Field:
        kind = series.dtype
        if isinstance(kind, pd.CategoricalDtype):
            return from_codes(series.cat.codes.to_numpy(), list(series.cat.categories), name)
        if isinstance(kind, np.dtype) and kind.kind in "biuf":
            return from_numbers(series.to_numpy(), None, name)
        if type(kind).__name__ == "ArrowDtype":
            return _arrow_field(name, series.array.__arrow_array__())
        if pd.api.types.is_bool_dtype(kind) and kind != object or pd.api.types.is_numeric_dtype(kind):
            if kind.kind in "biuf":
                numpy_type = kind.numpy_dtype
                return from_numbers(series.array.to_numpy(numpy_type, na_value=numpy_type.type(0)), series.isna().to_numpy(), name)
            return from_values(series.tolist())
        if isinstance(kind, pd.StringDtype) or kind == object and pd.api.types.infer_dtype(series, skipna=True) == "string":
            codes, distinct = series.factorize()
            return from_codes(codes, list(distinct), name)
        return from_values(_pandas_values(series))

    columns = [(str(name), frame.iloc[:, i]) for i, name in enumerate(frame.columns)]
    return len(frame), [(n, Source(lambda n=n, s=s: field(n, s), lambda s=s: _pandas_values(s))) for n, s in columns]  # type: ignore[misc]


def _pandas_values(series: Any) -> list[Any]:
    return list(series.astype(object)) if hasattr(series, "astype") else list(series)


def _polars(frame: Any) -> tuple[int, list[tuple[str, Source]]]:
    import polars as pl

    def field(name: str, series: Any) -> Field:
        kind = series.dtype
        if kind.is_integer() and kind not in (getattr(pl, "Int128", None), getattr(pl, "UInt128", None)) or kind.is_float() or kind == pl.Boolean:
            missing = series.is_null().to_numpy() if series.null_count() else None
            if missing is not None:
                series = series.fill_null(False if kind == pl.Boolean else 0)
            return from_numbers(series.to_numpy(), missing, name)
        if kind in (pl.Categorical, pl.Enum):
            series = series.cast(pl.String)
        if series.dtype == pl.String:
            return coded(series.to_list(), len(series))
        return from_values(series.to_list())

    return frame.height, [(s.name, Source(lambda s=s: field(s.name, s), s.to_list)) for s in frame.get_columns()]  # type: ignore[misc]


def _arrow(table: Any) -> tuple[int, list[tuple[str, Source]]]:
    columns = [(str(name), table.column(i)) for i, name in enumerate(table.schema.names)]
    return table.num_rows, [(n, Source(lambda n=n, c=c: _arrow_field(n, c), c.to_pylist)) for n, c in columns]  # type: ignore[misc]


def _arrow_field(name: str, column: Any) -> Field:
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        missing = column.is_null().to_numpy(zero_copy_only=False) if column.null_count else None
        filled = column.fill_null(False if pa.types.is_boolean(kind) else 0) if column.null_count else column
        return from_numbers(filled.to_numpy(zero_copy_only=False), missing, name)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column, kind = column.dictionary_encode(), None
    if kind is None or pa.types.is_dictionary(kind):
        return from_codes(column.indices.fill_null(-1).to_numpy(zero_copy_only=False), column.dictionary.to_pylist(), name)
    return from_values(column.to_pylist())


def _arrays(arrays: Mapping[Any, np.ndarray]) -> tuple[int, list[tuple[str, Source]]]:
    def field(name: str, array: np.ndarray) -> Field:
        return from_numbers(array, None, name) if array.dtype.kind in "biuf" else from_values(list(array))

    rows = {len(array) for array in arrays.values()}
    if len(rows) != 1:
        raise ValueError("the arrays of the columns have different lengths")
    columns = [(str(name), array) for name, array in arrays.items()]
    return rows.pop(), [(n, Source(lambda n=n, a=a: field(n, a), lambda a=a: list(a))) for n, a in columns]  # type: ignore[misc]


def flat_fields(records: Sequence[Any], wanted: set[str]) -> Optional[dict[str, Field]]:
    """The wanted fields of dicts, none of which has a dot in its name; None if a value is nested, or a record is no dict."""
    if not all(isinstance(record, dict) for record in records):
        return None
    fields = {}
    try:
        for name in wanted:
            values = [record.get(name, ABSENT) for record in records]
            fields[name] = coded([v if type(v) is str or v is ABSENT else text(v) for v in values], len(values))
    except TypeError:  # an object or an array
        return None
    return fields


def columns_of(data: Any) -> Optional[tuple[int, list[tuple[str, Source]]]]:
    """Rows and columns of a frame; None if data is none. Only libraries that are imported already are asked."""
    pd, pl, pa = (sys.modules.get(name) for name in ("pandas", "polars", "pyarrow"))
    if pd is not None and isinstance(data, pd.DataFrame):
        return _pandas(data)
    if pl is not None and isinstance(data, (pl.DataFrame, pl.LazyFrame)):
        return _polars(data.collect() if isinstance(data, pl.LazyFrame) else data)
    if pa is not None and isinstance(data, (pa.Table, pa.RecordBatch)):
        return _arrow(data)
    if isinstance(data, Mapping) and data:
        if all(isinstance(v, np.ndarray) and v.ndim == 1 for v in data.values()):
            return _arrays(data)
        if pa is not None and all(isinstance(v, (pa.Array, pa.ChunkedArray)) for v in data.values()):
            return _arrow(pa.table(dict(data)))
        if pd is not None and all(isinstance(v, pd.Series) for v in data.values()):
            return _pandas(pd.DataFrame(dict(data)))
        if pl is not None and all(isinstance(v, pl.Series) for v in data.values()):
            return _polars(pl.DataFrame(dict(data)))
    if hasattr(data, "__arrow_c_stream__") and not hasattr(data, "to_dict"):
        import pyarrow

        return _arrow(pyarrow.table(data))
    return None


def fields_of(rows: int, sources: list[tuple[str, Source]], wanted: set[str], learnt_as: Mapping[str, str], times: Parts, missing: frozenset[str]) -> dict[str, Field]:
    """The wanted fields of a frame."""
    fields: dict[str, Field] = {}

    def add(name: str, field: Field) -> None:
        if name in fields:
            raise RecordError(f"the records have the field {name!r} twice")
        fields[name] = field

    timed = {field for field, _, _ in times.fields}
    below_time = tuple(field + "." for field in timed)
    by_row: dict[str, list[Any]] = {}
    for original, source in sources:
        name = learnt_as.get(original, original)
        if name in times.names():
            by_row[name] = source.values()
        if name in wanted and not (below_time and name.startswith(below_time)):
            add(name, source.field())
        elif not name in timed and _nested(source, name, wanted, learnt_as, original):
            for path, field in _flat(source.values(), original, rows, learnt_as).items():
                if path in wanted:
                    add(path, field)
    if timed & by_row.keys():
        for name, field in _parts(rows, by_row, times, missing).items():
            add(name, field)
    return fields


def _nested(source: Source, name: str, wanted: set[str], learnt_as: Mapping[str, str], original: str) -> bool:
    prefixes = (name + ".", original + ".")
    return any(w.startswith(prefixes) for w in wanted) or any(field.startswith(prefixes) for field in learnt_as)


def _flat(values: list[Any], name: str, rows: int, learnt_as: Mapping[str, str]) -> dict[str, Field]:
    """The fields below a column of nested values. A row may lack some of them."""
    texts: dict[str, list[Text]] = {}
    for i, value in enumerate(values):
        for path, inner in flatten({name: value}, learnt_as).items():
            texts.setdefault(path, [ABSENT] * rows)[i] = text(inner)
    return {path: coded(column, rows) for path, column in texts.items()}


def _parts(rows: int, by_row: Mapping[str, list[Any]], times: Parts, missing: frozenset[str]) -> dict[str, Field]:
    made: dict[str, list[Text]] = {}
    for i in range(rows):
        fields = {name: values[i] for name, values in by_row.items()}
        try:
            times.replace(fields, missing)
        except RecordError as err:
            raise RecordError(f"row {i}: {err}") from None
        for name, value in fields.items():
            if name not in by_row:
                made.setdefault(name, []).append(value)
    return {name: coded(column, rows) for name, column in made.items()}
