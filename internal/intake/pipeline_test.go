package intake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// given is a source of deliveries; after them it fails.
type given struct {
	cluster.Source
	deliveries []*cluster.Delivery
	end        error
}

func (g *given) Next(context.Context) (*cluster.Delivery, error) {
	if len(g.deliveries) == 0 {
		return nil, g.end
	}
	d := g.deliveries[0]
	g.deliveries = g.deliveries[1:]
	return d, nil
}

func (g *given) Positions() []kafka.Position { return []kafka.Position{{Partition: 3}} }

// delivery has the chunks of records that Records gives, one after the other, and counts how often it is released.
func delivery(released *int, chunks ...[]kafka.Record) *cluster.Delivery {
	return &cluster.Delivery{Partition: 1, Release: func() { *released++ }, Records: func(context.Context) ([]kafka.Record, error) {
		if len(chunks) == 0 {
			return nil, nil
		}
		c := chunks[0]
		chunks = chunks[1:]
		return c, nil
	}}
}

func records(first, n int) (all []kafka.Record) {
	for i := first; i < first+n; i++ {
		all = append(all, kafka.Record{Offset: int64(i), Value: fmt.Appendf(nil, `{"person":"p%d","age":%d,"sex":"Male","income":">50K"}`, i, i%90)})
	}
	return all
}

// TestRecordsComeInTheirOrder: through reader and decoders, in parcels of a bounded number; a delivery is released once, after its last parcel, and what
// cannot be decoded is rejected alone.
func TestRecordsComeInTheirOrder(t *testing.T) {
	released, end := 0, errors.New("the source ends")
	broken := records(50, 3)
	broken[1].Value = []byte("{")
	source := &given{end: end, deliveries: []*cluster.Delivery{delivery(&released, records(0, 25), records(25, 25)), delivery(&released, broken), delivery(&released)}}
	p := NewPipeline(source, 1, 10, &observe.Juries{}, format.JSON)
	if p.Positions()[0].Partition != 3 || cap(p.work) != 2 || len(p.idle) != 2 {
		t.Errorf("%v, %d tasks", p.Positions(), len(p.idle))
	}
	ctx, cancel := context.WithCancel(t.Context())
	decoded, read := make(chan error, 1), make(chan error, 1)
	go func() { decoded <- p.Decode(ctx, keyedSchema(t)) }()
	go func() { read <- p.Read(ctx) }()
	next, rejected := int64(0), 0
	for i := range 3 {
		task := <-p.Order
		for last := false; !last; {
			parcel := <-task.Filled
			if last = parcel.Last; parcel.Count > 10 || parcel.Err != nil || parcel.Pending != nil || released != i {
				t.Errorf("%d records, %v, %v, %d deliveries released of %d", parcel.Count, parcel.Err, parcel.Pending, released, i)
			}
			for k := range parcel.Entries[:parcel.Count] {
				e := &parcel.Entries[k]
				if e.Source.Offset != next || e.Rejection == nil && string(e.Record.Key) != fmt.Sprint("p", next) {
					t.Errorf("record %d comes as record %d, of %s", next, e.Source.Offset, e.Record.Key)
				}
				if next++; e.Rejection != nil {
					rejected++
				}
			}
			p.GiveBack(task, parcel)
		}
	}
	if next != 53 || rejected != 1 || released != 3 {
		t.Errorf("%d records, %d rejected, %d deliveries released", next, rejected, released)
	}
	if err := <-read; !errors.Is(err, end) {
		t.Error(err)
	}
	cancel()
	if err := <-decoded; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestDecodersAreAhead of a learner that stands still, by a bounded number of records; where small parcels are asked for, by few.
func TestDecodersAreAhead(t *testing.T) {
	for size, want := range map[int]int{0: parcelsPerTask * parcelRecords, 4: fewest * 4} {
		p := NewPipeline(nil, 1, size, &observe.Juries{}, format.JSON)
		task := <-p.idle
		task.Delivery = delivery(new(int), records(0, want+1))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- task.decode(ctx, &decoding{decoder: format.JSON.NewDecoder(keyedSchema(t)), juries: p.juries})
		}()
		ahead := 0
		for range cap(task.free) {
			ahead += (<-task.Filled).Count
		}
		if cancel(); ahead != want || len(task.Filled) > 0 {
			t.Errorf("parcels of %d: %d records are decoded ahead, want %d", size, ahead, want)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestAReaderEndsWithItsContext, while no task is idle.
func TestAReaderEndsWithItsContext(t *testing.T) {
	p := NewPipeline(&given{}, 1, 0, &observe.Juries{}, format.JSON)
	<-p.idle
	<-p.idle
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := p.Read(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	task := &Task{Filled: make(chan *Parcel, 1), free: make(chan *Parcel), Delivery: delivery(new(int), records(0, 1))}
	if err := task.decode(ctx, &decoding{decoder: format.JSON.NewDecoder(keyedSchema(t)), juries: p.juries}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestADeliveryThatCannotBeRead tells the learner so, with its last parcel; one of a loss has no records.
func TestADeliveryThatCannotBeRead(t *testing.T) {
	p := NewPipeline(nil, 1, 4, &observe.Juries{}, format.JSON)
	d := decoding{decoder: format.JSON.NewDecoder(keyedSchema(t)), juries: p.juries}
	task := <-p.idle
	for name, test := range map[string]struct {
		loss *kafka.DataLoss
		want error
	}{"damaged": {nil, io.ErrUnexpectedEOF}, "a loss": {&kafka.DataLoss{}, nil}} {
		task.Delivery = &cluster.Delivery{Loss: test.loss, Records: func(context.Context) ([]kafka.Record, error) { return nil, io.ErrUnexpectedEOF }}
		if err := task.decode(t.Context(), &d); err != nil {
			t.Fatal(err)
		}
		parcel := <-task.Filled
		if task.free <- parcel; !parcel.Last || parcel.Count != 0 || !errors.Is(parcel.Err, test.want) || (parcel.Err == nil) != (test.want == nil) {
			t.Errorf("%s: last %v, %d records, %v", name, parcel.Last, parcel.Count, parcel.Err)
		}
	}
}

// absent is a decoder of records whose schema is not there yet from an offset on.
type absent struct {
	format.Decoder
	from     int64
	prepared []int64
}

func (a *absent) Decode(dst *record.Record, r *kafka.Record) error {
	if r.Offset >= a.from {
		return &format.Pending{Schema: "schema id 7"}
	}
	return a.Decoder.Decode(dst, r)
}

func (a *absent) Prepare(r *kafka.Record) { a.prepared = append(a.prepared, r.Offset) }

// TestAnAbsentSchemaEndsADelivery: before the record that has it. The schemas of the records behind are asked for meanwhile.
func TestAnAbsentSchemaEndsADelivery(t *testing.T) {
	p := NewPipeline(nil, 1, 4, &observe.Juries{}, format.JSON)
	a := &absent{Decoder: format.JSON.NewDecoder(keyedSchema(t)), from: 5}
	d := decoding{decoder: a, juries: p.juries}
	task := <-p.idle
	task.Delivery = delivery(new(int), records(0, 8), records(8, 8))
	if err := task.decode(t.Context(), &d); err != nil {
		t.Fatal(err)
	}
	first, second := <-task.Filled, <-task.Filled
	if first.Count != 4 || first.Last || first.Pending != nil || second.Count != 1 || !second.Last || second.Pending == nil || second.Stop != 5 || fmt.Sprint(a.prepared) != "[5 6 7]" {
		t.Errorf("%d records, then %d before offset %d, last %v; prepared %v", first.Count, second.Count, second.Stop, second.Last, a.prepared)
	}
	task.free <- second
	task.Delivery = delivery(new(int), records(0, 1))
	if err := task.decode(t.Context(), &d); err != nil {
		t.Fatal(err)
	}
	if again := <-task.Filled; again.Pending != nil || again.Count != 1 {
		t.Errorf("a parcel that is used again: %+v", again.Pending)
	}
}

// TestParcelsHaveABoundedSize: of the bytes of their records, and of the room that they keep.
func TestParcelsHaveABoundedSize(t *testing.T) {
	d := decoding{decoder: format.JSON.NewDecoder(keyedSchema(t)), juries: &observe.Juries{}}
	large := make([]kafka.Record, 5)
	for i := range large {
		large[i].Value = append([]byte(`{"person":"a","age":40,"sex":"Male","income":">50K","note":"`), append(bytes.Repeat([]byte("x"), parcelBytes/2), `"}`...)...)
	}
	p := newParcel(parcelRecords)
	if rest := p.fill(0, large, &d); p.Count != 2 || len(rest) != 3 {
		t.Errorf("a parcel of %d records, %d remain", p.Count, len(rest))
	}
	for _, features := range []int{largestParcel / 2, largestParcel/2 + 1} {
		p := newParcel(2)
		p.Entries[0].Record.Features = make([]record.Field, largestParcel/2)
		p.another().Features = make([]record.Field, features)
		first := p.completed[0]
		if p.trim(); (p.Entries[0].Record.Features == nil) != (2*features > largestParcel) || (p.completed == nil) != (2*features > largestParcel) {
			t.Errorf("with room for %d features more, the parcel keeps room for %d and %d records", features, cap(p.Entries[0].Record.Features), len(p.completed))
		}
		p.used = 0
		if kept := p.another() == first; kept != (2*features <= largestParcel) || p.another() == p.completed[0] {
			t.Errorf("with room for %d features more, the room is used again: %v", features, kept)
		}
	}
}

// TestAHeldParcelKeepsItsDelivery: a part that was given up may use its records for ever, and another parcel takes its place.
func TestAHeldParcelKeepsItsDelivery(t *testing.T) {
	released := 0
	p := NewPipeline(nil, 1, 4, &observe.Juries{}, format.JSON)
	task := <-p.idle
	task.Delivery = delivery(&released)
	held := <-task.free
	held.Last = true
	other := task.Replace(held)
	if p.GiveBack(task, other); other == held || !other.Last || len(other.Entries) != 4 || released != 0 || len(p.idle) != 2 {
		t.Errorf("released %d times, %d tasks are idle; %+v", released, len(p.idle), other)
	}
	task.Delivery = delivery(&released)
	next := <-task.free
	<-p.idle
	next.Last = true
	if p.GiveBack(task, next); released != 1 {
		t.Errorf("the next delivery was released %d times", released)
	}
}

// TestWhatWaitsIsWrittenAndRead: a record with its decision, and the label that is held for it.
func TestWhatWaitsIsWrittenAndRead(t *testing.T) {
	for _, w := range []observe.Waiting{{}, {Known: true, Score: .25, Number: 7}, {Known: true, Positive: true, Score: -1.5, Number: math.MaxInt64}} {
		b := payload(&w, []byte("value"))
		got, value, ok := readPayload(b)
		if !ok || *got != w || string(value) != "value" {
			t.Errorf("%+v is read as %+v with %q, %v", w, got, value, ok)
		}
		if got, value, ok := readPayload(b[:payloadHead]); !ok || *got != w || len(value) != 0 {
			t.Errorf("without a value: %+v, %q, %v", got, value, ok)
		}
		b[0] = byte(positive) + 1
		if _, _, ok := readPayload(b); ok {
			t.Error("a decision that cannot be is read")
		}
		if _, _, ok := readPayload(b[:payloadHead-1]); ok {
			t.Error("a record that is too short is read")
		}
	}
	for _, l := range []label{{}, {positive: true, value: 1, propensity: .5}, {value: -3}} {
		b := l.append([]byte(nil), []byte("waits"))
		got, waits, ok := readLabel(b)
		if !ok || got != l || string(waits) != "waits" {
			t.Errorf("%+v is read as %+v with %q, %v", l, got, waits, ok)
		}
		if got, waits, ok := readLabel(b[:labelHead]); !ok || got != l || len(waits) != 0 {
			t.Errorf("without a record: %+v, %q, %v", got, waits, ok)
		}
		b[0] = byte(positive) + 1
		if _, _, ok := readLabel(b); ok {
			t.Error("a label that cannot be is read")
		}
		if _, _, ok := readLabel(b[:labelHead-1]); ok {
			t.Error("a label that is too short is read")
		}
	}
}

// TestBoundsOfALabelBuffer: as configured, else those of memory, and none in a folder.
func TestBoundsOfALabelBuffer(t *testing.T) {
	for _, c := range []struct {
		limit          LabelBuffer
		records, bytes int64
	}{
		{LabelBuffer{}, 100_000, 64 << 20}, {LabelBuffer{Dir: "d"}, math.MaxInt64, math.MaxInt64}, {LabelBuffer{Records: 5, Bytes: 7}, 5, 7}, {LabelBuffer{Dir: "d", Records: 5}, 5, math.MaxInt64},
		{LabelBuffer{Dir: "d", Bytes: 7}, math.MaxInt64, 7},
	} {
		if records, bytes := c.limit.bounds(); records != c.records || bytes != c.bytes {
			t.Errorf("%+v: %d records, %d bytes", c.limit, records, bytes)
		}
	}
	for limit, want := range map[LabelBuffer]bool{{}: false, {Age: 1}: true, {Age: 1, Order: ByRecords}: true, {Age: 1, Order: ByLabels}: false, {Order: ByRecords}: false} {
		if limit.Holds() != want {
			t.Errorf("%+v holds labels: %v", limit, limit.Holds())
		}
	}
}

// TestTooManyRejectedSaysWhatHelps: a field that was renamed, unless the registry's header is the trouble.
func TestTooManyRejectedSaysWhatHelps(t *testing.T) {
	for reason, renamed := range map[record.Reason]bool{record.MissingLabel: true, record.RegistryHeader: false} {
		err := &TooManyRejected{Rejected: 51, Window: 100, Share: .5, Last: &record.Rejection{Reason: reason, Offset: -1}}
		if text := err.Error(); !strings.HasPrefix(text, "51 of the last 100 records were rejected, more than the share of 0.5") || strings.Contains(text, "record.renamed") != renamed {
			t.Errorf("%s: %s", reason, text)
		}
	}
	for _, reason := range Reasons() {
		if schema := aboutSchema(reason); schema == (reason == record.Tombstone || reason == record.Deleted || reason == UnmatchedLabel) {
			t.Errorf("%s counts: %v", reason, schema)
		}
	}
}

// TestTheTimeOfAnEntry is that of its record, or else Kafka's.
func TestTheTimeOfAnEntry(t *testing.T) {
	at := time.UnixMilli(5000)
	for name, c := range map[string]struct {
		entry observe.Entry
		want  time.Time
	}{
		"the record's":                 {observe.Entry{Source: &kafka.Record{Timestamp: 1}, Record: record.Record{Time: at}}, at},
		"Kafka's":                      {observe.Entry{Source: &kafka.Record{Timestamp: 1}}, time.UnixMilli(1)},
		"of a rejection":               {observe.Entry{Source: &kafka.Record{Timestamp: 1}, Record: record.Record{Time: at}, Rejection: io.EOF}, time.UnixMilli(1)},
		"none":                         {observe.Entry{Source: &kafka.Record{}}, time.Time{}},
		"none, before Kafka had times": {observe.Entry{Source: &kafka.Record{Timestamp: -1}}, time.Time{}},
	} {
		if got := TimeOf(&c.entry); !got.Equal(c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTheClockNeedsManyRecords: the least time of a hundred in a row moves it.
func TestTheClockNeedsManyRecords(t *testing.T) {
	var c clock
	at := time.UnixMilli(1_000_000)
	for i := range certain {
		if c.At != 0 {
			t.Fatalf("the time is known after %d records", i)
		}
		later := at.Add(time.Duration((i+50)%certain) * time.Second) // the least is in the middle
		if moved := c.tick(0, later, false); moved != (i == certain-1) {
			t.Fatalf("record %d moves the clock: %v", i, moved)
		}
	}
	if c.At != at.UnixMilli() || c.Hands[0].Seen != 0 || c.since(0, 1) != 0 || c.since(c.At, 1) != 0 {
		t.Errorf("%+v", c)
	}
	for range certain {
		c.tick(0, at.Add(time.Minute), false)
	}
	if c.since(at.UnixMilli()+1, 1) != time.Minute.Milliseconds()-1 {
		t.Errorf("%+v", c)
	}
}
