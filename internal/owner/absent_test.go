package owner

import (
	"errors"
	"testing"
)

// TestATopicThatCannotBeRead: nobody is asked whether a state fits that could not be read, and no other owner is blamed.
func TestATopicThatCannotBeRead(t *testing.T) {
	s := settingsOf(newWorld())
	s.Topic = "absent"
	asked := false
	if _, err := Take(t.Context(), s, func(Standing) error { asked = true; return nil }); err == nil || asked {
		t.Errorf("error %v, asked %t", err, asked)
	}
	j, err := Take(t.Context(), settingsOf(newWorld()), anything)
	if err != nil {
		t.Fatal(err)
	}
	j.Topic = "absent"
	var superseded *Superseded
	if err := j.Refresh(t.Context()); err == nil || errors.As(err, &superseded) {
		t.Errorf("Refresh: %v", err)
	}
}
