package model

// vocabulary gives levels (values of a column) their weights. It grows to a limit; categories beyond it
// share a fixed number of weights, by hash.
//
// Levels are found by their 64-bit key alone. Two levels of one column with the same key would share
// a weight, as two that are hashed to one bucket do; at the default limit that has a chance of one
// in 10^12.
type vocabulary struct {
	limit   int
	buckets int32
	base    int32 // first weight of the buckets, 0 while there are none
	levels  []level
	slots   []slot // open addressing, a power of two, at most half full
}

// level is one known value of a column.
type level struct {
	column int32 // index of the column; a cross has the index after the last column's
	index  int32 // of its weight
	key    uint64
	text   string // for people: see shorten
}

type slot struct {
	key   uint64
	index int32 // of the weight; 0 is the intercept's and marks an empty slot
}

func newVocabulary(c VocabularyConfig) *vocabulary {
	return &vocabulary{limit: c.Levels, buckets: int32(c.Buckets), slots: make([]slot, 64)}
}

// levelKey mixes the hash of a text with the place it stands in (the finalizer of SplitMix64).
func levelKey(place uint64, hash uint64) uint64 {
	x := hash + (place+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// find returns the weight of a known level, or 0.
func (v *vocabulary) find(key uint64) int32 {
	mask := uint64(len(v.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		s := v.slots[i]
		if s.index == 0 || s.key == key {
			return s.index
		}
	}
}

// bucket returns the shared weight of a level beyond the limit, or 0 while there are no buckets.
func (v *vocabulary) bucket(key uint64) int32 {
	if v.base == 0 {
		return 0
	}
	return v.base + int32(uint32(key>>32)%uint32(v.buckets))
}

// full says that no further level gets a weight of its own, but one that has earned it.
func (v *vocabulary) full() bool { return len(v.levels) >= v.limit }

// overfull says that no further level gets one at all. Room for an eighth more is for those that have earned
// it, so that a flood of categories leaves them theirs.
func (v *vocabulary) overfull() bool { return len(v.levels)-v.limit/8 >= v.limit }

// add makes a level known. It must not hold the key.
func (v *vocabulary) add(l level) {
	v.levels = append(v.levels, l)
	if 2*len(v.levels) > len(v.slots) {
		v.slots = make([]slot, 2*len(v.slots))
		for _, known := range v.levels {
			v.insert(known)
		}
		return
	}
	v.insert(l)
}

func (v *vocabulary) insert(l level) {
	mask := uint64(len(v.slots) - 1)
	i := l.key & mask
	for v.slots[i].index != 0 {
		i = (i + 1) & mask
	}
	v.slots[i] = slot{key: l.key, index: l.index}
}
