package sequence_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestUnitsOfAStream: a unit that changes far behind the first records is told once, whichever factor it is, and numbers that rise, drift or
// jump with the groups are not.
func TestUnitsOfAStream(t *testing.T) {
	const records, change = 60_000, 30_000
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 3))
		var u sequence.Units
		var told []string
		for n := range records {
			wage := 500 + 4000*random.Float64()*random.Float64()
			weight := 50 + 60*random.Float64()
			width := 10 + 80*random.Float64()
			fields := map[string]float64{"wage": wage, "weight": weight, "width": width, "kept": wage, "number": float64(n), "prices": wage * (1 + float64(n)/records),
				"waves": wage * float64(1+n/5000%2), "flag": float64(n / change)}
			if n >= change {
				fields["wage"], fields["weight"], fields["width"] = wage*100, weight*2.2046, width/2.54
			}
			if u.Passes() {
				continue
			}
			var r record.Record
			for name, x := range fields {
				r.Features = append(r.Features, record.Field{Name: name, Text: fmt.Append(nil, x)})
			}
			r.Features = append(r.Features, record.Field{Name: "absent", Missing: true}, record.Field{Name: "text", Text: []byte("n")})
			u.Add(&r)
			for _, f := range u.Newly() {
				told = append(told, f.String())
			}
		}
		if len(told) != 3 || !strings.Contains(told[0], `the unit of "wage" changes`) || !strings.Contains(told[0], "times 100.") || !strings.Contains(told[1], `the unit of "weight"`) || !strings.Contains(told[1], "times 2.2046.") ||
			!strings.Contains(told[2], `the unit of "width"`) || !strings.Contains(told[2], "times 0.3937.") {
			t.Errorf("seed %d: %q", seed, told)
		}
		if again := u.Changed(0); len(again) > 0 {
			t.Errorf("seed %d: told again: %v", seed, again)
		}
	}
}
