package record

import (
	"encoding/binary"
	"math/bits"

	"github.com/twmb/murmur3"
)

// hashBlock is how many bytes MurmurHash3 takes at a time.
const hashBlock = 16

// Hash is the first half of the 128-bit MurmurHash3 (x64 variant, seed 0) of text: the same on
// every machine and in every version.
func Hash(text []byte) uint64 {
	tail := len(text) % hashBlock
	if cap(text)-len(text) < hashBlock-tail {
		return murmur3.Sum64(text)
	}
	// Texts are short and lie within longer records: the tail is taken as a whole block, of which what comes
	// after the text is cut off. There is no branch on its length, which cannot be foreseen.
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 uint64
	rest := text[:len(text)-tail+hashBlock]
	for ; len(rest) > hashBlock; rest = rest[hashBlock:] {
		h1 ^= bits.RotateLeft64(binary.LittleEndian.Uint64(rest)*c1, 31) * c2
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= bits.RotateLeft64(binary.LittleEndian.Uint64(rest[8:])*c2, 33) * c1
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	first := binary.LittleEndian.Uint64(rest) & (1<<(8*uint(tail)) - 1)
	second := binary.LittleEndian.Uint64(rest[8:hashBlock]) & (^uint64(0) >> (128 - 8*uint(tail)))
	h1 ^= bits.RotateLeft64(first*c1, 31) * c2
	h2 ^= bits.RotateLeft64(second*c2, 33) * c1
	h1 ^= uint64(len(text))
	h2 ^= uint64(len(text))
	h1 += h2
	h2 += h1
	return hashMix(h1) + hashMix(h2)
}

func hashMix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Mix spreads a hash and the number of its place over 64 bits, by the finaliser of SplitMix64 (Steele, Lea and Flood,
// OOPSLA 2014, figure 14). Equal hashes have different results in different places. Published documents and snapshots
// rest on it: it never changes.
func Mix(place, hash uint64) uint64 {
	return mixed(hash + (place+1)*0x9e3779b97f4a7c15)
}

func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
