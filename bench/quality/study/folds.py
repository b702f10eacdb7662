"""Which records are learnt from and which are held out: the same for every method."""

from dataclasses import dataclass

import numpy

FOLDS = 5
SHUFFLES = 4


@dataclass(frozen=True)
class Fold:
    """Indices of the records of one fold; `train` is in the order in which a stream brings them."""

    fold: int
    shuffle: int
    train: numpy.ndarray
    test: numpy.ndarray


@dataclass(frozen=True)
class Size:
    """How much of the study is run. Records beyond `records` (0: none) are left out."""

    name: str
    records: int
    folds: int
    shuffles: int
    taus: tuple

    def split(self, count, shuffles):
        """Yields the folds of `count` records, each with `shuffles` orders of its training records."""
        order = numpy.random.default_rng(0).permutation(count)
        if self.records:
            order = order[: self.records]
        for fold in range(self.folds):
            test = order[fold::FOLDS]
            rest = numpy.setdiff1d(order, test)
            for shuffle in range(shuffles):
                yield Fold(fold, shuffle, numpy.random.default_rng([1, fold, shuffle]).permutation(rest), test)


FULL = Size("full", 0, FOLDS, SHUFFLES, (0.02, 0.05, 0.10, 0.15))
QUICK = Size("quick", 3000, 2, 1, (0.05,))
