package features

import (
	"math"
	"slices"
	"testing"
)

// TestWhichNumbersAreAmounts: positive ones, of which the upper quartile is three times the lower one or more, and half as far again from the median or more, each exactly;
// and enough of them.
func TestWhichNumbersAreAmounts(t *testing.T) {
	up := func(x float64) float64 { return math.Nextafter(x, math.Inf(1)) }
	down := func(x float64) float64 { return math.Nextafter(x, math.Inf(-1)) }
	for name, c := range map[string]struct {
		least, lower, median, upper float64
		count                       int
		want                        bool
	}{
		"as they need to be":        {.5, 1, 1.5, 3, lateSample, true},
		"too few":                   {.5, 1, 1.5, 3, lateSample - 1, false},
		"three times the lower one": {.5, 1, 1.25, 3, lateSample, true},
		"hardly less":               {.5, 1, 1.25, down(3), lateSample, false},
		"half as far again":         {.5, 1, 3, 6, lateSample, true},
		"hardly less far":           {.5, 1, 3, down(6), lateSample, false},
		"from a larger median":      {.5, 1, up(3), 6, lateSample, false},
		"of nothing":                {0, 1, 1.5, 3, lateSample, false},
		"below nothing":             {-1, 1, 1.5, 3, lateSample, false},
	} {
		sample := slices.Concat(slices.Repeat([]float64{c.least}, 8), slices.Repeat([]float64{c.lower}, c.count/4), slices.Repeat([]float64{c.median}, c.count/4), slices.Repeat([]float64{c.upper}, c.count/2-8+c.count%2+c.count%4/2))[:c.count]
		if got := amounts(sample); got != c.want {
			t.Errorf("%s: %t, of quartiles %v, %v and %v", name, got, quantile(sample, .25), quantile(sample, .5), quantile(sample, .75))
		}
	}
}

// TestTheShareOfRecordsWithAValue counts from the first record that has one, and a null is a value.
func TestTheShareOfRecordsWithAValue(t *testing.T) {
	for _, c := range []struct {
		numbers, texts int
		first, records int64
		nulls, before  bool
		want           float64
	}{
		{3, 1, 0, 8, false, false, .5}, {3, 1, 6, 14, false, false, .5}, {3, 1, 4, 8, false, false, 1}, {1, 0, 5, 5, false, false, 1}, {1, 0, 0, 8, true, false, 1}, {1, 0, 0, 8, false, true, 1},
	} {
		o := sample{numbers: make([]float64, c.numbers), texts: c.texts, first: c.first, nulls: c.before}
		if got := o.share(c.records, c.nulls); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestAColumnOfNewTextsIsGivenUp if hardly any is met again: so many misses among fewer than twice as many records.
func TestAColumnOfNewTextsIsGivenUp(t *testing.T) {
	for records, want := range map[uint64]bool{memoryMisses: true, 2*memoryMisses - 1: true, 2 * memoryMisses: false, 2*memoryMisses + 1: false} {
		const first = 1000
		m := memory{}
		m.missed(1, first) // the column begins
		for i := range uint64(memoryMisses - 2) {
			m.missed(1, first+i)
		}
		if m.columns[1].givenUp {
			t.Errorf("given up before %d misses", memoryMisses)
		}
		m.missed(1, first+records)
		if c := m.columns[1]; c.givenUp != want || c.since != first+records || c.misses != 0 {
			t.Errorf("among %d records: %+v", records, c)
		}
	}
}
