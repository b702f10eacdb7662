"""The section of RESULTS.md on equal opportunity and equalized odds."""

from dataclasses import dataclass

import numpy

from . import odds, store, summary
from .tables import table, uncertain

# Bars: mean |gap| and mean error of fairstream, for equal opportunity; for equalized odds the gaps alone.
GAP, ERROR = odds.TAU, 0.1340

TITLES = {"equal-opportunity": "Equal opportunity", "equalized-odds": "Equalized odds"}
RATES = {"tpr": "true positive", "fpr": "false positive"}

INTRODUCTION = """
## Adult by other criteria, τ = {tau:.2f}

The records and the folds are the same as above. A **gap** is the difference of a rate between Male and Female: of the true positive rate
P(yes | positive label), or of the false positive rate P(yes | negative label). A fold holds out about 350 positive records of women, so the
gap of true positive rates in one fold has a standard error of about {error:.3f}. A method that meets τ exactly is therefore within τ in about half
of the runs. fairlearn's bounds are converted as above, so that they bound gaps. ThresholdOptimizer has no tolerance for equalized odds, so it
aims at a gap of 0.
"""


@dataclass(frozen=True)
class Gap:
    """One method's gaps of one rate: mean with standard error over folds, mean and largest size, and the shares of
    runs whose gap is within tau, and within tau + 2 standard errors of its own."""

    mean: float
    mean_error: float
    size: float
    largest: float
    met: float
    near: float


def gap(runs, rate):
    values = numpy.abs([getattr(r, rate) for r in runs])
    slack = 2 * numpy.array([getattr(r, rate + "_error") for r in runs])
    folds = summary.by_fold(runs, rate)
    return Gap(
        folds.mean(), summary.spread(folds), values.mean(), values.max(),
        (values <= odds.TAU + summary.CLOSE).mean(), (values <= odds.TAU + slack + summary.CLOSE).mean(),
    )


def text(size):
    found = {m.name: store.runs(size.name, odds.DATASET, m.name, odds.Gaps) for m in odds.FAIRSTREAM + odds.PEERS}
    free = [r for r in found[odds.FREE_STREAM.name] if r]
    if not free:
        return ""
    out = INTRODUCTION.format(tau=odds.TAU, error=float(numpy.mean([r.tpr_error for r in free])))
    for criterion, title in TITLES.items():
        own, others = odds.constrained(criterion)
        rates = ("tpr", "fpr") if len(odds.LABELS[criterion]) == 2 else ("tpr",)
        out += f"\n### {title}\n\n" + rows_of([odds.FREE_STREAM, *own, odds.FREE, *others], found, rates)
        out += "\n" + verdict(own, found, rates)
    return out


def rows_of(methods, found, rates):
    rows = []
    for method in methods:
        runs = found[method.name]
        error = summary.by_fold(runs, "error") if runs else None
        for rate in rates if runs else ():
            g = gap(runs, rate)
            name = method.title + (" *" if method.by_attribute else "")
            cells = [name, uncertain(error.mean(), summary.spread(error))] + ([RATES[rate]] if len(rates) > 1 else [])
            rows.append(cells + [uncertain(g.mean, g.mean_error, "+"), f"{g.size:.3f}", f"{g.largest:.3f}", f"{g.met:.0%}", f"{g.near:.0%}", str(len(runs))])
    head = ["method", "error"] + (["rate"] if len(rates) > 1 else []) + ["gap", "mean \\|gap\\|", "largest", "≤ τ", "≤ τ + 2 SE", "runs"]
    return table(head, rows)


def verdict(own, found, rates):
    """Which relaxations miss the bars, in words."""
    bars = f"a mean |gap| of at most {GAP:.2f}" + (f" and an error of at most {ERROR:.4f}" if len(rates) == 1 else " for both rates")
    misses = []
    for method in own:
        runs = found[method.name]
        if not runs:
            continue
        sizes = {rate: gap(runs, rate).size for rate in rates}
        error = summary.by_fold(runs, "error").mean()
        wrong = [f"mean |gap| {s:.3f} ({RATES[rate]} rate)" for rate, s in sizes.items() if s > GAP]
        wrong += [f"error {error:.4f}"] if len(rates) == 1 and error > ERROR else []
        misses += [f"{method.title.removeprefix('fairstream, ')}: {', '.join(wrong)}"] if wrong else []
    return f"Bars of every relaxation of fairstream: {bars}. " + ("Missed: " + "; ".join(misses) + ".\n" if misses else "All relaxations meet them.\n")
