package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Searches eight bytes at a time (Warren, Hacker's Delight, 2nd ed., section 6-1): the texts of a record are
// so short that a call of package bytes would cost more than the search.

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// matches has the highest bit set of those bytes of x that equal c, and no other bit.
func matches(x uint64, c byte) uint64 {
	x ^= uint64(c) * ones
	return ^((x&^highs + ^uint64(highs)) | x | ^uint64(highs))
}

// indexByte is bytes.IndexByte.
func indexByte(data []byte, c byte) int {
	if len(data) >= 16 {
		if found := matches(binary.LittleEndian.Uint64(data), c); found != 0 {
			return bits.TrailingZeros64(found) / 8
		}
		if found := matches(binary.LittleEndian.Uint64(data[8:]), c); found != 0 {
			return 8 + bits.TrailingZeros64(found)/8
		}
	}
	return bytes.IndexByte(data, c)
}

// isSimple says that data has neither a backslash nor a control character; ascii says that all
// its bytes are below 128.
func isSimple(data []byte) (simple, ascii bool) {
	var bad, high uint64
	i := 0
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		backslash := x ^ '\\'*ones
		bad |= (x-' '*ones)&^x | (backslash-ones)&^backslash
		high |= x
	}
	for ; i < len(data); i++ {
		if c := data[i]; c < ' ' || c == '\\' {
			bad = highs
		}
		high |= uint64(data[i])
	}
	return bad&highs == 0, high&highs == 0
}
