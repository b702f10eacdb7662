"""River, the usual library for learning in one pass: no constraint."""

import numpy
from river import compose, linear_model, optim, preprocessing

from . import columns


def river(problem, _):
    """River's logistic regression on standardised numbers and one-hot categories, with its defaults but
    for AdaGrad, which its users reach for when columns differ in frequency."""
    dataset, fold = problem.dataset, problem.fold
    frame, numeric, rest = columns.parted(dataset, fold)
    model = compose.TransformerUnion(
        compose.Select(*numeric) | preprocessing.StandardScaler(), compose.Select(*rest) | preprocessing.OneHotEncoder()
    ) if rest else preprocessing.StandardScaler()
    model = model | linear_model.LogisticRegression(optimizer=optim.AdaGrad(0.1))
    rows = frame.to_dict("records")
    for place, label in zip(fold.train, problem.labels):
        model.learn_one(rows[place], bool(label))
    decisions = numpy.array([bool(model.predict_one(rows[place])) for place in fold.test])
    yield problem.run(0.0, decisions)
