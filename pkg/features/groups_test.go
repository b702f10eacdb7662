package features

import (
	"slices"
	"testing"
)

// Every weight but the intercept and the shared ones is in one group and has one owner, and a group has one owner.
func TestGroupsAndOwners(t *testing.T) {
	roomy := everyKind()
	roomy.Vocabulary.Levels = 400
	if checkGroups(t, learntWith(roomy, 3000)); t.Failed() {
		return
	}
	full := learnt(3000)
	checkGroups(t, full)
	if full.Parts().Shared == 0 {
		t.Error("there are no shared weights: the test looks at nothing")
	}
	crosses := 0
	for _, owner := range learntWith(roomy, 3000).Owners(nil) {
		if owner != NoOwner && owner%2 == 1 {
			crosses++
		}
	}
	if crosses == 0 {
		t.Error("no combination has a weight: the test looks at nothing")
	}
}

func checkGroups(t *testing.T, l *Learning) {
	t.Helper()
	owners := l.Owners(nil)
	p := l.Parts()
	shared := func(j int32) bool { return p.Shared > 0 && j >= p.Shared && j < p.Shared+p.Buckets }
	seen := map[int32]int{}
	of := map[int]int32{}
	l.Groups(func(group int, from, to int32) {
		if group < 0 || group >= l.GroupCount() {
			t.Errorf("group %d of %d", group, l.GroupCount())
		}
		for j := from; j < to; j++ {
			if before, twice := seen[j]; twice {
				t.Errorf("weight %d is in the groups %d and %d", j, before, group)
			}
			seen[j] = group
			if owner, known := of[group]; known && owner != owners[j] {
				t.Errorf("group %d belongs to the owners %d and %d", group, owner, owners[j])
			}
			of[group] = owners[j]
		}
	})
	for j := range l.Size() {
		alone := j == Intercept || shared(j)
		if _, grouped := seen[j]; grouped == alone || (owners[j] == NoOwner) != alone {
			t.Errorf("weight %d: in a group %t, owner %d", j, grouped, owners[j])
		}
	}
}

// TestBinsAreThoseThatColumnsHaveEarned: knots, and bins without weights, are none.
func TestBinsAreThoseThatColumnsHaveEarned(t *testing.T) {
	binning := Binning{Edges: []float64{0, 1}, Coarse: []int32{0, 0, 1}, Single: []bool{false, false, false}}
	f, err := NewFrozen(Parts{Size: 11, Columns: []Column{
		{Name: "a", Kind: Binned, Binning: binning, First: 1},
		{Name: "b", Kind: Binned, Binning: binning},
		{Name: "c", Kind: Interpolated, First: 4, Knots: []float64{0, 1}},
		{Name: "d", Kind: Binned, Binning: binning, First: 6, FirstCoarse: 9},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var seen [][2]int32
	f.Bins(func(from, to int32) { seen = append(seen, [2]int32{from, to}) })
	if want := [][2]int32{{1, 4}, {6, 9}, {9, 11}}; !slices.Equal(seen, want) {
		t.Errorf("bins %v, want %v", seen, want)
	}
}
