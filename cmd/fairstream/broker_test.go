package main

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
)

// TestBroker: topics outlive the command, and what it tells to type works.
func TestBroker(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	start := func() (stop func() string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		var out, stderr apptest.Screen
		code := make(chan int, 1)
		go func() { code <- run(ctx, []string{"broker", "--port", "0", "--data", data}, nil, &out, &stderr) }()
		for !strings.Contains(out.String(), "models show") {
			select {
			case got := <-code:
				t.Fatalf("the broker ended with exit code %d\n%s", got, stderr.String())
			case <-time.After(10 * time.Millisecond):
			}
		}
		return func() string {
			cancel()
			if got := <-code; got != done {
				t.Errorf("exit code %d\n%s", got, stderr.String())
			}
			return out.String()
		}
	}
	stop := start()
	yaml := filepath.Join(data, "adult.yaml")
	succeed(t, "topics", "create", "--config", yaml)
	succeed(t, "produce", "--config", yaml, "--input", "adult")
	said := stop()
	contains(t, said, "A Kafka broker listens on 127.0.0.1:", "fairstream run --config "+yaml, "Stopped. The records stay in "+data)

	stop = start()
	succeed(t, "run", "--config", yaml, "--until-end", "--set", "server.address=")
	if document := showDocument(t, yaml); document.Records != 48842 {
		t.Errorf("%d records were kept", document.Records)
	}
	fails(t, failed, data+": another broker uses this directory: stop it, or choose another directory with --data", "broker", "--port", "0", "--data", data)
	stop()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fails(t, failed, "in use: --port chooses another port", "broker", "--port", port, "--data", data)
	fails(t, failed, "not a directory", "broker", "--port", "0", "--data", filepath.Join(yaml, "below"))
}
