"""What else people use, on the same folds: fairlearn's two methods on three kinds of columns, and learners
without constraints.

A method takes a data set, a fold and the values of tau, and yields one Run for each tau (one with tau 0 if
it takes none).
"""

from functools import cache

import numpy
from fairlearn.postprocessing import ThresholdOptimizer
from fairlearn.reductions import DemographicParity, ExponentiatedGradient
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from . import columns, optimum
from .measures import measure

KINDS = {"own": columns.own, "plain": columns.plain, "boosting": columns.raw}


# Values of C, the inverse of a logistic regression's L2 penalty, that are tried.
INVERSE_PENALTIES = (0.01, 0.03, 0.1, 0.3, 1.0)


class Problem:
    """One data set and fold, with the columns that methods ask for, made once."""

    def __init__(self, dataset, fold):
        self.dataset, self.fold = dataset, fold
        self.labels, self.members = dataset.labels[fold.train], dataset.members[fold.train]
        self.test_labels, self.test_members = dataset.labels[fold.test], dataset.members[fold.test]
        self.columns = cache(lambda kind: KINDS[kind](dataset, fold))
        self.inverse_penalty = cache(self.choose)

    def run(self, tau, decisions):
        return measure(tau, self.fold, decisions, self.test_labels, self.test_members)

    def choose(self, kind):
        """C of least log loss on a fifth of the training records: they come in random order."""
        rows, cut = self.columns(kind).train, len(self.labels) * 4 // 5

        def loss(inverse):
            fitted = LogisticRegression(C=inverse, max_iter=1000).fit(rows[:cut], self.labels[:cut])
            return log_loss(self.labels[cut:], fitted.predict_proba(rows[cut:])[:, 1])

        return min(INVERSE_PENALTIES, key=loss)

    def estimator(self, kind):
        """The classifier for a kind of columns: the library's defaults, but for C and what makes runs repeatable."""
        if kind == "boosting":
            return HistGradientBoostingClassifier(categorical_features=self.columns(kind).categorical or None, random_state=0)
        return LogisticRegression(C=self.inverse_penalty(kind), max_iter=1000)


def unconstrained(kind, problem, _):
    rows = problem.columns(kind)
    fitted = problem.estimator(kind).fit(rows.train, problem.labels)
    yield problem.run(0.0, fitted.predict(rows.test))


def exponentiated_gradient(kind, corrected, problem, taus):
    """ExponentiatedGradient bounds |rate of a group - overall rate|, which for two groups is |RD| times the
    larger one's share. `corrected` passes tau times that share, so that tau bounds |RD|; else tau itself
    is passed, as its documentation suggests."""
    share = problem.members.mean()
    for tau in taus:
        bound = tau * max(share, 1 - share) if corrected else tau
        yield problem.run(tau, reduced(kind, problem, DemographicParity(difference_bound=bound)))


def reduced(kind, problem, constraint):
    """ExponentiatedGradient's chances of a positive decision on the held-out records."""
    rows = problem.columns(kind)
    method = ExponentiatedGradient(ByPlace(problem.estimator(kind), rows.train), constraint)
    places = numpy.arange(len(problem.labels)).reshape(-1, 1)
    method.fit(places, problem.labels.astype(int), sensitive_features=problem.members.astype(int))
    return sum(
        weight * predictor.fitted.predict(rows.test)
        for weight, predictor in zip(method.weights_[method.predictors_.index], method.predictors_) if weight > 0
    )


class ByPlace(BaseEstimator, ClassifierMixin):
    """An estimator whose X is the places of rows in a matrix: fairlearn turns X into a dense matrix, which
    would cost a linear model on sparse rows a hundred times its time."""

    def __init__(self, inner, rows):
        self.inner, self.rows = inner, rows

    def __sklearn_clone__(self):
        return ByPlace(clone(self.inner), self.rows)

    def fit(self, places, labels, sample_weight=None):
        self.classes_ = numpy.unique(labels)
        self.fitted = self.inner.fit(self.rows[places[:, 0]], labels, sample_weight=sample_weight)
        return self

    def predict(self, places):
        return self.fitted.predict(self.rows[places[:, 0]])


def threshold_optimizer(kind, problem, taus):
    """ThresholdOptimizer decides by the attribute: where the law forbids that, it cannot be used."""
    for tau, decisions in zip(taus, optimized(kind, problem, [{"tol": tau} for tau in taus])):
        yield problem.run(tau, decisions)


def optimized(kind, problem, settings):
    """Yields ThresholdOptimizer's chances of a positive decision on the held-out records, for each of its settings."""
    rows = problem.columns(kind)
    fitted = problem.estimator(kind).fit(rows.train, problem.labels)
    for setting in settings:
        method = ThresholdOptimizer(estimator=Scores(), prefit=True, predict_method="predict_proba", **setting)
        method.fit(fitted.predict_proba(rows.train), problem.labels.astype(int), sensitive_features=problem.members.astype(int))
        chances = method._pmf_predict(fitted.predict_proba(rows.test), sensitive_features=problem.test_members.astype(int))
        yield numpy.asarray(chances)[:, 1]


class Scores(BaseEstimator, ClassifierMixin):
    """An estimator whose X is the probabilities of a classifier that is fitted already."""

    classes_ = numpy.array([0, 1])

    def fit(self, probabilities, labels):
        return self

    def predict_proba(self, probabilities):
        return numpy.asarray(probabilities)

    def __sklearn_is_fitted__(self):
        return True


def plug_in(kind, problem, taus):
    rows = problem.columns(kind)
    yield from problem_runs(problem, taus, optimum.plug_in(problem.estimator(kind), rows, problem.labels, problem.members, taus))


def linear(kind, problem, taus):
    # scikit-learn's C multiplies the sum of losses; the objective here is their mean.
    solver = optimum.Linear(problem.columns(kind), problem.labels, problem.members, 1 / (problem.inverse_penalty(kind) * len(problem.labels)))
    falling = sorted(taus, reverse=True)
    yield from problem_runs(problem, falling, solver.decisions(falling))


def problem_runs(problem, taus, decisions):
    for tau, decided in zip(taus, decisions):
        yield problem.run(tau, decided)
