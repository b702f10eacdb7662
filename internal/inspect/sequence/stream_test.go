package sequence_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/seen"
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

// TestUnitsAreComparedWhenNumbersAreNew: of a column that has as many newer numbers as are asked for, and once.
func TestUnitsAreComparedWhenNumbersAreNew(t *testing.T) {
	var u sequence.Units
	add := func(x float64) {
		text := []byte(strconv.FormatFloat(x, 'f', 3, 64))
		u.Add(&record.Record{Features: []record.Field{{Name: "x", Text: text, Hash: record.Hash(text)}, {Name: "gone", Missing: true}, {Name: "word", Text: []byte("w")}}})
	}
	number := func(i int) float64 { return 100 + float64(i*7919%997)/3 }
	for i := range 2 * seen.UnitNumbers {
		add(number(i))
	}
	if found := u.Changed(1); len(found) != 0 {
		t.Fatalf("nothing has changed: %v", found)
	}
	for i := range seen.UnitNumbers {
		add(100 * number(i))
	}
	if found := u.Changed(seen.UnitNumbers + 1); len(found) != 0 {
		t.Errorf("one number fewer than asked for is new: %v", found)
	}
	if found := u.Changed(seen.UnitNumbers); len(found) != 1 || !strings.Contains(found[0].Text, `"x"`) && !strings.Contains(found[0].String(), `"x"`) {
		t.Errorf("%v", found)
	}
	for i := range seen.UnitNumbers {
		add(100 * number(i))
	}
	if found := u.Changed(seen.UnitNumbers); len(found) != 0 {
		t.Errorf("it is told again: %v", found)
	}
}
