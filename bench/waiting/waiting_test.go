package main

import (
	"os"
	"strings"
	"testing"
)

// TestAFewRecordsWait: the study runs, in a folder and in memory.
func TestAFewRecordsWait(t *testing.T) {
	for _, arguments := range [][]string{{"-records", "2000", "-ready"}, {"-records", "2000", "-memory"}} {
		var out strings.Builder
		if err := run(t.Context(), arguments, &out); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		for _, line := range []string{"records  ", "with 2000 records that wait", "restart from the topic", "labels  "} {
			if !strings.Contains(out.String(), line) {
				t.Errorf("%v: no line %q in\n%s", arguments, line, out.String())
			}
		}
	}
}

// TestMain: the bare loop is a process of this program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == bareWord {
		main()
		return
	}
	os.Exit(m.Run())
}
