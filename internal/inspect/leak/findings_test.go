package leak_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
)

// TestFindings: of made-up loans, what is found, and that it is found first.
func TestFindings(t *testing.T) {
	inspecttest.Finds(t, []inspecttest.Case{
		{Name: "a feature that holds the label", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"income"`, fmt.Sprintf(`"late":%d,"income"`, max(0, i%4*(i%90))), 1)
		}, Want: []string{`record.ignore: add "late" unless it is known before the label: alone it predicts 5`}},
	})
}
