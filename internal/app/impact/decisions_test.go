package impact

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/observe"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestWhereDecisionsAre: the flag names the field; without it the monitor's field is used, and then the label, unless labels are numbers.
func TestWhereDecisionsAre(t *testing.T) {
	of := func(change func(c *config.Loaded)) *config.Loaded {
		c := apptest.Load(t, apptest.Loans, config.Learning)
		change(c)
		return c
	}
	monitored := of(func(c *config.Loaded) { c.Monitor.Decision = observe.GivenDecision{Field: "hired", Positive: "yes"} })
	number := of(func(c *config.Loaded) { c.Record.Label = record.Label{Field: "pay"} })
	for name, c := range map[string]struct {
		table Table
		want  record.Label
		says  string
	}{
		"the command line": {Table{Decision: "a=b=c", Config: monitored}, record.Label{Field: "a", Positive: "b=c"}, ""},
		"the monitor":      {Table{Config: monitored}, record.Label{Field: "hired", Positive: "yes"}, ""},
		"the label":        {Table{Config: of(func(*config.Loaded) {})}, record.Label{Field: "paid", Positive: "1"}, ""},
		"a number":         {Table{Config: number}, record.Label{}, "the label of the configuration is a number"},
		"nowhere":          {Table{}, record.Label{}, "--decision is missing: write FIELD=VALUE"},
	} {
		if err := c.table.Decisions(); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) || c.table.label.Field != c.want.Field || c.table.label.Positive != c.want.Positive {
			t.Errorf("%s: %+v, %v", name, c.table.label, err)
		}
	}
	broken := errors.New("the disk is broken")
	var out, notes bytes.Buffer
	count := func(source input.Source) error {
		a := Table{Streams: &program.Streams{Out: &out, Err: &notes}, Sex: "sex", Race: "race", Decision: "hired=yes", Source: source}
		return errors.Join(a.Decisions(), a.OfFile(t.Context()))
	}
	if err := count(input.Source{Open: func(record.Config) (input.Rows, error) { return nil, broken }}); !errors.Is(err, broken) {
		t.Errorf("a file that cannot be opened: %v", err)
	}
	err := count(input.Source{Name: "f.csv", Open: func(as record.Config) (input.Rows, error) {
		return record.NewReader(strings.NewReader("sex,race,hired\nM,a,yes\nF,b,no\nM,b,\nF,a,yes\n"), record.CSV, as.Limits)
	}})
	if err != nil || notes.String() != "Warning: 1 record not counted: missing_decision\n" {
		t.Errorf("%v: %s", err, notes.String())
	}
}
