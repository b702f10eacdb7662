"""fairstream, through its command line."""

import json
import subprocess

from . import columns
from .data import CACHE
from .measures import Run, standard_error


class Diverged(RuntimeError):
    """The weights became infinite, which mode paper's may."""


RELAXATIONS = ("approximation-1", "approximation-2", "approximation-3", "mean-margin", "sigmoid")
# Mode paper has no tau: its threshold is the paper's c*tau, which must exceed what the relaxation can
# reach at best (1, 1 and 2). Two values each: a loose one and a tighter one.
PAPER = {
    "paper-1": ("approximation-1", (2.0, 1.5)),
    "paper-2": ("approximation-2", (4.0, 2.0)),
    "paper-3": ("approximation-3", (8.0, 6.0)),
}
# The default step size. With K = 0.5 the weights diverge on some of these records.
PAPER_STEPS = {"k": 1}


def replay(dataset, fold, config, taus):
    """One pass for each tau: the objects that `fairstream replay --json` ends with."""
    directory = CACHE / "work" / dataset.name
    path = directory / "replay.yaml"
    path.write_text(json.dumps(config))
    command = [CACHE / "bin" / "fairstream", "replay", "--config", path, "--input", directory / "train.csv",
               "--holdout", directory / "holdout.csv", "--json"]
    if taus:
        command += ["--tau", ",".join(map(str, taus))]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Diverged if "diverged" in done.stderr else RuntimeError(f"{dataset.name}, {json.dumps(config)}: {done.stderr}")
    lines = done.stdout.splitlines()
    found = [json.loads(line) for line in lines[-max(len(taus), 1):]]
    for answer in found:
        if answer["rejected"] != 0 or answer["holdout"]["records"] != len(fold.test):
            raise RuntimeError("fairstream did not learn from, or measure, every record")
    return found


def run_of(answer, tau, fold):
    holdout = answer["holdout"]
    row = holdout["constraints"][0]
    if row["value"] is None:
        raise RuntimeError("the held-out records are too few: " + row["status"])
    error = standard_error(row["rate_group"], row["n_group"], row["rate_versus"], row["n_versus"])
    return Run(tau, fold.fold, fold.shuffle, 1 - holdout["accuracy"], row["value"], error)


def fairstream(name, dataset, fold, taus):
    """Yields the runs of one mode or relaxation. The fold must have been written before."""
    if name == "unconstrained":
        for answer in replay(dataset, fold, columns.configuration(dataset, {"mode": "unconstrained"}), ()):
            yield run_of(answer, 0.0, fold)
    elif name in PAPER:
        relaxation, thresholds = PAPER[name]
        for threshold in thresholds:
            config = columns.configuration(dataset, {"mode": "paper", "paper": PAPER_STEPS}, relaxation=relaxation, threshold=threshold)
            try:
                (answer,) = replay(dataset, fold, config, ())
            except Diverged:
                continue  # the number of runs in the table shows it
            yield run_of(answer, threshold, fold)
    else:
        config = columns.configuration(dataset, {"mode": "adaptive"}, relaxation=name)
        for tau, answer in zip(taus, replay(dataset, fold, config, taus), strict=True):
            yield run_of(answer, tau, fold)
