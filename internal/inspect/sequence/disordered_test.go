package sequence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
)

// TestTimesInTheWrongOrder: five of two hundred at least, and three in a hundred at most.
func TestTimesInTheWrongOrder(t *testing.T) {
	for _, c := range []struct {
		records, wrong int
		want           bool
	}{{200, 5, true}, {200, 4, false}, {199, 5, false}, {1000, 30, true}, {1000, 31, false}} {
		i, err := inspect.New(inspecttest.With(inspecttest.Ignoring))
		if err != nil {
			t.Fatal(err)
		}
		for at := range c.records {
			begun, ended := 1+at%14, 15+at*7%13
			if at < c.wrong {
				begun, ended = ended, begun
			}
			_ = i.Add([]byte(strings.Replace(inspecttest.QuotedIncome(at), `"income"`, fmt.Sprintf(`"begun":"2024-03-%02d","ended":"2024-03-%02d","income"`, begun, ended), 1)))
		}
		want := fmt.Sprintf(`record: in %d of %d records "ended" is before "begun", in all others it is after`, c.wrong, c.records)
		said := false
		for _, f := range i.Findings() {
			said = said || strings.HasPrefix(f.String(), want)
		}
		if said != c.want {
			t.Errorf("%+v: %v, want %q", c, said, want)
		}
	}
}
