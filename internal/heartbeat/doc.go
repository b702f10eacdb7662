// Package heartbeat tells which version serves where: each instance of `fairstream serve` writes events to the topic of events now and then, and
// pages and commands read the newest of each instance.
//
// A heartbeat is a claim that nobody signs: it is shown, and nothing is decided by it. Reading is bounded in every direction, so that forged or
// malformed heartbeats cost little and break nothing.
//
// Its files, in the order in which they are read:
//
//	beat.go    a heartbeat, and what it may hold
//	event.go   a heartbeat as a message, and back
//	writer.go  the goroutine of an instance that writes its heartbeats
//	fleet.go   the newest heartbeat of each instance, silent ones too
//	reader.go  reading the newest part of the topic
//
// It may import internal/cloudevents and internal/kafka.
package heartbeat
