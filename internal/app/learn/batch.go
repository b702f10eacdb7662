package learn

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/fairstream/fairstream/pkg/record"
)

// batch is the records of a request. It is used again for the next one.
type batch struct {
	records []record.Record
	text    []byte // of all records
}

// read decodes CSV. One row that cannot be read, or without the label that it must have, spoils the batch: whoever sent it
// has all rows at hand.
func (b *batch) read(csv []byte, schema *record.Schema, labelled bool) error {
	reader, err := record.NewReader(bytes.NewReader(csv), record.CSV, schema.Config().Limits)
	if err != nil {
		return err
	}
	decoder, config := schema.NewDecoder(), schema.Config()
	counts := config.Counts()
	b.text = b.text[:0]
	room := b.records[:cap(b.records)]
	count := 0
	for {
		if count == len(room) {
			room = append(room, record.Record{})
		}
		r := &room[count]
		err := reader.Read(decoder, r)
		if err == io.EOF {
			b.records = room[:count]
			return nil
		}
		if err == nil && labelled && !r.HasLabel && !counts {
			err = &record.Rejection{Reason: record.MissingLabel, Field: schema.Config().Label.Field, Offset: -1}
		}
		if rejection, ok := errors.AsType[*record.Rejection](err); ok {
			rejection.Line = 0
			return fmt.Errorf("row %d: %w", count, rejection)
		}
		if err != nil {
			return err
		}
		b.text = r.Keep(b.text)
		count++
	}
}
