package check

import (
	"testing"

	"github.com/fairstream/fairstream/internal/format"
)

// TestFieldsOfASchema: the first and the last field are found by their names, and no other.
func TestFieldsOfASchema(t *testing.T) {
	t.Parallel()
	a := &against{fields: []format.Field{{Name: "a", Kind: format.Number}, {Name: "b.c", Kind: format.Time}, {Name: "d", Kind: format.Open}}}
	for name, want := range map[string]format.Kind{"a": format.Number, "b.c": format.Time, "d": format.Open} {
		if f, found := a.field(name); !found || f.Name != name || f.Kind != want {
			t.Errorf("%s: %+v, %t", name, f, found)
		}
	}
	for _, name := range []string{"", "b", "c", "d.e"} {
		if f, found := a.field(name); found {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
