package deadletter

import (
	"context"
	"errors"
	"testing"
)

// TestTheFirstSchema: a wait ends when one of the schemas is there, and with an error when the replay is to end.
func TestTheFirstSchema(t *testing.T) {
	there := make(chan struct{})
	close(there)
	if err := (waiting{0: make(chan struct{}), 3: there}).first(t.Context()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (waiting{0: make(chan struct{})}).first(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
