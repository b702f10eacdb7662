package stream

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/cluster/clustertest"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/record"
)

// givenOptions are those of a job that monitors the decisions of another model.
func givenOptions() Options {
	constraint := model.DefaultConstraint()
	constraint.Name, constraint.Attribute, constraint.Tau = "sex", model.OneOrMore{"sex"}, .05
	constraint.Group, constraint.Versus = model.Values("m"), model.Values("f")
	return Options{Job: "loans", Topics: testTopics, UntilEnd: true, Config: Config{Decoders: 2}, Program: "test",
		Model: model.Config{Record: record.Config{Label: record.Label{Field: "repaid", Positive: "yes"}, Time: record.Time{Field: "at", Format: "unix"}},
			Learner: model.DefaultLearner(), Constraints: []model.Constraint{constraint}},
		Monitoring: Monitoring{Given: observe.Given{Decision: observe.GivenDecision{Field: "approved", Positive: "yes"}, Score: observe.GivenScore{Field: "score"}}}}
}

// loans are decisions of two groups with a difference that begins at a record; labels come for positive decisions alone.
func loans(n, change int, name string) (lines []string) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		sex, rate := "m", .4
		if random.IntN(10) < 4 {
			if sex = "f"; i >= change {
				rate = .2
			}
		}
		line := fmt.Sprintf(`{"at":%d,"id":"%d","sex":"%s","score":%.3f,"approved":"no"`, 1700000000+i, i, sex, random.Float64())
		if random.Float64() < rate {
			line = fmt.Sprintf(`{"at":%d,"id":"%d","sex":"%s","score":%.3f,"approved":"yes","repaid":"%s"`, 1700000000+i, i, sex, random.Float64(), []string{"no", "yes"}[random.IntN(2)])
		}
		if name != "" {
			line += `,"model":"` + name + `"`
		}
		lines = append(lines, line+"}")
	}
	return lines
}

// TestAPlantedDriftIsFound: decisions of another model begin to differ between groups. Verdict, alarm, history and counts tell of it,
// and the same whether or not the process ended in between. Nothing is published.
func TestAPlantedDriftIsFound(t *testing.T) {
	lines := loans(30_000, 10_000, "")
	follow := func(cuts ...int) (*Monitored, []string) {
		world, from := clustertest.New(map[string]int{testTopics.Input: 1, testTopics.State: 1, testTopics.DeadLetter: 1, testTopics.History: 1, testTopics.Events: 1}), 0
		var status Status
		for _, to := range append(cuts, len(lines)) {
			world.Put(testTopics.Input, 0, lines[from:to]...)
			status = run(t, world, givenOptions()).Status()
			from = to
		}
		if status.Version != int64(len(lines)) || status.Measurements != nil || status.Published != 0 {
			t.Errorf("version %d, published %d, measurements %v", status.Version, status.Published, status.Measurements)
		}
		log, err := chronicle.Topic{Cluster: world, Name: testTopics.History, Job: "loans"}.Log(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, d := range log.Decisions() {
			told = append(told, fmt.Sprint(d.Number, d.Change, d.Record, d.From, d.To))
		}
		return status.Monitored[0], told
	}
	whole, told := follow()
	parts, again := follow(4_000, 11_111, 17_000)
	inWords := func(m *Monitored) string {
		c := m.Report.Comparisons[0]
		return fmt.Sprintf("%+v", []any{m.Report.Groups, c.Sequence, c.Alarm, c.Gaps, m.Series, m.Events})
	}
	if inWords(whole) != inWords(parts) || !slices.Equal(told, again) {
		t.Errorf("in one piece\n%s %v\nin four\n%s %v", inWords(whole), told, inWords(parts), again)
	}
	c := whole.Report.Comparisons[0]
	if c.Sequence.Status != fairness.Violated || !c.Alarm.Raised || c.Alarm.Since < 10_000 || c.Alarm.Since > 13_000 {
		t.Errorf("sequence %+v, alarm %+v", c.Sequence, c.Alarm)
	}
	if c.Recent.Value < .15 || c.Recent.Value > .25 {
		t.Errorf("recent difference %v", c.Recent.Value)
	}
	for _, gap := range c.Gaps {
		if selective := gap.Measure == monitor.TPR || gap.Measure == monitor.FPR; selective && (gap.Status != fairness.NotEstimable || gap.Reason == "") {
			t.Errorf("labels come for positive decisions alone: %+v", gap)
		}
	}
	if len(told) < 2 {
		t.Errorf("the history tells %v", told)
	}
}

// TestSeveralModelsSideBySide: each model of a topic has its own monitor, and no more than 20 have one.
func TestSeveralModelsSideBySide(t *testing.T) {
	world := newWorld(1)
	fair, unfair := loans(8_000, 8_000, "a"), loans(8_000, 0, "b")
	for i := range fair {
		world.Put(testTopics.Input, 0, fair[i], unfair[i])
	}
	for k := range 20 {
		world.Put(testTopics.Input, 0, loans(1, 1, fmt.Sprint("c", k))...)
	}
	options := givenOptions()
	options.Monitoring.Model = "model"
	run(t, world, options)
	world.Put(testTopics.Input, 0, loans(1, 1, "a")...)
	status := run(t, world, options).Status()
	all := status.Monitored
	if status.Unmonitored != 2 {
		t.Errorf("%d decisions of other models", status.Unmonitored)
	}
	if len(all) != 20 || all[0].Report.Subject.ID != "a" || all[0].Report.Records != 8_001 || all[1].Report.Records != 8_000 {
		t.Fatalf("%d models, %+v", len(all), all[0].Report)
	}
	a, b := all[0].Report.Comparisons[0], all[1].Report.Comparisons[0]
	if a.Sequence.Status == fairness.Violated || b.Sequence.Status != fairness.Violated {
		t.Errorf("a %+v, b %+v", a.Sequence, b.Sequence)
	}
}

// TestWhatIsNoDecision goes to the dead-letter topic, and everything else is counted.
func TestWhatIsNoDecision(t *testing.T) {
	world := newWorld(1)
	world.Put(testTopics.Input, 0, loans(300, 300, "")...)
	world.Put(testTopics.Input, 0, `{"at":1,"sex":"m"}`, `{"at":1,"sex":"m","score":"high","approved":"yes"}`, `{"at":1,"sex":"m","score":0.7}`, `{"at":1,"approved":"yes"}`)
	status := run(t, world, givenOptions()).Status()
	if status.Rejected[string(MissingDecision)] != 1 || status.Rejected[string(BadScore)] != 1 || status.Version != 302 {
		t.Errorf("version %d, rejected %v", status.Version, status.Rejected)
	}
	if r := status.Monitored[0].Report; r.Records != 302 {
		t.Errorf("%d decisions", r.Records)
	}
}

// TestLabelsOfGivenDecisionsComeLater, by key: no decision is counted twice.
func TestLabelsOfGivenDecisionsComeLater(t *testing.T) {
	world := newWorld(1)
	for i := range 400 {
		world.Put(testTopics.Input, 0, fmt.Sprintf(`{"at":%d,"id":"%d","sex":"m","approved":"yes","score":0.8}`, i, i))
	}
	for i := range 300 {
		world.Put(testTopics.Input, 0, fmt.Sprintf(`{"at":%d,"id":"%d","repaid":"yes"}`, 500+i, i))
	}
	options := givenOptions()
	options.Model.Record.Key = "id"
	status := run(t, world, options).Status()
	r := status.Monitored[0].Report
	if r.Records != 400 || r.Labelled != 300 || status.Labels.Waiting != 100 || status.Labels.Judged != 300 || len(status.Rejected) > 0 {
		t.Errorf("%d decisions, %d labels, %+v, rejected %v", r.Records, r.Labelled, status.Labels, status.Rejected)
	}
	for _, g := range r.Groups {
		if g.All.TruePositive != 300 {
			t.Errorf("%+v", g.All)
		}
	}
}

// TestAnotherFieldIsAnotherDecision: what was counted of one field says nothing about another.
func TestAnotherFieldIsAnotherDecision(t *testing.T) {
	world := newWorld(1)
	world.Put(testTopics.Input, 0, loans(500, 500, "")...)
	options := givenOptions()
	run(t, world, options)
	world.Put(testTopics.Input, 0, loans(200, 200, "")...)
	options.Monitoring.Decision = observe.GivenDecision{}
	var told events
	options.Notify = told.add
	m := run(t, world, options).Status().Monitored[0]
	if m.Report.Records != 200 || m.Since != 500 || len(of[MonitoringBegun](&told)) != 1 {
		t.Errorf("%d decisions since %d", m.Report.Records, m.Since)
	}
}

// TestExploredDecisionsAreTheModelsOwn: what the monitor knows of a model is the same whether or not a share of its negative decisions was
// turned to positive.
func TestExploredDecisionsAreTheModelsOwn(t *testing.T) {
	lines := loans(3_000, 1_000, "")
	explored, turned := slices.Clone(lines), 0
	for i, line := range lines {
		if i%5 == 0 && strings.Contains(line, `"approved":"no"`) {
			explored[i] = strings.Replace(line, `"approved":"no"`, `"approved":"yes","explored":true,"propensity":0.2`, 1)
			turned++
		}
	}
	known := func(lines []string) string {
		world := clustertest.New(map[string]int{testTopics.Input: 1, testTopics.State: 1, testTopics.DeadLetter: 1, testTopics.History: 1, testTopics.Events: 1})
		world.Put(testTopics.Input, 0, lines...)
		m := run(t, world, givenOptions()).Status().Monitored[0]
		return fmt.Sprintf("%+v", []any{m.Report.Groups, m.Report.Comparisons[0].Sequence, m.Report.Comparisons[0].Gaps, m.Series})
	}
	if own, with := known(lines), known(explored); turned < 200 || own != with {
		t.Errorf("%d were turned:\n%s\n%s", turned, own, with)
	}
}

// TestADecisionCountsOnce: what the monitor knows is the same if decisions are on the topic twice with their identifier, also across a restart.
// Without an identifier nobody knows that they are the same.
func TestADecisionCountsOnce(t *testing.T) {
	var lines, twice []string
	for i, line := range loans(3_000, 1_000, "") {
		lines, twice = append(lines, line), append(twice, line)
		if i%7 == 0 {
			twice = append(twice, lines[max(0, i-3)])
		}
	}
	known := func(lines []string, id string, parts int) (text string, repeated int64) {
		world := clustertest.New(map[string]int{testTopics.Input: 1, testTopics.State: 1, testTopics.DeadLetter: 1, testTopics.History: 1, testTopics.Events: 1})
		options := givenOptions()
		options.Model.Record.ID = id
		var s *Stream
		for part := range slices.Chunk(lines, (len(lines)+parts-1)/parts) {
			world.Put(testTopics.Input, 0, part...)
			s = run(t, world, options)
		}
		m := s.Status().Monitored[0]
		return fmt.Sprintf("%+v", []any{m.Report.Groups, m.Report.Comparisons[0].Sequence, m.Report.Comparisons[0].Gaps}), s.Status().Repeated
	}
	want, repeated := known(lines, "id", 1)
	if repeated != 0 {
		t.Errorf("%d of different decisions are repeated", repeated)
	}
	for _, parts := range []int{1, 3} {
		if got, repeated := known(twice, "id", parts); got != want || repeated != int64(len(twice)-len(lines)) {
			t.Errorf("in %d parts %d of %d are repeated, and\n%s\nbecame\n%s", parts, repeated, len(twice)-len(lines), want, got)
		}
	}
	if got, repeated := known(twice, "", 1); got == want || repeated != 0 {
		t.Error("decisions without identifiers count once")
	}
}
