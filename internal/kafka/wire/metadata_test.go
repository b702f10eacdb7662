package wire

import (
	"testing"
)

// FuzzMetadata: the same for metadata.
func FuzzMetadata(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Fuzz(func(t *testing.T, bytes []byte, flexible bool) {
		version := int16(4)
		if flexible {
			version = 10
		}
		m, err := ReadMetadata(&Decoder{bytes: bytes, flexible: flexible}, version)
		if err == nil && len(m.Topics)+len(m.Errors) > len(bytes) {
			t.Fatalf("%d topics in %d bytes", len(m.Topics), len(bytes))
		}
	})
}
