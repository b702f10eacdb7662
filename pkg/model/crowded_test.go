package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// booleans are records that have each of so many fields, all of which speak, or do not have them.
func booleans(fields, each, count int) string {
	random := rand.New(rand.NewPCG(3, 7))
	effect := make([]float64, fields)
	for i := range effect {
		effect[i] = 0.5 * random.NormFloat64()
	}
	var text strings.Builder
	for range count {
		margin := 0.5 * random.NormFloat64()
		fmt.Fprint(&text, `{"sex":"f"`)
		for _, i := range random.Perm(fields)[:each] {
			margin += effect[i]
			fmt.Fprintf(&text, `,"x%d":true`, i)
		}
		label := 0
		if margin > 0 {
			label = 1
		}
		fmt.Fprintf(&text, `,"y":%d}`+"\n", label)
	}
	return text.String()
}

// The condition is there if there are fewer than 15 records for each weight in use, and says what helps. A restored learner
// says the same.
func TestFewRecordsPerWeightAreReported(t *testing.T) {
	t.Parallel()
	unconstrained := applicantsConfig(.1)
	unconstrained.Learner.Mode = model.Unconstrained
	forgetful := unconstrained
	forgetful.Learner.Forgetting = 3000
	undetermined, err := unconstrained.Without("prior")
	if err != nil {
		t.Fatal(err)
	}
	many := booleans(3000, 30, 10_000)
	adult := adultConfig(model.Adaptive)
	regression := regressionConfig(model.Adaptive, features.Bins)
	for name, test := range map[string]struct {
		config  model.Config
		records []record.Record
		want    string // in the detail, "" for no condition
	}{
		"3,000 booleans":            {unconstrained, decode(t, unconstrained, record.JSONLines, many), "more records"},
		"3,000 booleans, forgotten": {forgetful, decode(t, forgetful, record.JSONLines, many), "raise learner.forgetting, which is 3000"},
		"before the first prior":    {unconstrained, decode(t, unconstrained, record.JSONLines, many)[:1500], ""},
		"300 booleans":              {unconstrained, decode(t, unconstrained, record.JSONLines, booleans(300, 30, 10_000)), ""},
		"no prior":                  {undetermined, decode(t, undetermined, record.JSONLines, many)[:3000], ""},
		"Adult":                     {adult, adultHead(t, 3000), ""},
		"regression":                {regression, readRecords(t, regression, peopleText(3, 3000)), ""},
	} {
		l := learn(t, test.config, test.records)
		found := func(l *model.Learner) string {
			conditions := l.Measurements().Conditions
			i := slices.IndexFunc(conditions, func(c document.Condition) bool { return c.Code == document.FewRecordsPerWeight })
			if i < 0 {
				return ""
			}
			return conditions[i].Detail
		}
		got := found(l)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want one that has %q", name, got, test.want)
		}
		if restored := found(restore(t, test.config, l.AppendState(nil))); restored != got {
			t.Errorf("%s: restored: %q, before: %q", name, restored, got)
		}
	}
}
