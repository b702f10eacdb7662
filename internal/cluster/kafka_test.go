package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// TestTheRealCluster says of a topic what is on it, and what is not there is said with its cause.
func TestTheRealCluster(t *testing.T) {
	broker, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	client, err := kafka.Open(kafka.Config{Brokers: broker.Addresses(), CompressionType: "lz4"}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := cluster.Kafka(client)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := broker.Cluster.CreateTopic("a", 2, map[string]string{"max.message.bytes": "10000000"}); err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("large"), 2<<20)
	for _, value := range [][]byte{[]byte("small"), large} {
		if _, err := c.Append(ctx, "a", 1, kafka.Message{Key: []byte("k"), Value: value}); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := c.Topic(ctx, "a"); err != nil || info.Partitions != 2 || info.ID == (kafka.TopicID{}) {
		t.Errorf("%+v, %v", info, err)
	}
	if bounds, err := c.Bounds(ctx, "a"); err != nil || len(bounds) != 2 || bounds[0].End != 0 || bounds[1].End != 2 {
		t.Errorf("%+v, %v", bounds, err)
	}
	if offsets, err := c.OffsetsAt(ctx, "a", time.Unix(1, 0)); err != nil || len(offsets) != 2 || offsets[1] != 0 {
		t.Errorf("%v, %v", offsets, err)
	}
	source, err := c.Fetch(kafka.FetchOptions{Topic: "a"})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var values [][]byte
	for len(values) < 2 {
		d, err := source.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if d.Partition != 1 || d.Loss != nil || d.End > 2 || d.Next > d.End || d.First >= d.Next {
			t.Errorf("%+v", d)
		}
		for {
			records, err := d.Records(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if len(records) == 0 {
				break
			}
			for i := range records {
				if values = append(values, bytes.Clone(records[i].Value)); d.Large != (len(records[i].Value) == len(large)) {
					t.Errorf("a value of %d bytes is large: %v", len(records[i].Value), d.Large)
				}
			}
		}
		d.Release()
	}
	if string(values[0]) != "small" || !bytes.Equal(values[1], large) {
		t.Errorf("values of %d and %d bytes", len(values[0]), len(values[1]))
	}
	ended, end := context.WithCancel(ctx)
	end()
	if d, err := source.Next(ended); d != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", d, err)
	}
	if source, err := c.Fetch(kafka.FetchOptions{Topic: "a", Offsets: map[int32]int64{0: -1}}); err == nil {
		t.Errorf("%+v", source)
	}
	for name, err := range map[string]error{
		"describe": func() error { _, err := c.Topic(ended, "a"); return err }(),
		"bounds":   func() error { _, err := c.Bounds(ended, "a"); return err }(),
		"offsets":  func() error { _, err := c.OffsetsAt(ended, "a", time.Unix(1, 0)); return err }(),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
