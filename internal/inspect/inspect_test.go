package inspect_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

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

func TestCounts(t *testing.T) {
	i := inspected(t, inspecttest.Loans(), 600, inspecttest.QuotedIncome)
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
	c := inspecttest.Loans()
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

// TestFindings: of made-up loans, what is found, and that it is found first.
func TestFindings(t *testing.T) {
	inspecttest.Finds(t, []inspecttest.Case{
		{Name: "nothing odd", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: inspecttest.QuotedIncome},
	})
}

// TestNothingPlanted: in samples of real records nothing is found.
func TestNothingPlanted(t *testing.T) {
	inspecttest.AtOnce(t, []inspecttest.Planted{{Name: "nothing", Change: func(int, map[string]string, *rand.Rand) {}}})
}

// FuzzInspection: whatever the records hold, the counts add up and the findings are the same again.
func FuzzInspection(f *testing.F) {
	f.Add(inspecttest.QuotedIncome(1), `{"repaid":null}`, uint8(40))
	f.Add(`{"repaid":true,"applicant":{"sex":"x"}}`, "{", uint8(3))
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		record := func(i int) string { return []string{a, b}[i%2] }
		first := inspected(t, inspecttest.Loans(), int(n), record)
		for _, c := range first.Counts() {
			if c.Group+c.Versus+c.Neither+c.Unknown+c.Excluded != first.Known() || first.Known()+first.Unlabelled() > int64(n) {
				t.Errorf("%+v of %d", c, first.Known())
			}
		}
		if again := inspected(t, inspecttest.Loans(), int(n), record); !slices.Equal(first.Findings(), again.Findings()) {
			t.Errorf("%v, then %v", first.Findings(), again.Findings())
		}
	})
}

// TestWhatALearnerLeftOut: a learner leaves the same columns out as an inspection of the same records, which finds the same if it is told.
func TestWhatALearnerLeftOut(t *testing.T) {
	c := inspecttest.Loans()
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
		if err := decoder.DecodeJSON(&rec, []byte(inspecttest.QuotedIncome(i))); err != nil {
			t.Fatal(err)
		}
		learner.Learn(&rec)
	}
	left, known := learner.LeftOut()
	alone := inspected(t, c, records, inspecttest.QuotedIncome)
	if found := alone.LeftOut(); !known || len(left) == 0 || !slices.Equal(left, found) {
		t.Fatalf("%v (%v), found %v", left, known, found)
	}
	told, err := inspect.New(c)
	if err != nil {
		t.Fatal(err)
	}
	told.LeaveOut(left)
	for i := range records {
		_ = told.Add([]byte(inspecttest.QuotedIncome(i)))
	}
	if !slices.Equal(told.Findings(), alone.Findings()) {
		t.Errorf("%v, %v", told.Findings(), alone.Findings())
	}
}
