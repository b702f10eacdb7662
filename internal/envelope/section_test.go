package envelope_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/fairstream/fairstream/internal/envelope"
)

// TestSectionsAreTakenAsTheyWereAppended: each piece comes back, and what ends before a section does is short, wherever it ends.
func TestSectionsAreTakenAsTheyWereAppended(t *testing.T) {
	pieces := [][]byte{[]byte("one"), {}, []byte("another piece"), {}}
	var body []byte
	for _, piece := range pieces {
		body = envelope.AppendSection(body, piece)
	}
	rest := body
	for _, want := range pieces {
		piece, after, err := envelope.Section(rest)
		if err != nil || !bytes.Equal(piece, want) || cap(piece) != len(want) {
			t.Errorf("%q, not %q: %v", piece, want, err)
		}
		rest = after
	}
	if len(rest) != 0 {
		t.Errorf("%d bytes are left", len(rest))
	}
	for end := range len(envelope.AppendSection(nil, pieces[0])) {
		if piece, after, err := envelope.Section(body[:end]); !errors.Is(err, envelope.ErrShort) || piece != nil || after != nil {
			t.Errorf("cut at %d: %q, %q, %v", end, piece, after, err)
		}
	}
	if _, _, err := envelope.Section(binary.LittleEndian.AppendUint64(nil, math.MaxUint64)); !errors.Is(err, envelope.ErrShort) {
		t.Errorf("a length that no memory has: %v", err)
	}
	if got := envelope.SectionHead(pieces...); !bytes.Equal(got, []byte{16, 0, 0, 0, 0, 0, 0, 0}) {
		t.Errorf("the head of several pieces is %v", got)
	}
}

// TestOlderVersionsAreRead from the oldest one on that a format names.
func TestOlderVersionsAreRead(t *testing.T) {
	reading := envelope.Format{Magic: "TEST", Version: 4, Oldest: 2, What: "a test"}
	for version, read := range []bool{false, false, true, true, true, false} {
		written := envelope.Format{Magic: "TEST", Version: uint16(version)}
		content, err := reading.Open(sealed(written, "content"))
		other, refused := errors.AsType[*envelope.OtherVersion](err)
		switch {
		case read && (err != nil || string(content) != "content"):
			t.Errorf("version %d: %q, %v", version, content, err)
		case !read && (!refused || *other != envelope.OtherVersion{What: "a test", Version: uint16(version), Ours: 4}):
			t.Errorf("version %d: %q, %v", version, content, err)
		}
	}
}
