package wire

import "testing"

// TestTagsAreSkipped: each has a number, a size and as many bytes; one whose bytes are cut off is an error, and whoever has no tags skips nothing.
func TestTagsAreSkipped(t *testing.T) {
	for _, c := range []struct {
		name  string
		bytes string
		left  string
		fails bool
	}{
		{"none", "\x00rest", "rest", false}, {"one", "\x01\x07\x02abrest", "rest", false}, {"two", "\x02\x07\x01a\x09\x00rest", "rest", false}, {"all that is left", "\x01\x07\x03abc", "", false}, {"a byte more than there is", "\x01\x07\x04abc", "", true}, {"a large size", "\x01\x07\xff\xff\xff\xff\x0fabc", "", true}, {"nothing", "", "", true},
	} {
		d := &Decoder{bytes: []byte(c.bytes), flexible: true}
		if d.Tags(); (d.Err != nil) != c.fails || !c.fails && string(d.bytes) != c.left {
			t.Errorf("%s: %v, %q is left", c.name, d.Err, d.bytes)
		}
		rigid := &Decoder{bytes: []byte(c.bytes)}
		if rigid.Tags(); rigid.Err != nil || string(rigid.bytes) != c.bytes {
			t.Errorf("%s, without tags: %v, %q is left", c.name, rigid.Err, rigid.bytes)
		}
	}
}
