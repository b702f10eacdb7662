"""The estimators."""

from __future__ import annotations

import json
import warnings
from typing import Any, Iterator, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, _check_y, check_consistent_length, check_is_fitted

from fairstream._frame import WholeFloatWarning
from fairstream._learner import Learner
from fairstream.sklearn import _constraints, _rows
from fairstream.sklearn._calibration import Calibration
from fairstream.sklearn._validation import check_features, check_sensitive, is_frame


class FairnessWarning(UserWarning):
    """A verdict that is not met, or a condition of the weight document: what to know before using the weights."""


class _Fair(BaseEstimator):
    """What both estimators do: rows to a learner, and its document."""

    _task = "classification"
    _learner: Any  # None before fit
    _document: Any  # None until it is asked for

    def __init__(self, constraints: Any = "auto", tau: Optional[float] = None, criterion: Optional[str] = None, learner: Optional[dict[str, Any]] = None) -> None:
        self.constraints = constraints
        self.tau = tau
        self.criterion = criterion
        self.learner = learner

    def fit(self, X: Any, y: Any, sensitive_features: Any = None, sample_weight: Any = None) -> Any:
        """Learns the rows in one pass, in their order: records that are sorted have to be shuffled first."""
        return self._fit(X, y, sensitive_features, sample_weight, None)

    def _fit(self, X: Any, y: Any, sensitive_features: Any, sample_weight: Any, classes: Any) -> Any:
        self._forget()
        self._learn(X, y, sensitive_features, sample_weight, classes)
        self._publish()
        return self

    @property
    def document_(self) -> dict[str, Any]:
        """The weight document (docs/document.md): weights, measured differences with their intervals, verdicts, conditions."""
        check_is_fitted(self)
        if self._document is None:
            self._publish()
        return self._document

    def save(self, path: Any) -> None:
        """Writes the weight document to a file, for fairstream.Scorer, `fairstream score` and `fairstream serve`."""
        check_is_fitted(self)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._learner.document() + "\n")

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_learner", None) is not None

    def _forget(self) -> None:
        self._learner = None
        self._document = None

    def _publish(self) -> None:
        """Takes the document, and warns of what it says."""
        self._document = json.loads(self._learner.document())
        for estimate in self._document["constraints"] or []:
            if estimate.get("status") == "violated":
                warnings.warn(f"{estimate['name']}: the difference is beyond tau: {estimate['status']}", FairnessWarning, stacklevel=4)
        for condition in self._document["measurements"].get("conditions") or []:
            about = condition.get("constraint", "")
            warnings.warn(f"{condition['code']}: {about + ': ' if about else ''}{condition['detail']}", FairnessWarning, stacklevel=4)

    def _labels(self, y: Any, first: bool, classes: Any) -> tuple[np.ndarray, list[str]]:
        raise NotImplementedError

    def _learn(self, X: Any, y: Any, sensitive_features: Any, sample_weight: Any, classes: Any) -> None:
        first = not self.__sklearn_is_fitted__()
        if y is None:
            raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
        names, columns = check_features(self, X, reset=first)
        numbers, labels = self._labels(y, first, classes)
        check_consistent_length(columns[0], labels)
        # check_array of weights needs no columns but their number.
        weights = _check_sample_weight(sample_weight, np.empty((len(labels), 1)), dtype=np.float64)
        if (weights < 0).any() or (weights > 1e6).any():
            raise ValueError("Negative values in data passed to `sample_weight`, or values above 1e6: weights are from 0 to 1e6")
        groups = self._sensitive(sensitive_features, names, first, len(labels))
        if first:
            self._wholes = {name for name, column in zip(names, columns) if _rows.is_whole(column)}
            if self._wholes and is_frame(X):
                warnings.warn(
                    f"written as integers, because all numbers are whole: {', '.join(sorted(self._wholes))}; read such a column as texts to keep 1.0 apart from 1",
                    WholeFloatWarning,
                    stacklevel=4,
                )
        cells = [_rows.cells(column, name in self._wholes) for name, column in zip(names, columns)]
        if first:
            self._begin(names, groups)
        self._document = None
        if sample_weight is None:
            written = ["1"] * len(labels)
        else:
            written = list(map(repr, weights.tolist()))
        margins = self._learner.learn(_rows.batches([*names, *self._sensitive_names, self._weight, self._label], [*cells, *groups, written, labels]))
        self._measured(margins, numbers, weights)

    def _measured(self, margins: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> None:
        """Is told what each row was measured by."""

    def _sensitive(self, given: Any, names: list[str], first: bool, count: int) -> list[list[str]]:
        """The cells of the sensitive features, whose names are settled at first."""
        if isinstance(self.constraints, str) and self.constraints != "auto":
            raise ValueError(f"constraints must be 'auto', a list, or None, got {self.constraints!r}")
        if self.constraints is None or (not isinstance(self.constraints, str) and len(self.constraints) == 0):
            if first:
                self._sensitive_names: list[str] = []
            return []
        if given is None:
            raise ValueError("sensitive_features is required with constraints: fit(X, y, sensitive_features=...), or constraints=None")
        found, columns = check_sensitive(given)
        for column in columns:
            if len(column) != count:
                raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(column)}]")
        automatic = isinstance(self.constraints, str)
        wanted = None if automatic else _constraints.attributes(self.constraints)
        if wanted is None:
            found = [name or f"sensitive_feature_{i}" for i, name in enumerate(found)]
            if first:
                self._given_names = found
                self._sensitive_names = [_rows.unique_name(name, names) for name in found]
            elif found != self._given_names:
                raise ValueError(f"sensitive_features are {found}, and were {self._given_names} in the first records")
        else:
            if len(found) == len(wanted) and not any(found):
                found = wanted
            lacking = [name for name in wanted if name not in found]
            if lacking:
                raise ValueError(f"sensitive_features has no column {lacking[0]!r}, which a constraint names as its attribute")
            columns = [columns[found.index(name)] for name in wanted]
            if both := [name for name in wanted if name in names]:
                raise ValueError(f"{both[0]!r} is an attribute of a constraint and a column of X: leave it out of X, or rename one of the two")
            self._sensitive_names = wanted
        if first:
            self._whole_groups = [_rows.is_whole(column) for column in columns]
        return [_rows.cells(column, whole) for column, whole in zip(columns, self._whole_groups)]

    def _begin(self, names: list[str], groups: list[list[str]]) -> None:
        regression = self._task == "regression"
        taken = [*names, *self._sensitive_names]
        self._label, self._weight = _rows.unique_name("label", taken), _rows.unique_name("weight", taken)
        constraints: list[dict[str, Any]] = []
        if isinstance(self.constraints, str):
            if self.tau is None:
                raise ValueError("tau is required with constraints='auto': the largest difference, in units of y")
            criterion = self.criterion or ("mean-difference" if regression else "demographic-parity")
            constraints = _constraints.automatic(self._sensitive_names, groups, criterion.replace("_", "-"), _constraints.plain(self.tau), regression)
        elif self.constraints is not None:
            constraints = _constraints.plain(list(self.constraints))
        label = {"field": self._label} if regression else {"field": self._label, "positive": "1"}
        learner = {"task": self._task, "mode": "adaptive" if constraints else "unconstrained", **_constraints.plain(self.learner or {})}
        config = {"record": {"label": label, "weight": self._weight}, "learner": learner, "constraints": constraints}
        self._learner = Learner(config)

    def _margins(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self)
        names, columns = check_features(self, X, reset=False)
        cells = [_rows.cells(column, name in self._wholes) for name, column in zip(names, columns)]
        blank = [""] * len(cells[0])  # a label that is not known, so that no line is blank

        def batches() -> Iterator[bytes]:
            return _rows.batches([*names, self._weight, self._label], [*cells, ["1"] * len(blank), blank])

        return self._learner.predict(batches())


class FairClassifier(ClassifierMixin, _Fair):
    """A linear classifier of two classes that is learnt in one pass, with the difference between groups within tau.

    constraints: 'auto' compares the groups in sensitive_features; a list is that of a configuration (docs/python.md); None learns
    without. tau: the largest difference of rates, of 'auto'. criterion: what is compared, of 'auto': demographic-parity (default),
    equal-opportunity, equalized-odds and others. learner: keys of the section learner of a configuration.
    """

    def __init__(self, constraints: Any = "auto", tau: float = 0.05, criterion: str = "demographic-parity", learner: Optional[dict[str, Any]] = None) -> None:
        super().__init__(constraints, tau, criterion, learner)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sensitive_features: Any = None, sample_weight: Any = None) -> FairClassifier:
        """Goes on with more rows: calls one after the other learn what one fit of all rows does, bit for bit. The first call settles
        classes, groups and which columns of floats hold integers."""
        self._learn(X, y, sensitive_features, sample_weight, classes)
        return self

    def predict(self, X: Any) -> np.ndarray:
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def decision_function(self, X: Any) -> np.ndarray:
        """The margin less the threshold of the document, which is 0: above 0 is the second class."""
        return self._margins(X)[0]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Calibrated on the newest records as each was before it was learnt; the larger one is that of the decision, so that under
        constraints probabilities near one half give way."""
        margins = self.decision_function(X)
        positive = self._calibration.probabilities(margins)
        return np.column_stack([1 - positive, positive])

    def probability(self, X: Any) -> np.ndarray:
        """The probability of the second class by the model without constraints: calibrated, and without a part in decisions."""
        free = self._margins(X)[1]
        if np.isnan(free).any():
            raise ValueError("these weights give no probability (learner mode paper)")
        return free

    def _labels(self, y: Any, first: bool, classes: Any) -> tuple[np.ndarray, list[str]]:
        y = _check_y(y, multi_output=False, y_numeric=False, estimator=self)
        check_classification_targets(y)
        if first:
            known = np.unique(y if classes is None else np.asarray(classes))
            if len(known) > 2:
                raise ValueError(f"Only binary classification is supported. The type of the target is {type_of_target(known)}.")
            if len(known) < 2:
                raise ValueError("This solver needs samples of at least 2 classes in the data, but the data contains only one class")
            self.classes_ = known
            self._calibration = Calibration()
        if unknown := set(np.unique(y).tolist()) - set(self.classes_.tolist()):
            raise ValueError(f"y has {len(unknown)} classes that the first call did not have: name all in classes, of two")
        positive = y == self.classes_[1]
        return positive.astype(float), np.where(positive, "1", "0").tolist()

    def _measured(self, margins: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> None:
        self._calibration.add(margins, labels, weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        _take_anything(tags)
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"binary_only": True, "allow_nan": True, "_xfail_checks": {}}


class FairRegressor(RegressorMixin, _Fair):
    """An additive model of a number that is learnt in one pass, with the difference of mean predictions within tau.

    Parameters are those of FairClassifier; tau is in units of y, and has no default. criterion: mean-difference.
    """

    _task = "regression"

    def __init__(self, constraints: Any = "auto", tau: Optional[float] = None, criterion: str = "mean-difference", learner: Optional[dict[str, Any]] = None) -> None:
        super().__init__(constraints, tau, criterion, learner)

    def partial_fit(self, X: Any, y: Any, sensitive_features: Any = None, sample_weight: Any = None) -> FairRegressor:
        """As that of FairClassifier."""
        self._learn(X, y, sensitive_features, sample_weight, None)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return self._margins(X)[0]

    def _labels(self, y: Any, first: bool, classes: Any) -> tuple[np.ndarray, list[str]]:
        y = _check_y(y, multi_output=False, y_numeric=True, estimator=self)
        return y, list(map(repr, np.asarray(y, dtype=float).tolist()))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        _take_anything(tags)
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"allow_nan": True, "_xfail_checks": {}}


def _take_anything(tags: Any) -> None:
    tags.input_tags.allow_nan = True
    tags.input_tags.string = True
    tags.input_tags.categorical = True
