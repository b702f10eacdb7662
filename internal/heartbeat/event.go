package heartbeat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/kafka"
)

const (
	eventType = "io.fairstream.serve.heartbeat.v1"
	subject   = "serve"
	// mostBytes bounds the value of a heartbeat.
	mostBytes = 4 << 10
)

// keyPrefix begins the keys of the heartbeats of a job. Its other events have the name of the job as key, so a reader tells them apart by the key alone.
func keyPrefix(job string) string { return job + "/serve/" }

// message is a heartbeat as an event; number tells those of an instance apart.
func (b *Beat) message(job string, number int64) (kafka.Message, error) {
	value, err := json.Marshal(b)
	if err == nil && len(value) > mostBytes {
		err = fmt.Errorf("it has %d bytes, and %d are allowed", len(value), mostBytes)
	}
	if err != nil {
		return kafka.Message{}, fmt.Errorf("a heartbeat: %w", err)
	}
	event := cloudevents.Event{ID: fmt.Sprintf("serve/%s/%d/%d", b.Instance, b.Started.UnixMilli(), number), Type: eventType,
		Source: cloudevents.Source(job), Subject: subject, Time: b.Time}
	return kafka.Message{Key: []byte(keyPrefix(job) + b.Instance), Timestamp: b.Time.UnixMilli(), Value: value, Headers: event.Headers()}, nil
}

// parse is the heartbeat of a record: nil without an error if the record is another event, an error if it pretends to be a heartbeat.
func parse(job string, r *kafka.Record) (*Beat, error) {
	instance, is := bytes.CutPrefix(r.Key, []byte(keyPrefix(job)))
	if !is {
		return nil, nil
	}
	return decode(instance, r.Value)
}

func decode(instance, value []byte) (*Beat, error) {
	if len(value) > mostBytes {
		return nil, fmt.Errorf("more than %d bytes", mostBytes)
	}
	b := &Beat{}
	if err := json.Unmarshal(value, b); err != nil {
		return nil, err
	}
	if b.Instance != string(instance) {
		return nil, errors.New("the instance is not that of the key")
	}
	return b, b.check()
}
