package record

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestBytesOfWords: places and kinds of bytes, found eight at a time, are those that looking at each byte finds.
func TestBytesOfWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const alphabet = "ab\"\\,\x00\x1f \x7f\x80\xff\t"
	for range 20_000 {
		text := make([]byte, rng.IntN(80))
		for i := range text {
			text[i] = alphabet[rng.IntN(len(alphabet))]
		}
		if rng.IntN(2) == 0 {
			for i := range text {
				text[i] &= 0x7f
			}
		}
		var want uint64
		ascii, all := true, true
		for i, b := range text {
			if i < 64 && b == ',' {
				want |= 1 << i
			}
			ascii = ascii && (i >= 64 || b < 128)
			all = all && b < 128
		}
		if got, is := places(text, ','); got != want || is != ascii {
			t.Fatalf("%q: commas at %b, want %b; ASCII %v, want %v", text, got, want, is, ascii)
		}
		if isASCII(text) != all {
			t.Fatalf("%q is ASCII: %v", text, isASCII(text))
		}
		if len(text) < 8 {
			continue
		}
		first := 8
		for i, b := range text[:8] {
			if b < ' ' || b == '"' || b == '\\' {
				first = i
				break
			}
		}
		x := uint64(0)
		for i, b := range text[:8] {
			x |= uint64(b) << (8 * i)
		}
		if got := bits.TrailingZeros64(controlOr(x, '"', '\\')) / 8; got != first {
			t.Fatalf("%q: the first special byte is %d, want %d", text[:8], got, first)
		}
	}
}
