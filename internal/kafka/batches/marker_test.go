package batches

import "testing"

// TestAbortMarkers: a marker whose bytes cannot be read ends no transaction, and neither does that of a commit.
func TestAbortMarkers(t *testing.T) {
	record := func(key ...byte) []byte {
		body := append([]byte{0, 0, 0, byte(2 * len(key))}, key...) // attributes, time, offset, length of the key
		body = append(body, 1, 0)                                   // no value, no header
		return append([]byte{byte(2 * len(body))}, body...)
	}
	abort := record(0, 0, 0, 0)
	long := record(0, 0, 0, 0)
	long[len(long)-2] = 0x40 // the value is longer than the record
	for name, c := range map[string]struct {
		payload []byte
		want    bool
	}{
		"abort": {abort, true}, "commit": {record(0, 0, 0, 1), false}, "another version": {record(0, 1, 0, 0, 9), true}, "a short key": {record(0, 0, 0), false}, "no key": {record(), false},
		"cut off": {abort[:len(abort)-1], false}, "empty": {nil, false}, "a damaged value": {long, false},
	} {
		if got := isAbortMarker(c.payload); got != c.want {
			t.Errorf("%s: an abort: %v, want %v", name, got, c.want)
		}
	}
}
