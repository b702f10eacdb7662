"""A share of the negative decisions turned to positive, by the rule of the program (pkg/scoring): the same records are explored."""

from __future__ import annotations

from typing import Any, Iterable

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


def all_explored(share: float, keys: Iterable[Any], rows: int) -> np.ndarray:
    found = np.fromiter((explored(share, key) for key in keys), bool)
    if len(found) != rows:
        raise ValueError(f"there are {len(found)} keys for {rows} records")
    return found
