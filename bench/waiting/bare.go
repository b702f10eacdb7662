package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
)

// bareWord is the argument that makes this program a bare loop.
const bareWord = "bare"

// batch is how many messages a batch of the changelog has, and longest how long a transaction is open: both as of the program.
const batch, longest = 2000, 5 * time.Second

// loop does as little as can be done for the same result.
type loop struct {
	db      *pebble.DB
	to      cluster.Transaction
	begun   time.Time // of the transaction
	pending []kafka.Message
}

// bare takes in the records or the labels of the topic, from an offset on, or fills an empty store from the changelog. args are what, the address of the broker, a folder and the
// offset.
func bare(ctx context.Context, args []string) (err error) {
	if len(args) != 4 {
		return errors.New("bare: what, address, folder, offset")
	}
	from, err := strconv.ParseInt(args[3], 10, 64)
	if err != nil {
		return err
	}
	client, err := kafka.Open(kafka.Config{Brokers: []string{args[1]}}, kafka.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	on := cluster.Kafka(client)
	options := &pebble.Options{DisableWAL: true, MemTableSize: 16 << 20, MemTableStopWritesThreshold: 32, L0StopWritesThreshold: 1000, CacheSize: 64 << 20,
		FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}}
	for i := range options.Levels {
		options.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	l := loop{begun: time.Now()}
	if l.db, err = pebble.Open(args[2], options); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.db.Close()) }()
	if args[0] == "changelog" {
		_, err = on.ReadInput(ctx, changelog, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error { return l.db.Set(r.Key, r.Value, pebble.NoSync) })
		if err == nil {
			err = l.db.Flush()
		}
		return err
	}
	if l.to, err = on.Transact(ctx, "bare"); err != nil {
		return err
	}
	_, err = on.ReadInput(ctx, input, 0, from, kafka.End, func(r *kafka.Record) error { return l.take(ctx, r, args[0] == "labels") })
	if err == nil {
		err = l.send(ctx)
	}
	if err == nil {
		err = l.to.Commit(ctx)
	}
	if err == nil {
		err = l.db.Flush()
	}
	return err
}

// take puts a record, or gets and deletes the one of a label.
func (l *loop) take(ctx context.Context, r *kafka.Record, labels bool) error {
	_, rest, found := bytes.Cut(r.Value, []byte(`"person":"`))
	if !found || len(rest) < 8 {
		return fmt.Errorf("offset %d: no key", r.Offset)
	}
	key := bytes.Clone(rest[:8])
	m := kafka.Message{Key: key}
	if !labels {
		m.Value = bytes.Clone(r.Value)
		if err := l.db.Set(key, m.Value, pebble.NoSync); err != nil {
			return err
		}
	} else {
		_, closer, err := l.db.Get(key)
		if err == nil {
			err = closer.Close()
		}
		if err == nil {
			err = l.db.Delete(key, pebble.NoSync)
		}
		if err != nil {
			return err
		}
	}
	if l.pending = append(l.pending, m); len(l.pending) < batch {
		return nil
	}
	return l.send(ctx)
}

func (l *loop) send(ctx context.Context) error {
	if len(l.pending) == 0 {
		return nil
	}
	err := l.to.Append(ctx, changelog, 0, l.pending...)
	if l.pending = nil; err == nil && time.Since(l.begun) > longest {
		err, l.begun = l.to.Commit(ctx), time.Now()
	}
	return err
}

// quiet drops what the store tells of its work.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, arguments ...any) {
	panic(fmt.Sprintf(format, arguments...))
}
