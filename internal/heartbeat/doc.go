// Package heartbeat tells which version serves where: each instance of `fairstream serve` writes events to the topic of events now and then, and
// pages and commands read the newest of each instance.
//
// A heartbeat is a claim that nobody signs: it is shown, and nothing is decided by it. Reading is bounded in every direction, so that forged or
// malformed heartbeats cost little and break nothing.
//
// Its files, in the order in which they are read:
//
//	beat.go    what a heartbeat says, and the bounds that make a forged one harmless
//	event.go   a heartbeat as a CloudEvent, its key on the topic of events, and back
//	writer.go  serve.heartbeat: when an instance writes, at once for another document, and that it ends; fairstream_serve_heartbeats_total
//	fleet.go   the newest heartbeat of each instance; silent after three that did not come, forgotten after an hour
//	reader.go  how the newest part of the topic of events is read, and how much of it
//
// It may import internal/cloudevents and internal/kafka.
package heartbeat
