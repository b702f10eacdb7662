package inspect_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// loans is a configuration of records as loan makes them.
func loans() model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "repaid", Positive: "true"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"applicant.sex"}, Group: model.Values("male"), Versus: model.Values("female"), Tau: .05}}
	return c.WithDefaults().Model()
}

func loan(i int) string {
	return fmt.Sprintf(`{"id":"K-%x","applicant":{"sex":"%s","age":%d},"income":%s,"repaid":%v}`,
		i*7919, []string{"male", "female", "female"}[i%3], 20+i%50, []string{"1000", "2000.5", "3000", "700", "800", "900", "250", "unknown"}[i/4%8], i%4 == 0)
}

func inspected(t *testing.T, c model.Config, n int, record func(i int) string) *inspect.Inspection {
	t.Helper()
	i, err := inspect.New(c)
	if err != nil {
		t.Fatal(err)
	}
	for at := range n {
		_ = i.Add([]byte(record(at))) // counted by the inspection
	}
	return i
}

func quotedIncome(i int) string { return strings.Replace(loan(i), "unknown", `"unknown"`, 1) }

// withAmount is a loan with an amount that no other has.
func withAmount(i, amount int) string {
	return strings.Replace(quotedIncome(i), `"income"`, fmt.Sprintf(`"amount":%d.5,"income"`, amount*amount), 1)
}

// copied are 300 loans in a mixed order, 20 times over, each with an identifier of its own.
func copied(i int) string {
	k := i * 7919 % 300
	return strings.Replace(withAmount(k, k), `"id":"K-`, fmt.Sprintf(`"id":"K-%x-`, i), 1)
}

func TestCounts(t *testing.T) {
	i := inspected(t, loans(), 600, quotedIncome)
	c := i.Counts()[0]
	if i.Known() != 600 || i.Positive() != 150 || c.Group != 200 || c.Versus != 400 || c.GroupPositive+c.VersusPositive != 150 || c.Unknown != 0 {
		t.Errorf("%d labels, %d positive, %+v", i.Known(), i.Positive(), c)
	}
	// The learner measures on the newest three quarters, at least 256 records, and divides their number by 1.5. Newcombe's interval
	// (1998, method 10) of two rates of 1/4 with 133.33 and 200 records is [-0.09203, 0.09687] by a few lines of Python.
	if reach := i.Reach(c); math.Abs(reach-.09445) > 1e-5 {
		t.Errorf("reach %v", reach)
	}
}

// TestReachIsThatOfTheLearner: the interval of a learner that took the same records is about as wide as was said.
func TestReachIsThatOfTheLearner(t *testing.T) {
	c := loans()
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{300, 3000, 60_000} {
		learner, err := model.New(c)
		if err != nil {
			t.Fatal(err)
		}
		decoder, random := schema.NewDecoder(), rand.New(rand.NewPCG(1, 1))
		some := func() string {
			age := random.IntN(50)
			return fmt.Sprintf(`{"applicant":{"sex":%q,"age":%d},"repaid":%v}`, []string{"male", "female"}[random.IntN(2)], 20+age, age+random.IntN(50) < 50)
		}
		i := inspected(t, c, n, func(int) string {
			line := some()
			var r record.Record
			if err := decoder.DecodeJSON(&r, []byte(line)); err != nil {
				t.Fatal(err)
			}
			learner.Learn(&r)
			return line
		})
		e := learner.Measurements().Constraints[0]
		if reach, half := i.Reach(i.Counts()[0]), (e.Hi-e.Lo)/2; math.Abs(half/reach-1) > .1 {
			t.Errorf("%d records: %v was said, and the interval is ±%v", n, reach, half)
		}
	}
}

func TestFindings(t *testing.T) {
	with := func(change func(*model.Config)) model.Config {
		c := loans()
		change(&c)
		return c
	}
	ignoring := func(c *model.Config) { c.Record.Ignore, c.Record.Missing = []string{"id"}, []record.Text{"unknown"} }
	tests := []struct {
		what   string
		config model.Config
		n      int
		record func(i int) string
		want   []string // in this order, "!" for a fatal one
	}{
		{"nothing odd", with(ignoring), 600, quotedIncome, nil},
		{"more identifiers than are told apart", with(func(c *model.Config) { ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), 6000, quotedIncome, nil},
		{"few records with one identifier", with(func(c *model.Config) { ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), 199, func(i int) string {
			return strings.Replace(quotedIncome(i), fmt.Sprintf("K-%x", i*7919), "K", 1)
		}, nil},
		{"identifiers of nine tenths", with(func(c *model.Config) { ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), 200, func(i int) string {
			return strings.Replace(quotedIncome(i), fmt.Sprintf("K-%x", i*7919), fmt.Sprint("K", i%180), 1)
		}, nil},
		{"an identifier of all", with(func(c *model.Config) { ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), 200, func(i int) string {
			return strings.Replace(quotedIncome(i), fmt.Sprintf("K-%x", i*7919), "K", 1)
		}, []string{`record.id: "id" has one value in 200 records, and a monitor counts decisions with the same identifier once: name a field`}},
		{"columns", loans(), 600, quotedIncome, []string{
			`record.ignore: add "id": it is left out of the features, since it is an identifier`, `record.missing: "income" holds numbers but for 72 of 600 texts, as unknown (72), so each number is a category of its own`}},
		{"every feature ignored", with(func(c *model.Config) { ignoring(c); c.Record.Ignore = []string{"id", "income", "applicant.age"} }), 600, quotedIncome, []string{
			`!record: there is no feature: every field is the label, an attribute, in record.ignore. All records get the same decision`}},
		{"every feature ignored or left out", with(func(c *model.Config) { ignoring(c); c.Record.Ignore = []string{"income", "applicant.age"} }), 600, quotedIncome, []string{
			`!record: there is no feature: every field is the label, an attribute, in record.ignore, or left out (id). All records`,
			`record.ignore: add "id": it is left out of the features`}},
		{"label never positive", with(func(c *model.Config) { ignoring(c); c.Record.Label.Positive = "yes" }), 600, quotedIncome, []string{
			`!record.label.positive: no record has the positive value "yes": the values of "repaid" are false (450), true (150)`}},
		{"label always positive", with(ignoring), 600, func(i int) string { return strings.Replace(quotedIncome(i), "false", "true", 1) }, []string{
			`!record.label.positive: every record is positive: the values of "repaid" are true (600)`}},
		{"label absent", with(func(c *model.Config) { ignoring(c); c.Record.Label.Field = "repayed" }), 600, quotedIncome, []string{
			`!record.label.field: no record has a field "repayed" (did you mean "repaid"?)`}},
		{"labels that come later", with(func(c *model.Config) { ignoring(c); c.Record.Ignore = nil; c.Record.Key = "id" }), 1200, func(i int) string {
			if i%2 == 0 {
				return strings.Replace(quotedIncome(i/2), `"repaid"`, `"other"`, 1)
			}
			return fmt.Sprintf(`{"id":"K-%x","repaid":%v}`, i/2*7919, i%5 == 0)
		}, nil},
		{"labels that have not come", with(func(c *model.Config) { ignoring(c); c.Record.Ignore = nil; c.Record.Key = "id" }), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"repaid"`, `"other"`, 1)
		}, []string{`record.label.field: no record has the label "repaid" yet`}},
		{"rare label", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), "true", fmt.Sprint(i == 0), 1)
		}, []string{"record.label.positive: 1 of 600 records are positive"}},
		{"attribute of another level", with(func(c *model.Config) { ignoring(c); c.Constraints[0].Attribute[0] = "sex" }), 600, quotedIncome, []string{
			"!constraints: no enforced constraint has 30 records on each side",
			`constraints[0].attribute: no record has a field "sex" (did you mean "applicant.sex"?)`,
			`constraints[0].attribute: "applicant.sex" is kept out of the features, since it resembles the attribute "sex"`}},
		{"group misspelt", with(func(c *model.Config) { ignoring(c); c.Constraints[0].Group = model.Values("Male") }), 600, quotedIncome, []string{
			"!constraints: no enforced constraint",
			`constraints[0].group: none of the 600 records that demographic-parity looks at is Male: the values of "applicant.sex" are female (400), male (200)`}},
		{"few records", with(ignoring), 60, quotedIncome, []string{"!constraints: no enforced constraint", "constraints[0].group: male has 20 records"}},
		{"names that are not there", with(func(c *model.Config) {
			ignoring(c)
			c.Record.Ignore = append(c.Record.Ignore, "phones")
			c.Record.ID = "applicant.agee"
		}), 600, quotedIncome, []string{`record.ignore: no record has a field "phones"`, `record.id: no record has a field "applicant.agee" (did you mean "applicant.age"?)`}},
		{"a feature that holds the label", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"income"`, fmt.Sprintf(`"late":%d,"income"`, max(0, i%4*(i%90))), 1)
		}, []string{`record.ignore: add "late" unless it is known before the label: alone it predicts 5`}},
		{"copies of records", with(ignoring), 6000, copied, []string{
			`record: 5700 of 6000 records with a label are copies of an earlier one in every field that is read, although "amount" has a value of its own`}},
		{"copies of records with a leak", with(ignoring), 6000, func(i int) string {
			return strings.Replace(copied(i), `"amount"`, fmt.Sprintf(`"late":%v,"amount"`, strings.Contains(copied(i), "true")), 1)
		}, []string{"record: 5700 of 6000", `record.ignore: add "late" unless it is known before the label: alone it predicts`}},
		{"a few copies", with(ignoring), 6000, func(i int) string { return withAmount(i, max(i, 30)*7919%10007) }, nil},
		{"records of few values that agree by chance", with(ignoring), 600, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"applicant":{"sex":"%s"},"late":%v,"repaid":%v}`, i, []string{"male", "female", "female"}[i%3], i%4 == 0, i%4 == 0)
		}, []string{`record.ignore: add "late" unless`}},
		{"numbers with separators", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"income"`, fmt.Sprintf(`"amount":"%d,%03d.5","income"`, 1+i/9, i), 1)
		}, []string{`record.ignore: "amount" holds numbers with separators, currency or percent signs in 600 of 600 values. These are texts to the learner, and the column is left out`}},
		{"numbers with separators that are declared", with(func(c *model.Config) {
			ignoring(c)
			c.Learner.Columns = map[string]features.ColumnConfig{"amount": {Type: features.Categorical}}
		}), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"income"`, fmt.Sprintf(`"amount":"%d,%03d.5","income"`, 1+i/9, i%40), 1)
		}, nil},
		{"arrays", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"income"`, `"tags":["a","b"],"nested":[[1,2],[3]],"one":[1],"sales":{"2025":1},"income"`, 1)
		}, []string{`record.ignore: "tags" is an array: each of its 2 places is a feature of its own`, `record.ignore: "nested" is an array: each of its 2 places`}},
		{"arrays that are declared", with(func(c *model.Config) {
			ignoring(c)
			c.Learner.Columns = map[string]features.ColumnConfig{"point.0": {Type: features.Numeric}}
		}), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"income"`, fmt.Sprintf(`"point":[%d,%d],"income"`, i%7, i%10), 1)
		}, nil},
		{"labels in two ways", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), "true", []string{"true", `"True "`}[i/4%2], 1)
		}, []string{`record.label.positive: "True " (75) are taken for negative labels, as only true is positive`}},
		{"groups in two ways", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"female"`, []string{`"female"`, `"Female"`}[i/3%2], 1)
		}, []string{`constraints[0].attribute: Female (200) of "applicant.sex" are not in the groups male and female`}},
		{"sorted by the label", with(ignoring), 600, func(i int) string {
			return strings.NewReplacer("true", fmt.Sprint(i < 200), "false", fmt.Sprint(i < 200)).Replace(quotedIncome(i))
		}, []string{"record.label.field: the records are sorted by the label: 2 runs of equal labels where a random order has about 268"}},
		{"a header line twice", with(ignoring), 600, func(i int) string {
			return strings.Replace(quotedIncome(i), `"income":"unknown"`, `"income":"income"`, 1)
		}, []string{`record: a header line comes again among the records, in 72 of them "income" is "income"`}},
		{"tau of a ratio", with(func(c *model.Config) { ignoring(c); c.Constraints[0].Tau = .8 }), 600, quotedIncome, []string{
			"constraints[0].tau: 0.8 allows nearly every difference of rates"}},
		{"tau of a difference", with(func(c *model.Config) {
			ignoring(c)
			c.Constraints[0].Criterion, c.Constraints[0].Tau = fairness.ImpactRatio, .05
		}), 600, quotedIncome, []string{
			"constraints[0].tau: 0.05 allows a rate that is a fraction 0.05 of the other"}},
		{"no record", loans(), 0, nil, []string{"!record: no record can be read"}},
		{"nothing but malformed ones", loans(), 5, func(int) string { return "[]" }, []string{"!record: no record can be read; most often for not_an_object"}},
		{"many malformed ones", with(ignoring), 600, func(i int) string { return []string{quotedIncome(i), "{"}[min(i%5, 1)] }, []string{
			"!record: 480 records are rejected; most often for malformed_json"}},
		{"one number", with(func(c *model.Config) {
			ignoring(c)
			c.Learner.Task, c.Record.Label = model.Regression, record.Label{Field: "y"}
			c.Constraints = nil
		}), 600, func(i int) string { return fmt.Sprintf(`{"y":3,"id":1,"a":%d}`, i%7) }, []string{"!record.label.field: every label is the same number"}},
	}
	for _, test := range tests {
		t.Run(test.what, func(t *testing.T) {
			found := inspected(t, test.config, test.n, test.record).Findings()
			var got []string
			for _, f := range found {
				got = append(got, map[bool]string{true: "!"}[f.Fatal]+f.String())
			}
			for at, want := range test.want {
				if at >= len(got) || !strings.HasPrefix(got[at], want) {
					t.Errorf("%d: want %s\nin %s", at, want, strings.Join(got, "\n"))
				}
			}
			if strings.HasPrefix(test.what, "copies") && len(got) != len(test.want) {
				t.Errorf("%d findings, want %d: %s", len(got), len(test.want), strings.Join(got, "\n"))
			}
			if len(test.want) == 0 && len(got) > 0 {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestNothingPlanted: in samples of real records nothing is found.
func TestNothingPlanted(t *testing.T) {
	inspecttest.AtOnce(t, []inspecttest.Planted{{Name: "nothing", Change: func(int, map[string]string, *rand.Rand) {}}})
}

// FuzzInspection: whatever the records hold, the counts add up and the findings are the same again.
func FuzzInspection(f *testing.F) {
	f.Add(quotedIncome(1), `{"repaid":null}`, uint8(40))
	f.Add(`{"repaid":true,"applicant":{"sex":"x"}}`, "{", uint8(3))
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		record := func(i int) string { return []string{a, b}[i%2] }
		first := inspected(t, loans(), int(n), record)
		for _, c := range first.Counts() {
			if c.Group+c.Versus+c.Neither+c.Unknown+c.Excluded != first.Known() || first.Known()+first.Unlabelled() > int64(n) {
				t.Errorf("%+v of %d", c, first.Known())
			}
		}
		if again := inspected(t, loans(), int(n), record); !slices.Equal(first.Findings(), again.Findings()) {
			t.Errorf("%v, then %v", first.Findings(), again.Findings())
		}
	})
}

// TestWhatALearnerLeftOut: a learner leaves the same columns out as an inspection of the same records, which finds the same if it is told.
func TestWhatALearnerLeftOut(t *testing.T) {
	c := loans()
	learner, err := model.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, known := learner.LeftOut(); known {
		t.Error("known before the first records")
	}
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	const records = 1200
	decoder := schema.NewDecoder()
	var rec record.Record
	for i := range records {
		if err := decoder.DecodeJSON(&rec, []byte(quotedIncome(i))); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&rec)
	}
	left, known := learner.LeftOut()
	alone := inspected(t, c, records, quotedIncome)
	if found := alone.LeftOut(); !known || len(left) == 0 || !slices.Equal(left, found) {
		t.Fatalf("%v (%v), found %v", left, known, found)
	}
	told, err := inspect.New(c)
	if err != nil {
		t.Fatal(err)
	}
	told.LeaveOut(left)
	for i := range records {
		_ = told.Add([]byte(quotedIncome(i)))
	}
	if !slices.Equal(told.Findings(), alone.Findings()) {
		t.Errorf("%v, %v", told.Findings(), alone.Findings())
	}
}
