package registry

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format"
)

// NotRegistered says that the registry did not take a schema.
type NotRegistered struct {
	Subject string
	Err     error
}

func (e *NotRegistered) Error() string {
	return fmt.Sprintf("the schema was not registered as %s: %v", e.Subject, e.Err)
}

// Unwrap gives the cause.
func (e *NotRegistered) Unwrap() error { return e.Err }

// Register gives the registry a schema of a subject, and returns the header of its messages. A schema that the subject has already keeps its id.
func Register(ctx context.Context, config Config, subject, text string, kind sr.SchemaType) (header []byte, err error) {
	config = config.WithDefaults()
	c, err := newClient(config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, config.Timeout)
	defer cancel()
	var id int
	err = c.ask(func(r *sr.Client) (err error) {
		id, err = r.RegisterSchema(ctx, subject, sr.Schema{Schema: text, Type: kind}, -1, -1)
		return foreign(err, id <= 0)
	})
	if err != nil {
		return nil, &NotRegistered{subject, err}
	}
	return binary.BigEndian.AppendUint32(make([]byte, 1, format.HeaderBytes), uint32(id)), nil
}
