package bycommit

import "testing"

// TestOf: the cases that are taken with one name of a commit after the other are all that there are, and no case is beyond its share.
func TestOf(t *testing.T) {
	taken := map[int]bool{}
	for i := range 200 {
		first, every := Of(t, string(rune('a'+i)), 10)
		if every == 1 {
			t.Skip(Variable + " is all")
		}
		if again, _ := Of(t, string(rune('a'+i)), 10); every != 10 || first < 0 || first >= 10 || again != first {
			t.Fatalf("from %d and %d, every %d", first, again, every)
		}
		taken[first] = true
	}
	if len(taken) != 10 {
		t.Errorf("only %d of 10 cases are ever taken", len(taken))
	}
	if first, every := Of(t, "all", 1); first != 0 || every != 1 {
		t.Errorf("of a share of 1: from %d, every %d", first, every)
	}
}
