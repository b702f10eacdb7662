package stream

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/intake"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/document"
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
