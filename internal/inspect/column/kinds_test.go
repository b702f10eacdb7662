package column_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/column"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/profile"
)

// TestWhyAColumnIsLeftOut: as the whole sample shows it, or else as the learner saw it in the first records.
func TestWhyAColumnIsLeftOut(t *testing.T) {
	for kind, want := range map[profile.Kind]string{
		profile.Identifier: "since it is an identifier (nearly every value is new)",
		profile.Number:     "since nearly all its first values differ, as identifiers do;",
	} {
		c := profile.Column{Name: "customer", Kind: kind, Records: 600, Values: 600, Distinct: 100}
		if kind == profile.Identifier {
			c.Why = "nearly every value is new"
		}
		s := &find.Search{Records: &seen.Records{Config: inspecttest.Loans(), Features: map[string]bool{"customer": true}}, Columns: []profile.Column{c}, Left: []string{"customer"}}
		column.Kinds(s)
		if len(s.Found) != 1 || !s.Found[0].LeftOut || !strings.Contains(s.Found[0].Text, want) {
			t.Errorf("%v: %+v", kind, s.Found)
		}
	}
}
