package leak_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhatIsCounted: how many records are named in each finding, of men and women in turn with labels and numbers that go with nothing, and one column more.
func TestWhatIsCounted(t *testing.T) {
	c := config.Default()
	c.Record.Label = record.Label{Field: "y", Positive: "1"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"sex"}, Group: model.Values("m"), Versus: model.Values("f"), Tau: .05}}
	of := c.WithDefaults().Model()
	mixed := func(i int) int { return i * 7919 % 1000 } // in a mixed order, with pairs of sex and label
	man := func(i int) bool { return mixed(i)%2 == 0 }
	positive := func(i int) bool { return mixed(i)/2%2 == 0 }
	one := func(i, of int) bool { return mixed(i)/4 < of } // of each sex and label, so many of 250
	pick := func(is bool, a, b any) any {
		if is {
			return a
		}
		return b
	}
	for name, test := range map[string]struct {
		value func(i int) any // nil is none
		want  string          // empty: nothing is found
	}{
		"of men alone":                    {func(i int) any { return pick(man(i) && one(i, 150), "w", nil) }, `add "more" if decisions must not depend on sex: 300 of the 300 records that have a value for it are of m, so having one gives the group away.`},
		"of women, and of one man":        {func(i int) any { return pick(!man(i) && one(i, 150) || i == 8, "w", nil) }, `add "more" if decisions must not depend on sex: 300 of the 301 records that have a value for it are of f, so having one gives the group away.`},
		"above 0 of men, and one woman":   {func(i int) any { return pick(man(i) && one(i, 150) || mixed(i) == 1, 3+mixed(i)%7, 0) }, `add "more" if decisions must not depend on sex: 300 of the 301 records that have a number above 0 in it are of m, so such a number gives the group away.`},
		"tells all men from most women":   {func(i int) any { return pick(man(i) || mixed(i) < 8, "a", "b") }, `add "more" if decisions must not depend on sex: alone it tells m from f in 994 of 1000 records`},
		"a flag of men, and of one woman": {func(i int) any { return pick(man(i) && one(i, 100) || mixed(i) == 1, "yes", "no") }, `add "more" if decisions must not depend on sex: of 201 records in which it is yes, 200 are of m, so that value gives the group away`},
		"a flag of women":                 {func(i int) any { return pick(!man(i) && one(i, 100), "yes", "no") }, `add "more" if decisions must not depend on sex: of 200 records in which it is yes, 200 are of f, so that value gives the group away`},
		"nearly the label":                {func(i int) any { return pick(positive(i) != (mixed(i) < 4), "a", "b") }, `add "more" unless it is known before the label: alone it predicts 995 of 1000 labels, so it probably holds the label itself or what followed from it`},
		"of negative records, and one":    {func(i int) any { return pick(!positive(i) && one(i, 150) || mixed(i) == 0, "w", nil) }, `add "more" unless it is known before the label: 300 of the 301 records that have a value for it are negative, so it is probably filled in after the outcome`},
		"of positive records, and one":    {func(i int) any { return pick(positive(i) && one(i, 150) || mixed(i) == 2, "w", nil) }, `add "more" unless it is known before the label: 300 of the 301 records that have a value for it are positive, so it is probably filled in after the outcome`},
		"of 50 and 86 per cent":           {func(i int) any { return pick(positive(i) && one(i, 125) || !positive(i) && one(i, 215), "w", nil) }, `add "more" unless it is known before the label: 50 % of the positive records have a value for it, and 86 % of the negative ones, so it is probably filled in, or emptied, with the outcome`},
		"of 50 and 84 per cent":           {func(i int) any { return pick(positive(i) && one(i, 125) || !positive(i) && one(i, 210), "w", nil) }, ""},
		"a number of positive records":    {func(i int) any { return pick(positive(i) && one(i, 100) || mixed(i) == 2, 7, 10+mixed(i)%61) }, `add "more" unless it is known before the label: of 201 records in which it is 7, 200 are positive, so this value is probably written after the outcome`},
		"a text of negative records": {func(i int) any {
			return pick(!positive(i) && one(i, 100) || mixed(i) == 0, "not hired", fmt.Sprint("w", mixed(i)%3))
		}, `add "more" unless it is known before the label: of 201 records in which it is "not hired", 200 are negative, so this value is probably written after the outcome. Or could these records have no other outcome`},
		"a score": {func(i int) any {
			return pick(positive(i) != (mixed(i)%10 == 3), .5, 0.).(float64) + float64(mixed(i))/2001
		}, `add "more" if it is the score of another model, or was made from labels: alone it predicts 900 of 1000 labels, far more than any other column`},
	} {
		i, err := inspect.New(of)
		if err != nil {
			t.Fatal(err)
		}
		for at := range 1000 {
			row := map[string]any{"sex": pick(man(at), "m", "f"), "y": pick(positive(at), 1, 0), "x": 1 + mixed(at)*617%1009}
			if value := test.value(at); value != nil {
				row["more"] = value
			}
			line, err := json.Marshal(row)
			if err != nil {
				t.Fatal(err)
			}
			_ = i.Add(line)
		}
		var got []string
		for _, f := range i.Findings() {
			if strings.Contains(f.String(), `add "more"`) {
				got = append(got, f.String())
			}
		}
		if len(got) > 1 || (len(got) == 1) != (test.want != "") || len(got) == 1 && !strings.HasPrefix(got[0], "record.ignore: "+test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
