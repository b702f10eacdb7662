package keys

import (
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestDelays: how many are longer than an age, the one that a share of them does not exceed, and their days with three digits.
func TestDelays(t *testing.T) {
	var delays []time.Duration
	for i := range 20 {
		delays = append(delays, time.Duration(20-i)*time.Hour)
	}
	for share, want := range map[float64]time.Duration{.05: time.Hour, .06: 2 * time.Hour, .5: 10 * time.Hour, .95: 19 * time.Hour, .951: 20 * time.Hour, 1: 20 * time.Hour} {
		if got := quantile(delays, share); got != want {
			t.Errorf("%v: %v, want %v", share, got, want)
		}
	}
	if got := late(delays, 15*time.Hour); got != 5 {
		t.Errorf("%d are late", got)
	}
	for of, want := range map[time.Duration]string{time.Hour: "0.0417", 36 * time.Hour: "1.5", 24 * 12345 * time.Minute: "206", 24 * time.Hour * 12: "12"} {
		if got := days(of); got != want {
			t.Errorf("%v: %s days, want %s", of, got, want)
		}
	}
	for n, want := range map[int]string{0: "0 different values", 1: "one value", 2: "2 different values"} {
		if got := different(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
	named := map[string]string{}
	c := model.Config{Record: record.Config{Label: record.Label{Field: "y", Time: "known"}, Weight: "w", ID: "id", Key: "key", Propensity: "p", Features: []string{"x"}, Ignore: []string{"z"}, Time: record.Time{Field: "at"}},
		Constraints: []model.Constraint{{Name: "a", Attribute: model.OneOrMore{"sex", "part"}, Strata: "place"}}}
	for _, of := range Named(c) {
		named[of.Field] = of.Path
	}
	for field, want := range map[string]string{"w": "record.weight", "id": "record.id", "x": "record.features", "at": "record.time.field", "sex": "constraints[0].attribute", "part": "constraints[0].attribute", "place": "constraints[0].strata"} {
		if named[field] != want {
			t.Errorf("%s is named by %q, want %s", field, named[field], want)
		}
	}
}
