// Package export makes what an auditor takes away from a job.
//
//   - [Impact] is a table of selection rates and impact ratios by sex, by race and by both, in the shape that New York
//     City's Local Law 144 asks for (Rules of the City of New York, title 6, sections 5-300 to 5-304).
//   - [Card] is a model card in the JSON of the Model Card Toolkit, schema 0.0.2.
//
// Files, in the order to read them:
//
//	impact.go   the table of Local Law 144, from counts
//	counter.go  counts of the records of a file
//	csv.go      the table as CSV
//	card.go     the model card: details, parameters and considerations
//	metrics.go  the measurements of a model card, each with its interval and the records that it is about
//
// It may import pkg/document, pkg/fairness, pkg/history and pkg/monitor.
package export
