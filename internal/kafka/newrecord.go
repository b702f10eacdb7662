package kafka

// NewRecord makes a record as if a message had been read at an offset, for clusters in memory that stand
// in for this package in tests.
func NewRecord(offset int64, message Message) Record {
	r := Record{Offset: offset, Timestamp: message.Timestamp, Key: message.Key, Value: message.Value, Epoch: -1, headerCount: int32(len(message.Headers))}
	for _, h := range message.Headers {
		r.headers = appendSized(appendSized(r.headers, []byte(h.Key)), h.Value)
	}
	return r
}
