package persons

import "testing"

// TestWhenRepeatsAreFound: enough decisions, of which few are alike anyhow, and an excess that is neither small nor chance; the mark with the larger share is told.
func TestWhenRepeatsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		counts [marks]repeatCounts
		want   Found
	}{
		"nothing":               {[marks]repeatCounts{}, Found{}},
		"copies":                {[marks]repeatCounts{{decisions: 1000, near: 200}}, Found{true, Content, .2}},
		"of identity":           {[marks]repeatCounts{{}, {decisions: 1000, near: 200}}, Found{true, Mark(1), .2}},
		"the larger share":      {[marks]repeatCounts{{decisions: 1000, near: 200}, {decisions: 1000, near: 300}}, Found{true, Mark(1), .3}},
		"the first, if larger":  {[marks]repeatCounts{{decisions: 1000, near: 300}, {decisions: 1000, near: 200}}, Found{true, Content, .3}},
		"equal shares":          {[marks]repeatCounts{{decisions: 1000, near: 300}, {decisions: 1000, near: 300}}, Found{true, Content, .3}},
		"five errors":           {[marks]repeatCounts{{decisions: 1000, near: 75, far: 25}}, Found{true, Content, .05}}, // 50 is 5 times the root of 100
		"enough decisions":      {[marks]repeatCounts{{decisions: fewestRepeats, near: 64}}, Found{true, Content, .25}},
		"too few decisions":     {[marks]repeatCounts{{decisions: fewestRepeats - 1, near: 64}}, Found{}},
		"the least excess":      {[marks]repeatCounts{{decisions: 1000, near: 50}}, Found{true, Content, .05}},
		"less":                  {[marks]repeatCounts{{decisions: 1000, near: 49}}, Found{}},
		"many alike":            {[marks]repeatCounts{{decisions: 1000, near: 400, far: 200}}, Found{true, Content, .2}},
		"more alike":            {[marks]repeatCounts{{decisions: 1000, near: 600, far: 201}}, Found{}},
		"just beyond chance":    {[marks]repeatCounts{{decisions: 4000, near: 650, far: 350}}, Found{true, Content, .075}},
		"what chance may bring": {[marks]repeatCounts{{decisions: 1000, near: 128, far: 72}}, Found{}},
	} {
		if got := (&Repeats{counts: c.counts}).Found(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
