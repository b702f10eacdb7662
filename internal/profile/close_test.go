package profile

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestCopiesOfOtherRecords: after Close, only records that are the same as one before it count, and not copies among those before or among those after.
func TestCopiesOfOtherRecords(t *testing.T) {
	const before = 1000
	for name, c := range map[string]struct{ twice, from, to, again, want int }{
		"none":                 {0, before, 2 * before, 0, 0},
		"among those before":   {500, before, 2 * before, 0, 0},
		"among those after":    {0, before, 2 * before, 500, 0},
		"a tenth of the after": {0, 900, 1900, 0, 100},
		"fewer than 20":        {0, 981, 1981, 0, 0},
	} {
		var copies Copies
		add := func(from, to int) {
			for i := from; i < to; i++ {
				text := []byte(fmt.Sprint("v", i))
				copies.Add(&record.Record{Features: []record.Field{{Name: "own", Text: text, Hash: record.Hash(text)}}})
			}
		}
		add(0, before)
		add(0, c.twice)
		copies.Close()
		add(c.from, c.to)
		add(c.to-c.again, c.to)
		if found, column := copies.Found(); found != c.want || found > 0 && column != "own" {
			t.Errorf("%s: %d copies, column %q", name, found, column)
		}
	}
}

// TestOtherRecordsAgreeByChance: of 1,500 amounts below 15,000 a tenth is among 1,500 others, and some forty records are equal, as there are only two
// labels and two values of the other column. Of amounts below 10,000,000, as many equal records are copies.
func TestOtherRecordsAgreeByChance(t *testing.T) {
	for amounts, want := range map[int]bool{15_000: false, 10_000_000: true} {
		var copies Copies
		r := rand.New(rand.NewPCG(5, 6))
		var first []record.Record
		for i := range 3000 {
			rec := record.Record{Positive: r.IntN(2) == 0}
			for name, text := range map[string]string{"amount": fmt.Sprint(r.IntN(amounts)), "sex": fmt.Sprint(r.IntN(2))} {
				rec.Features = append(rec.Features, record.Field{Name: name, Text: []byte(text), Hash: record.Hash([]byte(text))})
			}
			switch {
			case i < 1500:
				first = append(first, rec)
			case i == 1500:
				copies.Close()
			}
			if want && i >= 1500 && i%40 == 0 {
				rec = first[i-1500]
			}
			copies.Add(&rec)
		}
		if found, _ := copies.Found(); found > 0 != want {
			t.Errorf("%d amounts: %d copies", amounts, found)
		}
	}
}
