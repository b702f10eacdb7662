package fault

import (
	"errors"
	"io"
)

// ErrClosed is what every call gives once Close was called.
var ErrClosed = errors.New("kafka: the client is closed")

// ErrSpeaksTLS: the first bytes are an alert of TLS.
var ErrSpeaksTLS = errors.New("the listener speaks TLS")

// ClosedError is a connection that the other side closed before it ever gave a useful answer.
type ClosedError struct{ Final bool }

func (e *ClosedError) Error() string { return "the broker closed the connection without an answer" }

// Unwrap makes it an end of the stream like any other.
func (e *ClosedError) Unwrap() error { return io.ErrUnexpectedEOF }

// TokenError is a failure before or instead of the broker's answer. It never holds a token or a secret.
type TokenError struct {
	Class   Class
	Problem string
	Advice  string
}

func (e *TokenError) Error() string { return e.Problem }
