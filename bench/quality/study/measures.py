"""What is kept of one run: error and risk difference on the records held out."""

from dataclasses import asdict, dataclass

import numpy


@dataclass(frozen=True)
class Run:
    """One method, learnt on one order of one fold's training records and measured on its held-out ones.

    `tau` is what the method was asked for, 0 where it was asked for nothing. A decision may be a
    probability of the positive one, for methods that decide by chance: then both measures are exact
    expectations over it. `standard_error` is that of `difference`, for decisions that are certain.
    """

    tau: float
    fold: int
    shuffle: int
    error: float
    difference: float
    standard_error: float

    def row(self):
        return asdict(self)


def measure(tau, fold, decisions, labels, members):
    """A Run of decisions (probabilities of the positive one) on the held-out records of a fold."""
    decisions = decisions.astype(float)
    group, versus = decisions[members].mean(), decisions[~members].mean()
    return Run(
        tau, fold.fold, fold.shuffle, float(numpy.abs(decisions - labels).mean()), float(group - versus),
        standard_error(group, members.sum(), versus, (~members).sum()),
    )


def standard_error(group, n_group, versus, n_versus):
    """That of the difference of two rates of independent samples."""
    return float(numpy.sqrt(group * (1 - group) / n_group + versus * (1 - versus) / n_versus))
