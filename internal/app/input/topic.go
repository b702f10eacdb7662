package input

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/format/jsonschema"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Topic is a topic that a sample is read of, and what its messages are written as.
type Topic struct {
	Name     string
	Record   record.Config
	Registry registry.Config
}

// messages turns the messages of a topic into JSON.
type messages struct {
	printer format.Printer
	most    time.Duration // that a schema is waited for
	unknown map[string]bool
	text    []byte
	newest  []byte // the message that was written last, of those that could be read
	written int64  // when
}

// open finds out how messages are turned. The registry is not asked before a message needs it.
func (t Topic) open() (*messages, error) {
	printer, err := formats.Open(t.Record, t.Registry)
	if err == nil && printer == format.JSON && len(t.Registry.URLs) > 0 {
		printer, err = jsonschema.New(t.Registry)
	}
	if err != nil {
		return nil, err
	}
	return &messages{printer: printer, most: t.Registry.WithDefaults().Timeout, unknown: map[string]bool{}, written: math.MinInt64}, nil
}

// lookEvery is how often it is looked whether the registry has answered that it does not know a schema.
const lookEvery = 20 * time.Millisecond

// json is a message, without headers, as JSON, valid until the next call. The error is a *record.Rejection, or says why a schema cannot be had. A sample does
// not wait for a schema that the registry does not know, as a job does.
func (m *messages) json(ctx context.Context, value []byte) (raw []byte, err error) {
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

// note remembers a message that could be read.
func (m *messages) note(r *kafka.Record) {
	if r.Timestamp >= m.written {
		m.newest, m.written = append(m.newest[:0], m.printer.Whole(r)...), r.Timestamp
	}
}

// described is what the schema of the newest message says; nil if messages have none.
func (m *messages) described(ctx context.Context) (*format.Described, error) {
	describer, can := m.printer.(format.Describer)
	if !can || m.newest == nil {
		return nil, nil
	}
	for {
		described, err := describer.Describe(m.newest)
		if pending, waits := errors.AsType[*format.Pending](err); waits {
			err = m.await(ctx, pending)
			if err == nil {
				continue
			}
		}
		if rejection, ok := errors.AsType[*record.Rejection](err); ok && rejection.Reason == record.NoSchemaID {
			return nil, nil // JSON without a header
		}
		return described, err
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
