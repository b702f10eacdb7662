package records_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/bench/population"
	"github.com/fairstream/fairstream/bench/records"
)

// TestRecordsOutliveTheFile: each record keeps its own texts, a count ends the reading, and a record that cannot be decoded is an error.
func TestRecordsOutliveTheFile(t *testing.T) {
	const file = "label,attribute,job\n1,a,baker\n0,b,smith\n1,a,cook\n"
	c := population.FileConfig(.05, "a", "b")
	for most, want := range []int{3, 1, 2, 3, 3} {
		some, err := records.First(c, strings.NewReader(file), most)
		if err != nil || len(some) != want {
			t.Fatalf("most %d: %d records, %v; want %d", most, len(some), err, want)
		}
		if job := string(some[0].Features[len(some[0].Features)-1].Text); job != "baker" {
			t.Errorf("most %d: the first job is %q", most, job)
		}
	}
	if _, err := records.All(c, strings.NewReader("label,attribute,job\n1,a\n")); err == nil {
		t.Error("a row without its last field is no error")
	}
}
