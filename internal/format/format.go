package format

import (
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Format is what the values of a topic are written as. It may be used from any number of goroutines.
type Format interface {
	// NewDecoder returns a decoder for one goroutine.
	NewDecoder(schema *record.Schema) Decoder
	// Waits are the schemas that messages wait for now, the one that is awaited longest first.
	Waits() []Wait
	// SchemaOf is the schema that a message names as its own, by its id, GUID or fingerprint; "" if it names none.
	SchemaOf(message *kafka.Record) string
	// Whole is the value of a message if that is all there is to read, and else a copy behind what the headers of the message say of its schema: the
	// message without headers, for those that keep values. The format reads it as it reads the message.
	Whole(message *kafka.Record) []byte
	// Close ends what fetches schemas. Messages that wait stay pending.
	Close()
}

// Decoder makes records of messages. It belongs to one goroutine.
type Decoder interface {
	// Decode fills dst from a message, of which only value and headers are read. The texts of dst point into the message, or to memory of
	// dst. The error is a *record.Rejection or a *Pending, and dst is then not to be used.
	Decode(dst *record.Record, message *kafka.Record) error
	// Prepare begins to fetch what Decode of a message will need.
	Prepare(message *kafka.Record)
	// Forget drops what the decoder still refers to of the last message.
	Forget()
}

// Printer is a Format that also writes messages as JSON from which pkg/record reads the record that its Decoder gives.
type Printer interface {
	Format
	// AppendJSON appends the JSON of a message, given as Whole has it. The error is a *record.Rejection or a *Pending.
	AppendJSON(dst, value []byte) ([]byte, error)
}

// Pending says that a message cannot be decoded before its schema is known. It is no property of the message: once Ready is closed, the same
// message is decoded, rejected, or pending again.
type Pending struct {
	// Schema names the schema, such as "schema id 7".
	Schema string
	Ready  <-chan struct{}
}

func (p *Pending) Error() string { return p.Schema + " is not known yet" }

// Wait is a schema that messages wait for.
type Wait struct {
	Schema string
	Since  time.Time
	// Cause is why it is not there yet: what the registry answered, or that it did not. Nil before the first answer.
	Cause error
	// Until is when messages with the schema are rejected if the registry still does not know it; zero: never.
	Until time.Time
	// Late says that messages have waited so long that the process is not ready.
	Late bool
}
