package owner

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/internal/modeltopic"
)

// TestHeadersThatDoNotFit: the header says how long it is, and anyone may have written it.
func TestHeadersThatDoNotFit(t *testing.T) {
	for name, c := range map[string]struct {
		length  uint32
		rest    string
		body    string
		refused bool
	}{
		"no body":                   {2, "{}", "", false},
		"header and body":           {2, "{}body", "body", false},
		"longer than what is there": {3, "{}", "", true},
		"not JSON":                  {1, "{}", "", true},
	} {
		content := append(binary.LittleEndian.AppendUint32(partEnvelope.Begin(nil), c.length), c.rest...)
		var h partHeader
		body, err := partEnvelope.open(slices.Concat(content, envelope.Checksum(content)), &h)
		if name == "longer than what is there" && (err == nil || !strings.Contains(err.Error(), "a part of a snapshot is damaged")) {
			t.Errorf("%s: %v", name, err)
		}
		if (err != nil) != c.refused || string(body) != c.body {
			t.Errorf("%s: body %q, error %v", name, body, err)
		}
	}
	empty := append(partEnvelope.Begin(nil), 0, 0, 0, 0)
	if _, err := partEnvelope.open(slices.Concat(empty, envelope.Checksum(empty)), &partHeader{}); err == nil || !strings.Contains(err.Error(), "the header of a part of a snapshot") {
		t.Errorf("a header without a byte is not JSON: %v", err)
	}
	short := append(partEnvelope.Begin(nil), 0, 0, 0)
	if _, err := partEnvelope.open(slices.Concat(short, envelope.Checksum(short)), &partHeader{}); err == nil {
		t.Error("an envelope without room for the length of a header is taken")
	}
	if _, err := partEnvelope.seal(func() {}); err == nil {
		t.Error("a header that is not JSON is sealed")
	}
}

// TestPartsThatCannotBe: the header of a part decides how much a reader holds, so it is bounded.
func TestPartsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		part, parts int
		sequence    int64
		refused     bool
	}{
		{0, 1, 1, false},
		{largestParts - 1, largestParts, modeltopic.MostBelieved, false},
		{0, 0, 1, true},
		{0, largestParts + 1, 1, true},
		{-1, 1, 1, true},
		{2, 2, 1, true},
		{0, 1, 0, true},
		{0, 1, modeltopic.MostBelieved + 1, true},
	} {
		want := partHeader{Job: "job", Owner: "a", Term: 1, Sequence: c.sequence, Part: c.part, Parts: c.parts}
		value, err := partEnvelope.seal(&want, []byte("body"))
		if err != nil {
			t.Fatal(err)
		}
		h, body, err := decodePart(value)
		if (err != nil) != c.refused || h != want || string(body) != "body" {
			t.Errorf("%+v: error %v", want, err)
		}
	}
}

// TestDamagedSnapshots: one of another version is not damaged, for whoever starts is told which program can read it.
func TestDamagedSnapshots(t *testing.T) {
	sealed, err := snapshotEnvelope.seal(header{1})
	if err != nil {
		t.Fatal(err)
	}
	later := snapshotEnvelope
	later.Version++
	other, err := later.seal(header{1})
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(sealed)
	flipped[len(flipped)/2] ^= 1
	for name, c := range map[string]struct {
		state   []byte
		damaged bool
	}{"whole": {sealed, false}, "of another version": {other, false}, "a flipped bit": {flipped, true}, "cut": {sealed[:len(sealed)-1], true}, "empty": {nil, true}} {
		if err := checkSnapshot(c.state); (err != nil) != c.damaged {
			t.Errorf("%s: %v", name, err)
		}
	}
}
