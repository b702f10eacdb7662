package column_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestFindings: of made-up loans, what is found, and that it is found first.
func TestFindings(t *testing.T) {
	inspecttest.Finds(t, []inspecttest.Case{
		{Name: "columns", Config: inspecttest.Loans(), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			`record.ignore: add "id": it is left out of the features, since it is an identifier`, `record.missing: "income" holds numbers but for 72 of 600 texts, as unknown (72), so each number is a category of its own`}},
		{Name: "every feature ignored", Config: inspecttest.With(func(c *model.Config) {
			inspecttest.Ignoring(c)
			c.Record.Ignore = []string{"id", "income", "applicant.age"}
		}), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			`!record: there is no feature: every field is the label, an attribute, in record.ignore. All records get the same decision`}},
		{Name: "every feature ignored or left out", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore = []string{"income", "applicant.age"} }), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			`!record: there is no feature: every field is the label, an attribute, in record.ignore, or left out (id). All records`,
			`record.ignore: add "id": it is left out of the features`}},
		{Name: "numbers with separators", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"income"`, fmt.Sprintf(`"amount":"%d,%03d.5","income"`, 1+i/9, i), 1)
		}, Want: []string{`record.ignore: "amount" holds numbers with separators, currency or percent signs in 600 of 600 values. These are texts to the learner, and the column is left out`}},
		{Name: "numbers with separators that are declared", Config: inspecttest.With(func(c *model.Config) {
			inspecttest.Ignoring(c)
			c.Learner.Columns = map[string]features.ColumnConfig{"amount": {Type: features.Categorical}}
		}), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"income"`, fmt.Sprintf(`"amount":"%d,%03d.5","income"`, 1+i/9, i%40), 1)
		}},
		{Name: "arrays", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"income"`, `"tags":["a","b"],"nested":[[1,2],[3]],"one":[1],"sales":{"2025":1},"income"`, 1)
		}, Want: []string{`record.ignore: "tags" is an array: each of its 2 places is a feature of its own`, `record.ignore: "nested" is an array: each of its 2 places`}},
		{Name: "arrays that are declared", Config: inspecttest.With(func(c *model.Config) {
			inspecttest.Ignoring(c)
			c.Learner.Columns = map[string]features.ColumnConfig{"point.0": {Type: features.Numeric}}
		}), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"income"`, fmt.Sprintf(`"point":[%d,%d],"income"`, i%7, i%10), 1)
		}},
		{Name: "a header line twice", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"income":"unknown"`, `"income":"income"`, 1)
		}, Want: []string{`record: the header line is repeated among the records: in 72 of them, "income" is "income"`}},
	})
}
