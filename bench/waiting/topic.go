package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/kafka"
)

const (
	input     = "loans"
	changelog = "bare.waiting"
	size      = 300 // of a record, in bytes
	// labelled is how many records bring their label, with -ready.
	labelled = 3000
)

// first is how many records bring their label.
func (w *world) first() int {
	if w.ready {
		return labelled
	}
	return 0
}

// begin makes the topics, and writes the records that bring their label.
func (w *world) begin(ctx context.Context) error {
	specs := []kafka.TopicSpec{{Name: input, Kind: kafka.InputTopic, Partitions: 1}, {Name: changelog, Kind: kafka.WaitingTopic, Partitions: 1}}
	if _, err := w.client.CreateTopics(ctx, specs...); err != nil {
		return err
	}
	return w.send(ctx, w.first(), func(line []byte, i int) []byte { return fmt.Appendf(line[:len(line)-1], `,"person":"first-%d"}`, i) })
}

// write writes the records that wait, or their labels.
func (w *world) write(ctx context.Context, labels bool) error {
	return w.send(ctx, w.records, func(line []byte, i int) []byte {
		at := bytes.LastIndex(line, []byte(`,"income"`))
		// Keys are not in the order of the records, as those of applications of several years are not.
		person := uint32(i) * 2654435769
		if labels {
			return fmt.Appendf(nil, `{"person":"%08x"%s`, person, line[at:])
		}
		whole := fmt.Appendf(bytes.Clone(line[:at]), `,"person":"%08x","note":"`, person)
		for len(whole) < size-2 {
			whole = append(whole, 'x')
		}
		return append(whole, `"}`...)
	})
}

// send writes messages that are made of the Adult records, over and over.
func (w *world) send(ctx context.Context, count int, of func(line []byte, i int) []byte) error {
	lines, err := lines.Adult()
	if err != nil {
		return err
	}
	producer, err := w.client.NewProducer(ctx, input, 0)
	if err != nil {
		return err
	}
	for i := range count {
		if err := producer.Send(ctx, &kafka.Message{Value: of(lines[i%len(lines)], i)}); err != nil {
			return err
		}
	}
	return producer.Flush(ctx)
}
