package broker

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Ports come from below those that Linux gives to outgoing connections and to listeners that ask for any port (32768 to 60999):
// there a browser or a client of another test would take one between the choice and a program's start, or while a killed broker is away.
const lowestPort, highestPort = 20000, 32000

// portAttempts is how often a broker is started in all when a port is taken.
const portAttempts = 5

// freePorts gives different ports that were free a moment ago.
func freePorts(n int) ([]string, error) {
	var ports []string
	var problem error
	for range 100 * n {
		port := strconv.Itoa(lowestPort + rand.IntN(highestPort-lowestPort))
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil {
			problem = err
			continue
		}
		defer func() { _ = listener.Close() }() // held until all are chosen
		if ports = append(ports, port); len(ports) == n {
			return ports, nil
		}
	}
	return nil, fmt.Errorf("no %d free ports between %d and %d: %w", n, lowestPort, highestPort, problem)
}

// FreeAddress gives an address of a free port, for a program that a test starts there.
func FreeAddress(t testing.TB) string {
	t.Helper()
	ports, err := freePorts(1)
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("127.0.0.1", ports[0])
}

// tryPorts starts with other ports, in another directory, when a test beside this one was quicker to take a port.
func tryPorts[T any](directory string, start func(directory string) (T, error)) (T, error) {
	for attempt := 1; ; attempt++ {
		within := filepath.Join(directory, strconv.Itoa(attempt))
		if err := os.Mkdir(within, 0o755); err != nil {
			return *new(T), err
		}
		started, err := start(within)
		if err == nil || attempt == portAttempts || !strings.Contains(err.Error(), "Address already in use") {
			return started, err
		}
	}
}
