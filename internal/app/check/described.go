package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/keys"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// against holds a configuration against the schema of a topic: what is wrong there is so in every record, whatever the sample shows.
type against struct {
	config model.Config
	schema *format.Described
	fields []format.Field
	found  []find.Finding
}

// described lists what the schema of the newest message says against the configuration.
func described(config model.Config, schema *format.Described) ([]find.Finding, error) {
	records, err := config.Schema()
	if err != nil {
		return nil, err
	}
	a := against{config: config, schema: schema, fields: schema.Within(records.Within())}
	unfit := ""
	if why := schema.Unfit(records); why != nil {
		unfit = why.Error()
		text := unfit + a.symbolsOfLabel()
		a.add(true, "record", "%s. Each such record becomes a dead letter (unfit_schema)", text)
	}
	for _, named := range a.named() {
		if !a.has(named.Field) && !strings.Contains(unfit, strconv.Quote(named.Field)) {
			a.add(named.Path == "record.key", named.Path, "has no field %q%s: name another field, or remove it here", named.Field, english.DidYouMeanField(named.Field, a.names()))
		}
	}
	a.kinds()
	a.later()
	a.groups()
	return a.found, nil
}

// add adds a finding about the schema.
func (a *against) add(fatal bool, path, text string, arguments ...any) {
	a.found = append(a.found, find.Finding{Fatal: fatal, Path: path, Text: a.schema.Name + " " + english.Sprintf(text, arguments...)})
}

// named are the fields that the configuration names, but for the label.
func (a *against) named() []keys.NamedField {
	named := keys.Named(a.config)
	for path, field := range map[string]string{"record.key": a.config.Record.Key, "record.weight": a.config.Record.Weight} {
		if field != "" {
			named = append(named, keys.NamedField{Path: path, Field: field})
		}
	}
	slices.SortStableFunc(named, func(a, b keys.NamedField) int { return strings.Compare(a.Path, b.Path) })
	return named
}

func (a *against) names() (names []string) {
	for _, f := range a.fields {
		names = append(names, f.Name)
	}
	return names
}

// has says whether records may have a field, under its present name or an earlier one.
func (a *against) has(name string) bool {
	is := func(rename record.Rename) bool { return rename.Was == name && a.may(rename.Field) }
	return a.may(name) || slices.ContainsFunc(a.config.Record.Renamed, is)
}

// may says whether records may have a field of a name: it is one, or one lies below it, or it lies below a map or an array.
func (a *against) may(name string) bool {
	return len(a.fields) >= format.MaxFields || slices.ContainsFunc(a.fields, func(f format.Field) bool {
		return f.Name == name || strings.HasPrefix(f.Name, name+".") || f.Kind == format.Open && strings.HasPrefix(name, f.Name+".")
	})
}

func (a *against) field(name string) (f format.Field, found bool) {
	i := slices.IndexFunc(a.fields, func(f format.Field) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return a.fields[i], true
}

// symbolsOfLabel lists the texts that an enum lets the label have.
func (a *against) symbolsOfLabel() string {
	if f, found := a.field(a.config.Record.Label.Field); found && f.Kind == format.Symbol && !slices.Contains(f.Symbols, string(a.config.Record.Label.Positive)) {
		return ": set record.label.positive to one of " + english.List(f.Symbols)
	}
	return ""
}

// kinds finds a weight and a time whose type they cannot have.
func (a *against) kinds() {
	is := func(name string, never ...format.Kind) bool {
		f, found := a.field(name)
		return found && slices.Contains(never, f.Kind)
	}
	if weight := a.config.Record.Weight; is(weight, format.Boolean, format.Symbol, format.Time, format.UUID, format.Bytes, format.Open) {
		a.add(true, "record.weight", "declares %q with a type that is not numeric: name a numeric field", weight)
	}
	if time := a.config.Record.Time.Field; is(time, format.Boolean, format.Symbol, format.UUID, format.Bytes, format.Open) {
		a.add(false, "record.time.field", "declares %q with a type that is not a time: name another field", time)
	}
}

// later finds records that cannot wait for their label, although record.key says that they may: each has one. In Protobuf that is the default, which
// nothing tells from a label that is known.
func (a *against) later() {
	label, found := a.field(a.config.Record.Label.Field)
	if !found || label.Nullable || a.config.Record.Key == "" {
		return
	}
	for _, c := range a.config.Constraints {
		for _, attribute := range c.Attribute {
			if !a.has(attribute) {
				return // messages that bring labels alone
			}
		}
	}
	a.add(false, "record.label.field", "gives each record a value of %q, so no record waits for its label: if labels come later, make the field optional (Protobuf) or nullable (Avro), or leave it out of the schema of these records", label.Name)
}

// groups finds values of attributes that an enum does not have.
func (a *against) groups() {
	for i, c := range a.config.Constraints {
		if len(c.Attribute) != 1 {
			continue
		}
		f, found := a.field(c.Attribute[0])
		if !found || f.Kind != format.Symbol {
			continue
		}
		for _, side := range []struct {
			key   string
			group model.Group
		}{{"group", c.Group}, {"versus", c.Versus}} {
			for _, member := range side.group {
				for _, value := range member.Values {
					if !slices.Contains(f.Symbols, value) && !slices.Contains([]string{"rest", "each", "best"}, value) {
						a.add(false, english.Sprintf("constraints[%d].%s", i, side.key), "has no symbol %q of %s: use one of %s", value, f.Name, english.List(f.Symbols))
					}
				}
			}
		}
	}
}
