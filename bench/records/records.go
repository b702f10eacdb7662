// Package records decodes the records of a file once, for studies that learn from them many times.
package records

import (
	"errors"
	"io"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// All returns the records of a CSV file under a configuration, which depend on no buffer.
func All(c model.Config, file io.Reader) ([]record.Record, error) { return First(c, file, 0) }

// First is All, but of the first most records at most; of all if most is 0.
func First(c model.Config, file io.Reader, most int) (records []record.Record, err error) {
	schema, err := c.Schema()
	if err != nil {
		return nil, err
	}
	reader, err := record.NewReader(file, record.CSV, record.Limits{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	decoder := schema.NewDecoder()
	for most == 0 || len(records) < most {
		var r record.Record
		if err := reader.Read(decoder, &r); errors.Is(err, io.EOF) {
			return records, nil
		} else if err != nil {
			return nil, err
		}
		r.Keep(nil)
		records = append(records, r)
	}
	return records, nil
}
