// Package signoff says what a person who answers for a model needs to know of a period: what happened, and, on two printed pages, population, rule,
// versions that decided, differences, alarms, and who changed what.
//
//	steps.go     each step of the releases in a sentence (frozen, promoted, rejected, withdrawn, pinned, ...), and its reason
//	diary.go     what of the history "What happened" tells, in which order, and with which event: alarms, withdrawals, losses, changed
//	             settings with values, restarts, times without fairstream
//	happened.go  words of the last 24 hours and seven days: alarms with their length, in how many periods fairstream was not running
//	record.go    section Completeness of the report: chain, signatures, losses, times without fairstream; numbers and verdicts in its
//	             cells
//	sheet.go     the sections of the report and their order: verdict (or "from the history alone"), population, rule, versions,
//	             differences, alarms, changes; how many rows
//	write.go     the report as HTML (sheet.html) and as text, and its content security policy
//
// It may import internal/board, pkg/fairness, pkg/history and pkg/release.
package signoff
