package distinct

// Counts is a number for each of the different values of a column, by hash. The hashes must be spread evenly, as those of package record are.
// The zero value is empty and ready.
type Counts struct {
	entries []entry // a power of two many; of probes in a row, the first free one ends the search
	used    int
}

type entry struct {
	hash uint64 // 0 where the entry is free
	n    int32
}

// instead stands for the hash 0, which marks free entries.
const instead = 0x9e3779b97f4a7c15

const firstEntries = 8

// Len is how many different values there are.
func (c *Counts) Len() int { return c.used }

// Of returns the number of a value, and whether it has one.
func (c *Counts) Of(hash uint64) (n int32, known bool) {
	if len(c.entries) == 0 {
		return 0, false
	}
	e := c.find(hash)
	return e.n, e.hash != 0
}

// Find returns the number of a value, to be changed before the next Make, or nil if it has none.
func (c *Counts) Find(hash uint64) *int32 {
	if len(c.entries) == 0 {
		return nil
	}
	if e := c.find(hash); e.hash != 0 {
		return &e.n
	}
	return nil
}

// Make gives a number to a value that has none.
func (c *Counts) Make(hash uint64, n int32) {
	if 4*c.used >= 3*len(c.entries) {
		c.grow()
	}
	if hash == 0 {
		hash = instead
	}
	*c.find(hash) = entry{hash, n}
	c.used++
}

// find returns the entry of a hash, or the free one that it would get.
func (c *Counts) find(hash uint64) *entry {
	if hash == 0 {
		hash = instead
	}
	last := uint64(len(c.entries) - 1)
	for i := hash & last; ; i = (i + 1) & last {
		if e := &c.entries[i]; e.hash == hash || e.hash == 0 {
			return e
		}
	}
}

func (c *Counts) grow() {
	old := c.entries
	c.entries = make([]entry, max(firstEntries, 2*len(old)))
	for _, e := range old {
		if e.hash != 0 {
			*c.find(e.hash) = e
		}
	}
}
