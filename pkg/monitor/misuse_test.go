package monitor

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// TestMisuseNamesThePackage: a decision without the levels of its record panics with a constant message, and is not counted.
func TestMisuseNamesThePackage(t *testing.T) {
	grouper, err := fairness.NewGrouper([]fairness.Comparison{{Name: "sex", Criterion: fairness.DemographicParity, Tau: 0.05,
		Group: []fairness.Term{fairness.Is("sex", "female")}, Versus: []fairness.Term{fairness.Is("sex", "male")}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, misuse := range map[string]func(*Monitor){
		"Observe":               func(m *Monitor) { m.Observe(&Decision{}) },
		"Label":                 func(m *Monitor) { m.Label(&Decision{Labelled: true}) },
		"Label without a label": func(m *Monitor) { m.Label(&Decision{Levels: []fairness.Level{0}}) },
	} {
		m, err := New(Config{Grouper: grouper})
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.HasPrefix(said, "monitor: ") {
					t.Errorf("%s panics with %q", name, said)
				}
			}()
			misuse(m)
		}()
		if m.Records() != 0 || m.steps != 0 || m.labelled != 0 {
			t.Errorf("%s counted a decision", name)
		}
	}
}
