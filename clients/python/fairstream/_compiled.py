"""A document's model, ready to weigh records: its margins are those of the program, bit for bit."""

from __future__ import annotations

import copy
from typing import AbstractSet, Any, Iterator, Mapping, Optional

import numpy as np

from fairstream._document import DocumentError
from fairstream._frame import Field
from fairstream._model import Column, Cross, finite
from fairstream._texts import text

# An unknown key of a model would change margins.
_KNOWN = {
    "model": {"threshold", "intercept", "columns", "crosses", "buckets"},
    "columns": {
        *("name", "type", "missing", "linear", "edges", "bins", "coarse", "coarse_bins", "single_value", "numeric_levels"),
        *("knots", "knot_weights", "standardized", "levels"),
    },
    "linear": {"low", "high", "square_roots", "mean", "scale", "weight"},
    "standardized": {"mean", "scale", "weight"},
    "levels": {"text", "key", "weight"},
    "crosses": {"columns", "levels"},
}


def _check(value: Any, what: str) -> None:
    for part in value if isinstance(value, list) else [value]:
        if not isinstance(part, dict):
            continue
        if unknown := set(part) - _KNOWN.get(what, set(part)):
            raise DocumentError(f"its model cannot be read: {what} has the key {sorted(unknown)[0]!r}: was it written by a newer program?")
        for key, inner in part.items():
            if key != "columns" or what == "model":
                _check(inner, key)


class Compiled:
    """A model with one set of weights."""

    def __init__(self, model: Mapping[str, Any], missing: frozenset[str], parts: AbstractSet[str]) -> None:
        """missing are the texts that count as missing, except in the columns that are parts of times."""
        _check(model, "model")
        if not finite(model):
            raise DocumentError("its model cannot be read: a number is not finite")
        try:
            self.intercept = float(model["intercept"])
            names = [c["name"] for c in model["columns"]]
            crosses = model.get("crosses", [])
            crossed = {name for cross in crosses for name in cross["columns"]}
            buckets = [float(w) for w in model.get("buckets", [])]
            self.columns = [
                Column(i, c, frozenset() if c["name"] in parts else missing, buckets, c["name"] in crossed) for i, c in enumerate(model["columns"])
            ]
            self.crosses = [Cross(i, c, names) for i, c in enumerate(crosses)]
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as err:
            raise DocumentError(f"its model cannot be read: {err!r}") from None
        if len(set(names)) != len(names):
            raise DocumentError("its model cannot be read: a column comes twice")

    def margin(self, fields: Mapping[str, Any]) -> float:
        """The margin of one record, by its flat fields."""
        margin = 0.0 + self.intercept
        tokens: list[Optional[int]] = []
        for column in self.columns:
            name = column.name
            if name not in fields:
                tokens.append(None)
                continue
            value = fields[name]
            a, b, c, d, token = column.weigh(value if type(value) is str else text(value))
            margin += a
            margin += b
            margin += c
            margin += d
            tokens.append(token)
        for cross in self.crosses:
            margin += cross.weigh(tokens)
        return margin

    def margins(self, fields: Mapping[str, Field], rows: int) -> np.ndarray:
        """The margin of each row."""
        margin = np.zeros(rows) + self.intercept
        tokens: dict[int, tuple[np.ndarray, Optional[np.ndarray]]] = {}
        for i, column in enumerate(self.columns):
            field = fields.get(column.name)
            if field is None:
                continue
            there = None
            if field.numbers is not None and column.numeric:
                parts, token = column.numbers(field.numbers, field.missing)
            else:
                parts, token, there = column.texts(*field.texts())
            for part in parts:
                margin += part
            if column.crossed:
                tokens[i] = token, there
        for cross in self.crosses:
            weights = cross.weights(tokens, rows)
            if weights is not None:
                margin += weights
        return margin


def free_model(document: Mapping[str, Any]) -> dict[str, Any]:
    """The model with the weights of document's probability, in the order in which docs/document.md goes through it."""
    model: dict[str, Any] = copy.deepcopy(document["model"])
    weights: Iterator[float] = iter(document["probability"]["weights"])

    def replace(holder: Optional[dict[str, Any]], *keys: str) -> None:
        for key in keys if holder else ():
            assert holder is not None
            if isinstance(holder.get(key), list):
                holder[key] = [next(weights) for _ in holder[key]]
            elif key in holder:
                holder[key] = next(weights)

    try:
        replace(model, "intercept")
        for column in model["columns"]:
            replace(column, "missing")
            replace(column.get("standardized"), "weight")
            replace(column, "knot_weights")
            replace(column.get("linear"), "weight")
            replace(column, "bins", "coarse_bins")
            for level in column.get("levels", []):
                replace(level, "weight")
        for cross in model.get("crosses", []):
            for level in cross["levels"]:
                replace(level, "weight")
        replace(model, "buckets")
    except StopIteration:
        raise DocumentError("the weights of its probability and its model do not match") from None
    if next(weights, None) is not None:
        raise DocumentError("the weights of its probability and its model do not match")
    return model
