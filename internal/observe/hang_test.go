package observe

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
)

// seen is a batch of one record that was learnt.
func seen(t *testing.T, w *Observer, d Decider, o *Settings) *Batch {
	t.Helper()
	b := &Batch{Entries: make([]Entry, 1), Count: 1}
	e := &b.Entries[0]
	e.Source, e.Record = &kafka.Record{}, decoded(t, o, 1)[0]
	s := b.Sight(e)
	s.Number = 1
	d.Take(s)
	w.See(b)
	return b
}

// TestAPartThatHangsIsCutOff by whoever looks whether the parts make progress. The batch that it observes is held for ever, and the other part goes on.
func TestAPartThatHangsIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wake := make(chan struct{})
		o := adultSettings()
		o.Probe = func(part, call string) {
			if part == PartMonitor && call == "observe" {
				<-wake
			}
		}
		w, d, _ := begun(t, o)
		b := seen(t, w, d, o)
		var ended []bool
		w.Pass(b, 0, func(held bool) { ended = append(ended, held) })
		for range 400 {
			time.Sleep(isolate.Beat)
			w.Beat()
		}
		synctest.Wait()
		if w.monitoring.Works() || !w.releasing.Works() || len(ended) != 1 || !ended[0] || len(b.sights) != 1 {
			t.Errorf("the monitor works: %v, the releases: %v; the batch ended %v and has %d sights", w.monitoring.Works(), w.releasing.Works(), ended, len(b.sights))
		}
		close(wake)
		w.Settle()
	})
}

// TestPartsInStep have observed a batch when Pass returns, however much waits before it; others observe it later.
func TestPartsInStep(t *testing.T) {
	for _, inStep := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			o := adultSettings()
			w, d, _ := begun(t, o)
			w.inStep = inStep
			b := seen(t, w, d, o)
			w.monitoring.Post(func() { time.Sleep(time.Second) }, nil)
			ended := 0
			w.Pass(b, 0, func(bool) { ended++ })
			if (ended == 1) != inStep {
				t.Errorf("in step: %v, and %d batches ended", inStep, ended)
			}
			w.Settle()
			if ended != 1 || len(b.sights) != 0 {
				t.Errorf("in step: %v, and once it is settled, %d batches ended, and %d sights are left", inStep, ended, len(b.sights))
			}
		})
	}
}
