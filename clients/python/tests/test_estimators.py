"""The estimators: what they learn is what the program learns, and scikit-learn takes them for its own."""

from __future__ import annotations

import gzip
import json
import pathlib
import pickle
import subprocess
import sys
import time
import warnings

import numpy as np
import pandas as pd
import psutil
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import calibration_curve
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks

from fairstream import WholeFloatWarning
from fairstream._learner import LearnerError
from fairstream.sklearn import FairClassifier, FairnessWarning, FairRegressor

pytestmark = pytest.mark.filterwarnings("ignore::fairstream.sklearn.FairnessWarning")

# One pass over rows in an order: a weight of 2 is one step of double size, and a row that comes twice is two steps, each measured
# before it is taken.
EXCEPTED = {
    "check_sample_weight_equivalence_on_dense_data": "a weight is not a repetition of a row in one pass",
    "check_sample_weights_invariance": "its name before scikit-learn 1.6",
}


@pytest.fixture(scope="module")
def adult(repository: pathlib.Path) -> pd.DataFrame:
    with gzip.open(repository / "internal/adult/adult.csv.gz", "rt") as file:
        return pd.read_csv(file, na_values=["?"])


@pytest.fixture(scope="module")
def parts(adult: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    few = adult.head(6000)
    return few.drop(columns=["fnlwgt", "sex", "income"]), few["income"], few["sex"]


def replay(program: str, folder: pathlib.Path, rows: pd.DataFrame, config: dict) -> dict:
    """The document that the program writes of a file of the rows."""
    rows.to_csv(folder / "rows.csv", index=False)
    (folder / "config.yaml").write_text(json.dumps(config))
    command = [program, "replay", "--config", "config.yaml", "--input", "rows.csv", "--save", "weights.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "weights.json").read_text())


@pytest.mark.parametrize("estimator", [FairClassifier(constraints=None), FairRegressor(constraints=None)])
def test_check_estimator(estimator: object) -> None:
    if sklearn.__version__ < "1.6":
        for tested, check in estimator_checks.check_estimator(estimator, generate_only=True):
            if check.func.__name__ not in EXCEPTED:
                check(tested)
        return
    results = estimator_checks.check_estimator(estimator, on_fail=None)
    assert {r["check_name"] for r in results if r["status"] == "failed"} <= set(EXCEPTED)


def test_fit_learns_what_replay_does(adult, program, tmp_path) -> None:
    config = {
        "record": {"label": {"field": "income", "positive": ">50K"}, "ignore": ["fnlwgt"]},
        "constraints": [{"name": "sex", "attribute": "sex", "group": "Male", "versus": "Female", "tau": 0.05}],
    }
    learnt = replay(program, tmp_path, adult, config)
    X, y = adult.drop(columns=["fnlwgt", "sex", "income"]), adult["income"]
    fair = FairClassifier().fit(X, y, sensitive_features=adult["sex"])
    assert fair.document_["weights_sha256"] == learnt["weights_sha256"]
    assert fair.document_["constraints"] == learnt["constraints"]
    listed = FairClassifier(config["constraints"]).fit(X, y, sensitive_features=adult[["race", "sex"]])
    assert listed.document_["weights_sha256"] == learnt["weights_sha256"]
    free = FairClassifier(None).fit(X, y)
    unconstrained = replay(program, tmp_path, adult.drop(columns="sex"), {**config, "constraints": [], "learner": {"mode": "unconstrained"}})
    assert free.document_["weights_sha256"] == unconstrained["weights_sha256"]


def test_regression_learns_what_replay_does(adult, program, tmp_path) -> None:
    rows = adult.head(5000)[["age", "education", "occupation", "sex", "hours_per_week"]]
    constraints = [{"name": "sex", "attribute": "sex", "group": "Male", "versus": "Female", "tau": 2}]
    config = {"record": {"label": {"field": "hours_per_week"}}, "learner": {"task": "regression"}, "constraints": constraints}
    learnt = replay(program, tmp_path, rows, config)
    X, y = rows.drop(columns=["sex", "hours_per_week"]), rows["hours_per_week"]
    fair = FairRegressor(tau=2).fit(X, y, sensitive_features=rows["sex"])
    assert fair.document_["weights_sha256"] == learnt["weights_sha256"]
    parts = FairRegressor(tau=2)
    for start in range(0, 5000, 1700):
        some = slice(start, start + 1700)
        parts.partial_fit(X[some], y[some], sensitive_features=rows["sex"][some])
    assert parts.document_["weights_sha256"] == learnt["weights_sha256"]
    assert abs(fair.predict(X).mean() - y.mean()) < 3


def test_partial_fit_and_pickles_go_on_exactly(parts) -> None:
    X, y, sex = parts
    whole = FairClassifier().fit(X, y, sensitive_features=sex)
    going = FairClassifier()
    for start, end in [(0, 700), (700, 3000), (3000, 6000)]:
        going.partial_fit(X[start:end], y[start:end], sensitive_features=sex[start:end])
        going = pickle.loads(pickle.dumps(going))
    assert going.document_ == whole.document_
    for method in ["decision_function", "predict_proba", "probability"]:
        assert np.array_equal(getattr(going, method)(X), getattr(whole, method)(X))


def test_what_is_predicted(parts) -> None:
    X, y, sex = parts
    fair = FairClassifier(tau=0.1).fit(X[:4000], y[:4000], sensitive_features=sex[:4000])
    margins, p = fair.decision_function(X), fair.predict_proba(X)
    assert np.array_equal(fair.predict(X), np.where(margins > 0, ">50K", "<=50K"))
    assert np.array_equal(fair.classes_[p.argmax(axis=1)], fair.predict(X))
    order = np.argsort(margins, kind="stable")
    assert (np.diff(p[order, 1]) >= 0).all()
    rates, means = calibration_curve(y[4000:] == ">50K", fair.probability(X[4000:]), n_bins=5)
    assert abs(rates - means).max() < 0.15
    assert accuracy_score(y[4000:], fair.predict(X[4000:])) > 0.8


def test_columns_of_other_types(parts) -> None:
    X, y, sex = parts
    plain = FairClassifier().fit(X, y, sensitive_features=sex)
    categories = X.assign(**{name: X[name].astype("category") for name in X.columns if X[name].dtype.kind not in "if"})
    fair = FairClassifier().fit(categories, y, sensitive_features=sex.astype("category"))
    assert fair.document_["weights_sha256"] == plain.document_["weights_sha256"]
    floats = X.assign(age=X["age"].astype(float), hours_per_week=X["hours_per_week"].astype("Int64"))
    with pytest.warns(WholeFloatWarning, match="whole: age;"):
        fair = FairClassifier().fit(floats, y, sensitive_features=sex.to_numpy())
    assert fair.document_["weights_sha256"] == plain.document_["weights_sha256"]
    assert np.array_equal(fair.predict(X), plain.predict(X))


def test_what_is_missing_is_missing(parts) -> None:
    X, y, sex = parts
    holes = X.assign(age=X["age"].where(X.index % 7 > 0))
    fair = FairClassifier().fit(holes, y, sensitive_features=sex.where(sex.index % 11 > 0))
    column = next(c for c in json.loads(json.dumps(fair.document_["model"]))["columns"] if c["name"] == "age")
    assert "missing" in column
    assert fair.document_["constraints"][0]["n_unknown"] > 0


def test_several_groups_and_features(parts, adult) -> None:
    X, y, _ = parts
    fair = FairClassifier(tau=0.1).fit(X.drop(columns="race"), y, sensitive_features=adult[["race", "sex"]].head(6000))
    assert {c["name"] for c in fair.document_["constraints"]} == {"race", "sex"}
    assert [c["group"] for c in fair.document_["config"]["constraints"]] == ["each", "Male"]
    with_race = FairClassifier(tau=0.1).fit(X, y, sensitive_features=X["race"])
    assert with_race.document_["config"]["constraints"][0]["attribute"] == "race_"


@pytest.mark.parametrize("wrong, given, message", [
    ({}, None, "sensitive_features is required"),
    ({"constraints": "other"}, "sex", "'auto', a list, or None"),
    ({"tau": 2}, "sex", "tau"),
    ({"criterion": "no-such"}, "sex", "criterion"),
    ({"constraints": [{"attribute": "gender", "group": "a", "versus": "b", "tau": 0.1}]}, "sex", "no column 'gender'"),
    ({"learner": {"warm_up": 3}}, "sex", "warm_up"),
])
def test_what_is_refused(parts, wrong, given, message) -> None:
    X, y, sex = parts
    with pytest.raises(ValueError, match=message):
        FairClassifier(**wrong).fit(X, y, sensitive_features=sex if given else None)


def test_errors_of_data(parts) -> None:
    X, y, sex = parts
    with pytest.raises(NotFittedError):
        FairClassifier().predict(X)
    with pytest.raises(ValueError, match="one class"):
        FairClassifier().fit(X, ["a"] * len(X), sensitive_features=sex)
    with pytest.raises(ValueError, match="Negative values"):
        FairClassifier().fit(X, y, sensitive_features=sex, sample_weight=-np.ones(len(X)))
    with pytest.raises(ValueError, match="inconsistent numbers"):
        FairClassifier().fit(X, y, sensitive_features=sex[:5])
    with pytest.raises(ValueError, match="units of y"):
        FairRegressor().fit(X, X["age"], sensitive_features=sex)
    with pytest.raises(LearnerError):
        FairClassifier(None).fit(pd.DataFrame({"a": ["x" * (1 << 21), "b"]}), [0, 1])
    fair = FairClassifier().fit(X, y, sensitive_features=sex)
    with pytest.raises(ValueError, match="feature names"):
        fair.predict(X.rename(columns={"age": "years"}))


def test_conditions_are_warnings(parts) -> None:
    X, y, sex = parts
    with pytest.warns(FairnessWarning, match="tau_below_sampling_error: sex"):
        FairClassifier(tau=0.01).fit(X[:2500], y[:2500], sensitive_features=sex[:2500])


def test_weights_count(parts) -> None:
    X, y, sex = parts
    ones = FairClassifier().fit(X, y, sensitive_features=sex, sample_weight=np.ones(len(X)))
    other = FairClassifier().fit(X, y, sensitive_features=sex, sample_weight=np.where(y == ">50K", 3, 1))
    assert ones.document_["weights_sha256"] == FairClassifier().fit(X, y, sensitive_features=sex).document_["weights_sha256"]
    assert other.decision_function(X).mean() > ones.decision_function(X).mean()


def test_cross_validation_and_search_route_the_groups(parts) -> None:
    X, y, sex = parts
    with sklearn.config_context(enable_metadata_routing=True):
        fair = FairClassifier().set_fit_request(sensitive_features=True)
        through = Pipeline([("same", FunctionTransformer()), ("fair", fair)])
        scores = cross_validate(through, X, y, cv=3, params={"sensitive_features": sex})
        assert scores["test_score"].min() > 0.75
        search = GridSearchCV(fair, {"tau": [0.02, 0.3]}, cv=2).fit(X, y, sensitive_features=sex)
        assert search.best_params_ == {"tau": 0.3}
    assert clone(search.best_estimator_).tau == 0.3


def test_beside_fairlearn(parts) -> None:
    fairlearn = pytest.importorskip("fairlearn.metrics")
    from fairlearn.postprocessing import ThresholdOptimizer

    X, y, sex = parts
    fair = FairClassifier(tau=0.1).fit(X, y, sensitive_features=sex)
    free = FairClassifier(None).fit(X, y)
    positive = (y == ">50K").astype(int)

    def decided(estimator) -> np.ndarray:
        return (estimator.predict(X) == ">50K").astype(int)

    frames = [fairlearn.MetricFrame(metrics=fairlearn.selection_rate, y_true=positive, y_pred=decided(e), sensitive_features=sex) for e in (fair, free)]
    assert frames[0].difference() < 0.1 < frames[1].difference()
    free = FairClassifier(None).fit(X, positive)
    after = ThresholdOptimizer(estimator=free, constraints="demographic_parity", prefit=True, predict_method="predict_proba")
    after.fit(X, positive, sensitive_features=sex)
    assert len(after.predict(X, sensitive_features=sex, random_state=1)) == len(X)


def ended(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def wait_until(condition) -> None:
    for _ in range(500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come true within ten seconds")


def test_the_process_ends_with_its_object(parts) -> None:
    X, y, _ = parts
    free = FairClassifier(None).fit(X, y)
    pid = free._learner._process.pid
    assert not ended(pid)
    free.fit(X, y)
    assert ended(pid)
    pid = free._learner._process.pid
    del free
    assert ended(pid)


def test_the_process_never_outlives_python() -> None:
    script = """
import os, signal, numpy as np
from fairstream.sklearn import FairClassifier
free = FairClassifier(None).fit(np.arange(20).reshape(-1, 1), [0, 1] * 10)
print(free._learner._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, cwd=pathlib.Path(__file__).parents[1])
    pid = int(killed.stdout)
    wait_until(lambda: ended(pid))


def test_a_program_that_ended_is_an_error(parts) -> None:
    X, y, _ = parts
    free = FairClassifier(None).fit(X, y)
    free._learner._process.kill()
    free._learner._process.wait()
    with pytest.raises(RuntimeError, match="ended"), warnings.catch_warnings():
        free.predict(X)
