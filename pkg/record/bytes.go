package record

import "encoding/binary"

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

// places has bit n set if byte n of data equals c, of the first 64; ascii says that those are all below 128.
func places(data []byte, c byte) (found uint64, ascii bool) {
	data = data[:min(len(data), 64)]
	var high uint64
	i := 0
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		found |= gather(matches(x, c)) << i
		high |= x
	}
	if i < len(data) {
		x := lastWord(data, i)
		found |= gather(matches(x, c)) << i
		high |= x
	}
	return found, high&highs == 0
}

// lastWord is data from i on, less than eight bytes, as a word with zeros after them.
func lastWord(data []byte, i int) (x uint64) {
	if len(data) >= 8 {
		return binary.LittleEndian.Uint64(data[len(data)-8:]) >> (8 * (8 - (len(data) - i)))
	}
	for k := len(data) - 1; k >= i; k-- {
		x = x<<8 | uint64(data[k])
	}
	return x
}

// gather makes bit n of the highest bit of byte n; x has no other bits.
func gather(x uint64) uint64 { return (x >> 7) * 0x0102040810204080 >> 56 }

// controlOr has the highest bit set of the first byte of x that is a control character, a or b, and none below it;
// those above may be wrong.
func controlOr(x uint64, a, b byte) uint64 {
	xa, xb := x^uint64(a)*ones, x^uint64(b)*ones
	return ((xa-ones)&^xa | (xb-ones)&^xb | (x-' '*ones)&^x) & highs
}

// isASCII says whether all bytes of a text are below 128, for texts so short that a call costs more than the search.
func isASCII(text []byte) bool {
	var high uint64
	i := 0
	for ; i+8 <= len(text); i += 8 {
		high |= binary.LittleEndian.Uint64(text[i:])
	}
	for ; i < len(text); i++ {
		high |= uint64(text[i])
	}
	return high&highs == 0
}
