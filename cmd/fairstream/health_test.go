package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/server"
)

func TestHealth(t *testing.T) {
	monitor := httptest.NewServer(server.NewMonitor("test", "adult").Handler(zap.NewAtomicLevel(), nil, server.Access{}))
	defer monitor.Close()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(monitor.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FAIRSTREAM_SERVER_ADDRESS", "0.0.0.0:"+port) // as in the image
	fails(t, failed, "starting", "health")
	contains(t, succeed(t, "health", "--live"), "ok")
	fails(t, failed, "connection refused", "health", "--set", "server.address=127.0.0.1:1")
	fails(t, misuse, "nothing is served", "health", "--set", "server.address=")
	fails(t, misuse, "host:port", "health", "--set", "server.address=8468")
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	fails(t, failed, "deadline exceeded", "health", "--timeout", "50ms", "--set", "server.address="+strings.TrimPrefix(slow.URL, "http://"))
}

// TestAPortThatIsTaken: probes would ask another process, so run does not begin.
func TestAPortThatIsTaken(t *testing.T) {
	config, _, _ := onEmbedded(t, adultSections)
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	fails(t, failed, "server.address: ", "run", "--config", config, "--set", "server.address="+taken.Addr().String())
	succeed(t, "topics", "create", "--config", config)
	_, _, log := fairstream(t, "run", "--config", config, "--until-end", "--set", "constraints[0].tau=0.07")
	first, _, _ := strings.Cut(log, "\n")
	contains(t, first, `"message":"fairstream started"`, `"version":"`, config, `"input":"people"`, `"tau":[0.07]`, `"mode":"adaptive"`, `"config_sha256":"`, `"keep_hours":0.027`)
}
