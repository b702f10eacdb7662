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

// TestSome: of few cases one is taken, of many the share, and each by some commit.
func TestSome(t *testing.T) {
	if Some(t, "none", []int{}, 3) != nil {
		t.Error("of no cases one is taken")
	}
	if Some(t, "every one", []int{7, 8}, 1)[1] != 8 {
		t.Error("of a share of 1 one is left out")
	}
	taken := map[int]bool{}
	for i := range 200 {
		some := Some(t, string(rune('a'+i)), []int{0, 1, 2, 3, 4, 5, 6}, 3)
		if len(some) == 7 {
			t.Skip(Variable + " is all")
		}
		if len(some) < 2 || len(some) > 3 || some[1] != some[0]+3 {
			t.Fatalf("a third of seven: %v", some)
		}
		if few := Some(t, string(rune('a'+i)), []int{5, 6}, 10); len(few) != 1 {
			t.Fatalf("a tenth of two: %v", few)
		}
		for _, c := range some {
			taken[c] = true
		}
	}
	if len(taken) != 7 {
		t.Errorf("only %d of 7 cases are ever taken", len(taken))
	}
}
