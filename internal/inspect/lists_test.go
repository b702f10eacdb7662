package inspect_test

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/inspecttest"
	"github.com/fairstream/fairstream/pkg/model"
)

// TestEveryListOfChecksIsTried: of all records, of columns, of labels of two classes, and further ones of columns. What is fatal comes first; a learner is told of single columns
// alone, and not of those that it leaves out itself.
func TestEveryListOfChecksIsTried(t *testing.T) {
	told := func(i int) string { // with a column that tells the label
		line := inspecttest.QuotedIncome(i)
		closed := "0"
		if strings.Contains(line, `"repaid":true`) {
			closed = "1"
		}
		return strings.TrimSuffix(line, "}") + `,"closed":` + closed + "}"
	}
	config := inspecttest.With(func(c *model.Config) { c.Constraints[0].Group = model.Values("man") })
	i := inspected(t, config, 600, told)
	begin := func(found []find.Finding) (all []string) {
		for _, f := range found {
			text := f.String()
			if f.Fatal {
				text = "!" + text
			}
			all = append(all, text[:min(len(text), 30)])
		}
		return all
	}
	for name, c := range map[string]struct {
		found []find.Finding
		want  string
	}{
		"all":             {i.Findings(), `!constraints: no enforced cons|constraints[0].group: none of |record.ignore: add "closed" un|record.ignore: add "id": it is|record.missing: "income" holds`},
		"single columns":  {i.ColumnFindings(), `record.ignore: add "closed" un|record.missing: "income" holds`},
		"of a regression": {inspected(t, inspecttest.With(func(c *model.Config) { c.Learner.Task = model.Regression }), 600, told).ColumnFindings(), `record.missing: "income" holds`},
	} {
		if got := strings.Join(begin(c.found), "|"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
