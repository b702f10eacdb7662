package stream

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// meter is a decider that counts how often it is measured.
type meter struct {
	observe.Decider
	version  int64
	early    bool
	measured int
}

func (m *meter) Ready() bool { return !m.early }

func (m *meter) Version() int64 { return m.version }

func (m *meter) Measure() *document.Measurements {
	m.measured++
	return &document.Measurements{}
}

// TestAnIdleJobIsNotMeasuredAgain: a record, or a label that does not come any more, has the learner measured again, and time alone does not.
func TestAnIdleJobIsNotMeasuredAgain(t *testing.T) {
	r, learner, labels := reporter{}, &meter{}, &intake.LabelStatus{}
	for i, happens := range []func(){func() {}, func() { learner.version++ }, func() { labels.Expired++ }, func() { labels.Dropped++ }, func() { labels.Replaced++ }, func() { labels.Lost++ }} {
		happens()
		first := r.measure(time.Time{}, learner, labels).Measurements
		if again := r.measure(time.Time{}, learner, labels).Measurements; again != first || learner.measured != i+1 {
			t.Errorf("after %d changes it was measured %d times", i, learner.measured)
		}
	}
}

// TestEarlyMeasurementsAreFew: while first records are held back, all measurements together have a copy learn about twice as many records as are held.
func TestEarlyMeasurementsAreFew(t *testing.T) {
	r, learner, learnt, now := reporter{}, &meter{early: true}, int64(0), time.Unix(0, 0)
	for learner.version = 20; learner.version <= 2000; learner.version += 20 {
		before := learner.measured
		if m := r.measure(now, learner, nil); 2*m.version <= learner.version {
			t.Fatalf("at %d records the measurement is of %d", learner.version, m.version)
		}
		learnt += int64(learner.measured-before) * learner.version
		now = now.Add(measureEvery / 100)
	}
	if learnt > 2*2000 {
		t.Errorf("%d records were learnt to measure", learnt)
	}
	if m := r.measure(now.Add(measureEarly), learner, nil); m.version != learner.version {
		t.Error("a slow stream is not measured")
	}
	learner.early = false
	learner.version++
	if m := r.measure(now.Add(measureEarly), learner, nil); m.version != learner.version {
		t.Error("a learner that has begun is not measured")
	}
}

// TestReportsOfAnIdleJobAreKept: what is known of the decisions is put together again only after a decision.
func TestReportsOfAnIdleJobAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		world, options := releasing(0)
		options.Model = adultModel()
		options.Model.Learner.Warmup = 50
		b := inBackground(t, world, options)
		world.Put(testTopics.Input, 0, adultLines()[:500]...)
		time.Sleep(10 * time.Second)
		before := b.Status().Monitored
		time.Sleep(10 * time.Second)
		after := b.Status().Monitored
		if len(before) != 1 || before[0].Report.Records == 0 || after[0] != before[0] {
			t.Fatalf("monitored %d models, %+v and %+v", len(before), before, after)
		}
		world.Put(testTopics.Input, 0, adultLines()[500:600]...)
		time.Sleep(10 * time.Second)
		if now := b.Status().Monitored[0].Report.Records; now != before[0].Report.Records+100 {
			t.Errorf("%d decisions, and 100 records later %d", before[0].Report.Records, now)
		}
		if err := b.end(); err != nil {
			t.Error(err)
		}
	})
}

// labels is a decider that got some, and counts how often it is measured.
type labels struct {
	observe.Decider
	known        int64
	measured     int
	measurements document.Measurements
}

func (l *labels) Version() int64 { return 2 * l.known }

func (l *labels) Labelled() int64 { return l.known }

func (l *labels) Measure() *document.Measurements {
	l.measured++
	return &l.measurements
}

// TestWeightsThatSayNothingAreWithheld until they say something, which is looked at again when more labels have come. It is told once, and what is not known of a
// constraint holds back the first publication alone, and not for ever.
func TestWeightsThatSayNothingAreWithheld(t *testing.T) {
	told, now := 0, time.Unix(100, 0)
	learner := &labels{}
	g := gate{learner: learner, notify: func(e Event) { told += len(e.(Withheld).Reason) }}
	if g.opens(now, 0) || told != 0 || !g.asks(now) {
		t.Errorf("before the first label: told %d, asks %v", told, g.asks(now))
	}
	if g.isUseful(now) || told == 0 || learner.measured != 0 {
		t.Errorf("before the first label nothing is useful: told %d, measured %d times", told, learner.measured)
	}
	g.withheld, told = false, 0
	learner.measurements.Conditions = []document.Condition{{Code: document.OneLabel, Detail: "one"}}
	for i, known := range []int64{5, 5, 6, 6} {
		learner.known = known
		if g.opens(now, 0) || learner.measured != 1+i/2 || told != len("one") || g.asks(now) || !g.asks(now.Add(measureEvery)) {
			t.Errorf("%d labels: measured %d times, told %d", known, learner.measured, told)
		}
	}
	learner.measurements.Conditions = nil
	constraints := []fairness.Estimate{{Enforced: true}, {Status: fairness.NotEstimable}}
	learner.measurements.Constraints = constraints
	learner.known, g.withheld, told = 7, false, 0
	if !g.opens(now, 0) || told != 0 {
		t.Errorf("a constraint that is not enforced cannot be measured: told %d", told)
	}
	constraints[0].Status = fairness.NotEstimable
	for _, c := range []struct {
		known, before int64
		opens         bool
	}{{8, 0, false}, {firstPublication - 1, 0, false}, {firstPublication, 0, true}, {8, 1, true}, {0, 1, false}} {
		learner.known, g.withheld, told = c.known, false, 0
		if g.opens(now, c.before) != c.opens || (told > 0) != (!c.opens && c.known > 0) {
			t.Errorf("%+v: told %d", c, told)
		}
	}
	if learner.known = 0; !g.isUseful(now) {
		t.Error("what was useful is no longer")
	}
}

// TestProgressOfPartitions: each is listed once, in the order of their numbers; how far it can be read is not known at first, and its newest record is not
// forgotten.
func TestProgressOfPartitions(t *testing.T) {
	var b board
	learner, at := &labels{known: 4}, time.Unix(7, 0)
	for _, partition := range []int32{3, 1, 2, 1} {
		b.progress(learner, &Ledger{Partition: partition, Next: int64(10 * partition)}, at)
		b.progress(learner, &Ledger{Partition: partition, Next: int64(11 * partition)}, time.Time{})
	}
	s := b.read()
	if s.Version != 8 || s.Labelled != 4 || len(s.Partitions) != 3 {
		t.Fatalf("%+v", s)
	}
	for i, p := range s.Partitions {
		if p.Partition != int32(i+1) || p.Next != int64(11*(i+1)) || p.LogStart != -1 || p.End != -1 || !p.Newest.Equal(at) || p.Lag() != 0 {
			t.Errorf("%+v", p)
		}
	}
}
