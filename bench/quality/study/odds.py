"""Equal opportunity and equalized odds: the Adult records again, on the same folds, by other criteria.

Equal opportunity bounds the difference of the groups' true positive rates, equalized odds that of their
true and of their false positive rates (Hardt, Price & Srebro 2016, Equality of opportunity in supervised
learning).
"""

from dataclasses import asdict, dataclass
from functools import partial
from typing import Callable

import numpy
from fairlearn.reductions import EqualizedOdds, TruePositiveRateParity

from . import columns, methods, peers, streaming
from .measures import standard_error

DATASET, TAU = "adult", 0.05

# Of each criterion: the labels among whose records the groups are compared, and the names that fairlearn has.
LABELS = {"equal-opportunity": (True,), "equalized-odds": (True, False)}
MOMENTS = {"equal-opportunity": TruePositiveRateParity, "equalized-odds": EqualizedOdds}
CONSTRAINTS = {"equal-opportunity": "true_positive_rate_parity", "equalized-odds": "equalized_odds"}


@dataclass(frozen=True)
class Gaps:
    """One run: the error and both differences of rates on the held-out records, each with its standard error."""

    fold: int
    shuffle: int
    error: float
    tpr: float
    tpr_error: float
    fpr: float
    fpr_error: float

    def row(self):
        return asdict(self)


def measure(fold, chances, labels, members):
    """The Gaps of decisions (chances of the positive one) on the held-out records of a fold."""
    chances = numpy.asarray(chances).astype(float)
    values = []
    for among in (labels, ~labels):
        group, versus = chances[among & members], chances[among & ~members]
        values += [float(group.mean() - versus.mean()), standard_error(group.mean(), len(group), versus.mean(), len(versus))]
    return Gaps(fold.fold, fold.shuffle, float(numpy.abs(chances - labels).mean()), *values)


@dataclass(frozen=True)
class Method:
    """`run` takes a data set and a fold for fairstream, and a peers.Problem for others; it returns Gaps.
    Stages are as in methods."""

    name: str
    title: str
    run: Callable
    by_attribute: bool = False
    stage: int = 1
    sources: tuple = ("peers.py", "odds.py")


def fairstream(relaxation, criterion, dataset, fold):
    """Both differences are counted by a second constraint, which is not enforced. Without a relaxation nothing is."""
    learner = {"mode": "adaptive" if relaxation else "unconstrained"}
    constraint = {"criterion": criterion, "tau": TAU, "relaxation": relaxation} if relaxation else {}
    config = columns.configuration(dataset, learner, **constraint)
    config["constraints"].append(config["constraints"][0] | {"name": "measured", "criterion": "equalized-odds", "enforce": False})
    (answer,) = streaming.replay(dataset, fold, config, ())
    rows = {row["criterion"]: row for row in answer["holdout"]["constraints"] if row["name"] == "measured"}
    values = []
    for part in ("equal-opportunity", "predictive-equality"):
        row = rows[part]
        group, versus = row["k_group"] / row["n_group"], row["k_versus"] / row["n_versus"]
        values += [group - versus, standard_error(group, row["n_group"], versus, row["n_versus"])]
    return Gaps(fold.fold, fold.shuffle, 1 - answer["holdout"]["accuracy"], *values)


def unconstrained(kind, problem):
    rows = problem.columns(kind)
    return gaps(problem, problem.estimator(kind).fit(rows.train, problem.labels).predict(rows.test))


def exponentiated_gradient(kind, criterion, problem):
    """As in peers.exponentiated_gradient: fairlearn bounds |rate of a group - rate of both|, so it is given tau
    times the larger group's share; of the two shares of equalized odds (among positive and among negative
    records) the smaller one, so that both differences are within tau."""
    shares = [problem.members[problem.labels == label].mean() for label in LABELS[criterion]]
    bound = TAU * min(max(share, 1 - share) for share in shares)
    return gaps(problem, peers.reduced(kind, problem, MOMENTS[criterion](difference_bound=bound)))


def threshold_optimizer(kind, criterion, problem):
    """fairlearn takes no tolerance for equalized odds: both differences are to be 0 there."""
    setting = {"constraints": CONSTRAINTS[criterion]} | ({} if criterion == "equalized-odds" else {"tol": TAU})
    (chances,) = peers.optimized(kind, problem, [setting])
    return gaps(problem, chances)


def gaps(problem, chances):
    return measure(problem.fold, chances, problem.test_labels, problem.test_members)


FREE = Method("odds-free-own", "no constraint, LR, fairstream's columns", partial(unconstrained, "own"))
FREE_STREAM = Method("odds-fairstream-unconstrained", "fairstream, no constraint", partial(fairstream, None, None))


def constrained(criterion):
    """The methods that are given one criterion: fairstream's, and its peers'."""
    own = [
        Method(f"{criterion}-fairstream-{name}", "fairstream, " + name.replace("-", " "), partial(fairstream, name, criterion))
        for name in streaming.RELAXATIONS
    ]
    others = []
    for stage, kind, title in ((1, "own", "LR, fairstream's columns"), (2, "plain", "LR, one-hot columns")):
        slow = methods.SLOWEST if criterion == "equalized-odds" else stage  # four constraints at once
        others += [
            Method(f"{criterion}-gradient-{kind}", "ExponentiatedGradient, " + title, partial(exponentiated_gradient, kind, criterion), stage=slow),
            Method(f"{criterion}-threshold-{kind}", "ThresholdOptimizer, " + title, partial(threshold_optimizer, kind, criterion), by_attribute=True, stage=stage),
        ]
    return own, others


FAIRSTREAM = [FREE_STREAM] + [m for c in LABELS for m in constrained(c)[0]]
PEERS = [FREE] + [m for c in LABELS for m in constrained(c)[1]]
