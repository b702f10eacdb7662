package compare

import (
	"math"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// Columns with more than ownValues different values among their values say nothing of copies: each copy may have a new one.
	ownValues = .5
	// At least leastCopied of the other rows are copies, and leastAgreeing columns show it.
	leastCopied   = .1
	leastAgreeing = 3
)

// Copied is which share of the other table's records are probably copies of records of this one, though the columns in own, in which nearly every record has
// a value of its own, may differ. Records agree by chance, too: as many of the other rows would equal one of these as these equal another of
// themselves, if both came from one source.
func Copied(t, other *table.Table, may func(name string) bool) (share float64, own []string) {
	n, m := len(t.Kept), len(other.Kept)
	if min(n, m) < leastCompared {
		return 0, nil
	}
	first, second := make([]uint64, n), make([]uint64, m)
	shared := 0
	for c := range t.Columns {
		a := &t.Columns[c]
		b := other.Column(a.Name)
		if b == nil || !may(a.Name) {
			continue
		}
		if isOwn(a) || isOwn(b) {
			own = append(own, a.Name)
			continue
		}
		if a.Varies() {
			shared++
		}
		for r, hash := range a.Hashes {
			first[r] += record.Mix(uint64(c), hash)
		}
		for r, hash := range b.Hashes {
			second[r] += record.Mix(uint64(c), hash)
		}
	}
	if len(own) == 0 || shared < leastAgreeing {
		return 0, nil
	}
	for r := range t.Kept {
		first[r] += positiveMix(t.Kept[r].Positive)
	}
	for r := range other.Kept {
		second[r] += positiveMix(other.Kept[r].Positive)
	}
	among, within := (&table.Column{Hashes: first}).Counts(), (&table.Column{Hashes: second}).Counts()
	chance := 1 - float64(singles(among))/float64(n)
	found := 1 - float64(unseen(among, within))/float64(m)
	// Records of a narrower source agree more often, with each other as well.
	chance = max(chance, (1-float64(singles(within))/float64(m))*max(1, float64(n)/float64(m)))
	if chance >= found || !beyondChance(chance, found, n, m) {
		return 0, nil
	}
	kept := float64(n) / float64(max(n, t.Records)) // of the records, so of their copies
	share = min(1, (found-chance)/(1-chance)/kept)
	if math.IsNaN(share) || share < leastCopied {
		return 0, nil
	}
	return share, own
}

func positiveMix(positive bool) uint64 {
	if positive {
		return record.Mix(^uint64(0), 1)
	}
	return 0
}

// isOwn says whether most values of a column are different ones.
func isOwn(c *table.Column) bool {
	return float64(len(c.Counts())) > ownValues*float64(c.Values())
}
