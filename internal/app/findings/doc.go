// Package findings is what was measured of weights, as JSON and in words: for replay, the demo and models show.
//
// Its files, in the order in which they are read:
//
//	estimate.go  one constraint in words: its groups, difference and verdict, "The whole interval is within tau", "includes tau"
//	quality.go   which qualities are shown of weights, in which order: accuracy, log loss, AUC; R² and root mean squared error; beside a
//	             constant
//	groups.go    the table of two groups (labels, decisions, rates, precision, calibration error, impact ratio, four-fifths rule), as
//	             JSON too
//	result.go    the JSON object of replay --json and demo --json: its keys
//	notes.go     conditions of a document as "Note:" lines, and in which units a regression is measured
//	single.go    the report on one tau: fairstream beside unconstrained and constant, "Cost of the constraint", the reserved records
//	frontier.go  the table of several taus or relaxations beside each other, and its notes
//
// It may import what measures and writes: app/english, internal/appraise, pkg/document, fairness, record and surrogate.
package findings
