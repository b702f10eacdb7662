package statement

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// spoilt are people with a mistake of each kind: dates, a branch of its own, rounding, gaps, copies, misspelt words and columns that know the outcome.
func spoilt(t *testing.T, n int) []map[string]string {
	t.Helper()
	random, rows := rand.New(rand.NewPCG(8, 2)), people(t, n, 3)
	for i, row := range rows {
		last := i >= 3*n/4
		row["at"] = fmt.Sprintf("2024-%02d-%02dT10:00:00Z", 1+12*i/n, 1+random.IntN(28))
		row["id"] = fmt.Sprintf("p%05d", i)
		row["z"] = fmt.Sprintf("%.4f", random.NormFloat64())
		row["branch"], row["visits"] = []string{"north", "west"}[random.IntN(2)], strconv.Itoa(random.IntN(50))
		row["debt"] = strconv.Itoa(random.IntN(100))
		if row["income"] == ">50K" {
			row["debt"] = strconv.Itoa(100 + random.IntN(100))
		}
		row["rate"] = fmt.Sprintf("%.2f", 10*random.Float64())
		row["capital"], row["interest"] = "0", "0"
		if random.IntN(5) == 0 {
			row["capital"], row["interest"] = strconv.Itoa(1000+random.IntN(9000)), strconv.Itoa(random.IntN(300))
		}
		row["country"] = "DE"
		row["wage"] = strconv.Itoa(1000 + random.IntN(5000))
		switch {
		case i%4 == 0:
			row["branch"], row["visits"] = "south", ""
			row["sex"] = map[string]string{"Male": "Female", "Female": "Male"}[row["sex"]]
			row["income"] = []string{">50K", "<=50K", "<=50K", "<=50K"}[random.IntN(4)]
		case i%9 == 0:
			row["wage"] = "3500"
		}
		if last {
			row["rate"] = row["rate"][:len(row["rate"])-1]
			if random.IntN(10) == 0 {
				row["age"] = ""
			}
			if random.IntN(2) == 0 {
				row["income"] = "<=50K"
			}
		}
		if i%1000 == 7 {
			row["sex"] = "Femal"
		}
		if i%997 == 3 {
			row["capital"] = "99999"
		}
	}
	return append(rows, rows[:n/10]...)
}

// odd are the rows of apptest.OddCSV.
func odd(t *testing.T, n int) (rows []map[string]string) {
	t.Helper()
	cells, err := csv.NewReader(strings.NewReader(apptest.OddCSV(n))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells[1:] {
		row := map[string]string{}
		for k, name := range cells[0] {
			row[name] = cell[k]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestTheWholeStatement compares all that is said of some records with files in testdata, so that a change of it is read before it is made.
func TestTheWholeStatement(t *testing.T) {
	golden := apptest.Golden(t)
	constraint := func(attribute, group, versus string, tau float64) model.Constraint {
		return model.Constraint{Attribute: model.OneOrMore{attribute}, Group: model.Values(group), Versus: model.Values(versus), Tau: tau}
	}
	for name, test := range map[string]struct {
		rows   func(t *testing.T) []map[string]string
		config func(c *config.Config)
	}{
		"people": {func(t *testing.T) []map[string]string { return people(t, 1500, 1) }, nil},
		"few":    {func(t *testing.T) []map[string]string { return people(t, 45, 4) }, nil},
		"spoilt": {func(t *testing.T) []map[string]string { return spoilt(t, 2000) }, func(c *config.Config) {
			no := false
			c.Record.Time.Field, c.Record.ID = "at", "id"
			c.Constraints = append(c.Constraints, constraint("race", "White", "Black", 0.8), constraint("race", "White", "Black", 0.9), constraint("sex", "Female", "Male", 0.1))
			c.Constraints[1].Criterion, c.Constraints[2].Criterion, c.Constraints[3].Criterion = fairness.ImpactRatio, fairness.EqualOpportunity, fairness.PredictiveEquality
			c.Constraints[2].Enforce = &no
			c.Record.Weight = "debt"
		}},
		"odd": {func(t *testing.T) []map[string]string { return odd(t, 900) }, func(c *config.Config) {
			c.Record.Label = record.Label{Field: "approved", Positive: "yes"}
			c.Constraints = []model.Constraint{constraint("gender", "male", "female", 0.05), constraint("country", "DE", "FR", 0.6)}
		}},
		"numbers": {func(t *testing.T) []map[string]string { return people(t, 800, 7) }, func(c *config.Config) {
			c.Record.Label, c.Learner.Task = record.Label{Field: "hours_per_week"}, model.Regression
			c.Constraints[0].Criterion, c.Constraints[0].Tau = fairness.MeanDifference, 2
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := config.Default()
			c.Record.Label = record.Label{Field: "income", Positive: ">50K"}
			c.Constraints = []model.Constraint{constraint("sex", "Male", "Female", 0.05)}
			if test.config != nil {
				test.config(&c)
			}
			rows := test.rows(t)
			checked := c.WithDefaults().Model()
			part := 3 * len(rows) / 4
			learnt, held := of(t, checked, rows[:part]), of(t, checked, rows[part:])
			var text strings.Builder
			fmt.Fprintf(&text, "%d questions", of(t, checked, rows).Write(&text))
			learnt.WriteHoldout(&text, held)
			fmt.Fprintf(&text, "\n%s\n", learnt.Learnt(held))
			golden(name+".txt", text.String())
		})
	}
}
