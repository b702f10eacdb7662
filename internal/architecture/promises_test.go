package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPromisesAreTested: every test that docs/promises.md names is there, and every promise names one. What `make test` leaves out when nothing changed is marked.
func TestPromisesAreTested(t *testing.T) {
	text, err := os.ReadFile("../../docs/promises.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z/]+)\\.((?:Test|Fuzz)[A-Za-z0-9]+)(?:/([a-z0-9_]+))?`( \\(nightly\\))?")
	promises := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| promise") {
			continue
		}
		promises++
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("no test behind %s", line)
		}
		for _, test := range tests {
			if !declares(t, test[1], "\nfunc "+test[2]+"(") {
				t.Errorf("%s has no %s", test[1], test[2])
			}
			if nightly := strings.HasPrefix(test[1], "bench/"); nightly != (test[4] != "") { // as the target unit has it
				t.Errorf("%s.%s is nightly: %v, and marked otherwise", test[1], test[2], nightly)
			}
			if part := strings.ReplaceAll(test[3], "_", " "); part != "" && !declares(t, test[1], `{name: "`+part+`"`) {
				t.Errorf("%s.%s has no part %q", test[1], test[2], part)
			}
		}
	}
	if promises < 15 {
		t.Errorf("%d promises", promises)
	}
	if declares(t, "pkg/stream", "\nfunc TestThatIsNotThere(") {
		t.Error("a test that is not there is found")
	}
}

func declares(t *testing.T, directory, what string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", directory, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), what) {
			return true
		}
	}
	return false
}
