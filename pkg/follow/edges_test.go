package follow

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/modeltopic"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
)

// TestWhatAFollowerIsOpenedWith: wrong options are told at once; that no broker answers is told to the one who asked, who can close all the same.
func TestWhatAFollowerIsOpenedWith(t *testing.T) {
	good := Options{Topic: "models", Job: "adult", Kafka: Kafka{Brokers: []string{"127.0.0.1:1"}}}
	for name, change := range map[string]func(o *Options){
		"no topic": func(o *Options) { o.Topic = "" }, "no job": func(o *Options) { o.Job = "" }, "a key": func(o *Options) { o.PublicKeys = []string{"rsa:AAAA"} },
		"no broker": func(o *Options) { o.Kafka.Brokers = nil },
	} {
		o := good
		change(&o)
		if f, err := Open(o); err == nil || f != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var outages atomic.Int64
	for _, notify := range []func(Event){nil, func(e Event) {
		if outage, is := e.(Outage); is && outage.Err != nil && !outage.Since.IsZero() {
			outages.Add(1)
		}
	}} {
		o := good
		o.Notify = notify
		f, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		if notify != nil {
			eventually(t, "an outage", func() bool { return outages.Load() > 0 })
		}
		if f.Current() != nil {
			t.Error("there is a document")
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDocumentsThatAreNotAsTheirKey: a document is used if it says what its key says, and can decide or predict as its task is.
func TestDocumentsThatAreNotAsTheirKey(t *testing.T) {
	at := modeltopic.Place{Term: 3, Version: 7}
	made := func(task document.Task, change func(d *document.Document)) []byte {
		d, err := document.New(task, features.Parts{Size: 1}, []float64{.5})
		if err != nil {
			t.Fatal(err)
		}
		if d.Config, err = document.NewConfig([]byte(`{"record":{"label":{"field":"y","positive":"1"}}}`)); err != nil {
			t.Fatal(err)
		}
		if task == document.Regression {
			d.Label = &document.LabelSummary{Mean: 1}
		}
		d.Job, d.Version, d.Lineage.Term = "adult", 7, 3
		change(d)
		value, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for name, c := range map[string]struct {
		value []byte
		taken bool
	}{
		"decides":           {made(document.Classification, func(*document.Document) {}), true},
		"predicts":          {made(document.Regression, func(*document.Document) {}), true},
		"another job":       {made(document.Classification, func(d *document.Document) { d.Job = "other" }), false},
		"another version":   {made(document.Classification, func(d *document.Document) { d.Version = 8 }), false},
		"another term":      {made(document.Classification, func(d *document.Document) { d.Lineage.Term = 2 }), false},
		"another task":      {made(document.Classification, func(d *document.Document) { d.Task = document.Regression }), false},
		"of a label":        {made(document.Regression, func(d *document.Document) { d.Label = nil }), false},
		"without a label":   {made(document.Classification, func(d *document.Document) { d.Config, _ = document.NewConfig([]byte(`{}`)) }), false},
		"no document":       {[]byte("{}"), false},
		"another task, too": {made(document.Regression, func(d *document.Document) { d.Task = document.Classification }), false},
	} {
		if _, err := check("adult", at, c.value); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhenADocumentWasPublished: the time of its record, if it has one; a document that the cleaner removed before it could be read again is passed over, and
// a failure to read it is told and tried again.
func TestWhenADocumentWasPublished(t *testing.T) {
	l := newLog()
	first, second := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	messages := published(t, first, nil)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i := range messages {
		messages[i].Timestamp = at.UnixMilli()
	}
	l.put(messages...)
	f, told := following(t, l, Options{Alias: LatestAlias})
	eventually(t, "the first document", f.is(first))
	if got := f.Current().Published; !got.Equal(at) {
		t.Errorf("published at %v", got)
	}
	l.breakWith(&kafka.DataLoss{})
	l.put(published(t, second, nil)...)
	eventually(t, "the second document", f.is(second))
	if told.refusals() != 0 {
		t.Errorf("%d are refused", told.refusals())
	}
	l.breakWith(errors.New("out of order"))
	select {
	case <-f.ended:
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on behind a failure that does not pass")
	}
}

// failingReads fail from the read of that number on, from 1.
type failingReads struct {
	*log
	left int
	err  error
}

func (l *failingReads) Read(ctx context.Context, topic string, partition int32, from, to int64, use func(*kafka.Record) error) (int64, error) {
	if l.left--; l.left <= 0 {
		return from, l.err
	}
	return l.log.Read(ctx, topic, partition, from, to, use)
}

// TestAReadThatFailsForGoodEndsAFollower, whichever it is: of the topic, of what comes, or of a document that was passed.
func TestAReadThatFailsForGoodEndsAFollower(t *testing.T) {
	l := newLog()
	first, second := modeltopic.Place{Term: 1, Version: 100}, modeltopic.Place{Term: 1, Version: 200}
	l.put(published(t, first, nil)...)
	_, sum := encoded(t, "adult", first, 100)
	stable := modeltopic.MoveAlias("adult", StableAlias, 1, modeltopic.Target{Place: first, SHA256: sum}, nil)
	l.put(append(published(t, second, nil), stable)...)
	refused := errors.New("refused")
	for failing := 1; failing <= 3; failing++ { // the topic, the document of stable, and what comes
		swapped := 0
		f, err := open(&failingReads{l, failing, refused}, Options{Topic: "models", Job: "adult", Notify: func(e Event) {
			if _, is := e.(Swapped); is {
				swapped++
			}
		}}, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-f.Done():
		case <-time.After(time.Minute):
			t.Fatalf("the %d. read fails, and it goes on", failing)
		}
		if err := f.Err(); !errors.Is(err, refused) || (swapped == 1) != (failing == 3) {
			t.Errorf("the %d. read fails: %v, and %d documents were used", failing, err, swapped)
		}
	}
}

// TestTheTimeOfARecord is told from the first millisecond of 1970 on: 0 and less stand for no time.
func TestTheTimeOfARecord(t *testing.T) {
	for written, want := range map[int64]time.Time{-1: {}, 0: {}, 1: time.UnixMilli(1).UTC()} {
		l, at := newLog(), modeltopic.Place{Term: 1, Version: 100}
		messages := published(t, at, nil)
		messages[0].Timestamp = written
		l.put(messages...)
		f, _ := following(t, l, Options{Alias: LatestAlias})
		eventually(t, "the document", f.is(at))
		if got := f.Current().Published; got != want {
			t.Errorf("written at %d: published at %v", written, got)
		}
	}
}
