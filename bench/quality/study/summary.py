"""Runs put together: means with standard errors, and errors at the same achieved risk difference."""

from dataclasses import dataclass

import numpy

from . import store

CLOSE = 1e-9
SLACK = 0.005  # of a mean risk difference: about its standard error


@dataclass(frozen=True)
class Cell:
    """One method at one tau. Standard errors are those of the mean over folds: the orders of one fold share
    its records. `met` and `near` are the shares of runs with |RD| <= tau and |RD| <= tau + 2 standard errors
    of the run's own RD; `largest` is the largest |RD|."""

    error: float
    error_se: float
    difference: float
    difference_se: float
    largest: float
    met: float
    near: float
    runs: int


def cells(runs):
    """The Cell of each tau, in rising order."""
    return {tau: cell([r for r in runs if r.tau == tau], tau) for tau in sorted({r.tau for r in runs})}


def cell(runs, tau):
    size = numpy.abs([r.difference for r in runs])
    slack = 2 * numpy.array([r.standard_error for r in runs])
    error, difference = by_fold(runs, "error"), by_fold(runs, "difference")
    return Cell(
        error.mean(), spread(error), difference.mean(), spread(difference), size.max(),
        (size <= tau + CLOSE).mean(), (size <= tau + slack + CLOSE).mean(), len(runs),
    )


def by_fold(runs, measure):
    """The mean of a measure over the runs of each fold, in the order of folds."""
    folds = sorted({r.fold for r in runs})
    return numpy.array([numpy.mean([getattr(r, measure) for r in runs if r.fold == fold]) for fold in folds])


def spread(values):
    """The standard error of the mean; not a number for one value."""
    return values.std(ddof=1) / numpy.sqrt(len(values)) if len(values) > 1 else float("nan")


class Frontier:
    """Errors of a reference as a function of its achieved mean risk difference, piecewise linear between
    the values of tau it was run for. Beyond the largest it stays what it is without a constraint; below the
    smallest it is unknown. Each fold has an error of its own."""

    def __init__(self, runs):
        points = [[r for r in runs if r.tau == tau] for tau in sorted({r.tau for r in runs})]
        points.sort(key=lambda p: by_fold(p, "difference").mean())
        self.differences = numpy.array([by_fold(p, "difference").mean() for p in points])
        self.errors = numpy.array([by_fold(p, "error") for p in points])

    def reaches(self, difference):
        return difference >= self.differences[0] - SLACK

    def at(self, difference):
        """The error of each fold at a mean risk difference that it reaches."""
        return numpy.array([numpy.interp(difference, self.differences, fold) for fold in self.errors.T])


def excess(runs, frontier):
    """Mean and standard error, paired by fold, of the error above a frontier at the same |mean RD|; None
    where the frontier does not reach so low."""
    error, difference = by_fold(runs, "error"), abs(by_fold(runs, "difference").mean())
    if not frontier.reaches(difference):
        return None
    above = error - frontier.at(difference)
    return above.mean(), spread(above)


def frontier(size, dataset, method, free=None):
    """The Frontier of a method's kept runs, with those of an unconstrained one as its end; None without any."""
    runs = store.runs(size.name, dataset.name, method)
    if not runs:
        return None
    return Frontier(runs + (store.runs(size.name, dataset.name, free) if free else []))
