// Package kafkatest makes what internal/kafka reads, for clusters in memory that stand in for it. Tests
// import it, and the model topic in memory of pkg/follow.
package kafkatest

import (
	"encoding/binary"

	"github.com/fairstream/fairstream/internal/kafka"
)

// Record is a message as if it had been read at an offset.
func Record(offset int64, message *kafka.Message) kafka.Record {
	r := kafka.Record{Offset: offset, Timestamp: message.Timestamp, Key: message.Key, Value: message.Value, Epoch: -1, HeaderCount: int32(len(message.Headers))}
	for _, h := range message.Headers {
		r.HeaderBytes = appendSized(r.HeaderBytes, []byte(h.Key))
		r.HeaderBytes = appendSized(r.HeaderBytes, h.Value)
	}
	return r
}

// appendSized writes a length and as many bytes; nil has the length -1.
func appendSized(into, b []byte) []byte {
	if b == nil {
		return binary.AppendVarint(into, -1)
	}
	return append(binary.AppendVarint(into, int64(len(b))), b...)
}
