"""Probabilities from margins: isotonic, and on the side of one half on which the decision is."""

from __future__ import annotations

import numpy as np

# As many of the newest records are calibrated on, in groups of equal size.
NEWEST = 16384
GROUPS = 32
# With fewer than these, 1/(1+exp(-margin)) is used as it is.
LEAST = 500
# What a probability is kept away from one half by.
_APART = 1e-9


class Calibration:
    """Margins of records before they were learnt, and the labels that then came."""

    def __init__(self) -> None:
        self.margins = np.empty(0)
        self.labels = np.empty(0)
        self.weights = np.empty(0)

    def add(self, margins: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> None:
        known = np.isfinite(margins) & (weights > 0)
        self.margins = np.concatenate([self.margins, margins[known]])[-NEWEST:]
        self.labels = np.concatenate([self.labels, labels[known]])[-NEWEST:]
        self.weights = np.concatenate([self.weights, weights[known]])[-NEWEST:]

    def probabilities(self, margins: np.ndarray) -> np.ndarray:
        """The probability of the positive label for each margin: it rises with the margin, and is above one half where the margin is above 0."""
        with np.errstate(over="ignore"):
            score = 1 / (1 + np.exp(-margins))
        if len(self.margins) < LEAST:
            return score
        at, rates = self._curve()
        # The score's share orders the margins where the curve is level, and beyond its ends.
        p = (1 - 1e-6) * np.interp(margins, at, rates) + 1e-6 * score
        return np.where(margins > 0, np.maximum(p, 0.5 + _APART * (1 + score)), np.minimum(p, 0.5 - _APART * (2 - score)))

    def _curve(self) -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(self.margins, kind="stable")
        parts = np.array_split(order, GROUPS)
        weights = np.array([self.weights[part].sum() for part in parts])
        at = np.array([np.average(self.margins[part], weights=self.weights[part]) for part in parts])
        rates = np.array([np.average(self.labels[part], weights=self.weights[part]) for part in parts])
        return at, _rising(rates, weights)


def _rising(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The rising sequence that is nearest to values (pool adjacent violators)."""
    pools: list[list[float]] = []  # mean, weight, count
    for value, weight in zip(values.tolist(), weights.tolist()):
        pools.append([value, weight, 1])
        while len(pools) > 1 and pools[-2][0] >= pools[-1][0]:
            last, before = pools.pop(), pools[-1]
            total = before[1] + last[1]
            before[0] = (before[0] * before[1] + last[0] * last[1]) / total
            before[1], before[2] = total, before[2] + last[2]
    return np.concatenate([np.full(int(count), mean) for mean, _, count in pools])
