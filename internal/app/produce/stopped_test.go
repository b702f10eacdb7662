package produce

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

// odd encodes records, but for those with an odd number.
type odd struct{}

func (odd) AppendMessage(dst, object []byte) ([]byte, error) {
	if strings.Contains(string(object), "odd") {
		return nil, errors.New("it is odd")
	}
	return append(append(dst, "encoded "...), object...), nil
}

// work writes a file of lines to a new topic, and gives the messages that it then has.
func work(t *testing.T, text string, change func(*Work)) (w *Work, run func(ctx context.Context) (said string, messages []string, err error)) {
	t.Helper()
	j := apptest.NewJob(t, apptest.Loans)
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	w = &Work{Streams: &program.Streams{Out: &out, Err: &out}, Schema: schema.LabelOptional(), Topic: "in", Source: input.Source{Name: "lines", Open: func(as record.Config) (input.Rows, error) {
		return record.NewReader(strings.NewReader(text), record.JSONLines, as.Limits)
	}}}
	change(w)
	return w, func(ctx context.Context) (said string, messages []string, err error) {
		err = w.Run(ctx, j.Client)
		if _, err := j.Client.Read(t.Context(), "in", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			messages = append(messages, string(r.Value))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return out.String(), messages, err
	}
}

// TestAnInterruptedProduce says where to go on, and what it sent before is on the topic; going on there writes the rest.
func TestAnInterruptedProduce(t *testing.T) {
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "{\"i\":%d}\n", i)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	w, run := work(t, text.String(), func(w *Work) { w.Rate = 100 })
	_, messages, err := run(ctx)
	n := len(messages)
	if err == nil {
		t.Fatal("it was not interrupted")
	}
	found := regexp.MustCompile(`^interrupted: (\d+) rows? of lines were read, and all that was sent is acknowledged: continue with --skip (\d+)$`).FindStringSubmatch(err.Error())
	if found == nil || found[1] != found[2] || found[1] != strconv.Itoa(n) || n < 4 || n > 500 {
		t.Fatalf("%d messages, %v", n, err)
	}
	w.Skip, w.Rate, w.pace, w.sent = int64(n), 0, pace{}, 0
	if said, all, err := run(t.Context()); err != nil || len(all) != 1000 || !strings.Contains(said, fmt.Sprintf("Wrote %d records to in in ", 1000-n)) {
		t.Errorf("%s: %d messages, %v", said, len(all), err)
	}
}

// TestRecordsThatCannotBeEncoded are told with their rows, and the others are written.
func TestRecordsThatCannotBeEncoded(t *testing.T) {
	_, run := work(t, "{\"a\":1}\n{\"odd\":2}\nno\n{\"a\":3}\n", func(w *Work) {
		w.Encode = odd{}
		w.Source.Takes = func(row int) bool { return row != 3 }
	})
	said, messages, err := run(t.Context())
	if err != nil || !slices.Equal(messages, []string{`encoded {"a":1}`, "encoded no"}) || !strings.Contains(said, "row 2: it is odd") || !strings.Contains(said, "Wrote 2 records to in in ") {
		t.Errorf("%q, %v\n%s", messages, err, said)
	}
}

// stopping are rows that stop the command as one of them is read.
type stopping struct {
	input.Rows
	at   int // the row, from 1
	stop func()
	err  error // of the row; nil: it is read
}

func (s *stopping) Next() error {
	if s.at--; s.at == 0 {
		if s.stop(); s.err != nil {
			return s.err
		}
	}
	return s.Rows.Next()
}

// TestWhereToGoOn: behind the last row that was read, if all is acknowledged, else behind the last of which that is known.
func TestWhereToGoOn(t *testing.T) {
	for want, c := range map[string]struct {
		err  error
		sent int
	}{
		"interrupted: 3 rows of lines were read, and all that was sent is acknowledged: continue with --skip 3":               {nil, 3},
		"interrupted: 2 rows of lines are acknowledged, and perhaps more: continue with --skip 2, which may write some again": {errors.New("the disk is gone"), 2},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		_, run := work(t, "{\"i\":1}\n{\"i\":2}\n{\"i\":3}\n{\"i\":4}\n", func(w *Work) {
			w.Rate = 25 // each record is waited for
			open := w.Source.Open
			w.Source.Open = func(as record.Config) (input.Rows, error) {
				rows, err := open(as)
				return &stopping{rows, 3, cancel, c.err}, err
			}
		})
		if _, messages, err := run(ctx); err == nil || err.Error() != want || len(messages) != c.sent {
			t.Errorf("%q, %v", messages, err)
		}
	}
}

// TestWhatCannotBeProduced: rows that are no rows are told of and passed over; an input that cannot be opened, and one that ends with an error, are errors, and so is each request that
// is refused.
func TestWhatCannotBeProduced(t *testing.T) {
	gone := errors.New("the disk is gone")
	of := func(text string, failing error) input.Source {
		return input.Source{Name: "cells", Open: func(as record.Config) (input.Rows, error) {
			if text == "" {
				return nil, failing
			}
			rows, err := record.NewReader(strings.NewReader(text), record.CSV, as.Limits)
			if failing != nil {
				return &stopping{rows, 2, func() {}, failing}, err
			}
			return rows, err
		}}
	}
	_, run := work(t, "", func(w *Work) { w.Source = of("", gone) })
	if _, messages, err := run(t.Context()); !errors.Is(err, gone) || len(messages) > 0 {
		t.Errorf("%q, %v", messages, err)
	}
	_, run = work(t, "", func(w *Work) { w.Source = of("a,b\n1,2\n3,4\n", gone) })
	if said, _, err := run(t.Context()); !errors.Is(err, gone) || strings.Contains(said, "Wrote") {
		t.Errorf("%s, %v", said, err)
	}
	_, run = work(t, "", func(w *Work) { w.Source = of("a,b\n1,2\n3\n4,5\n", nil) })
	if said, messages, err := run(t.Context()); err != nil || !slices.Equal(messages, []string{`{"a":"1","b":"2"}`, `{"a":"4","b":"5"}`}) || !strings.Contains(said, "Rejected 1 of 3 rows of cells") && !strings.Contains(said, "Rejected 1 of 3 records of cells") {
		t.Errorf("%q, %v\n%s", messages, err, said)
	}
	j := apptest.NewJob(t, apptest.Loans)
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]func(context.Context, *program.Streams) error{"produce": func(ctx context.Context, s *program.Streams) error {
		return (&Work{Streams: s, Schema: schema.LabelOptional(), Topic: "in", Source: of("a,b\n1,2\n4,5\n", nil), Rate: 25}).Run(ctx, j.Client)
	}}
	j.Refused(t, commands)
	apptest.Unwritten(t, commands)
}

// TestPaces: so many records a second, with 25 pauses in one, at least one record between them.
func TestPaces(t *testing.T) {
	for rate, every := range map[int]int64{0: 1, 1: 1, 25: 1, 49: 1, 50: 2, 1000: 40} {
		p := newPace(rate)
		if p.every != every || p.pause(every) != (rate > 0) || every > 1 && p.pause(every-1) {
			t.Errorf("%d a second: a pause every %d records, %v", rate, p.every, p.pause(every))
		}
	}
	p := newPace(100)
	p.begun = time.Now().Add(-time.Hour)
	start := time.Now()
	if p.wait(t.Context(), 100); time.Since(start) > 30*time.Minute {
		t.Error("it waits for what is due")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	p.begun = time.Now().Add(time.Hour)
	p.wait(ended, 100)
}
