package intake

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/internal/waiting"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// keyed is a configuration whose labels come later.
func keyed() model.Config {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute = "sex", model.OneOrMore{"sex"}
	constraint.Group, constraint.Versus, constraint.Tau = model.Values("Male"), model.Values("Female"), .05
	c := model.Config{Record: record.Config{Label: record.Label{Field: "income", Positive: ">50K"}, Key: "person"}, Learner: model.DefaultLearner(),
		Constraints: []model.Constraint{constraint}}
	c.Learner.Warmup = 50
	return c
}

func keyedSchema(t testing.TB) *record.Schema {
	t.Helper()
	schema, err := keyed().WithDefaults().Schema()
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// opened is a buffer whose topic never has a record.
func opened(t testing.TB, limit LabelBuffer) *Labels {
	t.Helper()
	b := NewLabels(limit, format.JSON, keyedSchema(t))
	open(t, b)
	return b
}

func open(t testing.TB, b *Labels) {
	t.Helper()
	nothing := func(context.Context, int64, func(*kafka.Record) error) error { return nil }
	if _, err := b.Open(t.Context(), waiting.Options{Job: "job", Topic: "waiting", Term: 1, Read: nothing}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
}

// waits has a record wait that came at a time.
func waits(t testing.TB, b *Labels, key, value string, at time.Time) {
	t.Helper()
	e := &observe.Entry{Source: &kafka.Record{Value: []byte(value)}}
	e.Record.Key, e.Record.Time = []byte(key), at
	s := &observe.Sight{Entry: e, Record: &e.Record, Number: 7}
	s.Known, s.Positive, s.Score = true, true, 1.5
	if due, err := b.Due(e, nil, decider{s.Made, nil}, 0); due != nil || err != nil {
		t.Fatal(due, err)
	}
	if _, err := b.Join(s, &Parcel{}, decider{s.Made, nil}); err != nil {
		t.Fatal(err)
	}
}

// decider decides all records alike, and notes the keys of those whose label never comes.
type decider struct {
	made  observe.Made
	never *[]string
}

func (d decider) Await(s *observe.Sight) { s.Made = d.made }

func (d decider) Never(r *record.Record) { *d.never = append(*d.never, string(r.Key)) }

func (d decider) Counts() bool { return d.never != nil }

func (d decider) Learns() bool { return true }

// take has a buffer take in an entry, after what is due before it, and gives the sights of what is to be learnt.
func take(t testing.TB, b *Labels, e *observe.Entry, number int64, d decider) (learnt []*observe.Sight, rejection error) {
	t.Helper()
	p := &Parcel{}
	for before := 0; ; before++ {
		s, err := b.Due(e, p, d, before)
		if err != nil {
			t.Fatal(err)
		}
		if s == nil {
			break
		}
		learnt = append(learnt, s)
	}
	s := &observe.Sight{Entry: e, Record: &e.Record, Number: number}
	kept, rejection := b.Join(s, p, d)
	if kept == Nothing && rejection == nil {
		learnt = append(learnt, s)
	}
	return learnt, rejection
}

func TestLabelBufferIsBounded(t *testing.T) {
	b := opened(t, LabelBuffer{Records: 1000, Bytes: 5000})
	for i := range 100 {
		waits(t, b, fmt.Sprint(i), strings.Repeat(" ", 300), time.Time{})
		if s := b.Status(); s.Bytes > 5000 {
			t.Fatalf("%d bytes wait", s.Bytes)
		}
	}
	waits(t, b, "large", strings.Repeat(" ", 6000), time.Time{})
	if s := b.Status(); s.Waiting != 0 || s.Bytes != 0 || s.Dropped != 101 {
		t.Errorf("%d records of %d bytes wait, %d were dropped", s.Waiting, s.Bytes, s.Dropped)
	}
	for _, less := range []int64{0, 1} { // as many bytes as there may be, and one more
		b := opened(t, LabelBuffer{})
		waits(t, b, "first", "{}", time.Time{})
		waits(t, b, "second", "{}", time.Time{})
		b.bytes = b.Status().Bytes - less
		if s, err := b.Due(entryOf("{}"), &Parcel{}, decider{}, 0); s != nil || err != nil || b.Status().Dropped != less {
			t.Errorf("with %d bytes too many, %d records are dropped, %v", less, b.Status().Dropped, err)
		}
	}
	b = opened(t, LabelBuffer{Records: 4})
	for i := range 12 {
		waits(t, b, fmt.Sprint(i), "{}", time.Time{})
	}
	if s := b.Status(); s.Waiting != 4 || s.Dropped != 8 {
		t.Errorf("%+v", s)
	}
}

// TestRulesOfKeys: a label before its record, a second label, the same or another one, and a label of a record that gave way to a later one are
// rejected; the later record of a key gets the label. A key may be used again.
func TestRulesOfKeys(t *testing.T) {
	b := opened(t, LabelBuffer{})
	label := func(positive bool) (*observe.Sight, error) {
		e := &observe.Entry{Source: &kafka.Record{}}
		e.Record = record.Record{Key: []byte("1"), HasLabel: true, Positive: positive}
		s := &observe.Sight{Entry: e, Record: &e.Record}
		_, err := b.Join(s, &Parcel{}, decider{})
		return s, err
	}
	refused := func(when string, positive bool) {
		t.Helper()
		_, err := label(positive)
		if r := (*record.Rejection)(nil); !errors.As(err, &r) || r.Reason != UnmatchedLabel {
			t.Errorf("a label %s: %v", when, err)
		}
	}
	refused("before its record", true)
	waits(t, b, "1", `{"person":"1","x":1}`, time.Time{})
	waits(t, b, "1", `{"person":"1","x":2}`, time.Time{})
	s, err := label(true)
	if err != nil || len(s.Record.Features) != 1 || string(s.Record.Features[0].Text) != "2" || !s.Record.Positive {
		t.Fatalf("%v: the label joined %+v", err, s.Record.Features)
	}
	refused("twice", true)
	refused("that changed", false)
	if n := b.Status(); n.Joined != 1 || n.Replaced != 1 || n.Waiting != 0 {
		t.Errorf("%+v", n)
	}
	waits(t, b, "1", `{"person":"1","x":3}`, time.Time{})
	if s, err = label(false); err != nil || string(s.Record.Features[0].Text) != "3" {
		t.Errorf("a key that is used again: %v, %+v", err, s.Record.Features)
	}
}

// TestALabelBringsItsPropensity: that of the label's message, or else that of the record.
func TestALabelBringsItsPropensity(t *testing.T) {
	c := keyed()
	c.Record.Propensity = "propensity"
	schema, err := c.WithDefaults().Schema()
	if err != nil {
		t.Fatal(err)
	}
	b := NewLabels(LabelBuffer{}, format.JSON, schema.LabelOptional())
	open(t, b)
	for _, test := range []struct {
		record      string
		label, want float64
	}{{`{"person":"1","x":1}`, .02, .02}, {`{"person":"1","x":1,"propensity":0.5}`, .02, .02}, {`{"person":"1","x":1,"propensity":0.5}`, 0, .5}, {`{"person":"1","x":1}`, 0, 0}} {
		waits(t, b, "1", test.record, time.Time{})
		e := &observe.Entry{Source: &kafka.Record{}}
		e.Record = record.Record{Key: []byte("1"), HasLabel: true, Positive: true, Propensity: test.label}
		s := &observe.Sight{Entry: e, Record: &e.Record}
		if _, err := b.Join(s, &Parcel{}, decider{}); err != nil {
			t.Fatal(err)
		}
		if s.Record == &e.Record || s.Record.Propensity != test.want {
			t.Errorf("%s with a label of propensity %v: %v", test.record, test.label, s.Record.Propensity)
		}
	}
}

// TestWhoNeverGetsALabelIsTold: each record that has waited for too long, once, in order, and no other.
func TestWhoNeverGetsALabelIsTold(t *testing.T) {
	b := opened(t, LabelBuffer{Age: time.Hour, Records: 5000})
	var never []string
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 8000 {
		e := &observe.Entry{Source: &kafka.Record{Value: fmt.Appendf(nil, `{"person":"%d","x":1}`, i)}}
		e.Record.Key, e.Record.Time = fmt.Append(nil, i), begin.Add(time.Duration(i)*time.Second)
		if _, err := take(t, b, e, int64(i)+1, decider{never: &never}); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.Status().Expired; n == 0 || int64(len(never)) != n {
		t.Fatalf("%d records expired, and %d are told of", n, len(never))
	}
	for i, key := range never {
		if key != fmt.Sprint(i) {
			t.Fatalf("record %d is the %d-th that is told of", i, i)
		}
	}
}

// TestARecordWaitsForAnAge: longer than that it does not, whatever single records say of the time; without an age it waits for ever.
func TestARecordWaitsForAnAge(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, age := range []time.Duration{0, time.Hour} {
		b := opened(t, LabelBuffer{Records: 100_000, Age: age})
		for i := range 10_000 {
			at := begin.Add(time.Duration(i) * time.Second)
			if i%50 == 0 {
				at = at.AddDate(50, 0, 0) // a clock that is wrong
			}
			waits(t, b, fmt.Sprint(i), "{}", at)
		}
		want := int64(10_000)
		if age > 0 {
			want = 3600
		}
		if s := b.Status(); s.Waiting < want || s.Waiting > want+want/20+2*certain || s.Waiting+s.Expired != 10_000 || s.Dropped != 0 {
			t.Errorf("age %v: %+v", age, s)
		}
	}
}

// TestLabelsAreLearntInTheOrderOfRecords: a label that is known is held until its record is as old as the age, in whatever order labels come. Records without
// a label are told of in their place among them. A key may be used again while a label is held, and a second label of it is refused.
func TestLabelsAreLearntInTheOrderOfRecords(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, order := range []Order{"", ByRecords, ByLabels} {
		b := opened(t, LabelBuffer{Age: time.Hour, Records: 100_000, Order: order})
		var never []string
		var numbers, ages []int
		number, learnt := int64(0), 0
		take := func(e *observe.Entry) error {
			number++
			sights, rejection := take(t, b, e, number, decider{never: &never})
			for _, s := range sights {
				i, _ := strconv.Atoi(string(s.Record.Features[0].Text))
				if s.Record.Positive != (i%2 == 0) || s.Record.Propensity != .5 || !s.Record.HasLabel || s.Waits.Number == 0 {
					t.Fatalf("record %d is learnt as %+v", i, s.Record)
				}
				numbers, ages = append(numbers, i), append(ages, int(e.Record.Time.Sub(begin).Seconds())-i)
				learnt++
			}
			return rejection
		}
		label := func(i, second int) error {
			e := &observe.Entry{Source: &kafka.Record{}}
			e.Record = record.Record{Key: fmt.Append(nil, i), HasLabel: true, Positive: i%2 == 0, Propensity: .5, Time: begin.Add(time.Duration(second) * time.Second)}
			return take(e)
		}
		for second := range 10_000 {
			e := &observe.Entry{Source: &kafka.Record{Value: fmt.Appendf(nil, `{"person":"%d","x":%d}`, second, second)}}
			e.Record.Key, e.Record.Time = fmt.Append(nil, second), begin.Add(time.Duration(second)*time.Second)
			if err := take(e); err != nil {
				t.Fatal(err)
			}
			for kind, delay := range []int{3000, 100} { // positive ones come later
				if i := second - delay; i >= 0 && i%2 == kind && i%5 > 0 {
					if err := label(i, second); err != nil {
						t.Fatal(second, err)
					}
					if i%101 == 0 {
						if r := (*record.Rejection)(nil); !errors.As(label(i, second), &r) {
							t.Error("a second label is taken")
						}
					}
				}
			}
		}
		s := b.Status()
		if int(s.Joined) != learnt || len(never) != int(s.Expired) || s.Dropped+s.Replaced+s.Lost > 0 {
			t.Errorf("order %q: %+v, %d learnt, %d told of", order, s, learnt, len(never))
		}
		if order == ByLabels {
			if slices.IsSorted(numbers) || s.Held > 0 || slices.Max(ages) > 3001 {
				t.Errorf("order %q: %+v", order, s)
			}
			continue
		}
		if !slices.IsSorted(numbers) || slices.Min(ages) < 3600-certain || slices.Max(ages) > 3600+2*certain || s.Held < 1000 {
			t.Errorf("order %q: ages %d to %d, %+v", order, slices.Min(ages), slices.Max(ages), s)
		}
		if last := numbers[len(numbers)-1]; learnt != last-last/5 { // all but each fifth
			t.Errorf("order %q: %d records up to the %d-th are learnt", order, learnt, last)
		}
	}
}

// TestAHeldLabelIsLearntBeforeItsRecordGivesWay to others in a full buffer.
func TestAHeldLabelIsLearntBeforeItsRecordGivesWay(t *testing.T) {
	b := opened(t, LabelBuffer{Age: time.Hour, Records: 10})
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	learnt := 0
	for i := range 40 {
		e := &observe.Entry{Source: &kafka.Record{Value: fmt.Appendf(nil, `{"person":"%d","x":1}`, i)}}
		e.Record.Key, e.Record.Time = fmt.Append(nil, i), begin
		sights, err := take(t, b, e, int64(i)+1, decider{})
		learnt += len(sights)
		if err == nil && i%2 == 0 {
			e := &observe.Entry{Source: &kafka.Record{}}
			e.Record = record.Record{Key: fmt.Append(nil, i), HasLabel: true, Time: begin}
			sights, err = take(t, b, e, int64(i)+1, decider{})
			learnt += len(sights)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if s := b.Status(); learnt < 14 || int64(learnt) != s.Joined || s.Joined+s.Held != 20 || s.Dropped+s.Waiting != 20 || s.Held+s.Waiting > 11 {
		t.Errorf("%d learnt, %+v", learnt, s)
	}
}

// monitor decides nothing itself: no weights come of what it takes in.
type monitor struct{ decider }

func (monitor) Learns() bool { return false }

// TestNoLabelIsHeldWhereNothingIsLearnt: a monitor of decisions that others made takes each label when it comes, also with an age.
func TestNoLabelIsHeldWhereNothingIsLearnt(t *testing.T) {
	for _, d := range []Awaiter{decider{}, monitor{}} {
		b := opened(t, LabelBuffer{Age: time.Hour, Records: 10})
		begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		waits(t, b, "a", `{"person":"a","x":1}`, begin)
		e := &observe.Entry{Source: &kafka.Record{}}
		e.Record = record.Record{Key: []byte("a"), HasLabel: true, Time: begin}
		kept, err := b.Join(&observe.Sight{Entry: e, Record: &e.Record}, &Parcel{}, d)
		if want := map[bool]Kept{true: Label, false: Nothing}[d.Learns()]; err != nil || kept != want {
			t.Errorf("%T: kept %v, %v; want %v", d, kept, err, want)
		}
		if held := b.Status().Held; (held == 1) != d.Learns() {
			t.Errorf("%T: %d labels are held", d, held)
		}
	}
}

// A record that waits is not decided while the learner holds its first records back, even when records of weight 0
// have carried the version past the warm-up.
func TestNoDecisionBeforeTheLearnerIsReady(t *testing.T) {
	config := keyed()
	config.Record.Weight = "weight"
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	b := opened(t, LabelBuffer{Records: 10, Bytes: 1 << 20})
	nothing := record.Record{HasLabel: true, Attributes: make([]record.Value, 1)}
	for range config.Learner.Warmup + 1 {
		learner.Learn(&nothing)
	}
	e := &observe.Entry{Source: &kafka.Record{}}
	e.Record = record.Record{Attributes: make([]record.Value, 1), Key: []byte("a")}
	sight := &observe.Sight{Entry: e, Record: &e.Record}
	if kept, err := b.Join(sight, &Parcel{}, observe.Learner(learner)); kept != Itself || err != nil || sight.Waits.Known || b.count.Scored != 0 {
		t.Errorf("version %d, warm-up %d: %v, %v, %+v, %d scored", learner.Version(), config.Learner.Warmup, kept, err, sight.Waits, b.count.Scored)
	}
}

// TestRecordsInASnapshotOfAnOlderProgram are not lost silently.
func TestRecordsInASnapshotOfAnOlderProgram(t *testing.T) {
	counts := NewLabels(LabelBuffer{}, format.JSON, keyedSchema(t)).AppendState(nil)
	for _, test := range []struct {
		section []byte
		refused bool
	}{{counts, false}, {envelope.AppendSection(counts, []byte("key")), true}} {
		b := NewLabels(LabelBuffer{}, format.JSON, keyedSchema(t))
		if err := b.Restore(test.section, waiting.Mark{}); errors.Is(err, errOlder) != test.refused {
			t.Errorf("%v", err)
		}
	}
}

// FuzzLabels: what can be read of a section is written again.
func FuzzLabels(f *testing.F) {
	schema := keyedSchema(f)
	f.Add(envelope.AppendSection(nil, []byte(`{"scored":3,"positive":2,"joined":1,"judged":1,"right":1,"now":{"at":7,"first":5,"least":7,"seen":3},"overdue":true}`)))
	f.Add(envelope.AppendSection(nil, []byte(`{"now":{"at":7,"first":5,"slowest":6,"own":true,"ticks":9,"hands":[{"partition":1,"at":6,"least":7,"seen":3,"last":9}]}}`)))
	f.Add(NewLabels(LabelBuffer{}, format.JSON, schema).AppendState(nil))
	f.Fuzz(func(t *testing.T, state []byte) {
		b := NewLabels(LabelBuffer{}, format.JSON, schema)
		if b.Restore(state, waiting.Mark{}) != nil {
			return
		}
		again := NewLabels(LabelBuffer{}, format.JSON, schema)
		if err := again.Restore(b.AppendState(nil), waiting.Mark{}); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if *again.Status() != *b.Status() || !reflect.DeepEqual(again.now, b.now) || again.overdue != b.overdue {
			t.Errorf("read again: %+v, before %+v", again.Status(), b.Status())
		}
	})
}

func TestGoneIsHowManyWaitNoMore(t *testing.T) {
	s := LabelStatus{Waiting: 1 << 20, Bytes: 1 << 21, Scored: 1 << 22, Joined: 1 << 23, Replaced: 1, Dropped: 10, Expired: 100, Lost: 1000}
	if got := s.Gone(); got != 1111 {
		t.Errorf("%d are gone, want 1111", got)
	}
}
