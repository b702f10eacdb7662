"""A share of the negative decisions turned to positive, by the rule of the program (pkg/scoring): the same records are explored."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple

import numpy as np

from fairstream._hash import mix, text_hash
from fairstream._texts import text

# The place of exploration, beside those of columns and crosses.
_PLACE = 2**33


def explored(share: float, key: Any) -> bool:
    """Whether a record with a key is explored, if its decision is negative. One without a key never is."""
    written = text(key)
    return bool(written) and float(mix(_PLACE, text_hash(str(written))) >> 11) < share * 2.0**53


def check(share: float) -> None:
    if not 0 <= share <= 1:
        raise ValueError(f"explore: the share {share!r} is outside [0, 1]")


class Exploration(NamedTuple):
    """The decisions, which of them exploration turned to positive, and the probability of each: bools and a float for one record, arrays for many."""

    decision: Any
    explored: Any
    propensity: Any


def one(own: bool, share: float, key: Any) -> Exploration:
    """Explores the model's own decision about a record."""
    turned = share > 0 and not own and explored(share, key)
    certain = share == 0 or own or not text(key)
    return Exploration(own or turned, turned, 1.0 if certain else share if turned else 1 - share)


def many(own: np.ndarray, share: float, keys: Iterable[Any]) -> Exploration:
    """Explores the model's own decisions about records."""
    if share == 0:
        return Exploration(own, np.zeros_like(own), np.ones(len(own)))
    keys = list(keys)
    if len(keys) != len(own):
        raise ValueError(f"there are {len(keys)} keys for {len(own)} records")
    all_of_them = [one(bool(decision), share, key) for decision, key in zip(own, keys)]
    return Exploration(*(np.array([made[i] for made in all_of_them], dtype=kind) for i, kind in enumerate((bool, bool, float))))
