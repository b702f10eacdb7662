package format

// Encoder writes records as messages of a format. It belongs to one goroutine.
type Encoder interface {
	// AppendMessage appends the message of a JSON object. The error names a field that the schema cannot hold, and no value.
	AppendMessage(dst, object []byte) ([]byte, error)
}
