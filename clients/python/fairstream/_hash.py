"""The keys of texts and combinations, as docs/document.md has them: MurmurHash3 and the finalizer of SplitMix64."""

from __future__ import annotations

import numpy as np

WRAP = 2**64 - 1
# FIRST_CROSS keeps the places of crosses apart from the places of columns.
FIRST_CROSS = 2**32
_GOLDEN, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_C1, _C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F


def _rotate(x: int, by: int) -> int:
    return (x << by | x >> (64 - by)) & WRAP


def _finish(h: int) -> int:
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & WRAP
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & WRAP
    return h ^ h >> 33


def text_hash(text: str) -> int:
    """The first half of the 128-bit MurmurHash3 (x64 variant, seed 0) of the text in UTF-8."""
    data = text.encode()
    h1 = h2 = 0
    whole = len(data) - len(data) % 16
    for at in range(0, whole, 16):
        k1, k2 = int.from_bytes(data[at : at + 8], "little"), int.from_bytes(data[at + 8 : at + 16], "little")
        h1 ^= _rotate(k1 * _C1 & WRAP, 31) * _C2 & WRAP
        h1 = ((_rotate(h1, 27) + h2) * 5 + 0x52DCE729) & WRAP
        h2 ^= _rotate(k2 * _C2 & WRAP, 33) * _C1 & WRAP
        h2 = ((_rotate(h2, 31) + h1) * 5 + 0x38495AB5) & WRAP
    k1, k2 = int.from_bytes(data[whole : whole + 8], "little"), int.from_bytes(data[whole + 8 :], "little")
    h1 ^= _rotate(k1 * _C1 & WRAP, 31) * _C2 & WRAP
    h2 ^= _rotate(k2 * _C2 & WRAP, 33) * _C1 & WRAP
    h1, h2 = h1 ^ len(data), h2 ^ len(data)
    h1 = (h1 + h2) & WRAP
    h2 = (h2 + h1) & WRAP
    return (_finish(h1) + _finish(h2)) & WRAP


def mix(place: int, h: int) -> int:
    """The key of a hash in a place: the index of a column, or FIRST_CROSS plus that of a cross."""
    x = h + (place + 1) * _GOLDEN & WRAP
    x = (x ^ x >> 30) * _MIX1 & WRAP
    x = (x ^ x >> 27) * _MIX2 & WRAP
    return x ^ x >> 31


def mix_all(place: int, h: np.ndarray) -> np.ndarray:
    """mix of an array of uint64."""
    x = h + np.uint64((place + 1) * _GOLDEN & WRAP)
    x = (x ^ x >> np.uint64(30)) * np.uint64(_MIX1)
    x = (x ^ x >> np.uint64(27)) * np.uint64(_MIX2)
    return x ^ x >> np.uint64(31)
