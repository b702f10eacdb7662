package export

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// long are numbers whose last digits may differ between processors.
var long = regexp.MustCompile(`-?\d+\.\d{10,}(e[-+]\d+)?`)

// golden compares what is written with a file. With UPDATE=1 in the environment it writes the file.
func golden(t *testing.T, name string, what any) {
	t.Helper()
	got, err := json.MarshalIndent(what, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = long.ReplaceAllFunc(got, func(number []byte) []byte {
		x, err := strconv.ParseFloat(string(number), 64)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.AppendFloat(nil, x, 'g', 10, 64)
	})
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if lines, before := strings.Split(string(got)+"\n", "\n"), strings.Split(string(want), "\n"); strings.Join(lines, "\n") != string(want) {
		for i := range min(len(lines), len(before)) {
			if lines[i] != before[i] {
				t.Errorf("%s, line %d\ngot  %s\nwant %s", name, i+1, lines[i], before[i])
			}
		}
		if len(lines) != len(before) {
			t.Errorf("%s: %d lines, want %d", name, len(lines), len(before))
		}
	}
}

// TestWholeCards compares cards with files: of a classification with all evidence, and of a regression of which nothing is known but its
// document.
func TestWholeCards(t *testing.T) {
	d := loans(t)
	d.WeightsSHA256, d.Rejected, d.Offsets = "a1b2", 17, map[string]int64{"1": 9000, "0": 3017}
	d.Lineage.Program, d.Lineage.Input = "v1.2.3", "topic loans"
	d.Config.Learner.Window, d.Config.Record.Label.Positive = 16384, "yes"
	d.Config.Constraints = nil
	d.Measurements.Missing = []document.Missing{{Attribute: "sex", Records: 80, Share: 0.01}}
	pair := func(name string, criterion fairness.Criterion) fairness.Comparison {
		return fairness.Comparison{Name: name, Criterion: criterion, Tau: 0.8, Group: []fairness.Term{fairness.Is("sex", "m")}, Versus: []fairness.Term{fairness.Is("sex", "f")}}
	}
	count := func(k, n int64) fairness.Count {
		return fairness.Count{Records: n, Positives: k, Weight: float64(n), WeightSquared: float64(n), PositiveWeight: float64(k)}
	}
	sides := fairness.PairCounts{Group: count(300, 1000), Versus: count(200, 800)}
	ratio := pair("sex", fairness.ImpactRatio)
	d.Constraints = append(d.Constraints, ratio.Estimate(sides, fairness.DefaultOptions()))
	for _, criterion := range []fairness.Criterion{fairness.EqualOpportunity, fairness.PredictiveEquality} {
		c := pair("sex", criterion)
		d.Constraints = append(d.Constraints, c.Estimate(sides, fairness.DefaultOptions()))
	}
	nobody := fairness.PairCounts{Group: count(0, 1000), Versus: count(0, 800)}
	none := pair("nobody", fairness.DemographicParity)
	d.Constraints = append(d.Constraints, none.Estimate(nobody, fairness.DefaultOptions()))

	grouper, err := fairness.NewGrouper([]fairness.Comparison{pair("sex", fairness.DemographicParity), {Name: "both", Criterion: fairness.DemographicParity, Tau: 0.1, Each: true, Rest: true,
		Group: []fairness.Term{{Attribute: "sex"}, {Attribute: "region"}}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(monitor.Config{Grouper: grouper, Subject: monitor.Subject{ID: "as_made"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		made := monitor.Decision{Levels: make([]fairness.Level, 2), Positive: i%3 == 0, Labelled: i%4 != 0, Label: i%5 == 0}
		for k, name := range grouper.Attributes() {
			value := map[string]string{"sex": []string{"m", "f", "x"}[i%7%3], "region": []string{"north", "south"}[i%11%2]}[name]
			if made.Levels[k] = fairness.MissingLevel; i%13 != k {
				made.Levels[k] = grouper.Level(k, []byte(value))
			}
		}
		m.Observe(&made)
	}
	audit := &history.Audit{Period: history.Period{Since: time.Unix(0, 0), Until: time.Unix(86_400, 0)}, Constraints: []history.ConstraintReport{{Name: "sex", Criterion: "demographic-parity", Group: "m", Versus: "f"}}}
	audit.Chain.Whole, audit.Constraints[0].Within.Lo, audit.Constraints[0].Within.Hi = true, .25, .75
	card, err := NewCard(d, Evidence{Published: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), Monitored: []*monitor.Report{m.Report()}, Audit: audit}, Card{})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "card.json", card)
	const broken = "The history of the job is broken in 2 places"
	whole := fmt.Sprint(card.Considerations.Limitations)
	audit.Chain.Whole, audit.Chain.Breaks = false, make([]history.Break, 2)
	if card, err = NewCard(d, Evidence{Audit: audit}, Card{}); err != nil || !strings.Contains(fmt.Sprint(card.Considerations.Limitations), broken) || strings.Contains(whole, "is broken") {
		t.Errorf("a broken history: %v, a whole one: %v (%v)", card.Considerations.Limitations, whole, err)
	}

	d = loans(t)
	estimate := d.Constraints[0]
	estimate.Criterion, estimate.Tau, estimate.Value, estimate.Lo, estimate.Hi = fairness.MeanDifference, 5, 1.5, 1.25, 1.75
	estimate.RateSides, estimate.MeanSides = nil, &fairness.MeanSides{MeanGroup: 31, MeanVersus: 29.5, SDGroup: 2, SDVersus: 2}
	d.Task, d.Job, d.Constraints, d.Lineage = document.Regression, "", []fairness.Estimate{estimate}, document.Lineage{}
	measure := func(x float64) fairness.Measure {
		return fairness.Measure{Value: x, Lo: x - .5, Hi: x + .5, Level: .95, Records: 700, Method: "normal"}
	}
	d.Measurements = document.Measurements{Recent: document.Report{Records: 700, Predictions: &document.Predictions{MSE: measure(4), ConstantMSE: measure(9), RSquared: measure(0.55)}}}
	if card, err = NewCard(d, Evidence{}, Card{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "card-regression.json", card)
}

// TestWholeImpact compares tables with files: by decisions, with a category of just 2 % and two that share the highest rate, and by scores of
// which an odd number came, one beyond what a sum of two holds.
func TestWholeImpact(t *testing.T) {
	c := NewCounter()
	for _, k := range []struct {
		sex, race            string
		applicants, selected int
	}{{"m", "a", 49, 20}, {"m", "b", 49, 10}, {"f", "a", 50, 5}, {"f", "c", 48, 4}, {"f", "d", 4, 2}, {"f", "e", 3, 3}, {"", "a", 2, 1}} {
		for i := range k.applicants {
			if err := c.Decided([]byte(k.sex), []byte(k.race), i < k.selected); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c.Selected() != 45 {
		t.Errorf("%v were selected", c.Selected())
	}
	golden(t, "impact.json", c.Impact(0.95, Impact{Source: "file"}))

	c = NewCounter()
	for i, score := range []float64{-1.7e308, 1.6e308, 1.7e308, 3, 1.65e308, 2, 1.65e308} {
		if err := c.Scored([]byte([]string{"f", "m"}[i%2]), []byte("a"), score); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "impact-of-scores.json", c.Impact(0.9, Impact{}))
}

// TestOneScore: one applicant with a score is enough for the table to be of scores, of whom nobody says who was selected.
func TestOneScore(t *testing.T) {
	c := NewCounter()
	if err := c.Scored([]byte("f"), []byte("a"), 3); err != nil {
		t.Fatal(err)
	}
	if i := c.Impact(0.95, Impact{}); !strings.HasPrefix(i.Rate, "share of scores above the median, 3") || i.Applicants != 1 || *i.Tables[0].Rows[0].Rate != 0 || !math.IsNaN(c.Selected()) {
		t.Errorf("%+v, selected %v", i, c.Selected())
	}
}

// TestLabelledGroupsAreNotTold: a card tells of groups with decisions that have no label, and of no others.
func TestLabelledGroupsAreNotTold(t *testing.T) {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.1,
		Group: []fairness.Term{fairness.Is("sex", "m")}, Versus: []fairness.Term{fairness.Is("sex", "f")}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(monitor.Config{Grouper: grouper})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		m.Observe(&monitor.Decision{Levels: []fairness.Level{grouper.Level(0, []byte([]string{"m", "f"}[i%2]))}, Positive: i%3 == 0, Labelled: i != 4})
	}
	if words := unlabelled(m.Report()); len(words) != 1 || !strings.HasPrefix(words[0], "sex=m: 0 of ") || !strings.Contains(words[0], " and 1 of ") {
		t.Errorf("%q", words)
	}
}
