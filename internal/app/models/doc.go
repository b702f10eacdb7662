// Package models lists, shows, explains and describes the weights of a job, and gives orders about its releases.
//
// Its files, in the order in which they are read:
//
//	version.go  --version V or TERM/V
//	weights.go  which document a command of models is about: --model, --version, --alias, or the newest
//	serving.go  models list: which instances of serve use a version, and which are silent
//	list.go     models list: table and JSON, unwatched versions, which versions the topic keeps and for how long
//	show.go     models show: every line about a version
//	explain.go  models explain: the weights, largest first
//	paying.go   the note "is kept through COLUMN": a column through which a bound is kept (disparate treatment)
//	columns.go  models explain --columns: importance of each column, and its part of the difference between groups
//	card.go     models card: monitor and history for the card, --own; the report for signature of --text
//	graph.go    models export: writes ONNX (internal/onnx makes it)
//	prune.go    models prune
//	release.go  models promote, rollback, pause, resume, pin, unpin: asks the owner or claims the job, prints which aliases moved
//
// It may import what app/cluster, app/findings and app/input import, app/output, internal/export, internal/heartbeat and internal/onnx.
package models
