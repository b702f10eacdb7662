"""Batch references: what can be reached on given columns with all records at hand.

Two, neither of which sees the attribute when it decides:

plug-in   The fair Bayes classifier for demographic parity without the attribute, with estimates put in the
          place of probabilities (Menon & Williamson 2018, The cost of fairness in binary classification,
          sec. 4): positive where P(y|x) - 1/2 > m (P(group|x)/P(group) - P(versus|x)/P(versus)).
linear    One weight vector: the minimum of log loss + m * gap, the gap being the difference of the groups'
          mean logistic scores, by L-BFGS.

In both the multiplier m is the smallest one at which the risk difference on the training records is at
most the target.
"""

import numpy
import scipy.optimize
from scipy.special import expit
from sklearn.base import clone

STEPS = 12  # of bisection


def bisect(difference, target, high):
    """The smallest multiplier, nearly, at which a falling difference(m) is at most target; 0 if 0 is."""
    if difference(0.0) <= target:
        return 0.0
    low = 0.0
    while difference(high) > target and high < 1e3:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        if difference(middle) > target:
            low = middle
        else:
            high = middle
    return high


def gap(positive, members):
    return positive[members].mean() - positive[~members].mean()


def plug_in(estimator, columns, labels, members, targets):
    """Yields the decisions on the held-out records for each target."""
    label, member = clone(estimator).fit(columns.train, labels), clone(estimator).fit(columns.train, members)
    share = members.mean()

    def parts(rows):
        p = member.predict_proba(rows)[:, 1]
        return label.predict_proba(rows)[:, 1] - 0.5, p / share - (1 - p) / (1 - share)

    benefit, cost = parts(columns.train)
    test_benefit, test_cost = parts(columns.test)
    for target in targets:
        m = bisect(lambda m: gap(benefit > m * cost, members), target, 0.1)
        yield test_benefit > m * test_cost


class Linear:
    """Minimises log loss + m * gap over one weight vector (an intercept is added), with an L2 penalty."""

    def __init__(self, columns, labels, members, penalty=1e-4):
        self.columns, self.members, self.penalty = columns, members, penalty
        self.sign = numpy.where(labels, 1.0, -1.0)
        self.side = numpy.where(members, 1 / members.sum(), -1 / (~members).sum())
        self.solutions = {}

    def objective(self, weights, m):
        rows, count = self.columns.train, len(self.sign)
        z = rows @ weights[1:] + weights[0]
        p = expit(z)
        value = numpy.logaddexp(0, -self.sign * z).mean() + m * (self.side @ p) + self.penalty / 2 * (weights[1:] @ weights[1:])
        slope = -self.sign * expit(-self.sign * z) / count + m * self.side * p * (1 - p)
        return value, numpy.concatenate([[slope.sum()], rows.T @ slope + self.penalty * weights[1:]])

    def solve(self, m):
        """The weights for m, from those of the nearest multiplier solved so far."""
        if m not in self.solutions:
            start = numpy.zeros(self.columns.train.shape[1] + 1)
            if self.solutions:
                start = self.solutions[min(self.solutions, key=lambda known: abs(known - m))]
            found = scipy.optimize.minimize(self.objective, start, (m,), "L-BFGS-B", jac=True, options={"maxiter": 300, "ftol": 1e-9, "gtol": 1e-6})
            self.solutions[m] = found.x
        return self.solutions[m]

    def decide(self, rows, m):
        weights = self.solve(m)
        return rows @ weights[1:] + weights[0] > 0

    def decisions(self, targets):
        """Yields the decisions on the held-out records for each target."""
        for target in targets:
            m = bisect(lambda m: gap(self.decide(self.columns.train, m), self.members), target, 0.2)
            yield self.decide(self.columns.test, m)
