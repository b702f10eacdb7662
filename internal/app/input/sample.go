package input

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Sample is a number of records to look at, without learning from them: the first of a file, or the newest of a
// topic. Nothing is written.
type Sample struct {
	Most int // records; 0 is all
	// Use is given every record as JSON, valid during the call only; reject every row that cannot be read.
	Use    func(raw []byte)
	Reject func(*record.Rejection)

	Read   int
	Whole  bool              // nothing was left out
	Schema *format.Described // of the newest message of a topic, if it has one
	header []string          // of a CSV file
	Line   int64             // of the present row of a file
	at     place             // of that row
}

// errEnough ends the reading of a sample that is complete.
var errEnough = errors.New("enough records")

// Decode fills rec, or hands the rejection on.
func (s *Sample) Decode(decoder *record.Decoder, rec *record.Record, raw []byte) bool {
	err := decoder.DecodeJSON(rec, raw)
	if rejection, ok := errors.AsType[*record.Rejection](err); ok {
		s.at.of(rejection)
		s.Reject(rejection)
	}
	return err == nil
}

func (s *Sample) full() bool { return s.Most > 0 && s.Read >= s.Most }

// FromFile reads the first records of a file.
func (s *Sample) FromFile(ctx context.Context, from Source, as record.Config) (err error) {
	reader, err := from.Open(as)
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
			return fmt.Errorf("interrupted after %d rows of %s", row, from.Name)
		}
		switch err := reader.Next().(type) {
		case nil:
			if from.Takes != nil && !from.Takes(row) {
				continue
			}
			if s.full() {
				return nil
			}
			s.Read++
			s.at, s.Line = placeOf(reader), reader.Line()
			text = reader.AppendJSON(text[:0])
			s.Use(text)
		case *record.Rejection:
			if s.full() {
				return nil
			}
			s.Read++
			placeOf(reader).of(err)
			s.Reject(err)
		default:
			if err == io.EOF {
				s.Whole = true
				return nil
			}
			return fmt.Errorf("%s: %w", from.Name, err)
		}
	}
}

// FromTopic reads the newest records of a topic, as many of each partition.
func (s *Sample) FromTopic(ctx context.Context, client *kafka.Client, from Topic) error {
	topic := from.Name
	if err := cluster.Exist(ctx, client, topic); err != nil {
		return err
	}
	messages, err := from.open()
	if err != nil {
		return err
	}
	defer messages.printer.Close()
	var bounds []kafka.Bounds
	err = client.Retry(ctx, "list offsets of "+topic, func(ctx context.Context) (err error) {
		bounds, err = client.Bounds(ctx, topic)
		return err
	})
	if err != nil {
		return err
	}
	s.Whole = true
	for partition, b := range bounds {
		from := b.Start
		if share := int64((s.Most + len(bounds) - 1) / len(bounds)); s.Most > 0 && b.End-from > share {
			from, s.Whole = b.End-share, false
		}
		if from >= b.End {
			continue
		}
		_, err := client.ReadInput(ctx, topic, int32(partition), from, b.End, func(r *kafka.Record) error {
			if s.full() {
				return errEnough
			}
			s.Read++
			if r.Value == nil {
				s.Reject(&record.Rejection{Reason: record.Tombstone, Offset: -1, Detail: "the record has no value"})
				return nil
			}
			raw, err := messages.json(ctx, messages.printer.Whole(r))
			if rejection, ok := errors.AsType[*record.Rejection](err); ok {
				s.Reject(rejection)
				return nil
			}
			if err == nil {
				messages.note(r)
				s.Use(raw)
			}
			return err
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	s.Schema, err = messages.described(ctx)
	return err
}
