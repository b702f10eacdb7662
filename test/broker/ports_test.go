package broker

import (
	"net"
	"testing"
)

// TestATakenPort: another program takes a port of a broker before it binds it; the broker starts on others.
func TestATakenPort(t *testing.T) {
	skipShort(t)
	attempts := 0
	b, err := tryPorts(t.TempDir(), func(directory string) (*Broker, error) {
		b, err := prepare(directory)
		if err != nil {
			return nil, err
		}
		if attempts++; attempts == 1 {
			taken, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", b.ports[0]))
			if err != nil {
				return nil, err
			}
			t.Cleanup(func() { _ = taken.Close() })
		}
		return b, b.Restart()
	})
	skipOrFail(t, err)
	t.Cleanup(b.end)
	if attempts != 2 {
		t.Errorf("%d attempts, not two", attempts)
	}
	if connection, err := net.Dial("tcp", b.Address); err != nil {
		t.Error(err)
	} else {
		_ = connection.Close()
	}
}

// TestFreePorts: they differ, nobody listens there, and the system gives none of them to somebody who asks for any port.
func TestFreePorts(t *testing.T) {
	ports, err := freePorts(50)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, port := range ports {
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err != nil || seen[port] || port >= "32768" || len(port) != 5 {
			t.Errorf("port %s: %v, seen before: %t", port, err, seen[port])
			continue
		}
		seen[port] = true
		_ = listener.Close()
	}
}
