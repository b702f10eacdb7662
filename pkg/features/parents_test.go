package features

import (
	"slices"
	"testing"
)

// TestParents: a field is a part of each column that its name begins with, up to a point, however deep; none is named twice, and a column that is left out
// is none.
func TestParents(t *testing.T) {
	for name, c := range map[string]struct {
		fresh []string
		want  []int32
	}{
		"no point":         {[]string{"a", "z"}, nil},
		"one level":        {[]string{"a.0"}, []int32{1}},
		"two levels":       {[]string{"a.b.0"}, []int32{1, 2}},
		"three levels":     {[]string{"a.b.c.0"}, []int32{1, 2, 4}},
		"the second alone": {[]string{"x.long.0"}, []int32{3}},
		"several":          {[]string{"a.0", "a.1", "x.long.7", "a.b.c.d.e"}, []int32{1, 3, 2, 4}},
		"left out":         {[]string{"out.0"}, nil},
		"unknown":          {[]string{"y.0.1"}, nil},
		"only a beginning": {[]string{"x.longer.0"}, nil},
	} {
		l := layout{byName: map[string]int32{"a": 1, "a.b": 2, "x.long": 3, "a.b.c": 4, "out": noColumn}, fresh: c.fresh}
		if got := l.parents(nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
