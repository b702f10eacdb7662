"""Tests of what the study computes itself. run.sh --quick runs them first."""

import pathlib
import tempfile
import types
import unittest
from unittest import mock

import numpy
import scipy.optimize
import scipy.sparse
from sklearn.linear_model import LogisticRegression

from study import folds, odds, odds_report, optimum, splits, store, summary
from study.measures import Run, measure

FOLD = types.SimpleNamespace(fold=0, shuffle=0)


def problem(count=4000, seed=0):
    """Two groups whose labels differ by a shift of the first of three columns."""
    random = numpy.random.default_rng(seed)
    members = random.random(count) < 0.6
    rows = random.normal(size=(count, 3))
    rows[:, 0] += members
    labels = random.random(count) < 1 / (1 + numpy.exp(-1.5 * rows[:, 0] + 0.5))
    return scipy.sparse.csr_matrix(rows), labels, members


class Measures(unittest.TestCase):
    def test_certain_decisions_are_counted(self):
        labels = numpy.array([True, False, True, False])
        members = numpy.array([True, True, False, False])
        run = measure(0.05, FOLD, numpy.array([True, True, False, False]), labels, members)
        self.assertEqual((run.error, run.difference), (0.5, 1.0))

    def test_decisions_by_chance_are_expected_values(self):
        random = numpy.random.default_rng(1)
        chances, labels, members = random.random(50), random.random(50) < 0.5, random.random(50) < 0.5
        exact = measure(0.05, FOLD, chances, labels, members)
        drawn = [measure(0.05, FOLD, random.random(50) < chances, labels, members) for _ in range(4000)]
        self.assertAlmostEqual(exact.error, numpy.mean([r.error for r in drawn]), delta=0.004)
        self.assertAlmostEqual(exact.difference, numpy.mean([r.difference for r in drawn]), delta=0.01)


class Folds(unittest.TestCase):
    def test_every_record_is_held_out_once_and_never_learnt_there(self):
        held = []
        for fold in folds.FULL.split(103, 2):
            self.assertEqual(sorted([*fold.train, *fold.test]), list(range(103)))
            if fold.shuffle == 0:
                held += list(fold.test)
        self.assertEqual(sorted(held), list(range(103)))

    def test_orders_differ_and_repeat(self):
        once, again = (list(folds.FULL.split(50, 2)) for _ in range(2))
        self.assertFalse(numpy.array_equal(once[0].train, once[1].train))
        self.assertTrue(all(numpy.array_equal(a.train, b.train) for a, b in zip(once, again)))


class Optimum(unittest.TestCase):
    def test_gradient_meets_finite_differences(self):
        rows, labels, members = problem(200)
        linear = optimum.Linear(types.SimpleNamespace(train=rows), labels, members, 0.01)
        weights = numpy.array([0.3, -0.2, 0.5, 0.1])
        finite = scipy.optimize.approx_fprime(weights, lambda w: linear.objective(w, 0.7)[0], 1e-7)
        numpy.testing.assert_allclose(linear.objective(weights, 0.7)[1], finite, atol=1e-6)

    def test_targets_are_met_on_the_training_records_and_not_undercut(self):
        rows, labels, members = problem()
        columns = types.SimpleNamespace(train=rows, test=rows)
        targets = [0.2, 0.1, 0.05, 0.0]
        found = {
            "linear": optimum.Linear(columns, labels, members).decisions(targets),
            "plug-in": optimum.plug_in(LogisticRegression(), columns, labels, members, targets),
        }
        for name, decisions in found.items():
            for target, decided in zip(targets, decisions):
                with self.subTest(name, target=target):
                    self.assertLessEqual(optimum.gap(decided, members), target)
                    self.assertGreater(optimum.gap(decided, members), target - 0.01)

    def test_a_target_that_is_met_costs_nothing(self):
        rows, labels, members = problem()
        columns = types.SimpleNamespace(train=rows, test=rows)
        free = LogisticRegression().fit(rows, labels).predict(rows)
        (decided,) = optimum.plug_in(LogisticRegression(), columns, labels, members, [1.0])
        self.assertTrue(numpy.array_equal(decided, free))


class Summary(unittest.TestCase):
    def test_shares_count_runs(self):
        runs = [Run(0.05, fold, 0, 0.2, rd, 0.01) for fold, rd in enumerate([0.04, -0.05, 0.065, -0.08])]
        cell = summary.cells(runs)[0.05]
        self.assertEqual((cell.met, cell.near, cell.largest, cell.runs), (0.5, 0.75, 0.08, 4))

    def test_standard_error_is_that_of_folds(self):
        runs = [Run(0.05, fold, shuffle, error, 0, 0.01) for fold, error in enumerate([0.1, 0.2, 0.3]) for shuffle in range(4)]
        self.assertAlmostEqual(summary.cells(runs)[0.05].error_se, 0.1 / numpy.sqrt(3))

    def test_excess_is_read_at_the_same_difference(self):
        reference = [Run(tau, fold, 0, 0.3 - tau + fold / 100, tau, 0.01) for tau in (0.0, 0.1) for fold in range(2)]
        own = [Run(0.07, fold, 0, 0.26 + fold / 100, 0.05, 0.01) for fold in range(2)]
        above, error = summary.excess(own, summary.Frontier(reference))
        self.assertAlmostEqual(above, 0.01)
        self.assertAlmostEqual(error, 0)

    def test_no_excess_where_the_reference_never_goes(self):
        reference = [Run(tau, fold, 0, 0.3, tau, 0.01) for tau in (0.05, 0.1) for fold in range(2)]
        own = [Run(0.02, fold, 0, 0.31, 0.02, 0.01) for fold in range(2)]
        self.assertIsNone(summary.excess(own, summary.Frontier(reference)))


class Odds(unittest.TestCase):
    def test_gaps_are_those_among_each_label(self):
        labels = numpy.array([True, True, True, True, False, False, False, False])
        members = numpy.array([True, True, False, False, True, True, False, False])
        chances = numpy.array([1, 1, 1, 0, 0.5, 0.5, 0, 0])
        run = odds.measure(FOLD, chances, labels, members)
        self.assertEqual((run.tpr, run.fpr, run.error), (0.5, 0.5, 0.25))

    def test_sizes_are_counted_and_means_keep_their_sign(self):
        runs = [odds.Gaps(fold, 0, 0.1, value, 0.01, 0.0, 0.01) for fold, value in enumerate([0.04, -0.04, 0.065, -0.08])]
        gap = odds_report.gap(runs, "tpr")
        self.assertAlmostEqual(gap.mean, -0.00375)
        self.assertAlmostEqual(gap.size, 0.05625)
        self.assertEqual((gap.largest, gap.met, gap.near), (0.08, 0.5, 0.75))

    def test_peers_keep_tau_on_their_training_records(self):
        rows, labels, members = problem()
        given = types.SimpleNamespace(
            fold=FOLD, labels=labels, members=members, test_labels=labels, test_members=members,
            columns=lambda kind: types.SimpleNamespace(train=rows, test=rows), estimator=lambda kind: LogisticRegression(),
        )
        free = odds.unconstrained("own", given)
        self.assertGreater(min(free.tpr, free.fpr), 2 * odds.TAU)
        for criterion, among in odds.LABELS.items():
            for name, method in (("gradient", odds.exponentiated_gradient), ("threshold", odds.threshold_optimizer)):
                with self.subTest(name, criterion=criterion):
                    found = method("own", criterion, given)
                    for gap in (found.tpr, found.fpr)[: len(among)]:
                        self.assertLess(abs(gap), odds.TAU + 0.01)


class Store(unittest.TestCase):
    def test_splits_hold_the_same_records_in_other_orders(self):
        first, second = list(splits.orders(100, folds.FULL))[:2]
        self.assertEqual(sorted(first), list(range(100)))
        self.assertEqual(sorted(second), list(range(100)))
        self.assertNotEqual(list(first), list(second))

    def test_holdouts_are_counted(self):
        runs = [Run(0.05, f, 0, 0.2, d, 0.01) for f, d in enumerate((0.05, -0.06, 0.08))]
        self.assertEqual(splits.cells(runs, 0.05), ["0.2000", "+0.0233", "0.0737", "0.0100", "0.080", "33%", "67%"])

    def test_stamps_tell_parts_and_files_apart(self):
        stamps = [store.stamp("a", "bc"), store.stamp("ab", "c"), store.stamp("a", "peers.py"), store.stamp("a", "odds.py")]
        self.assertEqual(len(set(stamps)), 4)
        self.assertEqual(store.stamp("a", "peers.py"), stamps[2])

    def test_runs_come_back_as_they_were_kept(self):
        self.enterContext(mock.patch.object(store, "CACHE", pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))))
        runs = [odds.measure(FOLD, numpy.array([1.0, 0.0, 1.0, 0.0]), numpy.array([True, True, False, False]), numpy.array([True, False, True, False]))]
        store.save("full", "adult", "method", "stamp", runs)
        self.assertEqual(store.runs("full", "adult", "method", odds.Gaps), runs)
        self.assertTrue(store.known("full", "adult", "method", "stamp"))
        self.assertFalse(store.known("full", "adult", "method", "other"))


if __name__ == "__main__":
    unittest.main()
