package lines_test

import (
	"encoding/json"
	"testing"

	"github.com/fairstream/fairstream/bench/lines"
	"github.com/fairstream/fairstream/internal/adult"
)

// TestAdult: every record is a JSON object with its label, in memory of its own.
func TestAdult(t *testing.T) {
	all, err := lines.Adult()
	if err != nil || len(all) != adult.Records {
		t.Fatalf("%d records, %v", len(all), err)
	}
	for _, at := range []int{0, len(all) - 1} {
		var fields map[string]any
		if err := json.Unmarshal(all[at], &fields); err != nil || fields["income"] == nil || fields["sex"] == nil {
			t.Errorf("record %d: %v, %v", at, fields, err)
		}
	}
}
