package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/profile"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestASchemaProposesBetterThanASample: the sample is small and has one answer; the schema says the rest.
func TestASchemaProposesBetterThanASample(t *testing.T) {
	t.Parallel()
	var p profile.Profile
	var rec record.Record
	decoder := profile.AllFeatures(record.Config{}).NewDecoder()
	for i := range 200 {
		line := fmt.Sprintf(`{"handle":"%08x-0000-4000-8000-000000000000","born":%d,"sum":%d,"sex":"M","outcome":"YES"}`, i, 9000+i%7, 100+i)
		if err := decoder.DecodeJSON(&rec, []byte(line)); err != nil {
			t.Fatal(err)
		}
		p.Add(&rec)
	}
	fields := []format.Field{
		{Name: "handle", Kind: format.UUID},
		{Name: "born", Kind: format.Time, Doc: "day of birth"},
		{Name: "sum", Kind: format.Number, Doc: "in euros"},
		{Name: "sex", Kind: format.Symbol, Symbols: []string{"F", "M"}},
		{Name: "outcome", Kind: format.Symbol, Symbols: []string{"NO", "YES"}, Nullable: true},
		{Name: "later", Kind: format.Time},
		{Name: "list", Kind: format.Open},
	}
	yaml := func(fields []format.Field) string {
		d := New(described(p.Columns(), fields, p.Records()))
		d.Records = p.Records()
		d.describe("schema id 7", fields)
		return d.YAML()
	}
	said := yaml(fields)
	for _, line := range []string{
		"are those of the newest message's schema, schema id 7.", "  id: handle\n", "    - born  # time: the schema says that it is a time. Schema: day of birth\n",
		"    - later  # time", "  #   sum  number, 100 to 299. Schema: in euros\n",
		"  # Values: YES 200, NO 0\n  label: {field: outcome, positive: \"YES\"}\n", "  unlabelled: count\n",
		"    attribute: sex\n    group: M\n    versus: F\n",
	} {
		if !strings.Contains(said, line) {
			t.Errorf("the draft lacks %q:\n%s", line, said)
		}
	}
	nullable := slices.Clone(fields)
	nullable[0].Nullable = true
	if said := yaml(nullable); strings.Contains(said, "  id: ") || !strings.Contains(said, "    - handle  # identifier") {
		t.Errorf("an identifier that may be null is proposed for record.id:\n%s", said)
	}
	if said := yaml(nil); strings.Contains(said, "  id: ") || strings.Contains(said, "outcome, positive") || strings.Contains(said, "#   sum ") {
		t.Errorf("the sample alone proposes as much:\n%s", said)
	}
}
