"""Vowpal Wabbit and River, in one pass over the records of a file, then the margins of those of another.

    python peers.py LEARNT HELD > MARGINS

A line of LEARNT and HELD is a label, 1 or -1, and `index:value` for each non-zero. A line of MARGINS has the log odds by
Vowpal Wabbit and by River for a record of HELD.
"""

import math
import sys

import vowpalwabbit
from river import linear_model, optim


def records(path):
    with open(path) as file:
        for line in file:
            label, *columns = line.split()
            yield label, columns


def vowpal(learnt, held):
    """Its defaults for labels of two classes: normalised, adaptive and invariant updates."""
    model = vowpalwabbit.Workspace("--loss_function logistic --quiet")
    for label, columns in records(learnt):
        model.learn(label + " | " + " ".join(columns))
    for _, columns in records(held):
        yield model.predict("| " + " ".join(columns))


def river(learnt, held):
    """Logistic regression with its defaults, but for AdaGrad, which its users choose when columns differ in frequency."""

    def row(columns):
        pairs = (column.split(":") for column in columns)
        return {index: float(value) for index, value in pairs}

    model = linear_model.LogisticRegression(optimizer=optim.AdaGrad(0.1))
    for label, columns in records(learnt):
        model.learn_one(row(columns), label == "1")
    for _, columns in records(held):
        p = min(1 - 1e-12, max(1e-12, model.predict_proba_one(row(columns))[True]))
        yield math.log(p / (1 - p))


if __name__ == "__main__":
    for margins in zip(vowpal(*sys.argv[1:3]), river(*sys.argv[1:3])):
        print(*margins)
