"""Ten rows of the paper's tables, by a second program written from the paper alone.

    python rows.py TABLES RECORDS     compares with the tables in a directory: status 1 if one differs

`make paper-rows` runs it with the versions in requirements.txt. Algorithm 1 runs here with numpy's random
numbers, so means agree within four standard errors of their difference; formulas and optima agree to the tolerances given.
"""

import csv
import math
import pathlib
import sys

import numpy as np

STEPS, RUNS = 1_000_000, 40


def schedule(k):
    """Theorem 2 at (3/4, 1/2) in powers of T: alpha, beta, delta."""
    beta = STEPS**-0.5
    return STEPS**-0.75 / (7 * k), beta, 4 * k * (1 + 2 / beta)


def algorithm(k, start, pull, inner, outer, level, radius, lam=0.0, theta=0.0, augmented=True):
    """Algorithm 1 on RUNS paths at a time: the averages, shape (RUNS, 2)."""
    alpha, beta, delta = schedule(k)
    keep = 1 - alpha * alpha * (delta if augmented else 0)
    rng = np.random.default_rng(20)
    x = np.tile(np.array(start, float), (RUNS, 1))
    y, total, u = np.zeros_like(x), np.zeros_like(x), None
    lam = np.full(RUNS, float(lam))
    block = 1000
    for _ in range(STEPS // block):
        draws = rng.random((block, RUNS, 2))
        for r in draws:
            y += beta * (x - y)
            value, slope = inner(x, 2 * r)
            u = beta * value if u is None else u + beta * (value - u)
            total += x
            x = x - alpha * (pull(y, r) + lam[:, None] * slope * outer(u))
            length = np.sqrt((x * x).sum(1))
            x *= np.minimum(1, radius / np.maximum(length, 1e-300))[:, None]
            lam = np.maximum(0, lam * keep + alpha * (level(u) + theta))
    return total / STEPS


def half_space(x, r):  # h = phi . x in one dimension
    return (r * x).sum(1, keepdims=True), r


def componentwise(x, r):  # h = (phi_1 x_1, phi_2 x_2)
    return r * x, r


def soft(u):
    return np.sqrt((u * u).sum(1) + 0.01)


NORM = dict(
    start=(-1, 0.5),
    pull=lambda y, r: y - math.sqrt(2),
    inner=componentwise,
    outer=lambda u: u / soft(u)[:, None],
    level=lambda u: soft(u) - math.sqrt(1.01),
    radius=2,
)


def norm_results(x):
    gap = np.abs(((x - math.sqrt(2)) ** 2).sum(1) / 2 - 0.5)
    return gap, np.sqrt((x * x).sum(1) + 0.01) - math.sqrt(1.01)


def lemma(a, b, t):
    """16 K^2 (alpha_t^2 + alpha_t^2 / beta_t + alpha_t^2 / beta_{t+1}) with K alpha_t = t^-a / 7."""
    return 16 * (t**-a / 7) ** 2 * (1 + t**b + (t + 1) ** b)


def adult(path):
    """The bundled records: standardised numbers, one-hot categories, a constant; labels and groups of -1 and 1."""
    import gzip

    with gzip.open(path, "rt") as file:
        rows = list(csv.DictReader(file))
    columns = []
    for name in rows[0]:
        if name in ("income", "sex", "fnlwgt"):
            continue
        values = [row[name] for row in rows]
        if name in ("age", "education_num", "capital_gain", "capital_loss", "hours_per_week"):
            v = np.array(values, float)
            columns.append((v - v.mean()) / v.std(ddof=1))
        else:
            columns += [np.array([v == level for v in values], float) for level in sorted(set(values))]
    columns.append(np.ones(len(rows)))
    label = np.where([row["income"] == ">50K" for row in rows], 1, -1)
    group = np.where([row["sex"] == "Male" for row in rows], 1, -1)
    return np.stack(columns, 1), label, group


def optimum(path, threshold, mu=0.001):
    """Approximation 1 on all records, by cvxpy: objective, multiplier, error, difference."""
    import cvxpy as cp

    x, y, s = adult(path)
    w = cp.Variable(x.shape[1])
    plus, minus = x[s > 0], x[s < 0]
    loss = cp.sum(cp.logistic(-cp.multiply(y, x @ w))) / len(y) + mu / 2 * cp.sum_squares(w)
    upper = cp.sum(cp.pos(1 + plus @ w)) / len(plus) + cp.sum(cp.pos(1 - minus @ w)) / len(minus) - 1 <= threshold
    lower = 1 - cp.sum(cp.minimum(1, plus @ w)) / len(plus) - cp.sum(cp.minimum(1, -(minus @ w))) / len(minus) <= threshold
    problem = cp.Problem(cp.Minimize(loss), [upper, lower, cp.norm(w) <= 10])
    problem.solve(solver=cp.CLARABEL)
    z = x @ w.value
    return {
        "objective": problem.value,
        "multiplier": float(upper.dual_value),
        "error_rate": np.mean((z > 0) != (y > 0)),
        "risk_difference": (z[s > 0] > 0).mean() - (z[s < 0] > 0).mean(),
    }


class Tables:
    def __init__(self, directory):
        self.directory, self.failed, self.seen = directory, 0, 0

    def row(self, table, **key):
        with open(self.directory / f"{table}.csv") as file:
            file.readline()
            for row in csv.DictReader(file):
                if all(row[k] == v for k, v in key.items()):
                    return row
        raise SystemExit(f"{table}.csv has no row with {key}")

    def compare(self, what, committed, ours):
        """ours: column -> (value, tolerance)."""
        self.seen += 1
        for column, (value, tolerance) in ours.items():
            there = float(committed[column])
            good = abs(there - value) <= tolerance
            self.failed += not good
            print(f"{'agrees ' if good else 'DIFFERS'} {what}, {column}: {there:.6g} there, {value:.6g} here, tolerance {tolerance:.2g}")

    def means(self, what, committed, ours):
        def both(column, v):
            here = v.std(ddof=1) / math.sqrt(len(v))
            return v.mean(), 4 * math.hypot(here, float(committed[column + "_se"]))

        self.compare(what, committed, {column: both(column, v) for column, v in ours.items()})


def main():
    tables = Tables(pathlib.Path(sys.argv[1]))
    for a, b, t in ((0.75, 0.5, 1), (0.15, 0.1, 3)):
        tables.compare(f"lemma at {a}, {b}, t = {t}", tables.row("lemma", a=str(a), b=str(b), t=str(t)), {"value": (lemma(a, b, t), 5e-6)})
    bias = 8 / 7 * math.sqrt(1.01) * STEPS**-0.25

    x = algorithm(0.05, (-1, 0), lambda y, r: y - 1, half_space, lambda u: np.ones_like(u), lambda u: u[:, 0] - 1, 2)
    tables.means("rates, half-space", tables.row("rates", problem="half-space"),
                 {"gap": np.abs(((x - 1) ** 2).sum(1) / 2 - 0.25), "violation": np.maximum(0, x.sum(1) - 1)})
    x = algorithm(0.1, (-1, 0.5), lambda y, r: np.full_like(y, -0.5), componentwise, lambda u: 2 * u, lambda u: (u * u).sum(1) - 1, 2)
    tables.means("rates, disc", tables.row("rates", problem="disc"), {"gap": np.abs(-x.sum(1) / 2 + math.sqrt(0.5))})
    tables.means("controls, disc", tables.row("controls", control="theorem 2", problem="disc"), {"level": (x * x).sum(1) - 1})

    for what, key, settings in (
        ("rates, norm", ("rates", dict(problem="norm")), {}),
        ("controls, norm, no delta", ("controls", dict(control="δ = 0", problem="norm")), dict(augmented=False)),
        ("controls, norm, warm multiplier", ("controls", dict(control="warm multiplier", problem="norm")), dict(lam=math.sqrt(1.01))),
        ("theta, norm at 1.25", ("theta", dict(steps=str(STEPS), problem="norm", factor="1.25")), dict(theta=1.25 * bias)),
    ):
        gap, level = norm_results(algorithm(0.03, **NORM, **settings))
        committed = tables.row(key[0], **key[1])
        ours = {"gap": gap, "violation": np.maximum(0, level)} if key[0] == "rates" else {"gap": gap, "level": level}
        tables.means(what, committed, ours)

    found = optimum(sys.argv[2], 1.5)
    tolerance = {"objective": 2e-6, "multiplier": 2e-4, "error_rate": 2e-4, "risk_difference": 5e-4}
    tables.compare("convergence-optima, approximation 1", tables.row("convergence-optima", subject="approximation 1"),
                   {k: (v, tolerance[k]) for k, v in found.items()})
    print(f"{tables.seen} rows")
    if tables.failed or tables.seen != 10:
        raise SystemExit(1)


main()
