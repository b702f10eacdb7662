// Package lines has the bundled records as messages, for studies that fill topics.
package lines

import (
	"errors"
	"io"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/pkg/record"
)

// Adult returns the Adult records as JSON, in the order of the file.
func Adult() (lines [][]byte, err error) {
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		return nil, err
	}
	for {
		if err := reader.Next(); errors.Is(err, io.EOF) {
			return lines, nil
		} else if err != nil {
			return nil, err
		}
		lines = append(lines, reader.AppendJSON(nil))
	}
}
