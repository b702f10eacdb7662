package record

import "hash/fnv"

// Sampled says whether a record belongs to a sample of the given share, in [0, 1], by its key or place. The same key always gives
// the same answer, and a larger share contains every smaller one.
func Sampled(share float64, key []byte) bool {
	if share >= 1 {
		return true
	}
	h := fnv.New64a()
	h.Write(key)
	// FNV spreads short keys badly over the high bits: they are mixed.
	return float64(mixed(h.Sum64())>>11) < share*(1<<53)
}
