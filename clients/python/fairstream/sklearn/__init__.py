"""scikit-learn estimators that learn in one pass and keep differences between groups within tau. They run the program fairstream,
which the wheel of a platform carries."""

from fairstream.sklearn._estimators import FairClassifier, FairnessWarning, FairRegressor

__all__ = ["FairClassifier", "FairRegressor", "FairnessWarning"]
