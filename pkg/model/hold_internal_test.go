package model

import (
	"bytes"
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
	for _, dst := range [][]byte{nil, []byte("before")} {
		want := l.AppendState(bytes.Clone(dst))
		l.long = true
		if got := l.Hold()(bytes.Clone(dst)); !bytes.Equal(got, want) {
			t.Errorf("after %q it is another state", dst)
		}
	}
}
