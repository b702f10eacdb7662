// Package input reads the records of files, of standard input and of samples of topics.
//
// Its files, in the order in which they are read:
//
//	numerals.go    a cell with separators, signs or currency to a plain number (record.csv.decimal, thousands, symbols)
//	dialect.go     record.csv: encoding and separator of a CSV file translated to RFC 4180 while it is read; a quote never closed
//	rows.go        the interface to the rows of a source, and where a row is (file, line)
//	blocks.go      files cut into blocks that workers can read at the same time: CSV, JSON lines, Parquet row groups
//	source.go      what --input and --format may name (csv, jsonl, gz, parquet, avro, -, adult); a share of a file held out evenly;
//	               errors of opening
//	sniff.go       init finds the dialect of a CSV file: encoding, separator, decimal and thousands marks, currency signs
//	following.go   several --input one after the other: other columns, given twice
//	shuffle.go     --shuffle: rows kept in memory up to 1 GiB, in the order of a seed
//	ahead.go       rows decoded on one processor while those before are learnt on another
//	pass.go        the loop over a file: records without a label rejected, "no record has the label", labels in rows of their own
//	progress.go    the bar on a terminal: rows a second
//	rejections.go  "Rejected N of M records": reasons by frequency, and the first five
//	topic.go       messages of a topic as JSON for check and init, without waiting for schemas that the registry does not know
//	sample.go      the first records of a file, or the newest of each partition of a topic
//
// It may import what reads records and shows them: internal/adult, app/cluster, app/english, app/program, bar, format
// and the rooms below it, kafka, parquetlines and pkg/record.
package input
