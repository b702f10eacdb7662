package english

import (
	"fmt"
	"strings"
	"testing"
)

// TestLists: as a sentence has them, and cut behind forty names.
func TestLists(t *testing.T) {
	for names, want := range map[string]string{"": "", "a": "a", "a b": "a and b", "a b c": "a, b and c"} {
		if got := And(strings.Fields(names)); got != want {
			t.Errorf("%s: %q, want %q", names, got, want)
		}
	}
	var names []string
	for i := range 41 {
		names = append(names, fmt.Sprint("n", i))
	}
	if got, most := List(names), List(names[:40]); !strings.HasSuffix(got, ", n39 and 1 more") || !strings.HasSuffix(most, ", n38, n39") || List(nil) != "none" || List(names[:1]) != "n0" {
		t.Errorf("%s\n%s", got, most)
	}
	fields := []string{"applicant.income", "age"}
	for word, want := range map[string]string{"agee": ` (did you mean "age"?)`, "zebra": ""} {
		if got := DidYouMean(word, fields); got != want {
			t.Errorf("%s: %q", word, got)
		}
	}
	if got := DidYouMeanField("income", fields); got != ` (did you mean "applicant.income"?)` || DidYouMeanField("zebra", fields) != "" {
		t.Errorf("%q", got)
	}
}
