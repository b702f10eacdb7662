// Package fairness measures how differently a model treats two groups: which
// records belong to which side of a comparison, how many of them were decided
// positively or what was predicted for them on average, and what that says about
// the difference.
//
// The path of a record through the package:
//
//	attribute values ──Grouper──▶ one Side per comparison
//	sides, decision, weight ──Tally, PairCounts──▶ counts ──Comparison.Estimate──▶ Estimate
//	sides, prediction, weight ──RegressionTally, MeanCounts──▶ moments ──Comparison.EstimateMeans──▶ Estimate
//
// An Estimate is value, interval, counts and status.
//
// # The measured quantity
//
// For a comparison with the condition C,
//
//	RD = P(decision positive | group, C) − P(decision positive | versus, C),
//
// in [−1, 1]; positive if the group is favoured. C is "all records" for
// demographic parity, "label positive" for equal opportunity (the difference of
// true-positive rates; Hardt, Price and Srebro, NeurIPS 2016) and "label
// negative" for predictive equality (the difference of false-positive rates).
// Equalized odds is the last two together and always gives two rows.
//
// For a regression, whose prediction p is a number, it is the mean difference
//
//	MD = E[p | group] − E[p | versus],
//
// in units of the label. Over the records of the two sides, of which the share q
// is in the group, the covariance of p with the indicator of the group is
// q (1 − q) MD: a bound on one is a bound on the other.
//
// # No bare number
//
// Every estimate carries its interval, the level of that interval, its counts
// and its method, and a status, the verdict of the interval: met if it lies
// within [−tau, tau], violated if it lies outside, inconclusive if it reaches
// across, not_estimable if there is none. Too few records on a side make the
// value absent (NaN in Go, null in JSON); no 0 or infinity stands for "unknown".
//
// Beside the difference every estimate of rates has the impact ratio, the lower rate over the higher one (NewRatio). With
// ImpactRatio as its criterion the ratio is what tau bounds, from below.
//
// # Groups
//
// A group is a value, several values or a range of a number, of one attribute or of several at once (Term). The form Each
// makes one comparison for each value that records have, which a Grouper meets one after the other. A comparison within
// strata compares records with the same value of another field: see PairCounts.Standardized.
//
// # Three layers of inference
//
//   - An Estimate holds its level at one look: it is pointwise.
//   - A Sequence holds its level at all looks together, about the decisions as they were made: of the totals (sequence.go), and of
//     the difference at equal time (equaltime.go).
//   - A Detector raises an alarm when a difference changes, with a run length (detector.go); a MeanDetector does so for means
//     (meandetector.go).
//
// ShareLevel divides a confidence among comparisons. Needs estimates how many records a verdict and an alarm take.
//
// # Weights
//
// Records may carry weights: positive, finite, relative to one another. Rates
// are weighted; their intervals use Kish's effective sample size
// (Σw)² / Σw² in place of the number of records (Kish, Survey Sampling, 1965,
// section 8.2), which is the number itself when all weights are equal.
//
// All state here is plain structs of counters with exported fields, so that a
// codec can store them bit for bit. Counters are not safe for concurrent use.
//
// Products that are then added are rounded first (float64(a*b) + c): what feeds a
// learner's state has the same bits with and without fused multiply-add.
//
// The package is a leaf: it imports nothing of the project.
//
// The files:
//
//	criterion.go     names of the criteria, and which need labels, compare means or bound a ratio; equalized odds as two
//	attribute.go     values of an attribute as levels; at most 64 found values
//	levels.go        which value or range a level stands for
//	members.go       values or a range of a number that belong to a group; its words ("≥ 40", "Black or Hispanic"); empty ranges
//	comparison.go    two sides, their condition and tau: checks of constraints (tau outside (0, 1), group and versus overlap), labels of groups
//	found.go         group each: at most 32 groups found in the records; which value is best
//	grouper.go       the side of each comparison on which a record stands, also without a label or with a late one; its stratum
//	window.go        a ring of the most recent items
//	counts.go        counts of decisions about one side; what weighted records are worth (effective sizes); strata standardized (Mantel and Haenszel)
//	confusion.go     decisions against labels: accuracy, base rate, constant accuracy
//	moments.go       mean and variance of predictions about one side
//	tally.go         the running evaluation of a classifier
//	regression.go    the running evaluation of a regression: MSE, R² and its interval
//	estimate.go      an estimate at one look and its verdict: met, violated, inconclusive, not_estimable; minimum_records; names of methods
//	interval.go      Wilson's interval of a rate, Newcombe's of a difference of rates
//	ratio.go         the impact ratio and its interval (Koopman)
//	welch.go         the interval of a difference of means (Welch)
//	inconclusive.go  how many more records an estimate at one look needs ("about … more records would decide"), or that no number decides
//	sequence.go      confidence sequences of rates, which hold at every look; their 20 decisions of each kind; when a verdict is taken back
//	equaltime.go     the sequence of the difference at equal time, whatever the shares of groups do
//	blocks.go        records of both sides paired in the order in which they come
//	bets.go          the evidence behind an alarm, as bets for both orders in time
//	detector.go      the alarm about a difference of rates or an impact ratio
//	meandetector.go  the alarm about a difference of means
//	needs.go         how many records a sequence's verdict and an alarm need, for `plan`
//	selection.go     whether labels depend on records, and accuracy corrected for it (doubly robust)
//	absence.go       whether records that lack an attribute differ from those that have it (4 standard errors)
//	collapse.go      constant_decision (1 % of the records) and no_better_than_constant (5 % of the errors)
//	json.go          estimates as JSON
package fairness
