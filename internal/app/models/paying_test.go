package models

import (
	"math"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/appraise"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestAColumnThatPays: it takes back at least half of what the others add; a constraint that is measured alone is kept by no column.
func TestAColumnThatPays(t *testing.T) {
	pairs := []appraise.Pair{{Name: "sex", Group: appraise.Group{Label: "M"}, Versus: appraise.Group{Label: "F"}}}
	column := func(name string, d float64) appraise.Column {
		return appraise.Column{Name: name, Differences: []float64{d}}
	}
	for name, c := range map[string]struct {
		columns   []appraise.Column
		enforced  bool
		deviation float64
		want      string
	}{
		"title":                        {[]appraise.Column{column("age", .3), column("title", -1), column("job", .5)}, true, 0, `sex is kept through "title": it adds -1 to the margin of M against F`},
		"the other way":                {[]appraise.Column{column("age", -.4), column("job", -.2), column("hobby", .4)}, true, 0, `"hobby": it adds +0.4 to the margin of M against F, and all other columns together -0.6`},
		"many a little":                {[]appraise.Column{column("a", .3), column("e", .3), column("b", -.2), column("c", -.2), column("d", -.2)}, true, 0, ""},
		"little":                       {[]appraise.Column{column("a", .1), column("b", -.1)}, true, 0, ""},
		"of a large unit":              {[]appraise.Column{column("a", 30), column("b", -30)}, true, 1000, ""},
		"measured alone":               {[]appraise.Column{column("a", .6), column("b", -.6)}, false, 0, ""},
		"one against one":              {[]appraise.Column{column("a", .6), column("b", -.6)}, true, 0, ""},
		"three quarters of it":         {[]appraise.Column{column("a", 1), column("b", 1), column("c", 1), column("e", 1), column("d", -3), column("f", -1)}, true, 0, `"d": it adds -3 `},
		"less than three quarters":     {[]appraise.Column{column("a", 1), column("b", 1), column("c", 1), column("e", 1), column("d", -2.9), column("f", -1.1)}, true, 0, ""},
		"half of the others":           {[]appraise.Column{column("a", 1), column("b", 1), column("c", 1), column("e", 1), column("d", -2)}, true, 10, `"d": it adds -2 `},
		"less than half of the others": {[]appraise.Column{column("a", 1), column("b", 1), column("c", 1), column("e", 1), column("d", -1.9)}, true, 0, ""},
		"too little for the unit":      {[]appraise.Column{column("a", 1), column("b", 1), column("c", 1), column("e", 1), column("d", -2)}, true, 10.1, ""},
		"three quarters of the others": {[]appraise.Column{column("a", 3), column("b", 1), column("d", -4)}, true, 0, ""},
		"nearly those":                 {[]appraise.Column{column("a", 2.9), column("b", 1.1), column("d", -4)}, true, 0, `"d": it adds -4 `},
		"no records":                   {[]appraise.Column{column("a", math.NaN()), column("b", math.NaN())}, true, 0, ""},
	} {
		doc := &document.Document{Constraints: []fairness.Estimate{{Name: "sex", Enforced: c.enforced}}}
		if c.deviation > 0 {
			doc.Label = &document.LabelSummary{StandardDeviation: c.deviation}
		}
		notes := strings.ReplaceAll(strings.Join(paying(c.columns, pairs, doc), " "), "\n", " ")
		if (notes == "") != (c.want == "") || !strings.Contains(notes, c.want) {
			t.Errorf("%s: %q, want %q", name, notes, c.want)
		}
	}
}
