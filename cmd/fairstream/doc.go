// Command fairstream learns fair linear classifiers from streams of labelled records.
//
// Each subcommand is a file of its own, with its flags, its help and what it calls; the work is done in internal/app.
//
// Its files, in the order in which they are read:
//
//	cluster.go      commands that work on a cluster
//	input.go        flags that name files of records
//	demo.go         demo
//	init.go         init
//	check.go        check
//	replay.go       replay
//	backfill.go     backfill
//	learn.go        learn, which another program talks to
//	run.go          run
//	monitor.go      monitor
//	broker.go       broker
//	topics.go       topics create, topics verify
//	produce.go      produce
//	models.go       models and those below it
//	score.go        score
//	serve.go        serve
//	state.go        state and those below it
//	deadletters.go  deadletters replay
//	audit.go        audit, audit impact
//	plan.go         plan
//	keys.go         keys generate
//	health.go       health
//	config.go       config and those below it
//	version.go      version
//	root.go         the list of subcommands
//	garbage.go      how soon garbage is collected
//	main.go         exit codes
//
// It may import every package of the project.
package main
