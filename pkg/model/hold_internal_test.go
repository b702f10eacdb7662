package model

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// A state that is too long to be held is compressed at once, and is the same.
func TestAStateTooLongToBeHeld(t *testing.T) {
	config := Config{Learner: DefaultLearner(), Record: record.Config{Label: record.Label{Field: "y", Positive: "1"}},
		Constraints: []Constraint{{Name: "sex", Attribute: OneOrMore{"sex"}, Group: Values("m"), Versus: Values("f"), Tau: .2}}}
	l, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	want := l.AppendState(nil)
	l.long = true
	if got := bytes.Join(l.Hold()(), nil); !bytes.Equal(got, want) {
		t.Error("it is another state")
	}
}

// Bytes that are written in any portions come in pieces of which all but the last are full.
func TestPiecesAreWhatWasWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var written []byte
	p := pieces{[]byte("head")}
	for range 50 {
		portion := make([]byte, random.IntN(pieceBytes/4))
		for i := range portion {
			portion[i] = byte(random.Uint32())
		}
		if n, err := p.Write(portion); n != len(portion) || err != nil {
			t.Fatal(n, err)
		}
		written = append(written, portion...)
	}
	if !bytes.Equal(bytes.Join(p, nil), append([]byte("head"), written...)) {
		t.Error("other bytes")
	}
	for _, piece := range p[1 : len(p)-1] {
		if len(piece) != pieceBytes {
			t.Errorf("a piece of %d bytes", len(piece))
		}
	}
}
