// Package models lists, shows, explains and describes the weights of a job, and gives orders about its releases.
//
// Its files, in the order in which they are read:
//
//	version.go  a version as a flag names it
//	weights.go  which document a command is about
//	serving.go  which instances use which version
//	list.go     the versions that the model topic holds
//	show.go     what a version was learnt from, and how it was measured
//	explain.go  each weight in plain words
//	paying.go   columns through which a bound is kept
//	columns.go  each column, over records
//	card.go     the model card
//	graph.go    the model in another format
//	prune.go    what cannot be read, deleted
//	release.go  orders about releases
//
// It may import what app/cluster, app/findings and app/input import, internal/export, internal/heartbeat and internal/onnx.
package models
