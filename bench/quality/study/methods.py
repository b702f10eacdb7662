"""Every method of the study: what it is called, how it is run, and how its line is drawn."""

from dataclasses import dataclass
from functools import partial
from typing import Callable

from . import online, peers, streaming

# Values of tau at which a reference is run too, so that its frontier can be read between those of the study.
TARGETS = (0.0, 0.005, 0.01, 0.03, 0.04, 0.07, 0.125, 0.20, 0.30, 1.0)

OPTIMUM = ("peers.py", "optimum.py")

# Stages: the quick study leaves out those after QUICK.
QUICK, SLOWEST = 1, 3


@dataclass(frozen=True)
class Method:
    """`run` yields Runs, on the first `folds` folds (0: all) and for `taus` (none: all) and `targets`.

    `by_attribute` says that it decides by the attribute. Methods of a later `stage` take longer and are run
    after those of an earlier one, on all data sets. `sources` are the files of the study that only this method
    depends on.
    """

    name: str
    title: str
    run: Callable
    by_attribute: bool = False
    targets: tuple = ()
    folds: int = 0
    taus: tuple = ()
    stage: int = 0
    sources: tuple = ("peers.py",)


def fairstream():
    titles = {"unconstrained": "no constraint"}
    titles |= {name: name.replace("-", " ") for name in streaming.RELAXATIONS}
    titles |= {name: f"mode paper, {relaxation.replace('-', ' ')}" for name, (relaxation, _) in streaming.PAPER.items()}
    return [
        Method("fairstream-" + name, "fairstream, " + title, partial(streaming.fairstream, name))
        for name, title in titles.items()
    ]


def batch():
    columns = {"own": "LR, fairstream's columns", "plain": "LR, one-hot columns", "boosting": "gradient boosting"}
    gradient = {
        "own": {"targets": (0.005,), "stage": 1},
        "plain": {"stage": 2},
        "boosting": {"folds": 2, "taus": (0.05,), "stage": SLOWEST},  # each fold and tau costs about 100 boosted models
    }
    for kind, title in columns.items():
        yield Method(f"free-{kind}", f"no constraint, {title}", partial(peers.unconstrained, kind))
        yield Method(f"gradient-{kind}", f"ExponentiatedGradient, {title}", partial(peers.exponentiated_gradient, kind, True), **gradient[kind])
        yield Method(f"threshold-{kind}", f"ThresholdOptimizer, {title}", partial(peers.threshold_optimizer, kind), by_attribute=True)
        yield Method(f"plugin-{kind}", f"plug-in optimum, {title}", partial(peers.plug_in, kind), targets=TARGETS, sources=OPTIMUM)
    yield Method("gradient-documented", "ExponentiatedGradient as documented, LR, one-hot columns", partial(peers.exponentiated_gradient, "plain", False), taus=(0.05, 0.10), stage=2)
    yield Method("linear-own", "linear optimum, fairstream's columns", partial(peers.linear, "own"), targets=TARGETS, sources=OPTIMUM)
    yield Method("river", "River logistic regression, no constraint", online.river, sources=("peers.py", "online.py"))


FAIRSTREAM, PEERS = fairstream(), list(batch())
METHODS = FAIRSTREAM + PEERS
