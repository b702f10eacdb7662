package wire

import (
	"errors"

	kafkago "github.com/segmentio/kafka-go"
)

// errShort is a message that ends before its last field, or counts more elements than its bytes can hold.
var errShort = errors.New("the response ends before its last field")

// Code is the error that a broker's code stands for; nil for 0.
func Code(code int16) error {
	if code == 0 {
		return nil
	}
	return kafkago.Error(code)
}
