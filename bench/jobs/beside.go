package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/kafka"
)

// disturb adds a job with a backlog, and one that halts because it cannot read its records.
func (r *round) disturb(ctx context.Context, dir, address string, client *kafka.Client) error {
	lines, err := lines.Adult()
	if err != nil {
		return err
	}
	for job, records := range map[string]struct {
		count int
		value func(i int) []byte
	}{
		"backlog": {r.backlog, func(i int) []byte { return lines[i%len(lines)] }},
		"poison":  {10_000, func(int) []byte { return []byte("no record") }},
	} {
		if _, err := client.CreateTopics(ctx, kafka.TopicSpec{Name: job, Kind: kafka.InputTopic, Partitions: 1}); err != nil {
			return err
		}
		producer, err := client.NewProducer(ctx, job, 0)
		if err != nil {
			return err
		}
		for i := range records.count {
			if err := producer.Send(ctx, &kafka.Message{Value: records.value(i)}); err != nil {
				return err
			}
		}
		if err := producer.Flush(ctx); err != nil {
			return err
		}
		if _, err := write(dir, job, address); err != nil {
			return err
		}
	}
	return nil
}

// lags are those of the job that is furthest behind, one each second.
type lags struct {
	seconds []float64
	backlog [2]int64 // records that the job with a backlog had learnt in the first second, and in the last
	phase   string   // of the job that cannot read its records
}

// watch looks at the jobs each second, until its result is called.
func (r *round) watch(ctx context.Context, c *child) (end func() lags) {
	if r.backlog == 0 {
		return func() lags { return lags{} }
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan lags, 1)
	go func() {
		var all lags
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				done <- all
				return
			case <-ticker.C:
				all.look(ctx, c)
			}
		}
	}()
	return func() lags {
		stop()
		return <-done
	}
}

func (l *lags) look(ctx context.Context, c *child) {
	var found struct {
		Jobs []struct {
			Job, Phase string
			Version    int64
			LagSeconds float64 `json:"lag_seconds"`
		}
	}
	text, err := c.get(ctx, "/api/v1/jobs")
	if err != nil || json.Unmarshal([]byte(text), &found) != nil {
		return
	}
	furthest := 0.0
	for _, job := range found.Jobs {
		switch {
		case strings.HasPrefix(job.Job, named):
			furthest = max(furthest, job.LagSeconds)
		case job.Job == "poison":
			l.phase = job.Phase
		default:
			if l.backlog[0] == 0 {
				l.backlog[0] = job.Version
			}
			l.backlog[1] = job.Version
		}
	}
	l.seconds = append(l.seconds, furthest)
}

func (l *lags) print(out io.Writer) error {
	if len(l.seconds) == 0 {
		return fmt.Errorf("nothing was seen of the jobs")
	}
	if _, err := fmt.Fprintf(out, "Seconds behind, second by second: %.1f\n", l.seconds); err != nil {
		return err
	}
	slices.Sort(l.seconds)
	below, _ := slices.BinarySearch(l.seconds, 2)
	_, err := fmt.Fprintf(out, "The job that was furthest behind was less than 2 s behind in %d of %d seconds, and at most %.1f s. "+
		"Meanwhile the job with a backlog learnt %d records, and the one without a readable record is %s.\n",
		below, len(l.seconds), l.seconds[len(l.seconds)-1], l.backlog[1]-l.backlog[0], l.phase)
	return err
}
