// Package cloudevents writes the attributes of CloudEvents 1.0 as headers of a Kafka message: the binary mode of the Kafka binding
// (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md).
//
// It may import internal/kafka.
package cloudevents

import (
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Event has the attributes of an event. Source and ID together name it: an event that is there twice has the same ID.
type Event struct {
	ID, Type, Source string
	// Subject and Time may be empty.
	Subject string
	Time    time.Time
}

// Source is that of a job's events.
func Source(job string) string { return "/fairstream/" + job }

// The headers that a reader looks at.
const (
	HeaderID     = "ce_id"
	HeaderSource = "ce_source"
)

// Headers are those of a message whose value is JSON.
func (e Event) Headers() []kafka.Header {
	attributes := [][2]string{{HeaderID, e.ID}, {"ce_type", e.Type}, {HeaderSource, e.Source}, {"ce_specversion", "1.0"}}
	if e.Subject != "" {
		attributes = append(attributes, [2]string{"ce_subject", e.Subject})
	}
	if !e.Time.IsZero() {
		attributes = append(attributes, [2]string{"ce_time", e.Time.UTC().Format(time.RFC3339Nano)})
	}
	var headers []kafka.Header
	for _, a := range append(attributes, [2]string{"content-type", "application/json"}) {
		headers = append(headers, kafka.Header{Key: a[0], Value: []byte(a[1])})
	}
	return headers
}
