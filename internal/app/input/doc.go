// Package input reads the records of files, of standard input and of samples of topics.
//
// Its files, in the order in which they are read:
//
//	numerals.go    numbers as people of a country write them
//	dialect.go     a CSV file in another dialect, translated while it is read
//	rows.go        the rows of a source
//	blocks.go      a file in blocks, which can be read at the same time
//	source.go      what an --input names, and how it is opened
//	sniff.go       the dialect that a CSV file shows
//	following.go   several sources, one after the other
//	shuffle.go     a source in a random order
//	ahead.go       rows decoded on one processor while those before are used on another
//	pass.go        one pass over a source: decode, hand on, reject
//	progress.go    the bar on a terminal
//	rejections.go  the reasons of rejected records, and the first few
//	topic.go       messages of a topic as JSON, whatever they are written as
//	sample.go      the first records of a file, or the newest of a topic
//
// It may import what reads records and shows them: internal/adult, app/cluster, app/english, app/program, bar, format
// and the rooms below it, kafka, parquetlines and pkg/record.
package input
