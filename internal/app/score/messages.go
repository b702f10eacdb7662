package score

import (
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// messages are those of a topic in another format than JSON.
type messages struct {
	format.Format
	logger *zap.Logger
	told   format.Overdue
}

// decoders are those of the messages of a topic; nil for JSON, which scoring decodes itself.
func decoders(f format.Format, logger *zap.Logger) func(*record.Schema) scoring.Decoder {
	if f == format.JSON {
		return nil
	}
	m := &messages{Format: f, logger: logger}
	return func(schema *record.Schema) scoring.Decoder {
		return &decoder{Decoder: f.NewDecoder(schema), messages: m}
	}
}

// decoder says which messages are pending.
type decoder struct {
	format.Decoder
	messages *messages
	message  kafka.Record
}

// Decode is part of scoring.Decoder.
func (d *decoder) Decode(dst *record.Record, message scoring.Message) error {
	d.read(message)
	err := d.Decoder.Decode(dst, &d.message)
	if pending, ok := errors.AsType[*format.Pending](err); ok {
		time.AfterFunc(format.TellAfter, d.messages.tell)
		return &scoring.Pending{Ready: pending.Ready}
	}
	return err
}

// Prepare is part of scoring.Decoder.
func (d *decoder) Prepare(message scoring.Message) {
	d.read(message)
	d.Decoder.Prepare(&d.message)
}

func (d *decoder) read(m scoring.Message) {
	d.message.Value, d.message.HeaderCount, d.message.HeaderBytes = m.Value, m.HeaderCount, m.HeaderBytes
}

// tell logs, once for each schema, why it is not there.
func (m *messages) tell() {
	for _, w := range m.told.Newly(m.Waits()) {
		m.logger.Warn("records wait for a schema that the schema registry does not give, and everything behind them in their partitions waits too",
			zap.String("schema", w.Schema), zap.Time("since", w.Since), zap.NamedError("cause", w.Cause))
	}
}
