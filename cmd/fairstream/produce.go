package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

func newProduce(s *program.Streams) *cobra.Command {
	var flags configFlags
	p := produce{Streams: s}
	cmd := &cobra.Command{
		Use:   "produce --config FILE --input FILE",
		Short: "Write the records of a file to a topic, as JSON",
		Long: `Write every line of a file to a topic as one JSON record. JSON lines are sent unchanged, even if they
are malformed; CSV rows become JSON objects with text values. The key of a message is the field
record.key, or else record.id, so that the records of one key stay in order on one partition. Without a
key, the partitions receive batches in turn.

Every record is acknowledged by all in-sync replicas before the command ends. --input adult takes the
bundled Adult records, all 48,842.`,
		Example: `  fairstream produce --config config.yaml --input train.csv
  fairstream produce --config config.yaml --input adult --rate 2000
  zstd -dc train.jsonl.zst | fairstream produce -c config.yaml --input - --format jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			badArguments := p.parse()
			loaded, badConfig := flags.load(cmd, nil, config.Streaming)
			if err := errors.Join(badArguments, badConfig); err != nil {
				return err
			}
			if p.topic == "" {
				p.topic = loaded.Topics.Input
			}
			schema, err := loaded.Model().Schema()
			if err != nil {
				return err
			}
			p.schema = schema.LabelOptional()
			return inWork(cluster.With(cmd.Context(), loaded.Kafka, s.Err, p.run))
		},
	}
	flags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&p.input, "input", "i", "", "`FILE` of records, - or adult")
	f.StringVar(&p.format, "format", "", input.FormatUsage)
	f.IntVar(&p.rate, "rate", 0, "records a second; 0 is as fast as it goes")
	f.Int64Var(&p.skip, "skip", 0, "rows to pass over at the beginning, as an interrupted produce says")
	f.StringVar(&p.topic, "topic", "", "topic to write to (default topics.input)")
	mustComplete(cmd.MarkFlagRequired("input"))
	mustComplete(cmd.MarkFlagFilename("input", "csv", "jsonl", "gz", "parquet"))
	return cmd
}

// produce is one run of the command.
type produce struct {
	*program.Streams
	input, format, topic string
	rate                 int
	skip                 int64

	source input.Source
	schema *record.Schema
	pace   *pace
	sent   int64
	rows   int64 // of the input, all of whose records are acknowledged
	unsent input.Rejections
}

func (p *produce) parse() (err error) {
	if p.skip < 0 {
		return fmt.Errorf("--skip %d: give a number of rows, or 0 to begin with the first", p.skip)
	}
	if p.rate < 0 {
		return fmt.Errorf("--rate %d: give records a second, or 0 for no limit", p.rate)
	}
	p.source, err = input.NewSource(p.input, p.format, p.In)
	return err
}

func (p *produce) run(ctx context.Context, client *kafka.Client) error {
	if err := cluster.Exist(ctx, client, p.topic); err != nil {
		return err
	}
	producer, err := client.NewProducer(ctx, p.topic, 0)
	if err != nil {
		return err
	}
	progress := &input.Pass{Source: p.source, Schema: p.schema}
	if err := progress.Open(); err != nil {
		return err
	}
	stop := input.ShowProgress(p.Err, progress, "producing")
	start := time.Now()
	p.pace = newPace(p.rate)
	err = errors.Join(p.send(ctx, progress, producer), progress.Reader.Close())
	seconds := time.Since(start).Seconds()
	stop()
	p.unsent.Write(p.Err, p.sent+p.unsent.Total, p.source.Name)
	if err == nil && p.sent == 0 && p.skip > 0 {
		err = fmt.Errorf("%s holds no record behind the first %s that can be sent", p.source.Name, english.Counted(p.skip, "row"))
	} else if err == nil && p.sent == 0 {
		err = fmt.Errorf("%s holds no record that can be sent", p.source.Name)
	}
	if err != nil {
		return err
	}
	_, err = english.Fprintf(p.Out, "Wrote %s to %s in %.2f s (%.0f a second).\n", english.Counted(p.sent, "record"), p.topic, seconds, float64(p.sent)/seconds)
	return err
}

// flushEvery bounds the rows of which an interrupted produce cannot say that they are acknowledged.
const flushEvery = 50_000

// grace is how long what was begun may take to end once a command is told to stop.
const grace = 5 * time.Second

// send writes every row to the topic. It returns nil when all are acknowledged. When ctx ends, what was sent is still
// waited for, so that the error can say where to go on.
func (p *produce) send(ctx context.Context, from *input.Pass, to *kafka.Producer) error {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()
	err := p.sendAll(ctx, work, from, to)
	if ctx.Err() == nil {
		return err
	}
	if flushed := to.Flush(work); flushed == nil && errors.Is(err, ctx.Err()) {
		p.rows = from.Rows.Load() + 1
		return cluster.Interrupted(english.Sprintf("interrupted: %s of %s are read, and what was sent of them is acknowledged: --skip %s goes on",
			english.Counted(p.rows, "row"), p.source.Name, strconv.FormatInt(p.rows, 10)))
	}
	return cluster.Interrupted(english.Sprintf("interrupted: %s of %s are acknowledged, and more may be: --skip %s goes on, and may write some again",
		english.Counted(p.rows, "row"), p.source.Name, strconv.FormatInt(p.rows, 10)))
}

// sendAll sends until ctx ends; work bounds each write.
func (p *produce) sendAll(ctx, work context.Context, from *input.Pass, to *kafka.Producer) error {
	keys := newKeyer(from.Reader, p.schema)
	var value []byte
	for row := 0; ; row++ {
		from.Rows.Store(int64(row))
		err := from.Reader.Next()
		if err == io.EOF {
			return to.Flush(work)
		}
		if int64(row) < p.skip {
			continue
		}
		if rejection := (*record.Rejection)(nil); errors.As(err, &rejection) {
			p.unsent.Add(rejection)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.source.Name, err)
		}
		if p.source.Takes != nil && !p.source.Takes(row) {
			continue
		}
		value = from.Reader.AppendJSON(value[:0])
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

// keyer finds the key of the row that a reader is at.
type keyer struct {
	reader  *record.Reader
	decoder *record.Decoder // nil if no field is a key
	record  record.Record
}

func newKeyer(reader *record.Reader, schema *record.Schema) *keyer {
	k := &keyer{reader: reader}
	if c := schema.Config(); c.Key != "" || c.ID != "" {
		k.decoder = schema.NewDecoder()
	}
	return k
}

// key is nil for a record without one, and for one that cannot be decoded.
func (k *keyer) key() []byte {
	if k.decoder == nil || k.reader.Decode(k.decoder, &k.record) != nil {
		return nil
	}
	if k.record.Key != nil {
		return k.record.Key
	}
	return k.record.ID
}

// pace spreads records over time.
type pace struct {
	rate  int // a second; 0: at once
	every int64
	begun time.Time
}

// newPace begins now.
func newPace(rate int) *pace {
	const pauses = 25 // a second
	return &pace{rate, int64(max(1, rate/pauses)), time.Now()}
}

// pause says whether it is time to wait after so many records.
func (p *pace) pause(sent int64) bool { return p.rate > 0 && sent%p.every == 0 }

// wait waits until so many records are due.
func (p *pace) wait(ctx context.Context, sent int64) {
	due := p.begun.Add(time.Duration(float64(sent) / float64(p.rate) * float64(time.Second)))
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
