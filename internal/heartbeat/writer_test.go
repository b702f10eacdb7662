package heartbeat

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/fairstream/fairstream/internal/kafka"
)

// written runs a writer with a heartbeat every ten seconds beside work, and ends it.
func written(t *testing.T, write func(context.Context, kafka.Message) error, version *atomic.Int64, told *[]string, work func(*Writer)) *Writer {
	t.Helper()
	w := NewWriter(WriterOptions{Job: job, Instance: "desk 1", Program: "v1", Every: 10 * time.Second, Write: write,
		Serving: func() []Serving {
			if version.Load() == 0 {
				return nil
			}
			return []Serving{serving("stable", version.Load(), time.Time{})}
		},
		Failed: func(err error) { *told = append(*told, fmt.Sprint(err)) }})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	work(w)
	cancel()
	<-ended
	return w
}

// TestWhatAnInstanceTells: at once, every ten seconds, soon after another version is in use, and at the end.
func TestWhatAnInstanceTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, version, told, began := &log{}, &atomic.Int64{}, []string{}, time.Now().UTC()
		written(t, l.write, version, &told, func(w *Writer) {
			time.Sleep(25 * time.Second)
			version.Store(3000)
			for range 1000 {
				w.Poke()
			}
			time.Sleep(20 * time.Second)
		})
		var got string
		for _, b := range l.values(t) {
			got += fmt.Sprint(b.Time.Sub(began))
			for _, s := range b.Serving {
				got += fmt.Sprintf(" %s %d since %v", s.Alias, s.Version, s.Since.Sub(began))
			}
			if b.Ended {
				got += " ended"
			}
			got += "; "
			if b.Instance != "desk-1" || !b.Started.Equal(began) || b.EverySeconds != 10 {
				t.Errorf("%+v", b)
			}
		}
		want := "0s; 10s; 20s; 25s stable 3000 since 25s; 26s stable 3000 since 25s; 36s stable 3000 since 25s; 45s stable 3000 since 25s ended; "
		if got != want {
			t.Errorf("told %s\nwant %s", got, want)
		}
		if len(told) != 0 {
			t.Errorf("failures %v", told)
		}
	})
}

// TestAWriterOutlivesKafka: heartbeats that cannot be written are dropped and counted, also those that no broker answers; nothing piles up, and
// the end comes soon.
func TestAWriterOutlivesKafka(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, version, told := &log{}, &atomic.Int64{}, []string{}
		var hangs atomic.Bool
		write := func(ctx context.Context, m kafka.Message) error {
			if hangs.Load() {
				<-ctx.Done()
				return ctx.Err()
			}
			return l.write(ctx, m)
		}
		var ends time.Time
		w := written(t, write, version, &told, func(*Writer) {
			time.Sleep(5 * time.Second)
			l.fail(errors.New("no leader"))
			time.Sleep(30 * time.Second) // 10, 20, 30
			l.fail(nil)
			time.Sleep(10 * time.Second) // 40
			hangs.Store(true)
			time.Sleep(30 * time.Second) // 50, 60, 70
			ends = time.Now()
		})
		if took := time.Since(ends); took > lastWrite {
			t.Errorf("the end took %v", took)
		}
		if got := fmt.Sprint(told); got != "[no leader <nil> context deadline exceeded]" {
			t.Errorf("told %s", got)
		}
		metrics := w.Metrics()
		if wrote, dropped := testutil.ToFloat64(metrics[0]), testutil.ToFloat64(metrics[1]); wrote != 2 || dropped < 6 || dropped > 7 || len(l.records) != 2 {
			t.Errorf("%v were written, %v dropped; %d are on the topic", wrote, dropped, len(l.records))
		}
	})
}
