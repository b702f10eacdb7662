"""The text of a value: what a JSON record of it would hold, which is all that a model sees."""

from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal
from typing import AbstractSet, Any, Callable, Iterator, Mapping, Optional

import numpy as np

# A decimal number. The classes are [0-9]: \d matches digits of other scripts.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
# Beyond it, not every whole number is a double.
EXACT = 2.0**53


class RecordError(ValueError):
    """A record that the program would reject. The message names the field, and no value."""


def number(text: str) -> Optional[float]:
    """The finite number that a text is, or None."""
    if _NUMBER.fullmatch(text):
        x = float(text)
        if math.isfinite(x):
            return x
    return None


def text(value: Any) -> Optional[str]:
    """The text of a single value, None where it is missing. A float is what json.dumps writes: 39.0 is '39.0'."""
    if value is None or type(value) is str:
        return value
    write = _WRITERS.get(type(value))
    if write is None:
        write = _WRITERS[type(value)] = _writer(type(value))
    return write(value)


def _float(value: Any) -> Optional[str]:
    return None if value != value else repr(float(value))


def _single(value: Any) -> Optional[str]:
    """A number of less than double precision has the shortest digits of its own precision."""
    return None if value != value else str(value)


def _moment(value: Any) -> Optional[str]:
    if value != value:  # NaT
        return None
    return re.sub(r"\+00:00$", "Z", value.isoformat())


def _datetime64(value: Any) -> Optional[str]:
    return None if np.isnat(value) else _fraction(str(value))


def _fraction(moment: str) -> str:
    """A time without the zeros that end its fraction."""
    return re.sub(r"(\.[0-9]*?)0+$", r"\1", moment).removesuffix(".")


def _writer(kind: type) -> Callable[[Any], Optional[str]]:
    """How values of a type that is met for the first time become texts."""
    if kind.__name__ in ("NAType", "NaTType"):
        return lambda value: None
    for base, write in _BASES:
        if issubclass(kind, base):
            return write
    raise TypeError(f"a value of type {kind.__name__} is no text, number, boolean or time")


_BASES: list[tuple[Any, Callable[[Any], Optional[str]]]] = [
    (str, str.__str__),
    (bool, lambda value: "true" if value else "false"),
    (np.bool_, lambda value: "true" if value else "false"),
    (int, int.__repr__),
    (np.integer, lambda value: str(int(value))),
    (np.float64, _float),
    ((np.float32, np.float16), _single),
    (float, _float),
    (np.floating, _float),
    (Decimal, lambda value: None if value.is_nan() else str(value)),
    ((datetime.datetime, datetime.date), _moment),
    (datetime.time, datetime.time.isoformat),
    (np.datetime64, _datetime64),
]
_WRITERS: dict[type, Callable[[Any], Optional[str]]] = {bool: _BASES[1][1], int: int.__repr__, float: _float}


def flatten(record: Mapping[str, Any], learnt_as: Mapping[str, str], times: AbstractSet[str] = frozenset()) -> dict[str, Any]:
    """The fields of a record by dotted path, each under the name it was learnt by. Values are as they were. times must be
    single values."""
    fields: dict[str, Any] = {}
    for name, value in record.items():
        if type(name) is not str:
            name = str(name)
        if learnt_as:
            name = learnt_as.get(name, name)
        if type(value) in (str, int, float) or value is None or not isinstance(value, (Mapping, list, tuple, np.ndarray)):
            if name in fields:
                raise RecordError(f"the record has the field {name!r} twice")
            fields[name] = value
        elif name in times and not (isinstance(value, np.ndarray) and not value.ndim):
            raise RecordError(f"bad_time in field {name!r}: an object or an array, not a single value")
        else:
            for path, inner in _below(name, value, learnt_as):
                if path in fields:
                    raise RecordError(f"the record has the field {path!r} twice")
                fields[path] = inner
    return fields


def _below(path: str, value: Any, learnt_as: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, np.ndarray):
        value = value.tolist() if value.ndim else value.item()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, (list, tuple)):
        parts = enumerate(value)  # type: ignore[assignment]
    else:
        yield path, value
        return
    for key, inner in parts:
        below = f"{path}.{key}"
        yield from _below(learnt_as.get(below, below), inner, learnt_as)
