package intake

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// stage has records and labels come to a buffer, and notes after how many days labels are learnt.
type stage struct {
	t      testing.TB
	buffer *Labels
	number int64
	came   map[int]float64 // on which day
	ages   map[int]float64 // of those that were learnt
}

const day = 24 * time.Hour

var firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func newStage(t testing.TB, limit LabelBuffer) *stage {
	t.Helper()
	return &stage{t: t, buffer: opened(t, limit), came: map[int]float64{}, ages: map[int]float64{}}
}

func (s *stage) take(e *observe.Entry, today float64) error {
	s.t.Helper()
	s.number++
	sights, rejection := take(s.t, s.buffer, e, s.number, decider{})
	for _, sight := range sights {
		i, _ := strconv.Atoi(string(sight.Record.Key))
		s.ages[i] = today - s.came[i]
	}
	return rejection
}

// record has the i-th record come on a day, with a time of its own that may be another one.
func (s *stage) record(i int, today float64, at time.Time) {
	s.t.Helper()
	s.came[i] = today
	e := entryOf(fmt.Sprintf(`{"person":"%d","x":1}`, i))
	e.Record.Key, e.Record.Time = fmt.Append(nil, i), at
	if err := s.take(e, today); err != nil {
		s.t.Fatal(err)
	}
}

// label has the label of the i-th record come on a day.
func (s *stage) label(i int, today float64) {
	s.t.Helper()
	e := entryOf("")
	e.Record = record.Record{Key: fmt.Append(nil, i), HasLabel: true, Time: onDay(today)}
	if err := s.take(e, today); err != nil {
		s.t.Fatalf("the label of record %d, %.1f days later: %v", i, today-s.came[i], err)
	}
}

func entryOf(value string) *observe.Entry {
	return &observe.Entry{Source: &kafka.Record{Value: []byte(value)}}
}

func onDay(x float64) time.Time { return firstDay.Add(time.Duration(x * float64(day))) }

// TestNoLabelIsLostBeforeTheAge, however slow a job is, or however suddenly it becomes fast: a hundred records in a row may take longer than the age.
func TestNoLabelIsLostBeforeTheAge(t *testing.T) {
	days := map[string]func(i int) float64{
		"a record a day": func(i int) float64 { return float64(i) },
		"a burst after quiet days": func(i int) float64 {
			if i%300 < 99 {
				return float64(i/300)*120 + float64(i%300)
			}
			return float64(i/300)*120 + 100 + float64(i%300)/300
		},
		"a quiet year": func(i int) float64 { return float64(i)/50 + 365*float64(i/400) },
	}
	for name, dayOf := range days {
		for _, order := range Orders {
			t.Run(fmt.Sprint(name, ", by ", order), func(t *testing.T) {
				s := newStage(t, LabelBuffer{Age: 30 * day, Records: 100_000, Order: order})
				const count = 1500
				labelled := 0
				for i := range count {
					today := dayOf(i)
					for ; labelled < i && dayOf(labelled)+29 <= today; labelled++ {
						s.label(labelled, dayOf(labelled)+29)
					}
					s.record(i, today, onDay(today))
				}
				if status := s.buffer.Status(); status.Expired > 0 || status.Dropped > 0 || len(s.ages) < count/2 {
					t.Errorf("%+v, %d learnt", status, len(s.ages))
				}
				for i, age := range s.ages {
					if order == ByRecords && age < 30 {
						t.Fatalf("record %d was learnt after %.1f days", i, age)
					}
				}
			})
		}
	}
}

// TestWrongTimesHoldUpNothing: records whose clocks are years ahead, or that have no time, are learnt and expire among their neighbours, even if they come first;
// and so many with the time 0, which stands for none, do not keep the time from being known.
func TestWrongTimesHoldUpNothing(t *testing.T) {
	for name, at := range map[string]func(i int, right time.Time) time.Time{
		"the first ones are from 2099": func(i int, right time.Time) time.Time {
			if i < 20 {
				return right.AddDate(73, 0, 0)
			}
			return right
		},
		"fifty in a row are from 2099": func(i int, right time.Time) time.Time {
			if i%1000 > 950 {
				return right.AddDate(73, 0, 0)
			}
			return right
		},
		"each third is from 1970": func(i int, right time.Time) time.Time {
			if i%3 == 0 {
				return time.UnixMilli(0)
			}
			return right
		},
		"each fiftieth is a year old": func(i int, right time.Time) time.Time {
			if i%50 == 0 {
				return right.AddDate(-1, 0, 0)
			}
			return right
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, LabelBuffer{Age: 30 * day, Records: 100_000})
			for i := range 5000 {
				today := float64(i) / 50
				s.record(i, today, at(i, onDay(today)))
				if of := i - 10*50; of >= 0 && of%2 == 0 {
					s.label(of, today)
				}
			}
			status := s.buffer.Status()
			if due := int64(5000 - 36*50); status.Joined+status.Expired < due || status.Joined < due/2-50 {
				t.Errorf("%+v", status)
			}
			for i, age := range s.ages {
				if age < 30-2 && at(i, onDay(0)).Equal(onDay(0)) || age > 36 {
					t.Fatalf("record %d was learnt after %.1f days", i, age)
				}
			}
		})
	}
}

// TestClocksThatAreAllWrong: if the times of all records are in the future, the intake reports it, and a process that starts again derives the time
// from new records.
func TestClocksThatAreAllWrong(t *testing.T) {
	s := newStage(t, LabelBuffer{Age: 30 * day, Records: 100_000})
	wrong := time.Now().AddDate(73, 0, 0).Truncate(time.Second)
	for i := range 3 * certain {
		if i == certain && !s.buffer.Status().Ahead.IsZero() {
			t.Error("the right time is ahead")
		}
		at := time.Now().Add(-day)
		if i >= certain {
			at = wrong
		}
		s.record(i, 0, at)
	}
	if ahead := s.buffer.Status().Ahead; !ahead.Equal(wrong) {
		t.Errorf("the time is %v", ahead)
	}
	again := NewLabels(LabelBuffer{Age: 30 * day, Records: 100_000}, format.JSON, keyedSchema(t))
	if err := again.Restore(s.buffer.AppendState(nil), s.buffer.mark); err != nil || again.now.At != 0 || !again.Status().Ahead.IsZero() {
		t.Errorf("%+v, %v", again.now, err)
	}
}
