package keys_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/internal/inspect/keys"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestLabelsBeforeTheirRecords are told of from one in a hundred records on: a few come from records that were there before the first.
func TestLabelsBeforeTheirRecords(t *testing.T) {
	for early, told := range map[int]bool{0: false, 5: false, 6: true, 600: true} {
		config := inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore, c.Record.Key = nil, "id" })
		records, err := seen.New(config)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 600 {
			if err := records.Add([]byte(inspecttest.QuotedIncome(i))); err != nil {
				t.Fatal(err)
			}
		}
		records.Early = early
		search := find.New(records)
		keys.Identifiers(search)
		want := fmt.Sprintf("the labels of %d records came before them", early)
		if got := fmt.Sprint(search.Found); strings.Contains(got, want) != told {
			t.Errorf("%d: %s", early, got)
		}
	}
}
