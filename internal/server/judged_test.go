package server

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/stream"
)

// watched is what a monitor knows after so many decisions. Women are approved less often; some records lack the attribute, and some
// decisions their label.
func watched(subject string, comparisons []fairness.Comparison, records int) *stream.Monitored {
	grouper, err := fairness.NewGrouper(comparisons)
	if err != nil {
		panic(err)
	}
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: subject, Kind: monitor.External}, Grouper: grouper})
	if err != nil {
		panic(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range records {
		d := monitor.Decision{Levels: make([]fairness.Level, len(grouper.Attributes())), Labelled: random.IntN(10) > 0}
		for i := range d.Levels {
			d.Levels[i] = fairness.Level(random.IntN(grouper.Levels(i)))
		}
		d.Score = random.Float64()
		d.Positive, d.Label = d.Score < 0.1+0.2*float64(d.Levels[0]), random.Float64() < d.Score
		m.Observe(&d)
	}
	return &stream.Monitored{Report: m.Report(), Events: m.Events(0)}
}

func bySex() []fairness.Comparison {
	return []fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05,
		Group: []fairness.Term{fairness.Is("sex", "Male")}, Versus: []fairness.Term{fairness.Is("sex", "Female")}}}
}

// served are the series of a metric by their labels.
func served(text, metric string) map[string]float64 {
	all := map[string]float64{}
	for _, found := range regexp.MustCompile(`(?m)^`+metric+`\{(.*)\} (\S+)$`).FindAllStringSubmatch(text, -1) {
		value, err := strconv.ParseFloat(found[2], 64)
		if err != nil {
			panic(err)
		}
		all[found[1]] = value
	}
	return all
}

// TestCountersOfGroups: they add up to all decisions, and give the rates again that the report has.
func TestCountersOfGroups(t *testing.T) {
	m := watched("external", bySex(), 5000)
	text := scraped(t, stream.Status{Monitored: []*stream.Monitored{m}, Unmonitored: 7})
	sum := 0.0
	for _, metric := range []string{"fairstream_group_decisions_total", "fairstream_group_unknown_total"} {
		for _, n := range served(text, metric) {
			sum += n
		}
	}
	if sum != 5000 {
		t.Errorf("%v decisions in all", sum)
	}
	for _, g := range m.Report.Groups {
		if g.Unknown {
			continue
		}
		labels := fmt.Sprintf(`attribute="sex",%%sgroup="%s",%%ssubject="external"`, strings.ReplaceAll(groupOf("", &g).Group, `"`, `\"`))
		count := func(metric, before, after string) float64 {
			n, there := served(text, "fairstream_"+metric)[fmt.Sprintf(labels, before, after)]
			if !there {
				t.Errorf("no %s of %s %s", metric, before, after)
			}
			return n
		}
		outcome := func(decision, label string) float64 {
			return count("group_outcomes_total", `decision="`+decision+`",`, `label="`+label+`",`)
		}
		tp, fn, fp, tn := outcome("positive", "positive"), outcome("negative", "positive"), outcome("positive", "negative"), outcome("negative", "negative")
		if tp/(tp+fn) != g.All.Rate(monitor.TPR, 0.95).Value || fp/(fp+tn) != g.All.Rate(monitor.FPR, 0.95).Value {
			t.Errorf("%v: %v %v %v %v, %+v", g.Values, tp, fn, fp, tn, g.All)
		}
		decisions, unlabelled := 0.0, 0.0
		for _, decision := range []string{"positive", "negative"} {
			decisions += count("group_decisions_total", `decision="`+decision+`",`, "")
			unlabelled += count("group_unlabelled", `decision="`+decision+`",`, "")
		}
		if decisions != tp+fn+fp+tn+unlabelled || unlabelled == 0 {
			t.Errorf("%v: %v decisions, %v unlabelled", g.Values, decisions, unlabelled)
		}
	}
	if n := served(text, "fairstream_group_scored_total"); len(n) != 3*2*10 {
		t.Errorf("%d series of scores", len(n))
	}
	if !strings.Contains(text, "fairstream_decisions_ignored_total 7\n") {
		t.Error("no decisions are ignored")
	}
}

// scraped is the text that Prometheus gets.
func scraped(t *testing.T, status stream.Status) string {
	t.Helper()
	_, text := get(t, monitorOf(status).Handler(zap.NewAtomicLevel(), nil, Access{}), "/metrics")
	return withoutJob(text)
}

// TestNoSeriesOfWhatIsNotEstimable: what is not estimable has a status and no series.
func TestNoSeriesOfWhatIsNotEstimable(t *testing.T) {
	text := scraped(t, stream.Status{Monitored: []*stream.Monitored{watched("external", bySex(), 50)}})
	for _, metric := range []string{"sequence_difference", "recent_difference", "gap"} {
		if n := served(text, "fairstream_"+metric); len(n) > 0 {
			t.Errorf("%s: %v", metric, n)
		}
	}
	status := served(text, "fairstream_sequence_status")
	if len(status) != 4 || status[`constraint="sex",criterion="demographic-parity",group="Male",status="not_estimable",subject="external",versus="Female"`] != 1 {
		t.Errorf("status %v", status)
	}
}

// TestAlarmPlan: a row says how soon a change of 3 tau would raise its alarm, as its report does.
func TestAlarmPlan(t *testing.T) {
	m := watched("external", bySex(), 5000)
	b := &board.Status{Kind: board.Monitor}
	witnessed(b, m)
	for i, row := range b.Constraints {
		want := m.Report.AlarmAfter(&m.Report.Comparisons[i], 0.15)
		if row.Sequence.Status == fairness.NotEstimable {
			if row.Alarm.Plan != nil {
				t.Errorf("%s: %+v without rates", row.Criterion, *row.Alarm.Plan)
			}
		} else if row.Alarm.Plan == nil || row.Alarm.Plan.Difference != 0.15 || float64(row.Alarm.Plan.Records) != want || !(want > 100) {
			t.Errorf("%s: %+v, want %v", row.Criterion, row.Alarm.Plan, want)
		}
	}
}

// TestSelectiveLabels: where labels come for one decision only, gaps of error rates are not estimable with that reason, on the page,
// in the API and in the metrics, and the share without a label is there by decision.
func TestSelectiveLabels(t *testing.T) {
	grouper, err := fairness.NewGrouper(bySex())
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(monitor.Config{Subject: monitor.Subject{ID: "external", Kind: monitor.External}, Grouper: grouper})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4000 { // who is refused never defaults
		level := grouper.Level(0, []byte([]string{"Male", "Female"}[i%2]))
		m.Observe(&monitor.Decision{Levels: []fairness.Level{level}, Positive: i%4 < 2, Labelled: i%4 < 2, Label: i%8 < 4, Score: math.NaN()})
	}
	status := stream.Status{Monitored: []*stream.Monitored{{Report: m.Report()}}}
	b := &board.Status{Kind: board.Monitor}
	witnessed(b, status.Monitored[0])
	if len(b.Gaps) != 5 {
		t.Fatalf("%d gaps", len(b.Gaps))
	}
	for _, g := range b.Gaps {
		estimable := g.Measure == "selection_rate"
		if estimable != g.Value.Known() || estimable == (g.Status == fairness.NotEstimable) || estimable == strings.Contains(g.Reason, "labels come for one decision only: 0 of 1000 negative decisions have one") {
			t.Errorf("%s: %+v", g.Measure, g)
		}
	}
	for _, g := range b.Groups {
		if g.UnlabelledPositive != 0 || g.UnlabelledNegative != 1000 || g.Unlabelled != 1000 {
			t.Errorf("%+v", g)
		}
	}
	text := scraped(t, status)
	for labels := range served(text, "fairstream_gap") {
		if !strings.Contains(labels, `measure="selection_rate"`) {
			t.Errorf("a series of a gap that is not estimable: %s", labels)
		}
	}
	unlabelled := served(text, "fairstream_group_unlabelled")
	if unlabelled[`attribute="sex",decision="negative",group="Male",subject="external"`] != 1000 || len(unlabelled) != 4 {
		t.Errorf("unlabelled %v", unlabelled)
	}
}

// TestHostileNames: names of groups, models and columns from records, long ones and such as are the same once they are cut, do not end a
// scrape.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("ä", 300)
	values := []string{`"} 1`, "\xff", long + "1", long + "2", "all other values", "unknown", "line\nbreak"}
	var comparisons []fairness.Comparison
	for i, value := range values {
		comparisons = append(comparisons, fairness.Comparison{Name: "c" + strconv.Itoa(i%6), Criterion: fairness.DemographicParity, Tau: 0.05, Rest: true,
			Group: []fairness.Term{fairness.Is("a", value)}})
	}
	comparisons[6].Name = "c6"
	status := stream.Status{Monitored: []*stream.Monitored{watched(long+"1", comparisons, 3000), watched(long+"2", comparisons, 3000), watched("\xff", comparisons, 3000)}}
	text := scraped(t, status)
	sums := map[string]float64{}
	for labels, n := range served(text, "fairstream_group_decisions_total") {
		sums[labels[strings.Index(labels, "subject="):]] += n
	}
	for labels, n := range served(text, "fairstream_group_unknown_total") {
		sums[labels[strings.Index(labels, "subject="):]] += n
	}
	if len(sums) != 2 {
		t.Errorf("subjects %v", sums)
	}
	for subject, sum := range sums {
		if sum != 3000 {
			t.Errorf("%s: %v decisions", subject, sum)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 3000 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

// TestThereAreAtMostSoManyGroups with series of their own, and how many are left out is known.
func TestThereAreAtMostSoManyGroups(t *testing.T) {
	var comparisons []fairness.Comparison
	for i := range 60 {
		comparisons = append(comparisons, fairness.Comparison{Name: "c" + strconv.Itoa(i), Criterion: fairness.DemographicParity, Tau: 0.05, Rest: true,
			Group: []fairness.Term{fairness.Is("a", strconv.Itoa(i)), fairness.Is("b", strconv.Itoa(i))}})
	}
	m := watched("external", comparisons, 3000)
	text := scraped(t, stream.Status{Monitored: []*stream.Monitored{m}})
	known := 0
	for _, g := range m.Report.Groups {
		if !g.Unknown {
			known++
		}
	}
	if n := len(served(text, "fairstream_group_unlabelled")); n != 2*mostGroups {
		t.Errorf("%d series, of %d groups", n, known)
	}
	if omitted := served(text, "fairstream_groups_omitted")[`subject="external"`]; omitted != float64(known-mostGroups) {
		t.Errorf("%v omitted of %d", omitted, known)
	}
}

// TestDriversAreServed once, also if a column comes twice.
func TestDriversAreServed(t *testing.T) {
	metrics := make(chan prometheus.Metric, 10)
	output{metrics: metrics}.driven([]board.Driver{{Constraint: "sex", Group: "m", Versus: "f", Column: "age", Contribution: 0.5},
		{Constraint: "sex", Group: "m", Versus: "f", Column: "age", Contribution: 0.4}, {Constraint: "sex", Group: "m", Versus: "f", Column: "job", Contribution: board.Unknown()}})
	if len(metrics) != 1 {
		t.Errorf("%d series", len(metrics))
	}
}
