// Package appraise says of weights what a person wants to know before trusting them, from labelled records that they were
// not learnt from: how well they rank, how they treat each group, whether scores mean what they say, and which columns
// move the groups apart.
//
//	Appraisal.Add (each record) ──▶ Ranking, Pair, Column
//
//	ranking.go    the area under the ROC curve
//	groups.go     confusion, rates and calibration of each group
//	impact.go     the impact ratio of the decisions
//	columns.go    what each column contributes, and to which group
//	appraise.go   weights judged on records, one after the other
//
// Memory does not grow with the records.
package appraise
