package check

import (
	"errors"
	"slices"
	"strconv"
	"strings"
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
	const keyed = `record: {label: {field: answer, positive: "YES"}, id: id, key: id}
constraints: [{name: a, attribute: person.sex, group: F, versus: M, tau: .1}]
`
	if said := says(keyed, schema); len(said) != 1 || said[0] != `record.label.field: schema id 7 gives each record a value of "answer", so no record waits for its label: if labels come later, make the field optional (Protobuf) or nullable (Avro), or leave it out of the schema of these records` {
		t.Errorf("of a label that is always there: %q", said)
	}
	for name, change := range map[string]func([]format.Field) []format.Field{
		"a label that may lack": func(all []format.Field) []format.Field { all[5].Nullable = true; return all },
		"no label":              func(all []format.Field) []format.Field { return all[:5] },
		"labels alone":          func(all []format.Field) []format.Field { return []format.Field{all[0], all[5]} },
	} {
		later := *schema
		later.Fields = change(slices.Clone(schema.Fields))
		if said := says(keyed, &later); slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, "waits for its label") }) {
			t.Errorf("%s: %q", name, said)
		}
	}
	// A description that reached its bound may lack fields: nothing is said of those, and one field fewer is a whole description.
	for missing, want := range []int{0, 1} {
		bounded := *schema
		bounded.Fields = slices.Clone(schema.Fields)
		for i := len(bounded.Fields); i < format.MaxFields-missing; i++ {
			bounded.Fields = append(bounded.Fields, format.Field{Name: strconv.Itoa(i), Kind: format.Integer})
		}
		const unknown = `record: {label: {field: answer, positive: "YES"}, id: nowhere}
constraints: [{name: a, attribute: person.sex, group: F, versus: M, tau: .1}]
`
		if said := says(unknown, &bounded); len(said) != want {
			t.Errorf("of %d fields: %q", len(bounded.Fields), said)
		}
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
