package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// sample is a number of records to look at, without learning from them: the first of a file, or the newest of a
// topic. Nothing is written.
type sample struct {
	most int // records; 0 is all
	// use is given every record as JSON, valid during the call only; reject every row that cannot be read.
	use    func(raw []byte)
	reject func(*record.Rejection)

	read   int
	whole  bool     // nothing was left out
	header []string // of a CSV file
	line   int64    // of the present row of a file
}

// errEnough ends the reading of a sample that is complete.
var errEnough = errors.New("enough records")

// decode fills rec, or hands the rejection on.
func (s *sample) decode(decoder *record.Decoder, rec *record.Record, raw []byte) bool {
	err := decoder.DecodeJSON(rec, raw)
	if rejection, ok := errors.AsType[*record.Rejection](err); ok {
		rejection.Line = s.line
		s.reject(rejection)
	}
	return err == nil
}

func (s *sample) full() bool { return s.most > 0 && s.read >= s.most }

// ofFile reads the first records of a file.
func (s *sample) ofFile(ctx context.Context, from source, limits record.Limits) (err error) {
	reader, err := from.open(limits)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	if reader.Header() != nil {
		s.header = reader.Header().Names()
	}
	var text []byte
	for row := 0; ; row++ {
		if row%watchEvery == 0 && ctx.Err() != nil {
			return fmt.Errorf("interrupted after %d rows of %s", row, from.name)
		}
		switch err := reader.Next().(type) {
		case nil:
			if from.takes != nil && !from.takes(row) {
				continue
			}
			if s.full() {
				return nil
			}
			s.read++
			s.line = reader.Line()
			text = reader.AppendJSON(text[:0])
			s.use(text)
		case *record.Rejection:
			s.read++
			s.reject(err)
		default:
			if err == io.EOF {
				s.whole = true
				return nil
			}
			return fmt.Errorf("%s: %w", from.name, err)
		}
	}
}

// ofTopic reads the newest records of a topic, as many of each partition.
func (s *sample) ofTopic(ctx context.Context, client *kafka.Client, topic string) error {
	if err := cluster.Exist(ctx, client, topic); err != nil {
		return err
	}
	var bounds []kafka.Bounds
	err := client.Retry(ctx, "list offsets of "+topic, func(ctx context.Context) (err error) {
		bounds, err = client.Bounds(ctx, topic)
		return err
	})
	if err != nil {
		return err
	}
	s.whole = true
	for partition, b := range bounds {
		from := b.Start
		if share := int64((s.most + len(bounds) - 1) / len(bounds)); s.most > 0 && b.End-from > share {
			from, s.whole = b.End-share, false
		}
		if from >= b.End {
			continue
		}
		_, err := client.ReadInput(ctx, topic, int32(partition), from, b.End, func(r *kafka.Record) error {
			if s.full() {
				return errEnough
			}
			s.read++
			if r.Value == nil {
				s.reject(&record.Rejection{Reason: record.Tombstone, Offset: -1, Detail: "the record has no value"})
				return nil
			}
			s.use(r.Value)
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	return nil
}
