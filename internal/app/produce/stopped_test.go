package produce

import (
	"context"
	"errors"
	"fmt"
	"regexp"
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

// work writes a file of lines to a new topic, and says how many messages it then has.
func work(t *testing.T, text string, change func(*Work)) (w *Work, run func(ctx context.Context) (said string, messages int, err error)) {
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
	return w, func(ctx context.Context) (string, int, error) {
		err := w.Run(ctx, j.Client)
		n := 0
		if _, err := j.Client.Read(t.Context(), "in", 0, kafka.Earliest, kafka.End, func(*kafka.Record) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		return out.String(), n, err
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
	_, n, err := run(ctx)
	if err == nil {
		t.Fatal("it was not interrupted")
	}
	found := regexp.MustCompile(`^interrupted: (\d+) rows? of lines were read, and all that was sent is acknowledged: continue with --skip (\d+)$`).FindStringSubmatch(err.Error())
	if found == nil || found[1] != found[2] || found[1] != strconv.Itoa(n) || n < 4 || n > 500 {
		t.Fatalf("%d messages, %v", n, err)
	}
	w.Skip, w.Rate, w.pace, w.sent = int64(n), 0, pace{}, 0
	if said, all, err := run(t.Context()); err != nil || all != 1000 || !strings.Contains(said, fmt.Sprintf("Wrote %d records to in in ", 1000-n)) {
		t.Errorf("%s: %d messages, %v", said, all, err)
	}
}

// TestRecordsThatCannotBeEncoded are told with their rows, and the others are written.
func TestRecordsThatCannotBeEncoded(t *testing.T) {
	_, run := work(t, "{\"a\":1}\n{\"odd\":2}\nno\n{\"a\":3}\n", func(w *Work) {
		w.Encode = odd{}
		w.Source.Takes = func(row int) bool { return row != 3 }
	})
	said, n, err := run(t.Context())
	if err != nil || n != 2 || !strings.Contains(said, "row 2: it is odd") || !strings.Contains(said, "Wrote 2 records to in in ") {
		t.Errorf("%d messages, %v\n%s", n, err, said)
	}
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
