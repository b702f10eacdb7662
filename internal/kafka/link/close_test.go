package link

import (
	"errors"
	"net"
	"testing"
	"time"
)

// TestCloseEndsCalls that wait for an answer, long before their timeout.
func TestCloseEndsCalls(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	l := opened(t, Config{Brokers: []string{listener.Addr().String()}, RequestTimeoutMillis: 300_000}, Options{})
	ended := make(chan error, 1)
	go func() { ended <- l.Ping(t.Context()) }()
	if _, err := listener.Accept(); err != nil { // it waits for an answer to its first request
		t.Fatal(err)
	}
	began := time.Now()
	if err := errors.Join(l.Close(), l.Close()); err != nil || time.Since(began) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	if err := <-ended; err == nil {
		t.Error("a call without an answer succeeds")
	}
}
