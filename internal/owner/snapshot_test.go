package owner

import (
	"bytes"
	"slices"
	"testing"
)

// However the pieces lie, the parts put together again are the whole, and none but the last is shorter than the others.
func TestPartsAreTheWhole(t *testing.T) {
	for _, lengths := range [][]int{{0}, {1}, {partBytes}, {partBytes - 1, 1, 1}, {3, 0, 2*partBytes + 5, 7, partBytes}, {2 * partBytes}} {
		var pieces, parts [][]byte
		for i, n := range lengths {
			pieces = append(pieces, bytes.Repeat([]byte{byte(i)}, n))
		}
		for _, part := range splitParts(pieces) {
			parts = append(parts, slices.Concat(part...))
		}
		for i, part := range parts {
			if last := i == len(parts)-1; !last && len(part) != partBytes || last && len(part) == 0 && len(parts) > 1 {
				t.Errorf("%v: part %d of %d has %d bytes", lengths, i, len(parts), len(part))
			}
		}
		if !bytes.Equal(slices.Concat(parts...), slices.Concat(pieces...)) || len(parts) == 0 {
			t.Errorf("%v: the %d parts are not the whole", lengths, len(parts))
		}
	}
}
