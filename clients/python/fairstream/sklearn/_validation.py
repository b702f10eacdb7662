"""What scikit-learn checks of X and y, from version 1.4 on, for columns of numbers, texts and categories, with values missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_array
from sklearn.utils.validation import _num_samples

try:
    from sklearn.utils.validation import _check_feature_names, _check_n_features

    _FINITE = {"ensure_all_finite": False}
except ImportError:  # before 1.6
    _FINITE = {"force_all_finite": False}

    def _check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
        estimator._check_feature_names(X, reset=reset)

    def _check_n_features(estimator: Any, X: Any, reset: bool) -> None:
        estimator._check_n_features(X, reset=reset)


def is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "__getitem__")


def check_features(estimator: BaseEstimator, X: Any, *, reset: bool) -> tuple[list[str], list[Any]]:
    """The names of the columns, x0, x1, ... where X has none, and the columns."""
    _check_feature_names(estimator, X, reset=reset)
    if is_frame(X):
        if _num_samples(X) == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={tuple(X.shape)}) while a minimum of 1 is required.")
        if X.shape[1] == 0:
            raise ValueError(f"Found array with 0 feature(s) (shape={tuple(X.shape)}) while a minimum of 1 is required.")
        _check_n_features(estimator, X, reset=reset)
        names = [str(name) for name in X.columns]
        if len(set(names)) < len(names):
            raise ValueError("X has two columns of one name: rename one")
        return names, [X.iloc[:, i] if hasattr(X, "iloc") else X[name] for i, name in enumerate(X.columns)]
    X = check_array(X, dtype=None, estimator=estimator, **_FINITE)
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    _check_n_features(estimator, X, reset=reset)
    return [f"x{i}" for i in range(X.shape[1])], [X[:, i] for i in range(X.shape[1])]


def check_sensitive(sensitive: Any) -> tuple[list[str], list[Any]]:
    """The names and the columns of sensitive_features; a name is "" where there is none."""
    if isinstance(sensitive, dict):
        return [str(name) for name in sensitive], [_column(c) for c in sensitive.values()]
    if is_frame(sensitive):
        return [str(name) for name in sensitive.columns], [sensitive[name] for name in sensitive.columns]
    if getattr(sensitive, "name", None) is not None:
        return [str(sensitive.name)], [sensitive]
    if hasattr(sensitive, "cat"):
        return [""], [sensitive]
    values = np.asarray(sensitive, dtype=None if isinstance(sensitive, np.ndarray) else object)
    if values.ndim == 1:
        return [""], [values]
    if values.ndim != 2:
        raise ValueError("sensitive_features must have one dimension, or two: a column for each feature")
    return [""] * values.shape[1], [values[:, i] for i in range(values.shape[1])]


def _column(column: Any) -> Any:
    return column if hasattr(column, "dtype") else np.asarray(column, dtype=object)
