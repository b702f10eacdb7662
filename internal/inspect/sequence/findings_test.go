package sequence_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
)

// TestFindings: of made-up loans, what is found, and that it is found first.
func TestFindings(t *testing.T) {
	inspecttest.Finds(t, []inspecttest.Case{
		{Name: "sorted by the label", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.NewReplacer("true", fmt.Sprint(i < 200), "false", fmt.Sprint(i < 200)).Replace(inspecttest.QuotedIncome(i))
		}, Want: []string{"record.label.field: the records are sorted by the label: 2 runs of equal labels where a random order has about 268"}},
	})
}
