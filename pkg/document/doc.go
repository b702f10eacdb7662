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
//	group.go         one side of a constraint as it is written: value, list, range from/below, each, rest, best
//	settings.go      task and mode; what a reader needs of the configuration; a constraint as a comparison
//	report.go        measurements of a classifier (accuracy, log loss) or of a regression (MSE, R²)
//	measurements.go  what a learner knows of its own quality, as JSON (measurements.weighed, .missing, .control); the code of each condition of the
//	                 learner and its meaning
//	useless.go       which conditions keep weights from being published (one_label, nothing_estimable, no_labels); verdicts taken back because labels
//	                 are selective
//	lineage.go       where a document comes from: parent, term, changes of the configuration, entry of the history
//	body.go          the JSON of encoder and weights, written and read back
//	probability.go   the weights of the calibrated probability, and their hash
//	document.go      format, weights_sha256, reading with its errors ("damaged", format version), the fields that a record may have (for OpenAPI and
//	                 tensors)
//	scorer.go        decisions, predictions and probabilities, also from the bytes of a record; columns whose values are of another type
//	evaluation.go    a document measured on labelled records, for holdout and reserve
//	explain.go       every weight in words, for `models explain`
//	contribution.go  margins split by column
//	spread.go        scored records beside learnt ones: columns spread otherwise, exchanged columns, groups that are absent or of another share
//	unfamiliar.go    scored columns whose texts or numbers were never learnt, or that lack values ("are they in the same unit and the same words?")
//
// Imports of the project: internal/chance, internal/logistic, pkg/features (Frozen), pkg/fairness, pkg/record.
package document
