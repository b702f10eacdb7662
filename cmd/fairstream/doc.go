// Command fairstream learns fair linear classifiers from streams of labelled records.
//
// Each subcommand is a file of its own, with its flags, its help and what it calls; the work is done in internal/app.
//
// Its files, in the order in which they are read:
//
//	cluster.go      commands that take a configuration, a client of the cluster and one switch: state show, deadletters replay, prune
//	input.go        the flags --input and --format of all commands, and which files a shell offers for them
//	demo.go         flags and help of demo: --open, --keep-running, --json
//	init.go         flags and help of init: --topic, --brokers, --registry, --label, --attribute, and which of them exclude each other
//	check.go        flags and help of check; whether it looks at files or at the input topic
//	replay.go       flags and help of replay: --tau, --holdout, --folds, --shuffle, --orders, --report, --save
//	backfill.go     flags and help of backfill: --time, --sample, --output
//	learn.go        the hidden command learn, which the estimators of the Python package start
//	run.go          flags and help of run: --start-from, --begin-again, --until-end; whether --config is a directory of jobs
//	monitor.go      flags and help of monitor
//	broker.go       flags and help of broker
//	topics.go       flags and help of topics create, topics verify, topics acls; --principal and --partitions checked
//	produce.go      flags and help of produce: --rate, --skip, --schema
//	models.go       flags and help of models list, show, explain, card, export, prune, and of promote, rollback, pause, resume, pin,
//	                unpin; who the actor is (USER@HOST)
//	score.go        flags and help of score: --from, --to, --keep, --explore, --shadow, --split; which of them exclude each other
//	serve.go        flags and help of serve
//	state.go        flags and help of state show, verify, prune, reset (--yes)
//	deadletters.go  flags and help of deadletters replay
//	audit.go        flags and help of audit and audit impact; which times --since and --until take
//	plan.go         flags and help of plan
//	keys.go         keys generate: a new Ed25519 key, and its lines of the configuration
//	health.go       health: what it asks at server.address (/readyz, /livez), and its exit code
//	config.go       config print, check, schema, keys: their output, as text and as Markdown
//	version.go      version
//	root.go         the list of subcommands
//	garbage.go      how soon garbage is collected, unless GOGC says (memory against processor time)
//	main.go         exit codes 0, 1 and 2, and how an error is printed
//
// It may import every package of the project.
package main
