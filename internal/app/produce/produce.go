package produce

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// Work writes the rows of a source to a topic.
type Work struct {
	*program.Streams
	Source input.Source
	Schema *record.Schema // names the fields that are keys; no record needs a label
	Encode format.Encoder // of each record; nil for JSON
	Topic  string
	Rate   int   // records a second; 0 is as fast as it goes
	Skip   int64 // rows to pass over

	pace   pace
	sent   int64
	rows   int64 // of the input, all of whose records are acknowledged
	unsent input.Rejections
}

// Run writes every row, and says how many.
func (p *Work) Run(ctx context.Context, client *kafka.Client) error {
	if err := cluster.Exist(ctx, client, p.Topic); err != nil {
		return err
	}
	producer, err := client.NewProducer(ctx, p.Topic, 0)
	if err != nil {
		return err
	}
	progress := &input.Pass{Source: p.Source, Schema: p.Schema}
	if err := progress.Open(); err != nil {
		return err
	}
	stop := input.ShowProgress(p.Err, progress, "producing")
	start := time.Now()
	err = errors.Join(p.Send(ctx, progress, producer), progress.Reader.Close())
	seconds := time.Since(start).Seconds()
	stop()
	p.unsent.Write(p.Err, p.sent+p.unsent.Total, p.Source.Name)
	if err == nil && p.sent == 0 && p.Skip > 0 {
		err = fmt.Errorf("%s holds no record behind the first %s that can be sent", p.Source.Name, english.Counted(p.Skip, "row"))
	} else if err == nil && p.sent == 0 {
		err = fmt.Errorf("%s holds no record that can be sent", p.Source.Name)
	}
	if err != nil {
		return err
	}
	_, err = english.Fprintf(p.Out, "Wrote %s to %s in %.2f s (%.0f a second).\n", english.Counted(p.sent, "record"), p.Topic, seconds, float64(p.sent)/seconds)
	return err
}

// flushEvery bounds the rows of which an interrupted produce cannot say that they are acknowledged.
const flushEvery = 50_000

// grace is how long what was begun may take to end once a command is told to stop.
const grace = 5 * time.Second

// Send writes every row to the topic. It returns nil when all are acknowledged. When ctx ends, what was sent is still
// waited for, so that the error can say where to go on.
func (p *Work) Send(ctx context.Context, from *input.Pass, to *kafka.Producer) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()
	if p.pace == (pace{}) {
		p.pace = newPace(p.Rate)
	}
	err := p.sendAll(ctx, work, from, to)
	if ctx.Err() == nil {
		return err
	}
	if flushed := to.Flush(work); flushed == nil && errors.Is(err, ctx.Err()) {
		p.rows = from.Rows.Load() + 1
		return cluster.Interrupted(english.Sprintf("interrupted: %s of %s were read, and all that was sent is acknowledged: continue with --skip %s",
			english.Counted(p.rows, "row"), p.Source.Name, strconv.FormatInt(p.rows, 10)))
	}
	return cluster.Interrupted(english.Sprintf("interrupted: %s of %s are acknowledged, and perhaps more: continue with --skip %s, which may write some again",
		english.Counted(p.rows, "row"), p.Source.Name, strconv.FormatInt(p.rows, 10)))
}

// sendAll sends until ctx ends; work bounds each write.
func (p *Work) sendAll(ctx, work context.Context, from *input.Pass, to *kafka.Producer) error {
	keys := newKeyer(from.Reader, p.Schema)
	var object, encoded, value []byte
	for row := 0; ; row++ {
		from.Rows.Store(int64(row))
		err := from.Reader.Next()
		if err == io.EOF {
			return to.Flush(work)
		}
		if int64(row) < p.Skip {
			continue
		}
		if rejection := (*record.Rejection)(nil); errors.As(err, &rejection) {
			p.unsent.Add(rejection)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.Source.Name, err)
		}
		if p.Source.Takes != nil && !p.Source.Takes(row) {
			continue
		}
		object = from.Reader.AppendJSON(object[:0])
		if value = object; p.Encode != nil {
			if encoded, err = p.Encode.AppendMessage(encoded[:0], object); err != nil {
				p.unsent.Add(&record.Rejection{Reason: record.UnfitSchema, Offset: -1, Detail: fmt.Sprintf("row %d: %v", row+1, err)})
				continue
			}
			value = encoded
		}
		if err := to.Send(work, &kafka.Message{Key: keys.key(), Value: value}); err != nil {
			return err
		}
		p.sent++
		due := p.pace.pause(p.sent)
		if due || p.sent%flushEvery == 0 {
			if err := to.Flush(work); err != nil {
				return err
			}
			p.rows = int64(row) + 1
		}
		if due {
			p.pace.wait(ctx, p.sent)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}
