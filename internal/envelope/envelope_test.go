package envelope_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/envelope"
)

var format = envelope.Format{Magic: "TEST", Version: 2, What: "a test"}

func sealed(f envelope.Format, content string) []byte {
	return envelope.Seal(append(f.Begin(nil), content...), 0)
}

func TestOpenReturnsWhatWasSealed(t *testing.T) {
	for _, content := range []string{"", "x", strings.Repeat("content ", 100)} {
		data := append([]byte("before"), sealed(format, content)...)
		// An envelope may follow other bytes: the checksum covers it alone.
		again := envelope.Seal(append(format.Begin([]byte("before")), content...), len("before"))
		if !bytes.Equal(data, again) {
			t.Errorf("%q: the checksum depends on the bytes before", content)
		}
		got, err := format.Open(data[len("before"):])
		if err != nil || string(got) != content || len(data)-len("before") != len(content)+format.Overhead() {
			t.Errorf("%q: got %q, %v", content, got, err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	older, newer, other := format, format, format
	older.Version, newer.Version, other.Magic = 1, 3, "REST"
	good := sealed(format, "content")
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"another kind": {sealed(other, "content"), "not a test"},
		"an older one": {sealed(older, "content"), "format version 1, and this program reads version 2: start over with `fairstream state reset`"},
		"a newer one":  {sealed(newer, "content"), "format version 3, and this program reads version 2: use the program that wrote it, or a newer one"},
		"nothing":      {nil, "not a test"},
		"a beginning":  {good[:format.Overhead()-1], "not a test"},
		"a longer one": {append(bytes.Clone(good), 0), "a test is damaged"},
	} {
		if content, err := format.Open(test.data); err == nil || !strings.Contains(err.Error(), test.want) || content != nil {
			t.Errorf("%s: %q, %v, want %q", name, content, err, test.want)
		}
	}
	for i := range good {
		for bit := range 8 {
			flipped := bytes.Clone(good)
			flipped[i] ^= 1 << bit
			if _, err := format.Open(flipped); err == nil {
				t.Errorf("bit %d of byte %d is not missed", bit, i)
			}
		}
	}
}
