package leak_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
)

// TestARareLabelOrGroupGivesNothingAway: where 99 of 100 records have one label or are of one group, so are those that have a value of any
// column.
func TestARareLabelOrGroupGivesNothingAway(t *testing.T) {
	for _, rare := range []string{"income", "sex"} {
		i, err := inspect.New(inspecttest.Adults())
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, 7))
		for range 20_000 {
			row := map[string]string{"income": "<=50K", "sex": "Male", "age": fmt.Sprint(20 + random.IntN(50))}
			if random.Float64() < .6 {
				row["workclass"] = []string{"Private", "State-gov"}[random.IntN(2)]
			}
			for name, other := range map[string]string{"income": ">50K", "sex": "Female"} {
				if share := map[bool]float64{true: .008, false: .4}[name == rare]; random.Float64() < share {
					row[name] = other
				}
			}
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			_ = i.Add(line)
		}
		for _, f := range i.Findings() {
			if strings.HasPrefix(f.String(), "record.ignore") {
				t.Errorf("rare %s: %s", rare, f)
			}
		}
	}
}
