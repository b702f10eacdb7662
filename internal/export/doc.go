// Package export makes what an auditor takes away from a job.
//
//   - [Impact] is a table of selection rates and impact ratios by sex, by race and by both, in the shape that New York
//     City's Local Law 144 asks for (Rules of the City of New York, title 6, sections 5-300 to 5-304).
//   - [Card] is a model card in the JSON of the Model Card Toolkit, schema 0.0.2.
//
// Files, in the order to read them:
//
//	impact.go   `audit impact`: impact ratios by sex, race and both; categories below 2 % that may be left out; from a monitor
//	counter.go  counts of the records of a file by category; scores above the median count as selected
//	csv.go      the columns and digits of the table as CSV
//	card.go     the model card of `models card`: details, parameters, limitations, tradeoffs and risks
//	metrics.go  the measurements of a model card, each with interval, records and basis
//
// It may import pkg/document, pkg/fairness, pkg/history and pkg/monitor.
package export
