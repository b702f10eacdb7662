package statement

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// made are n records: two columns, of which one tells something of the label, a group, and what else a case gives them.
func made(n int, change func(i int, row map[string]string, random *rand.Rand)) (rows []map[string]string) {
	random := rand.New(rand.NewPCG(4, uint64(n)))
	for i := range n {
		x := random.IntN(100)
		row := map[string]string{"x": strconv.Itoa(x), "part": []string{"north", "south", "west"}[random.IntN(3)], "sex": []string{"m", "f"}[i%2], "y": "0"}
		if x+random.IntN(60) > 90 {
			row["y"] = "1"
		}
		if change != nil {
			change(i, row, random)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestWhatIsSaidOfEachCase of weights, propensities, times, limits and few records: all lines, as they are written.
func TestWhatIsSaidOfEachCase(t *testing.T) {
	day := func(first time.Time, days int) string { return first.AddDate(0, 0, days).Format(time.RFC3339) }
	start := time.Date(2024, 1, 1, 10, 0, 0, 0, time.UTC)
	weighed := func(c *model.Config) { c.Record.Weight = "w" }
	timed := func(c *model.Config) { c.Record.Time.Field, c.Record.Label.Time = "at", "known" }
	known := func(late func(i int) int) func(i int, row map[string]string, random *rand.Rand) {
		return func(i int, row map[string]string, _ *rand.Rand) {
			row["at"], row["known"] = day(start, i), day(start, i+late(i))
		}
	}
	constraint := func(change func(c *model.Constraint)) func(c *model.Config) {
		return func(c *model.Config) { change(&c.Constraints[0]) }
	}
	regression := func(c *model.Config) {
		c.Learner.Task, c.Record.Label.Positive = model.Regression, ""
		c.Constraints[0].Criterion, c.Constraints[0].Tau = fairness.MeanDifference, 2
	}
	var text strings.Builder
	for _, c := range []struct {
		name   string
		n      int
		config func(c *model.Config)
		change func(i int, row map[string]string, random *rand.Rand)
		sample func(s *Sample)
	}{
		{"plain", 400, nil, nil, nil},
		{"twenty records", 20, nil, nil, nil},
		{"nineteen records", 19, nil, nil, nil},
		{"weights by the label", 400, weighed, func(_ int, row map[string]string, _ *rand.Rand) {
			row["w"] = map[string]string{"1": "3", "0": "1"}[row["y"]]
		}, nil},
		{"one weight", 400, weighed, func(_ int, row map[string]string, _ *rand.Rand) { row["w"] = "2" }, nil},
		{"weights of one label", 400, weighed, func(i int, row map[string]string, _ *rand.Rand) {
			row["w"] = map[string]string{"1": "3", "0": strconv.Itoa(1 + i%2)}[row["y"]]
		}, nil},
		{"weights up to one", 400, weighed, func(i int, row map[string]string, _ *rand.Rand) { row["w"] = []string{"0.25", "0.5", "1"}[i/2%3] }, nil},
		{"weights of one and more", 400, weighed, func(i int, row map[string]string, _ *rand.Rand) { row["w"] = []string{"0.25", "0.5", "1.25"}[i/2%3] }, nil},
		{"weights by group", 400, weighed, func(i int, row map[string]string, _ *rand.Rand) {
			row["w"] = map[string]string{"m": "1", "f": "1.25"}[row["sex"]]
		}, nil},
		{"weights by group, a little", 400, weighed, func(i int, row map[string]string, _ *rand.Rand) {
			row["w"] = map[string]string{"m": "1.04", "f": "1"}[row["sex"]]
		}, nil},
		{"weights of few in a group", 400, weighed, func(i int, row map[string]string, _ *rand.Rand) {
			if row["w"] = "1"; i >= 60 {
				row["w"], row["sex"] = "2", "m"
			}
		}, nil},
		{"propensities that fit", 400, func(c *model.Config) { c.Record.Propensity = "p" }, func(i int, row map[string]string, _ *rand.Rand) {
			if row["p"] = "0.5"; i/2%2 == 0 {
				delete(row, "y")
			}
		}, nil},
		{"propensities that do not", 400, func(c *model.Config) { c.Record.Propensity, c.Record.Weight = "p", "w" }, func(i int, row map[string]string, _ *rand.Rand) {
			if row["p"], row["w"] = "0.1", "1"; i/2%2 == 0 {
				delete(row, "y")
			}
		}, nil},
		{"propensities a tenth off", 400, func(c *model.Config) { c.Record.Propensity = "p" }, func(i int, row map[string]string, _ *rand.Rand) {
			if row["p"] = "0.8"; i >= 352 {
				delete(row, "y")
			}
		}, nil},
		{"labels at once", 400, timed, known(func(int) int { return 0 }), nil},
		{"labels in days", 400, timed, known(func(i int) int { return 1 + i%30 }), func(s *Sample) { s.Age = 40 * 24 * time.Hour }},
		{"a tenth of the labels late", 400, timed, known(func(i int) int { return 1 + i%10 }), func(s *Sample) { s.Age = 9 * 24 * time.Hour }},
		{"less than a tenth of the labels late", 400, timed, known(func(i int) int { return 1 + i%11 }), func(s *Sample) { s.Age = 10 * 24 * time.Hour }},
		{"labels before their records", 400, timed, known(func(i int) int { return i%7 - 1 }), nil},
		{"labels of one moment", 400, timed, known(func(i int) int { return 500 - i }), nil},
		{"no time of labels", 400, timed, func(i int, row map[string]string, _ *rand.Rand) { row["at"] = day(start, i) }, nil},
		{"times of birth", 400, func(c *model.Config) { c.Record.Time.Field = "at" }, func(i int, row map[string]string, _ *rand.Rand) { row["at"] = day(start.AddDate(-70, 0, 0), i*53) }, nil},
		{"times that go backwards", 400, func(c *model.Config) { c.Record.Time.Field = "at" }, func(i int, row map[string]string, _ *rand.Rand) { row["at"] = day(start, 400-i) }, nil},
		{"labels that change with time", 800, func(c *model.Config) { c.Record.Time.Field = "at" }, func(i int, row map[string]string, random *rand.Rand) {
			if row["at"] = day(start, i); i >= 600 {
				row["y"] = map[bool]string{true: "1", false: "0"}[random.IntN(10) > 2]
			}
		}, nil},
		{"days until one day", 400, func(c *model.Config) { c.Record.Ignore = []string{"opened"} }, func(i int, row map[string]string, random *rand.Rand) {
			days := random.IntN(900)
			row["opened"], row["days"] = day(start, -days), strconv.Itoa(days)
		}, nil},
		{"months until one day", 400, nil, func(i int, row map[string]string, random *rand.Rand) {
			months := random.IntN(90)
			row["opened"], row["months"] = start.AddDate(0, -months, 0).Format(time.DateOnly), strconv.Itoa(months)
		}, nil},
		{"half are positive", 400, nil, func(i int, row map[string]string, _ *rand.Rand) { row["y"] = strconv.Itoa(i / 2 % 2) }, nil},
		{"half of fewer are positive", 196, nil, func(i int, row map[string]string, _ *rand.Rand) { row["y"] = strconv.Itoa(i / 2 % 2) }, nil},
		{"labels that are not known in a quarter", 400, nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i < 100 {
				delete(row, "y")
			}
		}, nil},
		{"no label is known", 400, nil, func(_ int, row map[string]string, _ *rand.Rand) { delete(row, "y") }, nil},
		{"decisions of another model", 400, nil, nil, func(s *Sample) { s.Decision = "a positive decision means yes in d." }},
		{"settings", 400, nil, nil, func(s *Sample) { s.Settings = []string{"a: 1", "b: 2"}; s.Left = []string{"part"} }},
		{"ends of all records", 400, nil, nil, func(s *Sample) { s.Ends = map[string][2]float64{"x": {-7, 1234}} }},
		{"no limit", 400, func(c *model.Config) { c.Constraints = nil }, nil, nil},
		{"a limit that is measured alone", 400, constraint(func(c *model.Constraint) { no := false; c.Enforce = &no }), nil, nil},
		{"a limit within strata", 400, constraint(func(c *model.Constraint) { c.Strata = "part" }), nil, nil},
		{"a ratio", 400, constraint(func(c *model.Constraint) { c.Criterion, c.Tau = fairness.ImpactRatio, .8 }), nil, nil},
		{"a limit of those with a positive label", 400, constraint(func(c *model.Constraint) { c.Criterion = fairness.EqualOpportunity }), nil, nil},
		{"a limit of those with a negative label", 400, constraint(func(c *model.Constraint) { c.Criterion = fairness.PredictiveEquality }), nil, nil},
		{"a limit above both shares", 400, constraint(func(c *model.Constraint) { c.Tau = .6 }), nil, nil},
		{"a wide limit", 400, constraint(func(c *model.Constraint) { c.Tau = .25 }), func(i int, row map[string]string, _ *rand.Rand) { row["y"] = strconv.Itoa(min(1, i/2%3)) }, nil},
		{"a limit that is not wide", 400, constraint(func(c *model.Constraint) { c.Tau = .249 }), func(i int, row map[string]string, _ *rand.Rand) { row["y"] = strconv.Itoa(min(1, i/2%3)) }, nil},
		{"a limit of half the difference", 400, constraint(func(c *model.Constraint) { c.Tau = .5 }), func(i int, row map[string]string, _ *rand.Rand) {
			row["y"] = map[bool]string{true: "1", false: "0"}[i%8 < 4 || i%2 == 0]
		}, nil},
		{"the rest", 400, constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"part"}, model.Values("north"), model.Values("rest")
		}), nil, nil},
		{"neither group, or none", 400, constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"place"}, model.Values("p1"), model.Values("p2")
		}), func(i int, row map[string]string, _ *rand.Rand) {
			if i%9 > 0 {
				row["place"] = fmt.Sprint("p", i%8)
			}
		}, nil},
		{"six comparisons", 400, constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"place"}, model.Values("each"), nil
		}), func(i int, row map[string]string, _ *rand.Rand) { row["place"] = fmt.Sprint("p", i%6) }, nil},
		{"several limits", 400, func(c *model.Config) {
			for k := range 5 {
				more := c.Constraints[0]
				more.Name, more.Tau = fmt.Sprint("c", k), .1*float64(k+1)
				c.Constraints = append(c.Constraints, more)
			}
		}, nil, nil},
		{"two attributes", 400, constraint(func(c *model.Constraint) {
			c.Attribute, c.Group, c.Versus = model.OneOrMore{"sex", "part"}, model.Group{{Values: []string{"m"}}, {Values: []string{"north"}}}, model.Group{{Values: []string{"f"}}, {Values: []string{"south"}}}
		}), nil, nil},
		{"a difference that changes on the way", 800, nil, func(i int, row map[string]string, random *rand.Rand) {
			if i >= 600 {
				row["y"] = map[bool]string{true: "1", false: "0"}[(row["sex"] == "m") == (random.IntN(8) > 0)]
			}
		}, nil},
		{"amounts", 400, regression, func(i int, row map[string]string, random *rand.Rand) { row["y"] = strconv.Itoa(100 + random.IntN(50)) }, nil},
		{"amounts that are all one", 400, regression, func(_ int, row map[string]string, _ *rand.Rand) { row["y"] = "7" }, nil},
		{"two columns that are 0 together", 400, nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["a"], row["b"] = "0", "0"; i%3 == 0 {
				row["a"], row["b"] = strconv.Itoa(1+random.IntN(50)), strconv.Itoa(1+random.IntN(9))
			}
		}, nil},
		{"a number that was filled in", 400, nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["a"] = strconv.Itoa(1000 + random.IntN(5000)); i%4 == 0 {
				row["a"] = "3333"
			}
		}, nil},
		{"standardized numbers", 400, nil, func(i int, row map[string]string, random *rand.Rand) {
			row["a"] = fmt.Sprintf("%.6f", random.NormFloat64())
		}, nil},
		{"rare texts and ways to write", 800, nil, func(i int, row map[string]string, random *rand.Rand) {
			row["kind"], row["phone"] = []string{"red", "blue"}[random.IntN(2)], fmt.Sprintf("0%d-%04d", 10+random.IntN(89), random.IntN(9999))
			if i == 400 {
				row["kind"], row["phone"] = "rde", "+49 30 1234"
			}
		}, nil},
		{"rows without any value", 400, nil, func(i int, row map[string]string, _ *rand.Rand) {
			if i%10 == 3 {
				delete(row, "x")
				delete(row, "part")
			}
		}, nil},
		{"columns that are missing together", 400, nil, func(i int, row map[string]string, random *rand.Rand) {
			if i%5 > 0 {
				for k := range 6 {
					row[fmt.Sprint("q", k)] = strconv.Itoa(random.IntN(9))
				}
			}
		}, nil},
		{"copies", 400, func(c *model.Config) { c.Record.ID = "id" }, func(i int, row map[string]string, _ *rand.Rand) {
			row["id"], row["z"] = strconv.Itoa(i%350), strconv.Itoa(i%350*i%350)
			if i >= 350 {
				row["x"], row["part"], row["y"] = strconv.Itoa(i%7), "north", "1"
			}
		}, nil},
		{"labels at random", 800, nil, func(_ int, row map[string]string, random *rand.Rand) { row["y"] = strconv.Itoa(random.IntN(2)) }, nil},
		{"groups at random, and a column that tells", 800, func(c *model.Config) { c.Record.Ignore = []string{"name"} }, func(_ int, row map[string]string, random *rand.Rand) {
			row["name"] = map[string]string{"m": "Hugo", "f": "Anna"}[row["sex"]]
		}, nil},
		{"a branch of its own", 800, nil, func(i int, row map[string]string, random *rand.Rand) {
			if row["part"] == "west" {
				row["y"] = map[bool]string{true: "0", false: "1"}[row["y"] == "1"]
			}
		}, nil},
		{"a column that tells the other way round in one part", 1200, nil, func(_ int, row map[string]string, _ *rand.Rand) {
			if row["part"] == "west" {
				x, _ := strconv.Atoi(row["x"])
				row["x"] = strconv.Itoa(99 - x)
			}
		}, nil},
		{"a column that is turned round but in one part", 1200, nil, func(_ int, row map[string]string, _ *rand.Rand) {
			if row["part"] != "west" {
				x, _ := strconv.Atoi(row["x"])
				row["x"] = strconv.Itoa(99 - x)
			}
		}, nil},
		{"rules that a few records break", 1200, nil, func(i int, row map[string]string, random *rand.Rand) {
			low := random.IntN(1000)
			row["low"], row["high"] = strconv.Itoa(low), strconv.Itoa(low+random.IntN(500))
			row["town"] = []string{"Kiel", "Ulm", "Bonn", "Jena"}[random.IntN(4)]
			row["state"] = map[string]string{"Kiel": "SH", "Ulm": "BW", "Bonn": "NW", "Jena": "TH"}[row["town"]]
			if i%300 == 17 {
				row["low"], row["high"], row["state"] = "1500", "3", "HH"
			}
		}, nil},
		{"times that one rule is broken, and more texts than rules are looked for", 600, nil, func(i int, row map[string]string, random *rand.Rand) {
			row["opened"], row["closed"] = day(start, i%300), day(start, i%300+1+random.IntN(90))
			if i%150 == 9 {
				row["opened"], row["closed"] = row["closed"], row["opened"]
			}
			for k := range ruleColumns + 2 {
				row[fmt.Sprintf("t%02d", k)] = []string{"a", "b", "c"}[(i+k)%3]
			}
		}, nil},
		{"more columns than are kept", 60, nil, func(i int, row map[string]string, _ *rand.Rand) {
			for k := range mostColumns {
				row[fmt.Sprint("k", k)] = strconv.Itoa(i * k % 7)
			}
		}, nil},
	} {
		of := of(t, configured(c.config), made(c.n, c.change))
		if c.sample != nil {
			c.sample(of)
		}
		fmt.Fprintf(&text, "== %s\n", c.name)
		fmt.Fprintf(&text, "%d questions\n", of.Write(&text))
	}
	goldentest.Compare(t, "cases.txt", text.String())
}

// configured is the configuration of what made makes.
func configured(change func(c *model.Config)) model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "y", Positive: "1"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Tau: .05}}
	of := c.WithDefaults().Model()
	if change != nil {
		change(&of)
	}
	return of
}

// TestWhatIsSaidOfHeldOutRecords: beside those that were learnt, and whether they were learnt.
func TestWhatIsSaidOfHeldOutRecords(t *testing.T) {
	c := configured(func(c *model.Config) { c.Record.Time.Field, c.Record.ID = "at", "id" })
	at := func(first, id int) func(i int, row map[string]string, random *rand.Rand) {
		return func(i int, row map[string]string, random *rand.Rand) {
			row["at"], row["id"] = time.Date(2024, 1, 1+first+i, 0, 0, 0, 0, time.UTC).Format(time.RFC3339), strconv.Itoa(id+i)
			row["z"] = strconv.Itoa(random.IntN(100000))
		}
	}
	learnt := made(400, at(0, 0))
	var text strings.Builder
	for _, h := range []struct {
		name string
		rows []map[string]string
	}{
		{"newer", made(200, at(500, 1000))},
		{"older", made(200, at(-500, 1000))},
		{"few", made(30, at(500, 1000))},
		{"none", nil},
		{"learnt", learnt[:100]},
		{"of learnt persons", made(200, at(500, 300))},
		{"of fewer learnt persons", made(200, at(500, 399))},
		{"unlike", made(200, func(i int, row map[string]string, random *rand.Rand) {
			at(500, 1000)(i, row, random)
			row["x"], row["part"] = strconv.Itoa(200+random.IntN(50)), "east"
		})},
	} {
		s, held := of(t, c, learnt), of(t, c, h.rows)
		fmt.Fprintf(&text, "== %s\n", h.name)
		s.WriteHoldout(&text, held)
		fmt.Fprintln(&text, s.Learnt(held))
	}
	goldentest.Compare(t, "held.txt", text.String())
	var none *Sample
	s := of(t, c, learnt)
	few := of(t, c, learnt[:leastSaid-1])
	text.Reset()
	none.WriteHoldout(&text, s)
	s.WriteHoldout(&text, nil)
	few.WriteHoldout(&text, s)
	if none.Add(&record.Record{}, nil); text.Len() > 0 || none.Write(&text) != 0 || none.Learnt(s) != "" || s.Learnt(nil) != "" || few.Learnt(s) != "" {
		t.Errorf("of nothing: %q", text.String())
	}
	if _, err := New(model.Config{Constraints: []model.Constraint{{Attribute: model.OneOrMore{"a"}}}}); err == nil {
		t.Error("a wrong constraint is taken")
	}
}
