// Package findings is what was measured of weights, as JSON and in words: for replay, the demo and models show.
//
// Its files, in the order in which they are read:
//
//	estimate.go  one constraint in words: which groups, which difference, which verdict
//	quality.go   how good weights are: accuracy, log loss, R²
//	groups.go    what weights do to each of two groups
//	result.go    what was found with one configuration, as JSON
//	notes.go     conditions of a document and units in words
//	single.go    one result for people
//	frontier.go  several results beside each other
//
// It may import what measures and writes: app/english, internal/appraise, pkg/document, fairness, record and surrogate.
package findings
