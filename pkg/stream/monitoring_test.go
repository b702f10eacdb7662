package stream

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// seen watches the decisions about lines without a stream.
func seen(t *testing.T, config model.Config, lines []string) *Monitored {
	t.Helper()
	learner, err := model.New(config)
	if err != nil {
		t.Fatal(err)
	}
	options := testOptions().withDefaults()
	decider := observe.Learner(learner)
	w, err := observe.New(options.observed(nil), decider, observe.Saved{})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := learner.Config().Schema()
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	b := &observe.Batch{Entries: make([]observe.Entry, 1), Count: 1}
	for _, line := range lines {
		e := &b.Entries[0]
		e.Source = &kafka.Record{}
		b.Begin()
		if err := decoder.DecodeJSON(&e.Record, []byte(line)); err != nil {
			t.Fatal(err)
		}
		sight := b.Sight(e)
		decider.Take(sight)
		w.See(b)
		observed := make(chan struct{})
		w.Pass(b, 0, func(bool) { close(observed) })
		<-observed
	}
	return w.Report().Monitored[0]
}

// TestDecisionsAreWatchedAsTheyAreMade: what is said of the decisions is the same with and without a stream, and after a
// process has ended in the middle; each change is in the history once. On one processor the learner observes by itself, on more a
// second goroutine does.
func TestDecisionsAreWatchedAsTheyAreMade(t *testing.T) {
	for _, processors := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d processors", processors), func(t *testing.T) {
			if testing.Short() && processors == 1 {
				t.Skip("the same beside fewer others: left out by -short")
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			watchedAsMade(t)
		})
	}
}

func watchedAsMade(t *testing.T) {
	world := newWorld(1)
	lines := adultLines()[:6000]
	world.Put(testTopics.Input, 0, lines[:2500]...)
	options := testOptions()
	var told events
	options.Notify = told.add
	if half := run(t, world, options).Status().Monitored[0]; half.Report.Records != 1500 {
		t.Fatalf("%d decisions in the middle", half.Report.Records)
	}
	world.Put(testTopics.Input, 0, lines[2500:]...)
	status := run(t, world, options).Status()
	want := seen(t, adultModel(), lines)
	inWords := func(m *Monitored) string {
		c := m.Report.Comparisons[0]
		return fmt.Sprintf("%+v", []any{m.Report.Groups, c.Sequence, c.Alarm, c.Gaps, c.RecentGaps, m.Series})
	}
	if got, want := inWords(status.Monitored[0]), inWords(want); got != want {
		t.Errorf("the stream says\n%s\nand without it\n%s", got, want)
	}
	if len(want.Events) == 0 || fmt.Sprintf("%+v", status.Monitored[0].Events) != fmt.Sprintf("%+v", want.Events) {
		t.Errorf("events %+v, want %+v", status.Monitored[0].Events, want.Events)
	}
	judged := whole(t, world, testTopics).Decisions
	if len(judged) != len(want.Events) || len(judged) > 0 && (judged[0].Change != string(monitor.VerdictChanged) || judged[0].Constraint != "sex") {
		t.Errorf("the history tells %+v", judged)
	}
	if changes := of[DecisionsChanged](&told); len(changes) != len(want.Events) {
		t.Errorf("%d changes were told", len(changes))
	}
}

// TestAnotherTauIsMonitoredFromThenOn: sequences about one tau say nothing about another.
func TestAnotherTauIsMonitoredFromThenOn(t *testing.T) {
	if testing.Short() {
		t.Skip("learns from many records, as others do: left out by -short")
	}
	world := newWorld(1)
	lines := adultLines()[:4000]
	world.Put(testTopics.Input, 0, lines[:2000]...)
	options := testOptions()
	run(t, world, options)
	world.Put(testTopics.Input, 0, lines[2000:]...)
	options.Model.Constraints[0].Tau = .2
	var told events
	options.Notify = told.add
	m := run(t, world, options).Status().Monitored[0]
	if m.Since != 2000 || m.Report.Records != 2000 || len(of[MonitoringBegun](&told)) != 1 {
		t.Errorf("monitored since %d, %d records, told %d times", m.Since, m.Report.Records, len(of[MonitoringBegun](&told)))
	}
}

// TestLabelsThatComeLaterAreCounted: a decision is counted when it is made, and its label when that comes.
func TestLabelsThatComeLaterAreCounted(t *testing.T) {
	world := newWorld(1)
	records := adultLines()[:800]
	for i, line := range records {
		unlabelled, label := split(line, i)
		if i < 200 { // enough for the warm-up
			world.Put(testTopics.Input, 0, unlabelled, label)
		} else {
			world.Put(testTopics.Input, 0, unlabelled)
		}
	}
	options := labelOptions()
	status := run(t, world, options).Status()
	r := status.Monitored[0].Report
	if r.Records != status.Labels.Scored || r.Records < 700 || r.Labelled != status.Labels.Judged || r.Labelled > 200 {
		t.Errorf("%d decisions, %d labelled; %+v", r.Records, r.Labelled, status.Labels)
	}
	for i := 200; i < len(records); i++ {
		_, label := split(records[i], i)
		world.Put(testTopics.Input, 0, label)
	}
	status = run(t, world, options).Status()
	after := status.Monitored[0].Report
	if after.Records != r.Records || after.Labelled != r.Records {
		t.Errorf("%d decisions and %d labels, of %d", after.Records, after.Labelled, r.Records)
	}
	right := int64(0)
	for _, g := range after.Groups {
		right += g.All.TruePositive + g.All.TrueNegative
		if g.Calibration.SignedError() < -1 || g.Calibration.SignedError() > 1 {
			t.Errorf("%v: signed error %v", g.Values, g.Calibration.SignedError())
		}
	}
	if right != status.Labels.Right {
		t.Errorf("%d decisions are right, %d were", right, status.Labels.Right)
	}
}

// TestNothingToWatch: a job without comparisons, one of numbers, and one that does not want it.
func TestNothingToWatch(t *testing.T) {
	off := testOptions()
	off.Monitoring.Enabled = new(bool)
	none := testOptions()
	none.Model.Constraints = nil
	for name, options := range map[string]Options{"off": off, "no comparison": none} {
		world := newWorld(1)
		world.Put(testTopics.Input, 0, adultLines()[:1200]...)
		if m := run(t, world, options).Status().Monitored; len(m) > 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if problems := (Monitoring{Confidence: 1, Window: 3}).Validate(); len(problems) != 4 {
		t.Errorf("%v", problems)
	}
}

// TestMeetingTeachesNothing: a record that is decided before its label comes is learnt as if it never had been.
func TestMeetingTeachesNothing(t *testing.T) {
	learn := func(meet bool) string {
		config := labelOptions().Model
		config.Record.Key = ""
		learner, err := model.New(config)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := learner.Config().Schema()
		if err != nil {
			t.Fatal(err)
		}
		decoder := schema.NewDecoder()
		for _, line := range adultLines()[:600] {
			var r record.Record
			if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
				t.Fatal(err)
			}
			if meet {
				learner.Meet(&r)
			}
			learner.Learn(&r)
		}
		d, err := learner.Document()
		if err != nil {
			t.Fatal(err)
		}
		return d.WeightsSHA256
	}
	if learn(true) != learn(false) {
		t.Error("records that were decided first are learnt otherwise")
	}
}
