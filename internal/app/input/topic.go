package input

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// Topic is a topic that a sample is read of, and what its messages are written as.
type Topic struct {
	Name     string
	Record   record.Config
	Registry registry.Config
}

// AsJSON is how the records of a sample are read: each message of another format becomes JSON first. What Kafka Connect and CloudEvents
// add to JSON is not in the messages of these formats.
func AsJSON(c record.Config) record.Config {
	if c.Format != "" && c.Format != record.EncodedJSON && (c.At == record.Connect || c.At == record.CloudEvents) {
		c.At = ""
	}
	return c
}

// messages turns the messages of a topic into JSON.
type messages struct {
	printer format.Printer // nil: they are JSON
	most    time.Duration  // that a schema is waited for
	unknown map[string]bool
	text    []byte
}

// open finds out how messages are turned. The registry is not asked before a message needs it.
func (t Topic) open() (*messages, error) {
	if t.Record.Format == "" || t.Record.Format == record.EncodedJSON {
		return &messages{}, nil
	}
	f, err := formats.Open(t.Record, t.Registry)
	if err != nil {
		return nil, err
	}
	printer, prints := f.(format.Printer)
	if !prints {
		f.Close()
		return nil, fmt.Errorf("record.format is %s: a sample of a topic is read as JSON or Avro only: give the same records as a file, with --input", t.Record.Format)
	}
	return &messages{printer: printer, most: t.Registry.WithDefaults().Timeout, unknown: map[string]bool{}}, nil
}

func (m *messages) close() {
	if m.printer != nil {
		m.printer.Close()
	}
}

// lookEvery is how often it is looked whether the registry has answered that it does not know a schema.
const lookEvery = 20 * time.Millisecond

// json is a message as JSON, valid until the next call. The error is a *record.Rejection, or says why a schema cannot be had. A sample does
// not wait for a schema that the registry does not know, as a job does.
func (m *messages) json(ctx context.Context, value []byte) (raw []byte, err error) {
	if m.printer == nil {
		return value, nil
	}
	for {
		m.text, err = m.printer.AppendJSON(m.text[:0], value)
		pending, waits := errors.AsType[*format.Pending](err)
		if !waits {
			return m.text, err
		}
		if err := m.await(ctx, pending); err != nil {
			return nil, err
		}
	}
}

// await waits for a schema.
func (m *messages) await(ctx context.Context, pending *format.Pending) error {
	late, look := time.NewTimer(m.most), time.NewTicker(lookEvery)
	defer late.Stop()
	defer look.Stop()
	for !m.unknown[pending.Schema] {
		select {
		case <-pending.Ready:
			return nil
		case <-look.C:
			if w := m.wait(pending); !w.Until.IsZero() {
				m.unknown[pending.Schema] = true
			}
		case <-late.C:
			if w := m.wait(pending); w.Cause != nil {
				return fmt.Errorf("%s: %w", pending.Schema, w.Cause)
			}
			return fmt.Errorf("%s: the registry has not answered within %v: check registry.urls, or raise registry.timeout", pending.Schema, m.most)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return &record.Rejection{Reason: record.UnknownSchema, Offset: -1, Detail: pending.Schema + ": the registry does not know it"}
}

// wait is how a schema is awaited.
func (m *messages) wait(pending *format.Pending) format.Wait {
	for _, w := range m.printer.Waits() {
		if w.Schema == pending.Schema {
			return w
		}
	}
	return format.Wait{}
}
