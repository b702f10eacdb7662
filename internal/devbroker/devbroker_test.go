package devbroker

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/fairstream/fairstream/internal/kafka"
)

func start(t *testing.T, options Options) *Broker {
	t.Helper()
	b, err := Start(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func client(t *testing.T, b *Broker) *kafka.Client {
	t.Helper()
	c, err := kafka.Open(kafka.Config{Brokers: b.Addresses()}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// Whatever comes over the wire: the connection is closed, and the process that runs the broker goes on.
func TestStrangersAreRefused(t *testing.T) {
	b := start(t, Options{})
	frame := func(length int32, key int16) []byte {
		f := binary.BigEndian.AppendUint32(nil, uint32(length))
		f = binary.BigEndian.AppendUint16(f, uint16(key))
		return append(f, make([]byte, 12)...)
	}
	for name, bytes := range map[string][]byte{
		"HTTP":                []byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
		"an unknown API":      frame(14, 9999),
		"a negative API":      frame(14, -1),
		"an API between":      frame(14, 95),
		"2 GiB":               frame(0x7fffffff, 3),
		"above 100 MiB":       frame(100<<20+1, 3),
		"a negative length":   frame(-1, 3),
		"less than a header":  frame(7, 3),
		"an unknown version":  {0, 0, 0, 10, 0, 3, 0x7f, 0xff, 0, 0, 0, 1, 0xff, 0xff},
		"garbage for request": append(frame(14, 3)[:8], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
		"half a head":         {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			connection, err := net.Dial("tcp", b.Addresses()[0])
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = connection.Close() }()
			if _, err := connection.Write(bytes); err != nil {
				t.Fatal(err)
			}
			_ = connection.(*net.TCPConn).CloseWrite() // fails if the broker was quicker
			if err := connection.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(connection); err != nil && strings.Contains(err.Error(), "timeout") {
				t.Error("the connection stays open")
			}
		})
	}
	if err := client(t, b).Ping(deadline(t)); err != nil {
		t.Error(err)
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	b := start(t, Options{Brokers: 2})
	if len(b.Addresses()) != 2 {
		t.Errorf("addresses %v", b.Addresses())
	}
	for _, address := range b.Addresses() {
		if !strings.HasPrefix(address, "127.0.0.1:") {
			t.Errorf("listens on %s", address)
		}
	}
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "localhost"} {
		if listener, err := listen("tcp", address); err == nil {
			t.Errorf("listens on %s", listener.Addr())
		}
	}
	if _, err := Start(Options{Brokers: 2, Port: 9092}); err == nil {
		t.Error("two brokers share a port")
	}
	_, port, err := net.SplitHostPort(b.Addresses()[0])
	if err != nil {
		t.Fatal(err)
	}
	var taken int
	if _, err := fmt.Sscan(port, &taken); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(Options{Port: taken}); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("a port that is taken: %v", err)
	}
}

// A restart keeps topics, and cleaning goes on after it: compaction when it starts, retention by the clock.
func TestRestartKeepsTopics(t *testing.T) {
	directory := t.TempDir()
	b := start(t, Options{DataDir: directory})
	c := client(t, b)
	if _, err := c.CreateTopics(deadline(t), kafka.TopicSpec{Name: "state", Kind: kafka.StateTopic}); err != nil {
		t.Fatal(err)
	}
	if err := b.Cluster.CreateTopic("input", 1, map[string]string{"retention.ms": "1000"}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		for _, topic := range []string{"state", "input"} {
			if _, err := c.Produce(deadline(t), topic, 0, kafka.Message{Key: []byte("k"), Value: fmt.Appendf(nil, "v%d", i)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.Close()
	b = start(t, Options{DataDir: directory, MaintainEvery: 50 * time.Millisecond})
	c = client(t, b)
	var last string
	next, err := c.Read(deadline(t), "state", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error { last = string(r.Value); return nil })
	if err != nil || last != "v9" || next != 10 {
		t.Errorf("read %q to %d, %v", last, next, err)
	}
	for {
		bounds, err := c.Bounds(deadline(t), "input")
		if err != nil {
			t.Fatal(err)
		}
		if bounds[0].Start == 10 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestADirectoryHasOneBroker: two would write the same files.
func TestADirectoryHasOneBroker(t *testing.T) {
	directory := t.TempDir()
	first := start(t, Options{DataDir: directory})
	for range 2 { // a refusal does not let go of what it did not have
		if _, err := Start(Options{DataDir: directory}); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), directory) {
			t.Errorf("a second broker: %v", err)
		}
	}
	start(t, Options{DataDir: t.TempDir()})
	if err := client(t, first).Ping(deadline(t)); err != nil {
		t.Error(err)
	}
	first.Close()
	second := start(t, Options{DataDir: directory})

	// One that does not come up lets go too.
	_, port, err := net.SplitHostPort(second.Addresses()[0])
	if err != nil {
		t.Fatal(err)
	}
	taken, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if _, err := Start(Options{DataDir: other, Port: taken}); err == nil {
		t.Error("two brokers on a port")
	}
	start(t, Options{DataDir: other})
	if _, err := Start(Options{DataDir: filepath.Join(directory, "absent")}); err == nil || errors.Is(err, ErrInUse) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	existing := goleak.IgnoreCurrent()
	b := start(t, Options{})
	b.Close()
	b.Close()
	if err := goleak.Find(existing); err != nil {
		t.Error(err)
	}
}
