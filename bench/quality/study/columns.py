"""What batch methods learn from: three kinds of columns of the same records, each fitted on the training
records of a fold alone."""

import json
import subprocess
from dataclasses import dataclass

import numpy
import scipy.sparse
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_svmlight_files
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from .data import ATTRIBUTE, CACHE, LABEL


@dataclass
class Columns:
    """Training and held-out rows. `categorical` says which columns of a dense matrix are categories."""

    train: object
    test: object
    categorical: list | None = None


def is_numeric(column):
    """Whether at least 95 % of the values that are there are numbers, as fairstream decides."""
    values = column[~column.isin(["", "?"])]
    return numbers(values).notna().mean() >= 0.95


def numbers(column):
    return column.map(number)


def number(text):
    try:
        return float(text)
    except ValueError:
        return float("nan")


def parted(dataset, fold):
    """Numeric columns as numbers (missing: the training mean), the others as text."""
    frame = dataset.features.copy()
    train = frame.iloc[fold.train]
    numeric = [c for c in frame if is_numeric(train[c])]
    for c in numeric:
        frame[c] = numbers(frame[c])
        frame[c] = frame[c].fillna(frame[c].iloc[fold.train].mean())
    return frame, numeric, [c for c in frame if c not in numeric]


def plain(dataset, fold):
    """Standardised numbers and one-hot categories: what most people feed a linear model."""
    frame, numeric, rest = parted(dataset, fold)
    transformer = make_column_transformer(
        (StandardScaler(), numeric), (OneHotEncoder(handle_unknown="ignore"), rest), sparse_threshold=1
    )
    train = transformer.fit_transform(frame.iloc[fold.train])
    return Columns(scipy.sparse.csr_matrix(train), scipy.sparse.csr_matrix(transformer.transform(frame.iloc[fold.test])))


def raw(dataset, fold):
    """Numbers and numbered categories, for trees. At most 254 categories a column: the rest are one."""
    frame, numeric, rest = parted(dataset, fold)
    for c in rest:
        frequent = frame[c].iloc[fold.train].value_counts().index[:253]
        frame[c] = frame[c].where(frame[c].isin(frequent), "(rare)")
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=254)
    transformer = make_column_transformer(("passthrough", numeric), (encoder, rest))
    train = transformer.fit_transform(frame.iloc[fold.train])
    return Columns(train, transformer.transform(frame.iloc[fold.test]), list(range(len(numeric), train.shape[1])))


def configuration(dataset, learner, **constraint):
    """A configuration file of fairstream. JSON is YAML too."""
    return {
        "job": "quality-" + dataset.name,
        "record": {"label": {"field": LABEL, "positive": "1"}},
        "learner": learner,
        "constraints": [
            {"name": dataset.name, "attribute": ATTRIBUTE, "group": dataset.group, "versus": dataset.versus,
             "criterion": "demographic-parity", "tau": 0.05} | constraint
        ],
    }


def write(directory, dataset, fold):
    """Writes the fold's records as train.csv, in stream order, and holdout.csv."""
    directory.mkdir(parents=True, exist_ok=True)
    dataset.frame.iloc[fold.train].to_csv(directory / "train.csv", index=False)
    dataset.frame.iloc[fold.test].to_csv(directory / "holdout.csv", index=False)


def own(dataset, fold):
    """fairstream's own columns, learnt in one pass over the fold's training records in their order."""
    directory = CACHE / "work" / dataset.name
    write(directory, dataset, fold)
    config = directory / "columns.json"
    config.write_text(json.dumps(configuration(dataset, {"mode": "unconstrained"})))
    subprocess.run(
        [CACHE / "bin" / "columns", "--config", config, "--input", directory / "train.csv",
         "--holdout", directory / "holdout.csv", "--output", directory], check=True,
    )
    train, labels, test, test_labels = load_svmlight_files(
        [str(directory / "train.svm"), str(directory / "holdout.svm")], zero_based=True
    )
    if not numpy.array_equal(labels == 1, dataset.labels[fold.train]) or not numpy.array_equal(test_labels == 1, dataset.labels[fold.test]):
        raise RuntimeError("columns and records are out of step")
    return Columns(train, test)
