"""The optima that independent_test.go compares with, by cvxpy and Clarabel.

    python independent.py > optima.csv     writes them
    python independent.py optima.csv       compares: status 1 if one is elsewhere

`make reference` does the second with the versions in requirements.txt. The data are
drawn by the generator below, which the test repeats bit for bit, so no data file
is needed.
"""

import csv
import math
import sys

import cvxpy as cp
import numpy as np


class Generator:
    """The test's linear congruential generator; floats are exact in both languages."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 11) / 2**53


def records(n):
    rng, rows = Generator(1), []
    for _ in range(n):
        a, b, c = (2 * rng.uniform() - 1 for _ in range(3))
        group = 1 if rng.uniform() < 0.5 + 0.3 * a else -1
        label = 1 if rng.uniform() < 0.5 + 0.4 * a - 0.2 * b else -1
        rows.append((a, b, c, 1.0, label, group))
    return np.array(rows)


def classifier(approximation, threshold):
    data = records(400)
    x, y, s = data[:, :4], data[:, 4], data[:, 5]
    w = cp.Variable(4)
    z = x @ w
    loss = cp.sum(cp.logistic(-cp.multiply(y, z))) / len(y) + 0.01 * cp.sum_squares(w) / 2
    plus, minus = np.where(s > 0)[0], np.where(s < 0)[0]
    a = cp.sum(cp.pos(1 + z[plus])) / len(plus)
    b = cp.sum(cp.pos(1 - z[minus])) / len(minus)
    a_low = cp.sum(cp.minimum(1, z[plus])) / len(plus)
    b_low = cp.sum(cp.minimum(1, -z[minus])) / len(minus)
    if approximation == 0:
        constraints = []
    elif approximation == 1:
        constraints = [a + b - 1 <= threshold, 1 - a_low - b_low <= threshold]
    elif approximation == 2:  # A + B - 1 >= -threshold is checked below
        constraints = [a + b - 1 <= threshold]
    else:
        constraints = [cp.square(a + b) + 1 - 2 * a_low - 2 * b_low <= threshold**2]
    problem = cp.Problem(cp.Minimize(loss), constraints + [cp.norm(w) <= 5])
    solve(problem)
    if approximation == 2:
        assert (a + b - 1).value > -threshold
    return problem.value


def spam(tau):
    n, features, powers, mu, epsilon = 300, 5, 3, 0.05, 0.01
    rng = Generator(2)
    x = np.array([[rng.uniform() for _ in range(features + 1)] for _ in range(n)])
    noise, x = x[:, features] - 0.5, x[:, :features]
    y, s = x[:, 0] ** 3 + x[:, 1] ** 2 - 0.5 * x[:, 2] + noise, 0.8 * x[:, 0] + 0.1
    w = cp.Variable(features * powers)
    parts = [sum(w[j * powers + k] * x[:, j] ** (k + 1) for k in range(powers)) for j in range(features)]
    prediction = sum(parts)
    penalty = sum(cp.norm(cp.hstack([h / math.sqrt(n), epsilon])) - epsilon for h in parts)
    covariance = (s - s.mean()) @ prediction / n
    problem = cp.Problem(
        cp.Minimize(cp.sum_squares(y - prediction) / n + mu * penalty),
        [cp.abs(covariance) <= tau, cp.norm(w) <= 5],
    )
    solve(problem)
    return problem.value


def portfolio():
    n, tau = 300, 0.03
    rng = Generator(3)
    draws = np.array([[rng.uniform() for _ in range(4)] for _ in range(n)])
    returns = draws[:, :3] * np.array([0.1, 0.3, 0.4]) - np.array([0.03, 0.1, 0.12])
    index = 0.1 * draws[:, 3] - 0.02
    x = cp.Variable(3)
    mean = returns.mean(axis=0) @ x
    problem = cp.Problem(
        cp.Maximize(mean), [cp.sum_squares(cp.pos(mean - index)) / n <= tau**2, x >= 0, cp.sum(x) == 1]
    )
    solve(problem)
    return -problem.value


def queues():
    n = 300
    rng = Generator(4)
    rates = np.array([[4 * rng.uniform(), 6 * rng.uniform()] for _ in range(n)]).mean(axis=0)
    x = cp.Variable(2)
    delay = 0.3 * cp.inv_pos(x[0] - rates[0]) + 0.7 * cp.inv_pos(x[1] - rates[1])
    problem = cp.Problem(cp.Minimize(x[0] + 2 * x[1]), [delay <= 0.4, x >= 0, x <= 6])
    solve(problem)
    return problem.value


def solve(problem):
    problem.solve(solver=cp.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert problem.status == "optimal", problem.status


def optima():
    for approximation, threshold in [(0, 100), (1, 1.2), (2, 1.05), (3, 2.2)]:
        yield f"classifier {approximation}", threshold, classifier(approximation, threshold)
    for tau in (1, 0.01):
        yield "spam", tau, spam(tau)
    yield "portfolio", 0.03, portfolio()
    yield "queues", 0.4, queues()


def main():
    found = [[problem, str(bound), f"{objective:.9f}"] for problem, bound, objective in optima()]
    if len(sys.argv) == 1:
        csv.writer(sys.stdout, lineterminator="\n").writerows([["problem", "bound", "objective"], *found])
        return 0
    with open(sys.argv[1], newline="") as file:
        kept = list(csv.reader(file))[1:]
    assert [row[:2] for row in kept] == [row[:2] for row in found], "other problems than those kept"
    worst = max(abs(float(k[2]) - float(f[2])) for k, f in zip(kept, found))
    print(f"{len(found)} optima, the largest difference is {worst:.1e}")
    return int(worst > 1e-7)


if __name__ == "__main__":
    sys.exit(main())
