package score

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/scoring"
)

// absent is a format whose schema is not there.
type absent struct {
	format.Format
	ready chan struct{}

	mu    sync.Mutex // the timers of messages read waits
	waits []format.Wait

	prepared kafka.Record
}

func (a *absent) Waits() []format.Wait {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.waits)
}

func (a *absent) await(w format.Wait) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waits = append(a.waits, w)
}

func (a *absent) NewDecoder(*record.Schema) format.Decoder { return &absentDecoder{of: a} }

type absentDecoder struct {
	format.Decoder
	of *absent
}

func (d *absentDecoder) Decode(*record.Record, *kafka.Record) error {
	return &format.Pending{Schema: "7", Ready: d.of.ready}
}

func (d *absentDecoder) Prepare(m *kafka.Record) { d.of.prepared = *m }

// TestMessagesArePrepared: their format is given what they bring, before they are decoded.
func TestMessagesArePrepared(t *testing.T) {
	f := &absent{}
	d := decoders(f, zap.NewNop())(nil)
	d.Prepare(scoring.Message{Value: []byte("x"), HeaderCount: 2, HeaderBytes: []byte("ab")})
	if m := f.prepared; string(m.Value) != "x" || m.HeaderCount != 2 || string(m.HeaderBytes) != "ab" {
		t.Errorf("%+v", m)
	}
	if decoders(format.JSON, zap.NewNop()) != nil {
		t.Error("JSON has decoders of its own")
	}
}

// TestAnAbsentSchemaIsLoggedOnce: when it has been awaited for five seconds, and not for one that came later.
func TestAnAbsentSchemaIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, logged := observer.New(zap.WarnLevel)
		f := &absent{ready: make(chan struct{}), waits: []format.Wait{{Schema: "7", Since: time.Now(), Cause: errors.New("no such schema")}}}
		d := decoders(f, zap.New(core))(nil)
		decode := func() {
			t.Helper()
			pending, ok := errors.AsType[*scoring.Pending](d.Decode(nil, scoring.Message{Value: []byte("x")}))
			if !ok || pending.Ready != (<-chan struct{})(f.ready) {
				t.Fatalf("pending %v", pending)
			}
		}
		decode()
		time.Sleep(3 * time.Second)
		f.await(format.Wait{Schema: "8", Since: time.Now()})
		decode()
		time.Sleep(format.TellAfter - 3*time.Second - time.Millisecond)
		if logged.Len() != 0 {
			t.Errorf("logged too soon: %v", logged.All())
		}
		time.Sleep(time.Second)
		if all := logged.TakeAll(); len(all) != 1 || all[0].ContextMap()["schema"] != "7" || all[0].ContextMap()["cause"] != "no such schema" {
			t.Errorf("after five seconds: %v", all)
		}
		time.Sleep(time.Minute)
		decode()
		time.Sleep(time.Minute)
		if all := logged.TakeAll(); len(all) != 1 || all[0].ContextMap()["schema"] != "8" {
			t.Errorf("after minutes: %v", all)
		}
	})
}
