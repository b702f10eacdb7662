package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestOneSideAway is the quick version of the study: no look is silent with women first and men after them, and none at records in
// random order has the condition.
func TestOneSideAway(t *testing.T) {
	for _, name := range []string{"random", "women first"} {
		var out bytes.Buffer
		if err := run([]string{"-runs", "1", "-only", name}, &out); err != nil {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}

func TestArguments(t *testing.T) {
	if err := run([]string{"-runs", "0"}, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "-runs") {
		t.Error(err)
	}
}
