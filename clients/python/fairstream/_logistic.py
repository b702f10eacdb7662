"""The logistic function with the bits of the program, whose exponential function is its own (internal/logistic)."""

from __future__ import annotations

import numpy as np

_PER_UNIT = float.fromhex("0x1.71547652b82fep+5")
_HIGH, _LOW = float.fromhex("0x1.62e42fefp-6"), float.fromhex("0x1.473de6af278edp-39")
_LIMIT = 708.0
# 2^(j/32), rounded to nearest.
_POWERS = np.array(
    [
        float.fromhex(f"0x1.{digits}p+0")
        for digits in """0000000000000 059b0d3158574 0b5586cf9890f 11301d0125b51 172b83c7d517b 1d4873168b9aa 2387a6e756238 29e9df51fdee1
        306fe0a31b715 371a7373aa9cb 3dea64c123422 44e086061892d 4bfdad5362a27 5342b569d4f82 5ab07dd485429 6247eb03a5585
        6a09e667f3bcd 71f75e8ec5f74 7a11473eb0187 82589994cce13 8ace5422aa0db 93737b0cdc5e5 9c49182a3f090 a5503b23e255d
        ae89f995ad3ad b7f76f2fb5e47 c199bdd85529c cb720dcef9069 d5818dcfba487 dfc97337b9b5f ea4afa2a490da f50765b6e4540""".split()
    ]
)


def probability(x: np.ndarray) -> np.ndarray:
    """1/(1+exp(-x)) of each number."""
    e = _exp_negative(np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


def _exp_negative(x: np.ndarray) -> np.ndarray:
    inside = x < _LIMIT
    x = np.where(inside, x, 0.0)
    k = np.trunc(-(x * _PER_UNIT) - 0.5).astype(np.int64)
    r = -x - k * _HIGH
    r = r - k * _LOW
    p = r * (1.0 / 720) + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    p = p * r * r + r
    power = _POWERS[k & 31]
    return np.where(inside, np.ldexp(power + power * p, (k >> 5).astype(np.int32)), 0.0)
