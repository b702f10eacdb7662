package intake

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/waiting"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestNobodyWaits: without a buffer, or before its store is open, there is nothing to send, to flush or to seal, and nothing to save or restore.
func TestNobodyWaits(t *testing.T) {
	var none *Labels
	closed := NewLabels(LabelBuffer{}, format.JSON, keyedSchema(t))
	closed.mark = waiting.Mark{Number: 7}
	for want, b := range map[int64]*Labels{0: none, 7: closed} {
		mark, sealed, err := b.Seal(t.Context())
		if err := errors.Join(err, b.Send(t.Context()), b.Flush(t.Context())); err != nil || sealed != nil || mark.Number != want {
			t.Errorf("%+v, %v, %v", mark, sealed, err)
		}
		b.Close()
	}
	if state := none.AppendState([]byte("before")); string(state) != "before" {
		t.Errorf("%q", state)
	}
	if err := none.Restore([]byte("damaged"), waiting.Mark{}); err != nil {
		t.Error(err)
	}
	b := opened(t, LabelBuffer{})
	if _, sealed, err := b.Seal(t.Context()); err != nil || sealed == nil {
		t.Errorf("%v, %v", sealed, err)
	}
	if b.Close(); b.Store() != nil {
		t.Error("a closed store is still there")
	}
}

// TestABufferOfASnapshot: what is damaged is refused, and what the store lacks is counted beside what was lost before.
func TestABufferOfASnapshot(t *testing.T) {
	b := NewLabels(LabelBuffer{}, format.JSON, keyedSchema(t))
	for name, state := range map[string][]byte{"short": {0xff}, "no JSON": envelope.AppendSection(nil, []byte("damaged")), "older": append(envelope.AppendSection(nil, []byte("{}")), 1)} {
		if err := b.Restore(state, waiting.Mark{Entries: 9}); err == nil || b.mark.Entries != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.Restore(envelope.AppendSection(nil, []byte(`{"lost":2}`)), waiting.Mark{Entries: 3}); err != nil || b.count.Lost != 2 {
		t.Fatal(err, b.count)
	}
	away := errors.New("away")
	read := func(context.Context, int64, func(*kafka.Record) error) error { return away }
	if _, err := b.Open(t.Context(), waiting.Options{Job: "job", Topic: "waiting", Term: 1, Read: read}); !errors.Is(err, away) || b.Store() != nil {
		t.Errorf("a topic that cannot be read: %v", err)
	}
	if open(t, b); b.count.Lost != 5 {
		t.Errorf("%d are lost", b.count.Lost)
	}
	var l Ledger
	if err := json.Unmarshal([]byte(`{"next":"x"}`), &l); err == nil {
		t.Error("a ledger that is none")
	}
	if err := json.Unmarshal([]byte(`{"next":5}`), &l); err != nil || l.Next != 5 || l.LeaderEpoch != -1 {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestALabelOfADamagedRecord is rejected, and the record waits no longer; one whose schema is not there yet waits on.
func TestALabelOfADamagedRecord(t *testing.T) {
	label := func(b *Labels) error {
		e := &observe.Entry{Source: &kafka.Record{}}
		e.Record.Key, e.Record.HasLabel = []byte("a"), true
		_, err := b.Join(&observe.Sight{Entry: e, Record: &e.Record, Number: 8}, &Parcel{}, decider{})
		return err
	}
	b := opened(t, LabelBuffer{})
	if _, err := b.store.Put([]byte("a"), []byte{0xff}, 1); err != nil {
		t.Fatal(err)
	}
	var rejection *record.Rejection
	if err := label(b); !errors.As(err, &rejection) || rejection.Reason != UnmatchedLabel || rejection.Detail != "the record that waits for it is damaged" || b.store.Len() != 0 {
		t.Errorf("%v, %d wait", err, b.store.Len())
	}
	waits(t, b, "a", `{"age":39,"sex":"Male","person":"a"}`, time.Time{})
	decoder := b.decoder
	b.decoder = &absent{Decoder: decoder}
	var pending *format.Pending
	if err := label(b); !errors.As(err, &pending) || b.store.Len() != 1 {
		t.Errorf("%v, %d wait", err, b.store.Len())
	}
	b.decoder = decoder
	if err := label(b); err != nil || b.store.Len() != 0 {
		t.Errorf("%v, %d wait", err, b.store.Len())
	}
}

// TestParcelsEndAtTheirBound: a record that reaches it is the last one.
func TestParcelsEndAtTheirBound(t *testing.T) {
	half := append([]byte(`{"age":39,"sex":"Male","person":"a","pad":"`), make([]byte, parcelBytes/2)...)
	for i := len(half) - parcelBytes/2; i < len(half); i++ {
		half[i] = ' '
	}
	half = append(half[:parcelBytes/2-2], '"', '}')
	d := &decoding{decoder: format.JSON.NewDecoder(keyedSchema(t)), juries: &observe.Juries{}}
	p := &Parcel{}
	p.Entries = make([]observe.Entry, 8)
	rest := p.fill(0, []kafka.Record{{Value: half}, {Value: half}, {Value: half}}, d)
	if p.Count != 2 || len(rest) != 1 {
		t.Errorf("%d records are in a parcel, %d are left", p.Count, len(rest))
	}
	if rest := p.fill(0, []kafka.Record{{Value: half[:1]}, {Value: half}, {Value: half}}, d); p.Count != 3 || len(rest) != 0 {
		t.Errorf("%d records are in a parcel, %d are left", p.Count, len(rest))
	}
	d.decoder = &absent{Decoder: d.decoder}
	if rest := p.fill(0, []kafka.Record{{Offset: 5, Value: half}}, d); p.Count != 0 || len(rest) != 1 || p.Pending == nil || p.Stop != 5 {
		t.Errorf("%d records are in a parcel, %d are left, pending %v", p.Count, len(rest), p.Pending)
	}
}

// TestAPartitionIsHeldFrom the next record of its ledger, also the first one; one that was gone, from where it is back.
func TestAPartitionIsHeldFrom(t *testing.T) {
	source := &holding{}
	h := NewHolds(source)
	d := &cluster.Delivery{Partition: 3}
	d.First = 40
	for next, want := range map[int64]int64{0: 0, 7: 7, -1: 40} {
		source.places = nil
		h.Hold(d, &Ledger{Next: next, LeaderEpoch: 2}, &format.Pending{Schema: "schema 7"})
		if at := source.places[0]; at.Offset != want || at.Epoch != map[bool]int32{true: 2, false: -1}[next >= 0] {
			t.Errorf("next %d: held from %+v", next, at)
		}
		if held := h.Held(); len(held) != 1 || held[0].Offset != want {
			t.Errorf("next %d: %+v", next, held)
		}
	}
	since := h.Held()[0].Since
	if got := h.Observe(since.Add(longHold - 1)); len(got) != 0 {
		t.Errorf("told early: %+v", got)
	}
	if got := h.Observe(since.Add(longHold)); len(got) != 1 || len(h.Observe(since.Add(2*longHold))) != 0 {
		t.Errorf("after %v: %+v", longHold, got)
	}
}

// TestAnOpenTransactionAtTheBeginning of a partition stands still like any other; one that is read to its end, or is not known, does not.
func TestAnOpenTransactionAtTheBeginning(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		stable, high int64
		told         bool
	}{{0, 5, true}, {5, 5, false}, {4, 5, true}, {-1, 5, false}, {1, 5, true}} {
		s := Standstills{}
		at := []kafka.Position{{Partition: 1, LastStable: c.stable, HighWatermark: c.high}}
		if first := s.Observe(at, now); len(first) != 0 {
			t.Errorf("%+v: told at once", c)
		}
		if early := s.Observe(at, now.Add(longTransaction-1)); len(early) != 0 {
			t.Errorf("%+v: told early", c)
		}
		all := s.Observe(at, now.Add(longTransaction))
		if (len(all) == 1) != c.told || c.told && all[0].Waiting != c.high-c.stable {
			t.Errorf("%+v: %+v", c, all)
		}
	}
	w := NewRejects(RejectLimit{Window: 10, Share: 0})
	for range 8 {
		w.Push(false)
	}
	if _, exceeded := w.TooMany(); exceeded {
		t.Error("too many of nine records, and the window has ten")
	}
	w.Push(false)
	if count, exceeded := w.TooMany(); !exceeded || count != 1 {
		t.Errorf("%d of ten", count)
	}
}

// TestPartitionsFallAsleep after so many records of others, and not before.
func TestPartitionsFallAsleep(t *testing.T) {
	c := &clock{Hands: make([]hand, 3)}
	for behind, awake := range map[int64]bool{0: true, 3*idle - 1: true, 3 * idle: false} {
		c.Ticks = 1000 + behind
		if c.awake(&hand{Last: 1000}) != awake {
			t.Errorf("%d records behind: awake %v", behind, !awake)
		}
	}
}
