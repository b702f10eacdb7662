// Package state shows, checks, prunes and resets the state of a job on its state topic.
//
// Its files, in the order in which they are read:
//
//	show.go    what state show prints: owner, last snapshot, table of partitions
//	verify.go  what state verify prints, which topics it looked at, and its exit code (the checks are in pkg/stream and internal/owner)
//	prune.go   what state prune prints
//	reset.go   state reset: what is forgotten, recorded with --actor and --reason; refused without the private key of a signed history
//
// It may import app/cluster, app/command, app/english, app/program, internal/config, internal/kafka and pkg/stream.
package state
