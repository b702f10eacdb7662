// Package appraise says of weights what a person wants to know before trusting them, from labelled records that they were
// not learnt from: how well they rank, how they treat each group, whether scores mean what they say, and which columns
// move the groups apart.
//
//	Appraisal.Add (each record) ──▶ Ranking, Pair, Column
//
//	ranking.go   the area under the ROC curve, with DeLong's interval
//	groups.go    confusion, rates and calibration error of each group
//	impact.go    the impact ratio of the decisions
//	columns.go   what each column contributes to margins, and to the difference of two groups
//	appraise.go  weights judged on labelled records; which pairs of groups are compared; folds put together
//
// Memory does not grow with the records.
package appraise
