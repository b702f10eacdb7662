// Package demo shows a fair classifier being learnt from the bundled records, which flow through an embedded broker.
//
// Its files, in the order in which they are read:
//
//	demo.go     what is asked, and where it is watched
//	prepare.go  its configuration, topics and stream
//	lines.go    lines that say how far the demo is
//	page.go     the page: where it is served, and until when
//	feed.go     the records, written to the topic until they are learnt
//	result.go   the weights, read back and measured
//	run.go      the demonstration from its broker to its result
//
// It may import what app/produce, app/embedded and app/replay import, and what shows a stream: internal/board and internal/server.
package demo
