package protobuf

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// TestWhichTypesAreSpecial: those that have the name and the fields of one. A field more or less, a list, a map, a message inside, or another kind where the kind matters: each makes the type
// an ordinary one.
func TestWhichTypesAreSpecial(t *testing.T) {
	for name, c := range map[string]struct {
		special special
		kinds   []protoreflect.Kind
		matter  []bool
	}{
		"a wrapper":   {wrapper, []protoreflect.Kind{protoreflect.StringKind}, []bool{false}},
		"a decimal":   {decimal, []protoreflect.Kind{protoreflect.BytesKind, protoreflect.Uint32Kind, protoreflect.Int32Kind}, []bool{true, false, true}},
		"a timestamp": {timestamp, []protoreflect.Kind{protoreflect.Int64Kind, protoreflect.Int32Kind}, []bool{true, true}},
		"a duration":  {duration, []protoreflect.Kind{protoreflect.Int64Kind, protoreflect.Int32Kind}, []bool{true, true}},
	} {
		var good []field
		for _, kind := range c.kinds {
			good = append(good, field{kind: kind})
		}
		fits := func(what string, want bool, fields []field) {
			t.Helper()
			if got := (&shape{special: c.special, fields: fields}).fits(); got != want {
				t.Errorf("%s, %s: %v", name, what, got)
			}
		}
		fits("as it is", true, good)
		fits("with a field more", false, append(slices.Clone(good), field{kind: protoreflect.Int32Kind}))
		fits("with a field less", false, good[:len(good)-1])
		for i := range good {
			for what, change := range map[string]func(*field){
				"a list":          func(f *field) { f.list = true },
				"a map":           func(f *field) { f.keys = &field{} },
				"a message":       func(f *field) { f.inside = &shape{} },
				"of another kind": func(f *field) { f.kind = protoreflect.BoolKind },
			} {
				other := slices.Clone(good)
				change(&other[i])
				fits(what, what == "of another kind" && !c.matter[i], other)
			}
		}
	}
	if !(&shape{special: ordinary}).fits() {
		t.Error("an ordinary type has any fields")
	}
}
