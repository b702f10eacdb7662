package compare

import (
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/chance"
	"github.com/fairstream/fairstream/internal/table"
)

// A column of other records is unlike that of these if what differs is beyond chance, by leastErrors standard errors, and large: leastMissing of the
// share without a value, leastNew of the records with a text that these rows have not, leastSpread of the distance between the distributions, which is
// that of Kolmogorov and Smirnov for numbers and the total variation for texts. The two parts have leastCompared values each.
const (
	leastCompared = 200
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
func Unlike(t, other *table.Table, may func(name string) bool) (found []Difference) {
	if min(len(t.Kept), len(other.Kept)) < leastCompared {
		return nil
	}
	var spread []*table.Column
	for c := range t.Columns {
		a := &t.Columns[c]
		b := other.Column(a.Name)
		if !may(a.Name) {
			continue
		}
		if b == nil {
			b = &table.Column{}
			b.Fill(len(other.Kept))
		}
		n, m := a.Values(), b.Values()
		was, is := 1-float64(n)/float64(len(t.Kept)), 1-float64(m)/float64(len(other.Kept))
		if math.Abs(was-is) >= leastMissing && beyondChance(was, is, len(t.Kept), len(other.Kept)) {
			found = append(found, Difference{Column: a.Name, Missing: true, Was: was, Is: is})
		}
		if min(n, m) < leastCompared {
			continue
		}
		if min(numerical(a), numerical(b)) >= mostNumbers {
			codes := areCodes(a) && areCodes(b)
			if farApart(a, b) || codes && variation(a.Counts(), b.Counts(), n, m) >= leastSpread {
				spread = append(spread, a)
				found = append(found, Difference{Column: a.Name, Codes: codes})
			}
			continue
		}
		first, second := a.Counts(), b.Counts()
		fresh := unseen(first, second)
		if share, expected := float64(fresh)/float64(m), float64(singles(first))/float64(n); share >= expected+leastNew && beyondChance(expected, share, n, m) {
			found = append(found, Difference{Column: a.Name, New: true, Is: share})
			continue
		}
		if variation(first, second, n, m) >= leastSpread {
			found = append(found, Difference{Column: a.Name})
		}
	}
	for _, a := range spread {
		for _, b := range spread {
			if a != b && max(kolmogorov(a, other.Column(b.Name)), kolmogorov(b, other.Column(a.Name))) < exchangedApart {
				found[slices.IndexFunc(found, func(d Difference) bool { return d.Column == a.Name && !d.Missing })].With = b.Name
				break
			}
		}
	}
	return found
}

// numerical is the share of the values that are numbers.
func numerical(c *table.Column) float64 {
	return float64(len(c.Sorted())) / float64(max(1, c.Values()))
}

// farApart says whether the numbers of two columns are spread in other ways.
func farApart(a, b *table.Column) bool {
	n, m := float64(len(a.Sorted())), float64(len(b.Sorted()))
	return kolmogorov(a, b) >= leastSpread+math.Sqrt(1/n+1/m)
}

// kolmogorov is the largest difference between the distributions of the numbers of two columns.
func kolmogorov(a, b *table.Column) float64 {
	_, distance, _ := chance.OfNumbers(a.Sorted(), b.Sorted())
	return distance
}

// areCodes says whether the numbers may be codes.
func areCodes(c *table.Column) bool {
	different := slices.Compact(c.Sorted())
	last := different[len(different)-1]
	return len(different) > 2 && different[0] >= 0 && different[0] <= 1 && last <= mostCodes && float64(len(different)) > last/2 &&
		!slices.ContainsFunc(different, func(x float64) bool { return x != math.Trunc(x) })
}
