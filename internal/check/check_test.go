package check

import (
	"math"
	"testing"
)

// A value exactly at a limit is allowed; what is not a number is not.
func TestBetween(t *testing.T) {
	for _, c := range []struct {
		value float64
		want  int
	}{{1, 0}, {2, 0}, {1.5, 0}, {math.Nextafter(1, 0), 1}, {math.Nextafter(2, 3), 1}, {math.NaN(), 1}} {
		var s Section
		if Between(&s, "x", c.value, 1, 2); len(s.Problems) != c.want {
			t.Errorf("%v: %v", c.value, s.Problems)
		}
	}
}

func TestWords(t *testing.T) {
	s := Section{Prefix: "part."}
	OneOf(&s, "known", "b", "a", "b")
	OneOf(&s, "kind", "c", "a", "b", "d")
	Between(&s, "size", 5, 1, 4)
	s.Add("name", "is %s", "missing")
	want := []string{`part.kind: "c" is unknown: use a, b or d`, "part.size: 5 is outside 1 to 4", "part.name: is missing"}
	if len(s.Problems) != len(want) {
		t.Fatalf("%v", s.Problems)
	}
	for i, p := range s.Problems {
		if p.Error() != want[i] {
			t.Errorf("%s, want %s", p.Error(), want[i])
		}
	}
}

// TestDefaults stand in for zero values alone.
func TestDefaults(t *testing.T) {
	unset, set := 0, 2
	Default(&unset, 5)
	Default(&set, 5)
	if unset != 5 || set != 2 {
		t.Errorf("%d, %d", unset, set)
	}
}

// TestPercentagesForShares: what may be meant as a percentage is told what to write, and what is a share or no percentage of one is not.
func TestPercentagesForShares(t *testing.T) {
	for value, want := range map[float64]string{1: "", 100: "", 0: "", 0.5: "", 1.5: ": a share is a number below 1, so write 0.015 for 1.5 per cent", 95: ": a share is a number below 1, so write 0.95 for 95 per cent"} {
		if got := AsShare(value); got != want {
			t.Errorf("%v: %q, want %q", value, got, want)
		}
	}
}
