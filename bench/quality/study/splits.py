"""fairstream on many splits: one split into five folds has five independent holdouts, which is few to tell how often
tau is kept.

Each split is a random order of all records, of which `fairstream replay --folds` holds out every fifth, five times over.
"""

import json
import subprocess

import numpy

from . import columns, store
from .data import CACHE
from .folds import FOLDS
from .measures import Run, standard_error
from .summary import CLOSE
from .tables import table

RELAXATIONS = ("approximation-1", "approximation-2", "approximation-3")
SPLITS = 16

INTRODUCTION = """
## How often τ is kept

This table shows fairstream alone, on {splits} random splits of each data set into {folds} folds: {runs} holdouts. **SD** is the standard deviation
of RD between holdouts. **SE** is the mean standard error of a holdout's own RD. If SE is at least τ, most holdouts above τ are there by
chance; "≤ τ + 2 SE" allows for this.

"""


def name(relaxation):
    return "splits-" + relaxation


def orders(count, size):
    """The records of each split, in the order in which they are read."""
    kept = numpy.random.default_rng(0).permutation(count)[: size.records or None]
    for split in range(splits_of(size)):
        yield numpy.random.default_rng([2, split]).permutation(kept)


def splits_of(size):
    return 1 if size.records else SPLITS


def run(relaxation, dataset, size):
    """The Runs of all splits with one relaxation; a run's fold counts over splits."""
    directory = CACHE / "work" / dataset.name
    directory.mkdir(parents=True, exist_ok=True)
    config, records = directory / "splits.yaml", directory / "splits.csv"
    config.write_text(json.dumps(columns.configuration(dataset, {"mode": "adaptive"}, relaxation=relaxation)))
    runs = []
    for split, order in enumerate(orders(len(dataset.frame), size)):
        dataset.frame.iloc[order].to_csv(records, index=False)
        done = subprocess.run(
            [CACHE / "bin" / "fairstream", "replay", "--config", config, "--input", records, "--folds", str(FOLDS), "--json",
             "--tau", ",".join(map(str, size.taus))], capture_output=True, text=True, check=True,
        )
        for tau, line in zip(size.taus, done.stdout.splitlines(), strict=True):
            answer = json.loads(line)
            if answer["rejected"] != 0 or answer["records"] != len(order):
                raise RuntimeError("fairstream did not learn from every record")
            for fold, holdout in enumerate(answer["holdouts"]):
                row = holdout["constraints"][0]
                error = standard_error(row["rate_group"], row["n_group"], row["rate_versus"], row["n_versus"])
                runs.append(Run(tau, FOLDS * split + fold, 0, 1 - holdout["accuracy"], row["value"], error))
    return runs


def text(datasets, size):
    """The section of RESULTS.md."""
    rows = []
    for dataset in datasets:
        for relaxation in RELAXATIONS:
            runs = store.runs(size.name, dataset.name, name(relaxation))
            rows += [[dataset.name, f"{tau:.2f}", relaxation.replace("-", " "), *cells([r for r in runs if r.tau == tau], tau)] for tau in size.taus if runs]
    if not rows:
        return ""
    head = ["data", "τ", "relaxation", "error", "RD", "SD", "SE", "largest", "≤ τ", "≤ τ + 2 SE"]
    return INTRODUCTION.format(splits=splits_of(size), folds=FOLDS, runs=FOLDS * splits_of(size)) + table(head, rows)


def cells(runs, tau):
    differences = numpy.array([r.difference for r in runs])
    errors = numpy.array([r.standard_error for r in runs])
    return [
        f"{numpy.mean([r.error for r in runs]):.4f}", f"{differences.mean():+.4f}", f"{differences.std(ddof=1):.4f}", f"{errors.mean():.4f}",
        f"{abs(differences).max():.3f}", f"{(abs(differences) <= tau + CLOSE).mean():.0%}", f"{(abs(differences) <= tau + 2 * errors + CLOSE).mean():.0%}",
    ]
