package inspecttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/inspect"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Loans is a configuration of records as Loan makes them.
func Loans() model.Config {
	c := config.Default()
	c.Record.Label = record.Label{Field: "repaid", Positive: "true"}
	c.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"applicant.sex"}, Group: model.Values("male"), Versus: model.Values("female"), Tau: .05}}
	return c.WithDefaults().Model()
}

// Loan is the i-th of some made-up loans, of which an income is not a number.
func Loan(i int) string {
	return fmt.Sprintf(`{"id":"K-%x","applicant":{"sex":"%s","age":%d},"income":%s,"repaid":%v}`,
		i*7919, []string{"male", "female", "female"}[i%3], 20+i%50, []string{"1000", "2000.5", "3000", "700", "800", "900", "250", "unknown"}[i/4%8], i%4 == 0)
}

// QuotedIncome is Loan with an income that is a text there.
func QuotedIncome(i int) string { return strings.Replace(Loan(i), "unknown", `"unknown"`, 1) }

// WithAmount is a loan with an amount that no other has.
func WithAmount(i, amount int) string {
	return strings.Replace(QuotedIncome(i), `"income"`, fmt.Sprintf(`"amount":%d.5,"income"`, amount*amount), 1)
}

// Copied are 300 loans in a mixed order, 20 times over, each with an identifier of its own.
func Copied(i int) string {
	k := i * 7919 % 300
	return strings.Replace(WithAmount(k, k), `"id":"K-`, fmt.Sprintf(`"id":"K-%x-`, i), 1)
}

// With is Loans with a change.
func With(change func(*model.Config)) model.Config {
	c := Loans()
	change(&c)
	return c
}

// Ignoring leaves out the identifier, and the income that is not a number.
func Ignoring(c *model.Config) {
	c.Record.Ignore, c.Record.Missing = []string{"id"}, []record.Text{"unknown"}
}

// Case is a configuration with records, and what is found of them.
type Case struct {
	Name    string
	Config  model.Config
	Records int
	Record  func(i int) string
	// Want are the first findings in this order, each as it begins, with "!" before a fatal one. None is to be found where it is empty.
	Want  []string
	Alone bool // there are no more
}

// Finds tries each case.
func Finds(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			i, err := inspect.New(c.Config)
			if err != nil {
				t.Fatal(err)
			}
			for at := range c.Records {
				_ = i.Add([]byte(c.Record(at))) // counted by the inspection
			}
			var got []string
			for _, f := range i.Findings() {
				got = append(got, map[bool]string{true: "!"}[f.Fatal]+f.String())
			}
			for at, want := range c.Want {
				if at >= len(got) || !strings.HasPrefix(got[at], want) {
					t.Errorf("%d: want %s\nin %s", at, want, strings.Join(got, "\n"))
				}
			}
			if (c.Alone || len(c.Want) == 0) && len(got) != len(c.Want) {
				t.Errorf("%d findings, want %d: %s", len(got), len(c.Want), strings.Join(got, "\n"))
			}
		})
	}
}
