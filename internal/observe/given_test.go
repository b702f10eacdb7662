package observe

import (
	"fmt"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

func TestGivenIsChecked(t *testing.T) {
	for want, g := range map[string]Given{"monitor.decision.field": {}, "monitor.decision.positive": {Decision: GivenDecision{Field: "x"}}} {
		if problems := g.Validate(); len(problems) != 1 || problems[0].Path != want {
			t.Errorf("%+v: %v", g, problems)
		}
	}
	threshold := .7
	for _, of := range []*float64{nil, &threshold} {
		g := Given{Score: GivenScore{Field: "p", Threshold: of}}
		if problems := g.Validate(); len(problems) != 0 {
			t.Errorf("%v", problems)
		}
		limit := .5
		if of != nil {
			limit = *of
		}
		them := theirs{given: g}
		for _, score := range []float64{0, limit - .01, limit, limit + .01, 1} {
			r := record.Record{Features: []record.Field{{Name: "p", Text: fmt.Append(nil, score)}}}
			if m, rejection := them.read(&r); rejection != nil || m.Positive != (score >= limit) || m.Score != score {
				t.Errorf("a score of %v at the threshold %v: %+v, %v", score, limit, m, rejection)
			}
		}
	}
}
