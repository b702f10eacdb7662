package embedded

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestBroker: it says what to do next with a configuration that works, keeps what was written, and names the flag where it cannot begin.
func TestBroker(t *testing.T) {
	data := filepath.Join(t.TempDir(), "below", "data")
	begin := func() (text string, stop func() string) {
		out, in := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			err := (&Broker{Streams: &program.Streams{Out: in, Err: io.Discard}, Data: data}).Run(ctx)
			ended <- errors.Join(err, in.Close())
		}()
		buffer := make([]byte, 4096)
		n, err := out.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		return string(buffer[:n]), func() string {
			cancel()
			rest, err := io.ReadAll(out)
			if err := errors.Join(err, <-ended); err != nil {
				t.Error(err)
			}
			return string(rest)
		}
	}
	open := func() (*config.Loaded, *kafka.Client) {
		c, err := config.Load(config.Sources{Files: []string{filepath.Join(data, "adult.yaml")}}, config.Streaming)
		if err != nil {
			t.Fatal(err)
		}
		client, err := kafka.Open(c.Config.Kafka, kafka.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return c, client
	}

	text, stop := begin()
	for _, want := range []string{"A Kafka broker listens on 127.0.0.1:", "keeps its records in " + data, "fairstream run --config " + filepath.Join(data, "adult.yaml")} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	_, client := open()
	if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "adult", Kind: kafka.InputTopic, Partitions: 1, ReplicationFactor: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Append(t.Context(), "adult", 0, kafka.Message{Value: []byte("kept")}); err != nil {
		t.Fatal(err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	if err := (&Broker{Streams: &program.Streams{Out: io.Discard}, Data: data}).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "choose another directory with --data") {
		t.Errorf("two brokers in one directory: %v", err)
	}
	if rest := stop(); rest != "\nStopped. The records stay in "+data+".\n" {
		t.Errorf("%q", rest)
	}

	_, stop = begin()
	_, client = open()
	var values []string
	if _, err := client.Read(t.Context(), "adult", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		values = append(values, string(r.Value))
		return nil
	}); err != nil || len(values) != 1 || values[0] != "kept" {
		t.Errorf("%v, %v", values, err)
	}
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	stop()

	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	b := &Broker{Streams: &program.Streams{Out: io.Discard}, Data: t.TempDir(), Port: taken.Addr().(*net.TCPAddr).Port}
	if err := b.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "--port chooses another port") {
		t.Errorf("a port that is taken: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&Broker{Streams: &program.Streams{Out: io.Discard}, Data: filepath.Join(file, "below")}).Run(t.Context()); err == nil {
		t.Error("a directory below a file")
	}
}
