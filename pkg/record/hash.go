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
	if len(text) >= hashBlock || cap(text) < hashBlock {
		return murmur3.Sum64(text)
	}
	// Most texts are shorter than a block and lie within a longer record: two words hold them, of which what
	// comes after the text is cut off. There is no branch, as lengths cannot be foreseen.
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	block, length := text[:hashBlock], uint64(len(text))
	first := binary.LittleEndian.Uint64(block) & (1<<(8*length) - 1)
	second := binary.LittleEndian.Uint64(block[8:]) & (^uint64(0) >> (128 - 8*length))
	h1 := bits.RotateLeft64(first*c1, 31)*c2 ^ length
	h2 := bits.RotateLeft64(second*c2, 33)*c1 ^ length
	h1 += h2
	h2 += h1
	return hashMix(h1) + hashMix(h2)
}

func hashMix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
