// Package signoff says what a person who answers for a model needs to know of a period: what happened, and, on two printed pages, population, rule,
// versions that decided, differences, alarms, and who changed what.
//
//	steps.go     the steps of the releases in words
//	diary.go     alarms with beginning and end, and what else happened
//	happened.go  the last day and week in words
//	record.go    how far the record behind a report can be trusted, and the words of its cells
//	sheet.go     the sections of a report, from an audit and from what is known of the decisions now
//	write.go     the report as a page for a browser or a printer, and as text
//
// It may import internal/board, pkg/fairness, pkg/history and pkg/release.
package signoff
