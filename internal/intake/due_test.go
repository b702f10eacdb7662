package intake

import (
	"fmt"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestLabelsOfAllPartitionsFindTheirRecords: where partitions are read at different paces, as when a job catches up, and whatever Kafka's time of the labels
// is, if records have times of their own.
func TestLabelsOfAllPartitionsFindTheirRecords(t *testing.T) {
	const records, atOnce, delay, age = 1200, 450, 900, 1000 // seconds, or records
	begin := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, own := range []bool{false, true} {
		for _, order := range Orders {
			c := keyed()
			if own {
				c.Record.Time = record.Time{Field: "at"}
			}
			schema, err := c.WithDefaults().Schema()
			if err != nil {
				t.Fatal(err)
			}
			b := NewLabels(LabelBuffer{Age: age * time.Second, Order: order}, format.JSON, schema)
			open(t, b)
			learnt, number := 0, int64(0)
			take := func(partition int32, e *observe.Entry) {
				number++
				p := &Parcel{partition: partition}
				for before := 0; ; before++ {
					s, err := b.Due(e, p, decider{}, before)
					if err != nil {
						t.Fatal(err)
					}
					if s == nil {
						break
					}
					learnt++
				}
				kept, rejection := b.Join(&observe.Sight{Entry: e, Record: &e.Record, Number: number}, p, decider{})
				if rejection != nil {
					t.Fatalf("own times %v, order %s, partition %d, message %d: %v", own, order, partition, number, rejection)
				}
				if kept == Nothing {
					learnt++
				}
			}
			for from := 0; from < records+delay; from += atOnce {
				for partition := range int32(3) {
					for i := from; i < from+atOnce; i++ {
						at := begin.Add(time.Duration(i) * time.Second)
						key := func(i int) []byte { return fmt.Appendf(nil, "%d/%d", partition, i) }
						if i < records {
							e := &observe.Entry{Source: &kafka.Record{Timestamp: at.UnixMilli(), Value: fmt.Appendf(nil, `{"person":%q,"x":1}`, key(i))}}
							if e.Record.Key = key(i); own {
								e.Record.Time = at
							}
							take(partition, e)
						}
						if i >= delay && i-delay < records {
							e := &observe.Entry{Source: &kafka.Record{Timestamp: at.UnixMilli()}}
							if own { // all of them were written much later
								e.Source.Timestamp = begin.AddDate(6, 0, 0).UnixMilli()
							}
							e.Record = record.Record{Key: key(i - delay), HasLabel: true}
							take(partition, e)
						}
					}
				}
			}
			if s := b.Status(); s.Expired > 0 || int64(learnt) != s.Joined || s.Joined+s.Held != 3*records || order == ByLabels && s.Held > 0 || s.Joined < records/10 {
				t.Errorf("own times %v, order %s: %+v, %d learnt", own, order, s, learnt)
			}
		}
	}
}

// TestAHeldRecordThatCannotBeRead is counted as lost, and gives way to the next one.
func TestAHeldRecordThatCannotBeRead(t *testing.T) {
	b := opened(t, LabelBuffer{})
	for _, key := range []string{"a", "b"} {
		if _, err := b.Store().Put([]byte(key), []byte("what waits"), 1); err != nil {
			t.Fatal(err)
		}
		_, of, _, err := b.Store().Get([]byte(key))
		if err == nil {
			err = b.Store().Hold([]byte(key), of, []byte("no label and no record"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for lost := int64(1); lost <= 2; lost++ {
		s, err := b.Due(entryOf("{}"), &Parcel{}, decider{}, 0)
		if s != nil || err != nil || b.count.Lost != lost || b.Store().Held() != 2-lost {
			t.Errorf("%+v, %v, %d lost, %d are held", s, err, b.count.Lost, b.Store().Held())
		}
	}
}

// TestHeldLabelsAreLearntWithoutAnAge: if the age is taken out of the configuration, labels that were held are learnt, also behind a record without one.
func TestHeldLabelsAreLearntWithoutAnAge(t *testing.T) {
	b := opened(t, LabelBuffer{Age: time.Hour})
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	entry := func(i int) *observe.Entry {
		e := &observe.Entry{Source: &kafka.Record{Value: fmt.Appendf(nil, `{"person":"%d","x":%d}`, i, i)}}
		e.Record.Key, e.Record.Time = fmt.Append(nil, i), begin
		return e
	}
	for i := range 41 {
		if _, err := take(t, b, entry(i), int64(i)+1, decider{}); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			e := &observe.Entry{Source: &kafka.Record{}}
			e.Record = record.Record{Key: fmt.Append(nil, i), HasLabel: true, Time: begin}
			if _, err := take(t, b, e, int64(i)+1, decider{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s := b.Status(); s.Held != 40 || s.Waiting != 1 {
		t.Fatalf("%+v", s)
	}
	b.limit.Age = 0
	var numbers []string
	for i := range 3 {
		sights, err := take(t, b, entry(100+i), int64(100+i), decider{})
		if err != nil || len(sights) > mostDue {
			t.Fatal(len(sights), err)
		}
		for _, s := range sights {
			numbers = append(numbers, string(s.Record.Features[0].Text))
		}
	}
	if s := b.Status(); len(numbers) != 40 || numbers[0] != "1" || numbers[39] != "40" || s.Held != 0 || s.Waiting != 4 || s.Joined != 40 {
		t.Errorf("%v, %+v", numbers, s)
	}
}
