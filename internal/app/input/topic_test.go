package input

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestRegistryThatIsSilent: a sample does not wait for a schema for ever, and ends when it is told to.
func TestRegistryThatIsSilent(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-end }))
	defer silent.Close()
	defer close(end)
	opened := func(timeout time.Duration) *messages {
		m, err := Topic{Record: record.Config{Format: record.Avro}, Registry: registry.Config{URLs: []string{silent.URL}, Timeout: timeout}}.open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(m.printer.Close)
		return m
	}
	message := []byte("\x00\x00\x00\x00\x07\x02")
	if _, err := opened(50*time.Millisecond).json(t.Context(), message); err == nil || !strings.HasPrefix(err.Error(), "schema id 7: the registry ") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := opened(time.Minute).json(ctx, message); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
