// Package state shows, checks, prunes and resets the state of a job on its state topic.
//
// Its files, in the order in which they are read:
//
//	show.go    who owns the job, and its last snapshot
//	verify.go  whether claims, snapshots and weights fit together
//	prune.go   what cannot be read, deleted
//	reset.go   what was learnt, forgotten
//
// It may import app/cluster, app/command, app/english, app/program, internal/config, internal/kafka and pkg/stream.
package state
