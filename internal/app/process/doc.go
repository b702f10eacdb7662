// Package process is behind the commands run and monitor: a job that learns from a topic or monitors the decisions on it, until it
// is stopped, with its log, its page and its probes.
//
// Its files, in the order in which they are read:
//
//	shared.go  what jobs of one process have together
//	start.go   what is asked of a job, the first line of its log, the port of its server
//	look.go    the first records, held against the configuration
//	topics.go  the topics that it writes: made, and verified while it runs
//	heartbeats.go  which version serves where, for the page
//	run.go     the job from its start to its end
//
// It may import what a stream needs, and what shows it: internal/board and internal/server.
package process
