package main

import (
	"strings"
	"testing"
)

// TestAShortStudy: the stream gets its weights and publishes them.
func TestAShortStudy(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), []string{"-weights", "1200", "-publications", "1", "-interval", "500ms"}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "2225 weights: stops") { // and 1,024 buckets, and the intercept
		t.Error(out.String())
	}
	for _, args := range [][]string{{"-weights", "10"}, {"-weights", "x"}, {"-publications", "0"}} {
		if err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%v is no error", args)
		}
	}
}
