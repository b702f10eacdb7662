package relation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
)

// TestFindings: of made-up loans, what is found, and that it is found first.
func TestFindings(t *testing.T) {
	inspecttest.Finds(t, []inspecttest.Case{
		{Name: "copies of records", Config: inspecttest.With(inspecttest.Ignoring), Records: 6000, Record: inspecttest.Copied, Want: []string{
			`record: 5700 of 6000 records with a label are copies of an earlier one in every field that is read, although "amount" has a value of its own`}, Alone: true},
		{Name: "copies of records with a leak", Config: inspecttest.With(inspecttest.Ignoring), Records: 6000, Record: func(i int) string {
			return strings.Replace(inspecttest.Copied(i), `"amount"`, fmt.Sprintf(`"late":%v,"amount"`, strings.Contains(inspecttest.Copied(i), "true")), 1)
		}, Want: []string{"record: 5700 of 6000", `record.ignore: add "late" unless it is known before the label: alone it predicts`}, Alone: true},
		{Name: "a few copies", Config: inspecttest.With(inspecttest.Ignoring), Records: 6000, Record: func(i int) string { return inspecttest.WithAmount(i, max(i, 30)*7919%10007) }},
		{Name: "records of few values that agree by chance", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return fmt.Sprintf(`{"id":%d,"applicant":{"sex":"%s"},"late":%v,"repaid":%v}`, i, []string{"male", "female", "female"}[i%3], i%4 == 0, i%4 == 0)
		}, Want: []string{`record.ignore: add "late" unless`}},
		{Name: "smaller numbers in one place", Config: inspecttest.With(inspecttest.Ignoring), Records: 1200, Record: func(i int) string {
			amount := float64(100 + i*7919%499)
			if i/7%4 == 1 {
				amount /= 1000
			}
			return strings.Replace(inspecttest.QuotedIncome(i), `"income"`, fmt.Sprintf(`"place":"p%d","amount":%v,"income"`, i/7%4, amount), 1)
		}, Want: []string{`record: where "place" is p1, the numbers of "amount" are about 1.02e+03 times smaller than elsewhere, and spread in the same way: are they in another unit`}},
	})
}
