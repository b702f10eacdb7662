"""What the columns and crosses of a document add to a margin, for one text or for arrays.

A column adds up to four numbers, in the order of the document: the standardized number or a knot, a bin or the next knot, a
coarse bin, and a level. A number that a column does not add is 0: that changes no bit of a margin, which is never -0."""

from __future__ import annotations

import math
from typing import Any, Callable, Mapping, NamedTuple, Optional, Union

import numpy as np

from fairstream._hash import FIRST_CROSS, mix, mix_all, text_hash
from fairstream._texts import number

Text = Union[str, None, object]
# ABSENT stands for a field that a record lacks.
ABSENT = object()
TERMS = 4
_LARGEST = 1e150
_CLIP = 5.0
_REMEMBERED = 1 << 16


class Terms(NamedTuple):
    """What one text of a column contributes: the terms, and the token for crosses, None where the field is absent."""

    a: float
    b: float
    c: float
    d: float
    token: Optional[int]


_NO_TERMS = Terms(0.0, 0.0, 0.0, 0.0, None)


def single(x: Any) -> Any:
    """Numbers rounded to single precision."""
    return np.asarray(x, np.float64).astype(np.float32).astype(np.float64)


class Column:
    """One column of a document. spec is its entry there; missing are the texts that count as missing."""

    def __init__(self, index: int, spec: Mapping[str, Any], missing: frozenset[str], buckets: list[float], crossed: bool) -> None:
        self.name, self.index, self.missing, self.buckets = spec["name"], index, missing, buckets
        self.numeric = spec["type"] == "numeric"
        self.crossed = crossed
        self._missing = Terms(float(spec.get("missing", 0.0)), 0.0, 0.0, 0.0, 1)
        self._texts: dict[str, float] = {}
        self._keys: dict[int, float] = {}
        for level in spec.get("levels", []):
            if "key" in level:
                self._keys[int(level["key"], 16)] = float(level["weight"])
            else:
                self._texts[level["text"]] = float(level["weight"])
        self._hashed = bool(self._keys or buckets or crossed)
        self._known: dict[Any, Terms] = {}
        if self.numeric:
            self._read_numeric(spec)

    def _read_numeric(self, spec: Mapping[str, Any]) -> None:
        self.standardized = spec.get("standardized")
        self.knots = np.array(spec.get("knots", []), np.float64)
        self.knot_weights = np.array(spec.get("knot_weights", []), np.float64)
        self.linear = spec.get("linear")
        if self.linear is not None and self.linear.get("square_roots", 0) and not self.linear["low"] >= 0:
            raise ValueError("a number below 0 has no square root")
        self.edges = np.array(spec.get("edges", []), np.float64)
        self.bins = np.array(spec["bins"], np.float64) if "bins" in spec else None
        self.coarse = np.array(spec.get("coarse", []), np.int64)
        self.coarse_bins = np.array(spec["coarse_bins"], np.float64) if "coarse_bins" in spec else None
        self.open = np.zeros(len(self.coarse), bool)  # bins whose numbers may have levels
        if self.standardized is None and not len(self.knots):
            if len(self.coarse) != len(self.edges) + 1 or self.bins is not None and len(self.bins) != len(self.coarse):
                raise ValueError("edges and bins do not match")
            if self.coarse.min() < 0 or self.coarse_bins is not None and self.coarse.max() >= len(self.coarse_bins):
                raise ValueError("a coarse bin does not exist")
            if spec.get("numeric_levels"):
                self.open = ~np.array(spec["single_value"], bool)
        if len(self.knots) != len(self.knot_weights) or np.any(np.diff(self.knots) <= 0) or np.any(np.diff(self.edges) <= 0):
            raise ValueError("knots or edges do not ascend, or do not match their weights")
        self._levels = {kind: _Numbers(kind, self._texts) for kind in _CANONICAL}
        self._absences = {kind: _Numbers(kind, dict.fromkeys(self.missing, 1.0)) for kind in _CANONICAL}

    def weigh(self, text: Text) -> Terms:
        """What a text contributes; None is a missing value."""
        terms = self._known.get(text)
        if terms is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            terms = self._known[text] = self._weigh(text)
        return terms

    def _weigh(self, text: Any) -> Terms:
        if text is ABSENT:
            return _NO_TERMS
        if text is None or text in self.missing:
            return self._missing
        text = _paired(text)
        x = number(text) if self.numeric else None
        if x is not None:
            terms, token, is_open = self._number(np.array([x]))
            a, b, c = (float(t[0]) if t is not None else 0.0 for t in terms)
            return Terms(a, b, c, self._level(text, None) if is_open is not None and is_open[0] else 0.0, int(token[0]))
        key = text_hash(text) if self._hashed else None
        return Terms(0.0, 0.0, 0.0, self._level(text, key, shared=True), key or 0)

    def _level(self, text: str, hashed: Optional[int], shared: bool = False) -> float:
        weight = self._texts.get(text)
        if weight is not None:
            return weight
        if not self._keys and not (shared and self.buckets):
            return 0.0
        key = mix(self.index, text_hash(text) if hashed is None else hashed)
        weight = self._keys.get(key)
        if weight is not None:
            return weight
        return self.buckets[(key >> 32) % len(self.buckets)] if shared and self.buckets else 0.0

    def _number(self, x: np.ndarray) -> tuple[list[Optional[np.ndarray]], np.ndarray, Optional[np.ndarray]]:
        """The first three terms of numbers, their tokens, and which may have a level, None if none may."""
        x = np.minimum(_LARGEST, np.maximum(-_LARGEST, x))
        if self.standardized is not None:
            s = self.standardized
            z = np.minimum(_CLIP, np.maximum(-_CLIP, (x - s["mean"]) * s["scale"]))
            token = np.copysign(np.floor(np.abs(z) + 0.5), z).astype(np.int64) + 7
            return [s["weight"] * single(z), None, None], token, None
        if len(self.knots):
            return self._interpolate(x)
        linear = None
        if self.linear is not None:
            s = self.linear
            bounded = np.minimum(s["high"], np.maximum(s["low"], x))
            for _ in range(s.get("square_roots", 0)):
                bounded = np.sqrt(bounded)
            linear = s["weight"] * single((bounded - s["mean"]) * s["scale"])
        i = np.searchsorted(self.edges, x, side="right")
        coarse = self.coarse[i]
        bins = self.bins[i] if self.bins is not None else None
        coarse_bins = self.coarse_bins[coarse] if self.coarse_bins is not None else None
        return [linear, bins, coarse_bins], coarse + 2, self.open[i] if self.open.any() else None

    def _interpolate(self, x: np.ndarray) -> tuple[list[Optional[np.ndarray]], np.ndarray, None]:
        knots, weights = self.knots, self.knot_weights
        if len(knots) == 1:
            return [np.full(len(x), weights[0]), None, None], np.full(len(x), 2), None
        x = np.minimum(knots[-1], np.maximum(knots[0], x))
        i = np.clip(np.searchsorted(knots, x, side="left") - 1, 0, len(knots) - 2)
        share = (x - knots[i]) / (knots[i + 1] - knots[i])
        return [weights[i] * single(1 - share), weights[i + 1] * single(share), None], i + 2, None

    def texts(self, codes: np.ndarray, texts: list[Text]) -> tuple[list[np.ndarray], np.ndarray, Optional[np.ndarray]]:
        """The terms of rows whose texts have codes, their tokens, and which have one, None if all have."""
        rows = [self.weigh(text) for text in texts]
        table = np.array([terms[:TERMS] for terms in rows], np.float64).reshape(len(rows), TERMS).T
        tokens = np.array([terms.token or 0 for terms in rows], np.uint64)
        there = np.array([terms.token is not None for terms in rows], bool)
        parts = [np.ascontiguousarray(part)[codes] for part in table if part.any()]
        return parts, tokens[codes] if self.crossed else tokens, None if there.all() else there[codes]

    def numbers(self, x: np.ndarray, missing: Optional[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """The terms of numbers of a numeric column, finite in int64 or float64 where they are not missing, and their tokens."""
        kind = x.dtype.kind
        values = x.astype(np.float64, copy=False)
        if missing is not None:
            values = np.where(missing, 0.0, values)
        terms, tokens, is_open = self._number(values)
        if is_open is not None and self._levels[kind]:
            terms.append(np.where(is_open, self._levels[kind].weights(x), 0.0))
        also = self._absences[kind].weights(x) if self._absences[kind] else None
        gone = missing if also is None else (also > 0 if missing is None else missing | (also > 0))
        out = [t for t in terms if t is not None]
        if gone is not None and gone.any():
            out = [np.where(gone, 0.0, t) for t in out] + [np.where(gone, self._missing.a, 0.0)]
            tokens = np.where(gone, 1, tokens)
        return out, tokens.astype(np.uint64)


def _paired(text: str) -> str:
    """A text with its surrogates joined, or replaced where they are alone: no JSON text in UTF-8 has them."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


# The text of a number of an array: of whole numbers, and of doubles.
_CANONICAL: dict[str, tuple[Callable[[str], Any], Callable[[Any], str]]] = {"i": (int, str), "f": (float, repr)}


class _Numbers:
    """Weights of the texts that numbers of an array can have, found by the number itself."""

    def __init__(self, kind: str, texts: Mapping[str, float]) -> None:
        read, write = _CANONICAL[kind]
        found = {}
        for text, weight in texts.items():
            x = number(text)
            if x is None:
                continue
            try:
                exact = read(text)
            except ValueError:
                continue
            if write(exact) == text and (kind == "f" or -(2**63) <= exact < 2**63):
                found[exact if kind == "i" else int(np.float64(exact).view(np.int64))] = weight
        self._at = np.array(sorted(found), np.int64)
        self._weights = np.array([found[k] for k in sorted(found)], np.float64)

    def __bool__(self) -> bool:
        return len(self._at) > 0

    def weights(self, x: np.ndarray) -> np.ndarray:
        bits = x.view(np.int64)
        at = np.minimum(np.searchsorted(self._at, bits), len(self._at) - 1)
        return np.where(self._at[at] == bits, self._weights[at], 0.0)


class Cross:
    """One combination of columns, by their positions in the document; empty if the model lacks one of them."""

    def __init__(self, index: int, spec: Mapping[str, Any], columns: list[str]) -> None:
        self.place = FIRST_CROSS + index
        known = all(name in columns for name in spec["columns"])
        self.parts = [columns.index(name) for name in spec["columns"]] if known else []
        self._weights = {int(level["key"], 16): float(level["weight"]) for level in spec["levels"]}
        keys = sorted(self._weights)
        self._keys = np.array(keys, np.uint64)
        self._sorted = np.array([self._weights[k] for k in keys], np.float64)

    def weigh(self, tokens: list[Optional[int]]) -> float:
        """What the tokens of a record's columns add."""
        key = 0
        for part in self.parts:
            token = tokens[part]
            if token is None:
                return 0.0
            key = mix(self.place, key ^ token)
        return self._weights.get(key, 0.0) if self.parts else 0.0

    def weights(self, tokens: Mapping[int, tuple[np.ndarray, Optional[np.ndarray]]], rows: int) -> Optional[np.ndarray]:
        """What the tokens of each row add; None if nothing is added. tokens are those of the columns that are there."""
        if not self.parts or not len(self._keys) or not all(part in tokens for part in self.parts):
            return None
        key, there = np.zeros(rows, np.uint64), np.ones(rows, bool)
        for part in self.parts:
            token, has = tokens[part]
            key = mix_all(self.place, key ^ token)
            if has is not None:
                there &= has
        at = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
        return np.where(there & (self._keys[at] == key), self._sorted[at], 0.0)


def finite(value: Any) -> bool:
    """Whether all numbers of a model are finite."""
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, list):
        return all(map(finite, value))
    return not isinstance(value, (int, float)) or math.isfinite(value)
