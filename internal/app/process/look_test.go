package process

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/format/formats"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// looker is a first look at records whose configuration ignores a field that they do not have.
func looker(t *testing.T) (f *firstLook, log *observer.ObservedLogs) {
	t.Helper()
	c := config.Default()
	c.Record.Label, c.Record.Ignore = record.Label{Field: "y", Positive: "1"}, []string{"agee"}
	c.Constraints = []model.Constraint{{Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Criterion: fairness.DemographicParity, Tau: .05}}
	messages, err := formats.Open(c.Record, c.Registry)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(messages.Close)
	core, log := observer.New(zapcore.InfoLevel)
	f, err = newFirstLook(c.Model().WithDefaults(), "", messages, isolate.New("test"), zap.New(core))
	if err != nil {
		t.Fatal(err)
	}
	return f, log
}

func look(f *firstLook, records int) {
	for i := range records {
		f.look(fmt.Appendf(nil, `{"y":"%d","sex":"%c","age":%d}`, i%3%2, "mf"[i%2], 20+i%50))
	}
}

// TestLearningDoesNotWaitForTheFirstLook: while another job of the process looks, records are read on; what is odd is logged once, of the first records alone.
func TestLearningDoesNotWaitForTheFirstLook(t *testing.T) {
	f, log := looker(t)
	looking.Lock()
	look(f, f.most+500)
	select { // a look takes 40 ms
	case <-f.looked:
		t.Error("two looks at a time")
	case <-time.After(time.Second / 2):
	}
	looking.Unlock()
	f.end()
	named := log.Filter(func(e observer.LoggedEntry) bool { return strings.Contains(fmt.Sprint(e.ContextMap()), "agee") })
	if named.Len() != 1 || named.All()[0].ContextMap()["records"] != int64(f.most) {
		t.Errorf("%v", log.All())
	}
	if f.values != nil || f.seen != nil {
		t.Error("what was looked at is kept")
	}
	f.end()
}

// TestFewRecordsAreLookedAtInTheEnd: and none at all are no harm.
func TestFewRecordsAreLookedAtInTheEnd(t *testing.T) {
	for _, records := range []int{0, 60} {
		f, log := looker(t)
		look(f, records)
		if f.end(); (log.Len() > 0) != (records > 0) || (f.looked != nil) != (records > 0) {
			t.Errorf("%d records: %v", records, log.All())
		}
	}
}

// TestLargeRecordsAreFewer: what is kept is bounded.
func TestLargeRecordsAreFewer(t *testing.T) {
	f, log := looker(t)
	large := fmt.Appendf(nil, `{"y":"1","sex":"m","text":%q}`, strings.Repeat("x", mostKept/4))
	for range 8 {
		f.look(large)
	}
	if f.end(); log.Len() == 0 || log.All()[0].ContextMap()["records"] != int64(4) {
		t.Errorf("%v", log.All())
	}
}

// TestWhatIsKeptAtMost: no record behind the one with which there are enough, by number or by size, is kept.
func TestWhatIsKeptAtMost(t *testing.T) {
	for _, c := range []struct{ most, size, records int }{{5, 1, 5}, {1000, mostKept / 4, 4}, {1000, mostKept/4 + 1, 4}, {1000, mostKept/4 - 1, 5}, {1, mostKept, 1}} {
		f := &firstLook{page: isolate.New("cut off"), most: c.most}
		looking.Lock()
		value := make([]byte, c.size)
		for i := range c.records + 2 {
			if begun := f.looked != nil; begun != (i >= c.records) {
				t.Errorf("%+v: %d records are kept, and the look has begun: %v", c, i, begun)
			}
			f.keep(value)
		}
		if len(f.ends) != c.records || len(f.values) != c.records*c.size {
			t.Errorf("%+v: %d records of %d bytes are kept", c, len(f.ends), len(f.values))
		}
		f.page.Try(func() { panic("before it looks") })
		looking.Unlock()
		f.end()
	}
}

// TestALookThatPanicsCutsOffThePage: and nothing else.
func TestALookThatPanicsCutsOffThePage(t *testing.T) {
	f, _ := looker(t)
	f.seen = nil // which Add does not survive
	look(f, f.most)
	if f.end(); f.page.Works() {
		t.Error("the page works on")
	}
	if !looking.TryLock() {
		t.Fatal("no other job can look")
	}
	looking.Unlock()
}
