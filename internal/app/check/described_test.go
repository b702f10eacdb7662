package check

import (
	"errors"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestAConfigurationAgainstASchema: each key that the schema contradicts is named with what helps, and a configuration that fits is not.
func TestAConfigurationAgainstASchema(t *testing.T) {
	schema := &format.Described{Name: "schema id 7", Unfit: func(*record.Schema) error { return nil }, Fields: []format.Field{
		{Name: "id", Kind: format.UUID},
		{Name: "person.sex", Kind: format.Symbol, Symbols: []string{"F", "M"}},
		{Name: "person.age", Kind: format.Integer},
		{Name: "more", Kind: format.Open},
		{Name: "at", Kind: format.Boolean},
		{Name: "answer", Kind: format.Symbol, Symbols: []string{"NO", "YES"}},
	}}
	says := func(yaml string, schema *format.Described) (said []string) {
		t.Helper()
		findings, err := described(apptest.Load(t, yaml, config.Learning).Model(), schema)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if f.Fatal {
				said = append(said, "fatal "+f.String())
			} else {
				said = append(said, f.String())
			}
		}
		return said
	}
	const fits = `record: {label: {field: answer, positive: "YES"}, id: id, ignore: [years, more.any], renamed: [{field: person.age, was: years}]}
constraints: [{name: a, attribute: person.sex, group: F, versus: M, tau: .1}, {name: b, attribute: person.sex, group: F, versus: rest, tau: .1}]
`
	if said := says(fits, schema); said != nil {
		t.Errorf("of a configuration that fits: %q", said)
	}
	const not = `record: {label: {field: answer, positive: "yes"}, id: ids, weight: person.sex, ignore: [persn], time: {field: at}}
constraints: [{name: a, attribute: person.sex, group: f, versus: M, tau: .1}, {name: b, attribute: sex, group: f, versus: M, tau: .1}]
`
	unfit := *schema
	unfit.Unfit = func(*record.Schema) error { return errors.New(`gives the label "answer" a type`) }
	want := []string{
		`fatal record: schema id 7 gives the label "answer" a type: set record.label.positive to one of NO, YES. Each such record becomes a dead letter (unfit_schema)`,
		`constraints[1].attribute: schema id 7 has no field "sex" (did you mean "person.sex"?): name another field, or remove it here`,
		`record.id: schema id 7 has no field "ids" (did you mean "id"?): name another field, or remove it here`,
		`record.ignore: schema id 7 has no field "persn": name another field, or remove it here`,
		`fatal record.weight: schema id 7 declares "person.sex" with a type that is not numeric: name a numeric field`,
		`record.time.field: schema id 7 declares "at" with a type that is not a time: name another field`,
		`constraints[0].group: schema id 7 has no symbol "f" of person.sex: use one of F, M`,
	}
	if said := says(not, &unfit); !slices.Equal(said, want) {
		t.Errorf("it says\n%q, want\n%q", said, want)
	}
}
