// Package apptest is what tests of commands share: made-up records, a job that has learnt from them through an embedded broker,
// and files that the output is compared with.
//
// Its files, in the order in which they are read:
//
//	records.go    made-up records
//	golden.go     output beside a file
//	screen.go     what a command writes while a test reads it
//	unwritten.go  commands whose writes fail, a different one each time
//	job.go        a job on an embedded broker
//	refused.go    commands whose requests the broker refuses, one in each run
//
// It may import what runs a job: app/cluster, app/process, app/program, internal/board, internal/config, internal/devbroker and internal/kafka. Only tests import it.
package apptest
