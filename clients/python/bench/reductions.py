"""FairClassifier beside fairlearn's ExponentiatedGradient with logistic regression, on Adult: make reductions.

Each split learns from four fifths of the records, in random order, and measures on the fifth that is left. Reductions take
scikit-learn's scaled and one-hot columns. A reduction is learnt at several bounds; its error at the difference that FairClassifier has on
the same held-out records is read off the line between the nearest two. Times are of the processors, of Python and the program together.
"""

from __future__ import annotations

import argparse
import gzip
import pathlib
import resource
import time
import warnings

import numpy as np
import pandas as pd
from fairlearn.metrics import demographic_parity_difference
from fairlearn.reductions import DemographicParity, ExponentiatedGradient
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from fairstream.sklearn import FairClassifier

ADULT = pathlib.Path(__file__).parents[3] / "internal/adult/adult.csv.gz"


def processor_time() -> float:
    """Of this process, and of those that it began and that have ended."""
    return sum(r.ru_utime + r.ru_stime for r in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--splits", type=int, default=20)
    arguments.add_argument("--bounds", type=float, nargs="+", default=[0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
    arguments.add_argument("--no-times", action="store_true")
    given = arguments.parse_args()
    warnings.simplefilter("ignore")
    with gzip.open(ADULT, "rt") as file:
        rows = pd.read_csv(file, na_values=["?"])
    X, y, sex = rows.drop(columns=["fnlwgt", "sex", "income"]), (rows["income"] == ">50K").astype(int), rows["sex"]
    numbers = X.select_dtypes("number").columns
    columns = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore", sparse_output=False), X.columns.difference(numbers)))

    def reduction(bound: float) -> ExponentiatedGradient:
        return ExponentiatedGradient(LogisticRegression(max_iter=1000), DemographicParity(difference_bound=bound), eps=bound)

    if not given.no_times:
        encoded = columns.fit_transform(X)
        took = []
        for fit in (lambda: FairClassifier(tau=0.05).fit(X, y, sensitive_features=sex), lambda: reduction(0.025).fit(encoded, y, sensitive_features=sex)):
            start, clock = processor_time(), time.perf_counter()
            fit()
            took.append((processor_time() - start, time.perf_counter() - clock))
        print(f"all records: FairClassifier {took[0][0]:.2f} s of processors ({took[0][1]:.2f} s), "
              f"reduction {took[1][0]:.1f} s ({took[1][1]:.1f} s): {took[1][0] / took[0][0]:.0f} times", flush=True)

    excess: dict[float, list[float]] = {0.05: [], 0.10: []}
    for split in range(given.splits):
        order = np.random.default_rng(split).permutation(len(X))
        held, learnt = order[: len(X) // 5], order[len(X) // 5 :]
        encoded = columns.fit_transform(X.iloc[learnt])
        curve = []
        for bound in given.bounds:
            other = reduction(bound).fit(encoded, y.iloc[learnt], sensitive_features=sex.iloc[learnt])
            rates = other._pmf_predict(columns.transform(X.iloc[held]))[:, 1]  # of its random decisions
            truth, men = y.iloc[held].to_numpy(), (sex.iloc[held] == "Male").to_numpy()
            curve.append((abs(rates[men].mean() - rates[~men].mean()), np.where(truth == 1, 1 - rates, rates).mean()))
        curve.sort()
        for tau in excess:
            fair = FairClassifier(tau=tau).fit(X.iloc[learnt], y.iloc[learnt], sensitive_features=sex.iloc[learnt])
            decided = fair.predict(X.iloc[held])
            error = float((decided != y.iloc[held]).mean())
            difference = demographic_parity_difference(y.iloc[held], decided, sensitive_features=sex.iloc[held])
            other = float(np.interp(difference, *zip(*curve)))
            excess[tau].append(error - other)
            print(f"split {split} tau {tau}: difference {difference:.4f}, error {error:.4f}, reduction {other:.4f} "
                  f"(measured at {curve[0][0]:.3f} to {curve[-1][0]:.3f})", flush=True)
    for tau, values in excess.items():
        se = np.std(values, ddof=1) / len(values) ** 0.5 if len(values) > 1 else float("nan")
        print(f"tau {tau}: error less that of the reduction at equal difference {np.mean(values):+.4f}, SE {se:.4f}, {len(values)} splits")


if __name__ == "__main__":
    main()
