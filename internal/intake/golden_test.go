package intake

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestGoldenClock: the time, its hands and its marks, of partitions at different paces, of which one falls silent and comes back, and others are read to
// their end now and then. Times are written in minutes of the first day.
func TestGoldenClock(t *testing.T) {
	var text strings.Builder
	random := rand.New(rand.NewPCG(7, 1))
	c := clock{slack: (3 * time.Hour).Milliseconds()}
	minutes := func(ms int64) int64 {
		if ms == 0 {
			return -1
		}
		return (ms - firstDay.UnixMilli()) / 60_000
	}
	state := func(what string) {
		fmt.Fprintf(&text, "%s: at %d, slowest %d, ticks %d, begun %d, hands", what, minutes(c.At), minutes(c.Slowest), c.Ticks, c.begun)
		for _, h := range c.Hands {
			fmt.Fprintf(&text, " %d:%d/%d/%d/%d/%d/%v", h.Partition, minutes(h.At), minutes(h.Least), h.Seen, h.Began, h.Last, h.rests)
		}
		text.WriteString(", marks")
		for _, m := range c.Marks {
			fmt.Fprintf(&text, " %d:%d/%d", m.Number, minutes(m.At), m.Ticks)
		}
		text.WriteByte('\n')
	}
	number := int64(0)
	for i := range 2000 {
		partition := int32(random.IntN(4))
		if partition == 3 && i%700 < 650 {
			partition = 0
		}
		at := firstDay.Add(time.Duration(i/int(partition+1))*3*time.Minute + time.Duration(random.IntN(90))*time.Minute)
		moved := c.tick(partition, at, i >= 200 && i%5 != 0)
		if number++; moved || c.begun != 0 {
			state(fmt.Sprintf("record %d moved ages %v", i, moved))
		}
		if i%3 > 0 {
			c.note(number)
		}
		if i%97 == 0 {
			most := random.Int32N(4)
			state(fmt.Sprintf("up to partition %d all is read, moved %v", most, c.rest(func(p int32) bool { return p < most })))
		}
		if i%113 == 0 {
			for _, of := range []time.Duration{0, time.Duration(i) * 3 * time.Minute, 1000 * time.Hour} {
				fmt.Fprintf(&text, "since %v: %d min\n", of, c.since(firstDay.Add(of).UnixMilli(), number-300)/60_000)
			}
			fmt.Fprintf(&text, "since a time that is not known: %d min\n", c.since(0, number-200)/60_000)
			state("looked up")
		}
	}
	// One partition alone brings as many as make the others idle, and then as many marks as are kept and more.
	for i := range 4*idle + 200 {
		if c.tick(1, firstDay.Add(2000*time.Hour), true) {
			state(fmt.Sprintf("record %d of one partition", i))
		}
	}
	c.tick(0, firstDay.Add(time.Hour), true)
	state("another comes back")
	for i := range 30 * 2 * mostMarks {
		if c.tick(1, firstDay.Add(2100*time.Hour+time.Duration(i)*time.Hour), true); c.begun != 0 {
			number++
			c.note(number)
			if len(c.Marks) > mostMarks-2 || len(c.Marks) < mostMarks/2+3 {
				fmt.Fprintf(&text, "%d marks from %d on\n", len(c.Marks), c.Marks[0].Number)
			}
		}
	}
	state("of many marks")
	goldentest.Compare(t, "clock.txt", text.String())
}

// TestTheTimeOfMarks: at the bounds of what a mark needs, and of the marks that an entry finds.
func TestTheTimeOfMarks(t *testing.T) {
	marks := func() []mark {
		return []mark{{Number: 5, At: 100, Ticks: 10}, {Number: 9, At: 200, Ticks: 20}, {Number: 12, At: 300, Ticks: 30}}
	}
	for _, test := range []struct {
		begun, at int64
		marks     int
	}{{0, 400, 3}, {31, 310, 4}, {30, 310, 3}, {31, 309, 3}, {1, 400, 3}} {
		c := clock{slack: 40, At: test.at, Ticks: 77, Marks: marks(), begun: test.begun}
		if c.note(14); len(c.Marks) != test.marks || c.begun != 0 || test.marks == 4 && c.Marks[3] != (mark{14, test.at, 77}) {
			t.Errorf("%+v: %+v", test, c)
		}
	}
	first := clock{slack: 40, At: 1, Ticks: 3, begun: 1}
	if first.note(2); len(first.Marks) != 1 || first.Marks[0] != (mark{2, 1, 3}) {
		t.Errorf("%+v", first)
	}
	for _, test := range []struct {
		at, number, since int64
		left              int
	}{
		{50, 1, 950, 3}, {0, 1, 800, 3}, {200, 5, 800, 3}, {201, 5, 800, 3}, {199, 5, 801, 3}, {0, 6, 700, 2}, {301, 9, 700, 2}, {300, 9, 700, 2},
		{0, 10, 0, 1}, {400, 12, 600, 1}, {400, 13, 600, 1}, {0, 13, 0, 1},
	} {
		c := clock{Slowest: 1000, Marks: marks()}
		if got := c.since(test.at, test.number); got != test.since || len(c.Marks) != test.left {
			t.Errorf("%+v: %d, %+v", test, got, c.Marks)
		}
	}
	if c := (&clock{Slowest: 1000}); c.since(0, 1) != 0 || c.since(400, 1) != 600 {
		t.Error("without a mark")
	}
	now := time.UnixMilli(5_000_000_000)
	for _, ms := range []int64{0, 1} {
		if c := (&clock{At: now.Add(mostAhead).UnixMilli() + ms}); c.ahead(now) != (ms > 0) {
			t.Errorf("%d ms more than may be ahead: %v", ms, c.ahead(now))
		}
	}
	for _, test := range []struct {
		own           bool
		record, kafka int64
		want          int64
	}{{false, 0, 7, 7}, {true, 0, 7, 0}, {true, 5, 7, 5}, {false, 5, 7, 5}, {false, 0, 0, 0}, {true, 1, 0, 1}, {false, 0, 1, 1}} {
		e := entryOf("")
		if e.Source.Timestamp = test.kafka; test.record > 0 {
			e.Record.Time = time.UnixMilli(test.record)
		}
		if got := (&clock{Own: test.own}).came(e); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

// TestGoldenLabels: what becomes of records and labels in a buffer, with and without an age, in either order, and where it is full.
func TestGoldenLabels(t *testing.T) {
	var text strings.Builder
	for i, limit := range []LabelBuffer{
		{Records: 12},
		{Records: 40, Bytes: 1200},
		{Age: 6 * day, Records: 400},
		{Age: 6 * day, Records: 400, Order: ByLabels},
		{Age: 3 * day, Records: 20},
	} {
		fmt.Fprintf(&text, "# %+v\n", limit)
		random := rand.New(rand.NewPCG(uint64(i), 3))
		b := opened(t, limit)
		for n := int64(1); n <= 900; n++ {
			key := fmt.Append(nil, random.Int64N(n/2+5))
			at := onDay(float64(n) / 20)
			e := entryOf(fmt.Sprintf(`{"person":"%s","x":%d,"sex":"Male"}`, key, n))
			if e.Record.Key = key; n%50 > 0 {
				e.Record.Time = at
			}
			what := "record"
			switch random.IntN(3) {
			case 0:
				what = "label"
				e.Source.Value = nil
				e.Record.HasLabel, e.Record.Positive = true, n%3 == 0
			case 1:
				if n%4 == 0 {
					what = "both"
					e.Record.HasLabel, e.Record.Positive = true, n%3 == 0
					e.Record.Features = []record.Field{{Name: "x"}}
				}
			}
			never := []string{}
			made := observe.Made{Known: n%5 > 0, Positive: n%2 == 0, Score: float64(n) / 8}
			learnt, rejection := take(t, b, e, n, decider{made, &never})
			if what == "record" && len(learnt)+len(never) == 0 && n%50 > 0 {
				continue
			}
			fmt.Fprintf(&text, "%d %s %s", n, what, key)
			if rejection != nil {
				fmt.Fprintf(&text, " %v", rejection.(*record.Rejection).Reason)
			}
			for _, s := range learnt {
				fmt.Fprintf(&text, ", %s %d %v", s.Record.Key, len(s.Record.Features), s.Record.Positive)
				if s.Waits != nil {
					fmt.Fprintf(&text, " of %v", *s.Waits)
				}
			}
			if len(never) > 0 {
				fmt.Fprintf(&text, " never %s", never)
			}
			if n%50 == 0 {
				state := b.AppendState(nil)
				counts, _, err := envelope.Section(state)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&text, " full %v overdue %v %+v\n %s", b.full(), b.overdue, b.Status(), counts)
				again := NewLabels(limit, format.JSON, keyedSchema(t))
				if err := again.Restore(state, b.mark); err != nil || again.now.slack != b.now.slack {
					t.Fatal(err, again.now.slack)
				}
				if limit.Age > 0 {
					fmt.Fprintf(&text, " %v", again.overdue)
				}
			}
			text.WriteByte('\n')
		}
		now, err := json.Marshal(b.now)
		fmt.Fprintf(&text, "%s %v\n", now, err)
	}
	goldentest.Compare(t, "labels.txt", text.String())
}

// TestAPartitionRestsAtItsEnd: where the broker told its end, and all before it was processed.
func TestAPartitionRestsAtItsEnd(t *testing.T) {
	for _, test := range []struct {
		partition  int32
		end, next  int64
		age        time.Duration
		rests, due bool
	}{
		{0, 9, 9, 10 * day, true, true}, {0, 9, 10, 10 * day, true, true}, {0, 9, 8, 10 * day, false, false}, {0, 0, 0, 10 * day, true, true},
		{0, -1, 9, 10 * day, false, false}, {1, 9, 9, 10 * day, false, false}, {0, 9, -1, 10 * day, false, false}, {0, 9, 9, 0, false, false},
	} {
		b := opened(t, LabelBuffer{Age: test.age})
		b.now.At, b.now.Slowest = 20*day.Milliseconds(), day.Milliseconds()
		b.now.Hands = []hand{{Partition: 0, At: day.Milliseconds()}, {Partition: 7, At: 20 * day.Milliseconds()}}
		b.Rest(func() []kafka.Position { return []kafka.Position{{Partition: test.partition, HighWatermark: test.end}} }, Ledgers{{Partition: 0, Next: test.next}})
		if b.now.Hands[0].rests != test.rests || b.overdue != test.due || b.now.Hands[1].rests {
			t.Errorf("%+v: %+v, overdue %v", test, b.now.Hands, b.overdue)
		}
	}
	var none *Labels
	none.Rest(nil, nil)
	if none.Status() != nil {
		t.Error("no buffer has a status")
	}
	closed := NewLabels(LabelBuffer{}, format.JSON, keyedSchema(t))
	closed.mark.Entries, closed.mark.Held, closed.mark.Bytes = 9, 4, 100
	if s := closed.Status(); s.Waiting != 5 || s.Held != 4 || s.Bytes != 100 {
		t.Errorf("%+v", s)
	}
}
