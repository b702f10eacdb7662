package keys_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestFindings: of made-up loans, what is found, and that it is found first.
func TestFindings(t *testing.T) {
	inspecttest.Finds(t, []inspecttest.Case{
		{Name: "more identifiers than are told apart", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), Records: 6000, Record: inspecttest.QuotedIncome},
		{Name: "few records with one identifier", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), Records: 199, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), fmt.Sprintf("K-%x", i*7919), "K", 1)
		}},
		{Name: "identifiers of nine tenths", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), Records: 200, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), fmt.Sprintf("K-%x", i*7919), fmt.Sprint("K", i%180), 1)
		}},
		{Name: "an identifier of all", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore, c.Record.ID = nil, "id" }), Records: 200, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), fmt.Sprintf("K-%x", i*7919), "K", 1)
		}, Want: []string{`record.id: "id" has one value in 200 records, and a monitor counts decisions with the same identifier once: name a field`}},
		{Name: "label never positive", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Label.Positive = "yes" }), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			`!record.label.positive: no record has the positive value "yes": the values of "repaid" are false (450), true (150)`}},
		{Name: "label always positive", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string { return strings.Replace(inspecttest.QuotedIncome(i), "false", "true", 1) }, Want: []string{
			`!record.label.positive: every record is positive: the values of "repaid" are true (600)`}},
		{Name: "label absent", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Label.Field = "repayed" }), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			`!record.label.field: no record has a field "repayed" (did you mean "repaid"?)`}},
		{Name: "labels that come later", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore = nil; c.Record.Key = "id" }), Records: 1200, Record: func(i int) string {
			if i%2 == 0 {
				return strings.Replace(inspecttest.QuotedIncome(i/2), `"repaid"`, `"other"`, 1)
			}
			return fmt.Sprintf(`{"id":"K-%x","repaid":%v}`, i/2*7919, i%5 == 0)
		}},
		{Name: "labels that have not come", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Record.Ignore = nil; c.Record.Key = "id" }), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"repaid"`, `"other"`, 1)
		}, Want: []string{`record.label.field: no record has the label "repaid" yet`}},
		{Name: "rare label", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), "true", fmt.Sprint(i == 0), 1)
		}, Want: []string{"record.label.positive: 1 of 600 records are positive"}},
		{Name: "attribute of another level", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Constraints[0].Attribute[0] = "sex" }), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			"!constraints: no enforced constraint has 30 records on each side",
			`constraints[0].attribute: no record has a field "sex" (did you mean "applicant.sex"?)`,
			`constraints[0].attribute: "applicant.sex" is kept out of the features, since it resembles the attribute "sex"`}},
		{Name: "group misspelt", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Constraints[0].Group = model.Values("Male") }), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			"!constraints: no enforced constraint",
			`constraints[0].group: none of the 600 records that demographic-parity looks at is Male: the values of "applicant.sex" are female (400), male (200)`}},
		{Name: "few records", Config: inspecttest.With(inspecttest.Ignoring), Records: 60, Record: inspecttest.QuotedIncome, Want: []string{"!constraints: no enforced constraint", "constraints[0].group: male has 20 records"}},
		{Name: "names that are not there", Config: inspecttest.With(func(c *model.Config) {
			inspecttest.Ignoring(c)
			c.Record.Ignore = append(c.Record.Ignore, "phones")
			c.Record.ID = "applicant.agee"
		}), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{`record.ignore: no record has a field "phones"`, `record.id: no record has a field "applicant.agee" (did you mean "applicant.age"?)`}},
		{Name: "labels in two ways", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), "true", []string{"true", `"True "`}[i/4%2], 1)
		}, Want: []string{`record.label.positive: "True " (75) are taken for negative labels, as only true is positive`}},
		{Name: "groups in two ways", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string {
			return strings.Replace(inspecttest.QuotedIncome(i), `"female"`, []string{`"female"`, `"Female"`}[i/3%2], 1)
		}, Want: []string{`constraints[0].attribute: Female (200) of "applicant.sex" are not in the groups male and female`}},
		{Name: "tau of a ratio", Config: inspecttest.With(func(c *model.Config) { inspecttest.Ignoring(c); c.Constraints[0].Tau = .8 }), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			"constraints[0].tau: 0.8 allows nearly every difference of rates"}},
		{Name: "tau of a difference", Config: inspecttest.With(func(c *model.Config) {
			inspecttest.Ignoring(c)
			c.Constraints[0].Criterion, c.Constraints[0].Tau = fairness.ImpactRatio, .05
		}), Records: 600, Record: inspecttest.QuotedIncome, Want: []string{
			"constraints[0].tau: 0.05 is the least ratio of the rates, so one group may be accepted 20 times"}},
		{Name: "no record", Config: inspecttest.Loans(), Want: []string{"!record: no record can be read"}},
		{Name: "nothing but malformed ones", Config: inspecttest.Loans(), Records: 5, Record: func(int) string { return "[]" }, Want: []string{"!record: no record can be read; most often for not_an_object"}},
		{Name: "many malformed ones", Config: inspecttest.With(inspecttest.Ignoring), Records: 600, Record: func(i int) string { return []string{inspecttest.QuotedIncome(i), "{"}[min(i%5, 1)] }, Want: []string{
			"!record: 480 records are rejected; most often for malformed_json"}},
		{Name: "one number", Config: inspecttest.With(func(c *model.Config) {
			inspecttest.Ignoring(c)
			c.Learner.Task, c.Record.Label = model.Regression, record.Label{Field: "y"}
			c.Constraints = nil
		}), Records: 600, Record: func(i int) string { return fmt.Sprintf(`{"y":3,"id":1,"a":%d}`, i%7) }, Want: []string{"!record.label.field: every label is the same number"}},
	})
}
