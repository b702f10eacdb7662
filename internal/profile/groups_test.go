package profile

import "testing"

// TestGroups: men and women before what else is frequent, and nothing that is not known.
func TestGroups(t *testing.T) {
	of := func(texts ...string) (values []Value) {
		for i, text := range texts {
			values = append(values, Value{text, 100 - i})
		}
		return values
	}
	for _, c := range []struct {
		values        []Value
		group, versus string
	}{
		{of("Joint", "Sex Not Available", "Male", "Female"), "Male", "Female"},
		{of("White", "Race Not Available", "Asian"), "White", "Asian"},
		{of("a", "unknown"), "", ""},
		{of("1", "2", "9"), "1", "2"},
	} {
		if group, versus := Groups(c.values); group != c.group || versus != c.versus {
			t.Errorf("%v: %q and %q", c.values, group, versus)
		}
	}
}
