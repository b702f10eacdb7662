package waiting

import (
	"hash/maphash"
	"slices"
)

// filter says of most keys that wait nowhere that they do not, without a look at the database: nearly every key that is put is new. It is in memory alone,
// and changes no result.
//
// It is Bloom filters (Communications of the ACM 13, 1970, pp. 422-426) of blocks of the size of a cache line, as in Putze, Sanders and Singler (WEA 2007,
// LNCS 4525, pp. 108-121). Each has the keys of consecutive entries, and goes when none of these waits any more. The first one has those that waited
// when the store was opened. They are read a few at a time, in the order of the keys: until all are, keys behind the last one that was read may wait.
type filter struct {
	seed    maphash.Seed
	all     []few
	next    int    // for how many entries the next one is
	unread  []byte // the pointer from which on the keys of the first one are to be read; nil: all are
	useless bool   // too many entries wait
}

// few has the keys of some entries.
type few struct {
	blocks   [][8]uint64
	from, to int64 // numbers of the entries, without the last
	waiting  int64 // how many of them wait
	room     int   // for further entries
}

const (
	// leastFew and mostFew are for how many new entries a filter is. With mostFilters of them, all keys that wait are read again, into one. At most mostWaiting
	// may wait then: together the filters take 76 MiB at most.
	leastFew, mostFew = 1 << 14, 1 << 22
	mostFilters       = 8
	mostWaiting       = 1 << 25
	// blockKeys is how many keys share a block of 512 bits, of which each sets 8: one of 100 keys that wait nowhere is looked for.
	blockKeys = 51
)

func newFew(entries int, from int64) few {
	return few{blocks: make([][8]uint64, entries/blockKeys+1), from: from, to: from, room: entries}
}

// newFilter is for a store in which so many entries wait under keys of callers, up to a number.
func newFilter(waiting, number int64) *filter {
	f := &filter{seed: maphash.MakeSeed(), next: leastFew, useless: waiting > mostWaiting}
	if waiting > 0 && !f.useless {
		first := newFew(int(waiting), 0)
		first.to, first.waiting, first.room = number+1, waiting, 0
		f.all, f.unread = append(f.all, first), []byte{kindKey}
	}
	return f
}

// each visits the bits of a key, each in a word of its own, until visit says no.
func (b *few) each(hash uint64, visit func(word *uint64, bit uint64) bool) {
	block := &b.blocks[(hash>>32)*uint64(len(b.blocks))>>32]
	low := hash & 0xffffffff
	for i := range block {
		bit := (low * salts[i] & 0xffffffff) >> 26
		if !visit(&block[i], 1<<bit) {
			return
		}
	}
}

// salts are odd random numbers.
var salts = [8]uint64{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}

func (b *few) add(hash uint64) {
	b.each(hash, func(word *uint64, bit uint64) bool {
		*word |= bit
		return true
	})
}

func (b *few) has(hash uint64) (has bool) {
	has = true
	b.each(hash, func(word *uint64, bit uint64) bool {
		has = *word&bit != 0
		return has
	})
	return has
}

func (f *filter) hash(key []byte) uint64 { return maphash.Bytes(f.seed, key) }

// put takes in the key of a new entry, which is among so many that wait under keys of callers.
func (f *filter) put(key []byte, number, waiting int64) {
	if f.useless {
		return
	}
	if last := len(f.all) - 1; last < 0 || f.all[last].room == 0 {
		f.all = slices.DeleteFunc(f.all, func(b few) bool { return b.waiting == 0 })
		if len(f.all) == mostFilters {
			again := newFilter(waiting, number)
			again.next = f.next
			*f = *again
			return
		}
		f.all = append(f.all, newFew(f.next, number))
		f.next = min(2*f.next, mostFew)
	}
	b := &f.all[len(f.all)-1]
	b.add(f.hash(key))
	b.waiting++
	b.room--
	b.to = number + 1
}

// gone takes in that the entry of a number no longer waits.
func (f *filter) gone(number int64) {
	for i := range f.all {
		if b := &f.all[i]; number >= b.from && number < b.to {
			if b.waiting--; b.waiting > 0 || b.room > 0 {
				return
			}
			if b.from == 0 {
				f.unread = nil
			}
			f.all = slices.Delete(f.all, i, i+1)
			return
		}
	}
}

// mayWait says whether an entry may wait under a key, whose pointer is given too.
func (f *filter) mayWait(key, pointer []byte) bool {
	if f.useless || f.unread != nil && string(pointer) >= string(f.unread) {
		return true
	}
	hash := f.hash(key)
	for i := range f.all {
		if f.all[i].has(hash) {
			return true
		}
	}
	return false
}
