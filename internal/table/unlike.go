package table

import (
	"maps"
	"math"
	"slices"
)

// A column of other records is unlike that of these if what differs is beyond chance, by leastErrors standard errors, and large: leastMissing of the
// share without a value, leastNew of the records with a text that these rows have not, leastSpread of the distance between the distributions, which is
// that of Kolmogorov and Smirnov for numbers and the total variation for texts. The two parts have leastCompared values each.
const (
	leastCompared = 200
	leastErrors   = 6
	leastMissing  = .1
	leastNew      = .05
	leastSpread   = .15
	// A share of positive labels is another if it changes by leastPositive, or by oddsFactor if it is small or large.
	leastPositive = .1
	oddsFactor    = 3
	// A column holds numbers if mostNumbers of its values are.
	mostNumbers = .95
	// Numbers are codes if they are whole, from 0 or 1 to mostCodes, and mostly each of these.
	mostCodes = 100
	// Two columns are exchanged if each is as the other was, to within exchangedApart.
	exchangedApart = .12
)

// Difference is how a column of other records is unlike that of the rows of a table.
type Difference struct {
	Column string
	// Was and Is are the shares of the records without a value, if Missing; Is the share of values that are new, if New. Otherwise the values are the same
	// and spread in another way: Codes says that they may be codes, and With names a column that it is probably exchanged with.
	Missing, New, Codes bool
	Was, Is             float64
	With                string
}

// Unlike lists the differences between the rows of a table and those of another, of the columns that may be meant.
func (t *Table) Unlike(other *Table, may func(name string) bool) (found []Difference) {
	if min(len(t.rows), len(other.rows)) < leastCompared {
		return nil
	}
	var spread []*column
	for c := range t.columns {
		a := &t.columns[c]
		b := other.of(a.name)
		if !may(a.name) {
			continue
		}
		if b == nil {
			b = &column{}
			b.fill(len(other.rows))
		}
		n, m := a.values(), b.values()
		was, is := 1-float64(n)/float64(len(t.rows)), 1-float64(m)/float64(len(other.rows))
		if math.Abs(was-is) >= leastMissing && beyondChance(was, is, len(t.rows), len(other.rows)) {
			found = append(found, Difference{Column: a.name, Missing: true, Was: was, Is: is})
		}
		if min(n, m) < leastCompared {
			continue
		}
		if a.numerical() >= mostNumbers && b.numerical() >= mostNumbers {
			codes := a.areCodes() && b.areCodes()
			if farApart(a, b) || codes && variation(a.counts(), b.counts(), n, m) >= leastSpread {
				spread = append(spread, a)
				found = append(found, Difference{Column: a.name, Codes: codes})
			}
			continue
		}
		first, second := a.counts(), b.counts()
		fresh := unseen(first, second)
		if share, expected := float64(fresh)/float64(m), float64(singles(first))/float64(n); share >= expected+leastNew && beyondChance(expected, share, n, m) {
			found = append(found, Difference{Column: a.name, New: true, Is: share})
			continue
		}
		if variation(first, second, n, m) >= leastSpread {
			found = append(found, Difference{Column: a.name})
		}
	}
	for _, a := range spread {
		for _, b := range spread {
			if a != b && kolmogorov(a, other.of(b.name)) < exchangedApart && kolmogorov(b, other.of(a.name)) < exchangedApart {
				found[slices.IndexFunc(found, func(d Difference) bool { return d.Column == a.name && !d.Missing })].With = b.name
				break
			}
		}
	}
	return found
}

// Positives returns the shares of positive labels of both tables, and whether they differ.
func (t *Table) Positives(other *Table) (was, is float64, differ bool) {
	n, p := t.labels()
	m, q := other.labels()
	if min(n, m) < leastCompared {
		return 0, 0, false
	}
	was, is = float64(p)/float64(n), float64(q)/float64(m)
	odds := func(positive, all int) float64 { return (float64(positive) + .5) / (float64(all-positive) + .5) }
	far := math.Abs(math.Log(odds(p, n)/odds(q, m))) >= math.Log(oddsFactor)
	return was, is, (far || math.Abs(was-is) >= leastPositive) && beyondChance(was, is, n, m)
}

func (t *Table) labels() (known, positive int) {
	for _, r := range t.rows {
		if r.labelled {
			known++
			if r.positive {
				positive++
			}
		}
	}
	return known, positive
}

// beyondChance says whether two shares, of n and of m, differ by more than leastErrors standard errors.
func beyondChance(p, q float64, n, m int) bool {
	both := (p*float64(n) + q*float64(m)) / float64(n+m)
	return math.Abs(p-q) > leastErrors*math.Sqrt(both*(1-both)*(1/float64(n)+1/float64(m)))
}

// numerical is the share of the values that are numbers.
func (c *column) numerical() float64 { return float64(len(c.sorted())) / float64(max(1, c.values())) }

// sorted are the numbers of a column.
func (c *column) sorted() (numbers []float64) {
	for _, x := range c.numbers {
		if !math.IsNaN(x) {
			numbers = append(numbers, x)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// farApart says whether the numbers of two columns are spread in other ways.
func farApart(a, b *column) bool {
	n, m := float64(len(a.sorted())), float64(len(b.sorted()))
	return kolmogorov(a, b) >= leastSpread+math.Sqrt(1/n+1/m)
}

// kolmogorov is the largest difference between the distributions of the numbers of two columns.
func kolmogorov(a, b *column) (most float64) {
	first, second := a.sorted(), b.sorted()
	i, j := 0, 0
	for i < len(first) && j < len(second) {
		x := min(first[i], second[j])
		for i < len(first) && first[i] <= x {
			i++
		}
		for j < len(second) && second[j] <= x {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(first))-float64(j)/float64(len(second))))
	}
	return most
}

// areCodes says whether the numbers may be codes.
func (c *column) areCodes() bool {
	different := slices.Compact(c.sorted())
	last := different[len(different)-1]
	return len(different) > 2 && different[0] >= 0 && different[0] <= 1 && last <= mostCodes && float64(len(different)) > last/2 &&
		!slices.ContainsFunc(different, func(x float64) bool { return x != math.Trunc(x) })
}

// counts is how many rows have each value.
func (c *column) counts() map[uint64]int {
	counts := map[uint64]int{}
	for _, hash := range c.hashes {
		if hash != 0 {
			counts[hash]++
		}
	}
	return counts
}

// unseen is how many rows of the second have a value that none of the first has, and singles how many values one row has: their share is about what share
// of further rows from the same source have a new value (Good and Turing).
func unseen(first, second map[uint64]int) (rows int) {
	for hash, n := range second {
		if first[hash] == 0 {
			rows += n
		}
	}
	return rows
}

func singles(counts map[uint64]int) (n int) {
	for _, rows := range counts {
		if rows == 1 {
			n++
		}
	}
	return n
}

// variation is the total variation between two distributions, without what chance alone makes of n and m rows: its mean is at most that of independent
// values, and its standard deviation at most half the root of 1/n + 1/m.
func variation(first, second map[uint64]int, n, m int) float64 {
	per := 1/float64(n) + 1/float64(m)
	total, chance := 0.0, math.Sqrt(per)
	add := func(p, q float64) {
		both := (p*float64(n) + q*float64(m)) / float64(n+m)
		total += math.Abs(p-q) / 2
		chance += math.Sqrt(2/math.Pi*both*(1-both)*per) / 2
	}
	for _, hash := range slices.Sorted(maps.Keys(first)) {
		add(float64(first[hash])/float64(n), float64(second[hash])/float64(m))
	}
	for _, hash := range slices.Sorted(maps.Keys(second)) {
		if first[hash] == 0 {
			add(0, float64(second[hash])/float64(m))
		}
	}
	return total - chance
}
