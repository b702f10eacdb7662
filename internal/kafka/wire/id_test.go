package wire

import (
	"testing"
)

func TestTopicID(t *testing.T) {
	id := TopicID{1, 2, 0xff}
	text, err := id.MarshalText()
	if err != nil || len(text) != 22 {
		t.Fatalf("%q, %v", text, err)
	}
	var back TopicID
	if err := back.UnmarshalText(text); err != nil || back != id {
		t.Errorf("%v, %v", back, err)
	}
	for _, bad := range []string{"", "x", "AAAAAAAAAAAAAAAAAAAAAAAA", "!!!!!!!!!!!!!!!!!!!!!!"} {
		if err := back.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is taken for an id", bad)
		}
	}
}
