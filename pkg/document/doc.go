// Package document is the published artefact: weights, everything that is needed to decide or predict with them, and the
// measurements behind them. docs/document.md describes its JSON.
//
// A service that only scores links this package and not the learner:
//
//	d, err := document.Parse(data)
//	schema, err := d.Schema()      // decodes records
//	scorer, err := d.Classifier()  // or d.Regressor()
//	decision := scorer.Decide(&r)
//
// or, for records that come as JSON,
//
//	decider, err := d.Decider()
//	decision, err := decider.DecideJSON(text)
//
// A file uses only those before it:
//
//	group.go         one side of a constraint, as it is written
//	settings.go      the task, and what a reader needs of the configuration
//	report.go        measurements of a classifier or of a regression
//	measurements.go  everything that a learner knows of its own quality
//	useless.go       conditions under which weights are useless and not published
//	lineage.go       where a document comes from
//	body.go          the JSON of encoder and weights
//	probability.go   the weights of the calibrated probability, and their hash
//	document.go      format, hash, reading and writing
//	scorer.go        decisions and predictions, also from the bytes of a record
//	evaluation.go    a document measured on labelled records
//	explain.go       every weight in words
//	contribution.go  margins split by column
//	spread.go        whether values or groups of scored records are distributed as those that were learnt
//	unfamiliar.go    single records that are not like those that were learnt
//
// Imports of the project: internal/chance, internal/logistic, pkg/features (Frozen), pkg/fairness, pkg/record.
package document
