package avro

import (
	"errors"

	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

// AppendJSON is part of format.Printer.
func (f avroFormat) AppendJSON(dst, value []byte) ([]byte, error) {
	s, at, err := f.Find(&kafka.Record{Value: value})
	if err != nil {
		return dst, err
	}
	p := printer{in: input{value, at}, steps: maxSteps}
	dst, err = p.value(dst, s)
	if err == nil && p.in.at < len(value) {
		err = errors.New("bytes follow the record")
	}
	if err != nil {
		return dst, &fields.Rejection{Reason: fields.MalformedMessage, Offset: p.in.at, Detail: err.Error() + ": the message is not what its schema says"}
	}
	return dst, nil
}
