// Package demo shows a fair classifier being learnt from the bundled records, which flow through an embedded broker.
//
// Its files, in the order in which they are read:
//
//	demo.go     settings of the demo, and where its lines go
//	prepare.go  configuration, topics and stream of the demo, its first words, the files of --keep-running
//	lines.go    the line every 2 s about how far the demo is
//	page.go     where and how long the page of the demo is served, and how a browser is started
//	feed.go     the records of the demo written to the topic until they are learnt
//	result.go   the weights read back from the topic and measured on the holdout and on five holdouts; "Try next"
//	run.go      the demo from its broker to its result
//
// It may import what app/produce, app/embedded and app/replay import, and what shows a stream: internal/board and internal/server.
package demo
