package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// people are 1,000 applicants by hand: sex, race, applicants, selected.
var people = []struct {
	sex, race            string
	applicants, selected int
}{
	{"f", "a", 300, 60}, {"f", "b", 90, 27}, {"f", "c", 10, 8},
	{"m", "a", 400, 160}, {"m", "b", 180, 45}, {"m", "c", 5, 0},
	{"", "a", 9, 3}, {"m", "", 4, 4}, {"", "", 2, 1},
}

// TestImpactByHand: every count, rate and ratio is that of a pocket calculator.
func TestImpactByHand(t *testing.T) {
	c := NewCounter()
	for _, p := range people {
		for i := range p.applicants {
			if err := c.Decided([]byte(p.sex), []byte(p.race), i < p.selected); err != nil {
				t.Fatal(err)
			}
		}
	}
	checkByHand(t, c.Impact(0.95, Impact{}))
}

// TestImpactOfMonitor: the monitor that counts the same decisions gives the same table.
func TestImpactOfMonitor(t *testing.T) {
	each := func(name string, attributes ...string) fairness.Comparison {
		c := fairness.Comparison{Name: name, Criterion: fairness.DemographicParity, Tau: 0.05, Each: true, Rest: true}
		for _, a := range attributes {
			c.Group = append(c.Group, fairness.Term{Attribute: a})
		}
		return c
	}
	grouper, err := fairness.NewGrouper([]fairness.Comparison{each("sex", "sex"), each("race", "race"), each("both", "sex", "race")})
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(monitor.Config{Grouper: grouper})
	if err != nil {
		t.Fatal(err)
	}
	d := monitor.Decision{Levels: make([]fairness.Level, 2), Score: math.NaN()}
	for _, p := range people {
		for i := range p.applicants {
			for k, name := range grouper.Attributes() {
				value := map[string]string{"sex": p.sex, "race": p.race}[name]
				if d.Levels[k] = fairness.MissingLevel; value != "" {
					d.Levels[k] = grouper.Level(k, []byte(value))
				}
			}
			d.Positive, d.Time = i < p.selected, time.Unix(1_700_000_000, 0)
			m.Observe(&d)
		}
	}
	impact := OfMonitor(m.Report(), "sex", "race", 0.95, Impact{})
	checkByHand(t, impact)
	if impact.First == nil || impact.First.Unix() != 1_700_000_000 {
		t.Errorf("the period begins at %v", impact.First)
	}
	other := OfMonitor(m.Report(), "gender", "race", 0.95, Impact{})
	if len(other.Tables) != 1 || strings.Join(other.Missing, " ") != "sex intersection" || other.Unknown != nil {
		t.Errorf("without sex: %+v", other)
	}
}

func checkByHand(t *testing.T, i *Impact) {
	t.Helper()
	if i.Applicants != 1000 || i.Unknown == nil || *i.Unknown != 15 || len(i.Tables) != 3 || len(i.Missing) != 0 {
		t.Fatalf("%d applicants, %d tables, missing %v", i.Applicants, len(i.Tables), i.Missing)
	}
	want := strings.Join([]string{
		// table sex race applicants share selected rate ratio without-small left-out
		"sex f  400 0.4044 95 0.2375 0.6693 0.6693 false", // 95/400; 0.2375/0.3548
		"sex m  589 0.5956 209 0.3548 1.0000 1.0000 false",
		"sex unknown  11 - 4 0.3636 - - false",
		"race  a 709 0.7133 223 0.3145 0.5897 1.0000 false", // 0.3145/0.5333
		"race  b 270 0.2716 72 0.2667 0.5000 0.8478 false",
		"race  c 15 0.0151 8 0.5333 1.0000 - true",
		"race  unknown 6 - 5 0.8333 - - false",
		"intersection f a 300 0.3046 60 0.2000 0.2500 0.5000 false", // 0.2/0.8; 0.2/0.4
		"intersection f b 90 0.0914 27 0.3000 0.3750 0.7500 false",
		"intersection f c 10 0.0102 8 0.8000 1.0000 - true",
		"intersection m a 400 0.4061 160 0.4000 0.5000 1.0000 false",
		"intersection m b 180 0.1827 45 0.2500 0.3125 0.6250 false",
		"intersection m c 5 0.0051 0 0.0000 0.0000 - true",
		"intersection unknown unknown 15 - 8 0.5333 - - false",
	}, "\n")
	var got []string
	for _, table := range i.Tables {
		for _, r := range table.Rows {
			number := func(x *float64) string {
				if x == nil {
					return "-"
				}
				return fmt.Sprintf("%.4f", *x)
			}
			got = append(got, fmt.Sprintf("%s %s %s %d %s %d %s %s %s %v", table.Name, r.Sex, r.Race, r.Applicants, number(r.Share), r.Selected, number(r.Rate),
				number(r.Ratio), number(r.WithoutSmall), r.MayBeLeftOut))
			if (r.Rate != nil) != (r.RateLo != nil) || r.Rate != nil && !(*r.RateLo <= *r.Rate && *r.Rate <= *r.RateHi) {
				t.Errorf("interval of %+v", r)
			}
			if r.RatioLo != nil && !(*r.RatioLo <= *r.Ratio && *r.Ratio <= *r.RatioHi) {
				t.Errorf("interval of the ratio of %+v", r)
			}
		}
	}
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// TestImpactOfScores: selected means above the median of all applicants.
func TestImpactOfScores(t *testing.T) {
	c := NewCounter()
	for i, score := range []float64{1, 2, 3, 4, 5, 6, 6, 6} { // median 4.5
		if err := c.Scored([]byte([]string{"f", "m"}[i%2]), []byte("a"), score); err != nil {
			t.Fatal(err)
		}
	}
	i := c.Impact(0.95, Impact{})
	f, m := i.Tables[0].Rows[0], i.Tables[0].Rows[1]
	if i.Rate != "share of scores above the median, 4.5" || f.Selected != 2 || m.Selected != 2 || *f.Ratio != 1 {
		t.Errorf("%s: %+v, %+v", i.Rate, f, m)
	}
}

// TestNobodySelected: there is no highest rate, and so no ratio.
func TestNobodySelected(t *testing.T) {
	c := NewCounter()
	for range 10 {
		if err := c.Decided([]byte("f"), []byte("a"), false); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range c.Impact(0.95, Impact{}).Tables {
		if r := table.Rows[0]; r.Ratio != nil || r.WithoutSmall != nil || *r.Rate != 0 {
			t.Errorf("%+v", r)
		}
	}
	for i := range mostCategories {
		if err := c.Decided(fmt.Append(nil, i), nil, false); err != nil {
			if i+1 < mostCategories {
				t.Error(err)
			}
			return
		}
	}
	t.Error("categories are not bounded")
}

// TestCSV: a table is as wide as its header, and no text of a record is a formula.
func TestCSV(t *testing.T) {
	c := NewCounter()
	for _, p := range people {
		if err := c.Decided([]byte("="+p.sex), []byte(p.race+`",`+"\n"), true); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	if err := WriteCSV(&text, c.Impact(0.95, Impact{Date: "2026-11-22", Source: "file.csv"})); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(lines) < 10 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for i, line := range lines[1:] {
		for k, cell := range line {
			if strings.HasPrefix(cell, "=") {
				t.Errorf("line %d, %s: %q is a formula", i, lines[0][k], cell)
			}
		}
	}
	if text, err := json.Marshal(c.Impact(0.95, Impact{})); err != nil || !bytes.Contains(text, []byte(`"share":null`)) {
		t.Errorf("%v: %s", err, text)
	}
}
