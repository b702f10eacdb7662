package fairness

import "testing"

// The work of one record: levels, sides and counts of six comparisons over two
// attributes, one of them an intersection.
func BenchmarkRecord(b *testing.B) {
	race := func(value string) Comparison {
		return Comparison{Name: value, Criterion: DemographicParity, Tau: 0.05, Group: []Term{Is("race", value)}, Rest: true}
	}
	both := Comparison{Name: "both", Criterion: DemographicParity, Tau: 0.05,
		Group: []Term{Is("sex", "Female"), Is("race", "Black")}, Rest: true}
	g := mustGrouper(b, sexComparison(DemographicParity), sexComparison(EqualizedOdds), race("White"), race("Black"), both)
	tally, sides, levels := NewTally(6), make([]Side, 6), make([]Level, 2)
	sexes := [][]byte{[]byte("Female"), []byte("Male")}
	races := [][]byte{[]byte("White"), []byte("Black"), []byte("Asian-Pac-Islander")}
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		levels[0], levels[1] = g.Level(0, sexes[i%2]), g.Level(1, races[i%3])
		g.Sides(sides, levels, i%4 == 0)
		tally.Add(i%4 == 0, i%5 == 0, 0.4, 1, sides)
		i++
	}
	if tally.Confusion.Records != int64(i) {
		b.Fatal("records are lost")
	}
}
