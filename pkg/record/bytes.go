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

// places has bit n set if byte n of data equals c, of the first 64.
func places(data []byte, c byte) (found uint64) {
	data = data[:min(len(data), 64)]
	for i := 0; i < len(data); i += 8 {
		found |= gather(matches(word(data[i:]), c)) << i
	}
	return found
}

// word is the first eight bytes of data, with zeros for those that it lacks.
func word(data []byte) (x uint64) {
	if len(data) >= 8 {
		return binary.LittleEndian.Uint64(data)
	}
	for i := len(data) - 1; i >= 0; i-- {
		x = x<<8 | uint64(data[i])
	}
	return x
}

// gather makes bit n of the highest bit of byte n; x has no other bits.
func gather(x uint64) uint64 { return (x >> 7) * 0x0102040810204080 >> 56 }

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
