package record

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Config is the `record` section of the configuration: how fields become records. Field names
// are dotted paths.
type Config struct {
	// At is where a message holds the record: debezium, connect or cloudevents, or the dotted path of an object. Fields are
	// named from there on. If it is empty, the message is the record. docs/formats.md has the rules.
	At At `yaml:"at,omitempty" json:"at,omitempty"`
	// Format is what messages are written as: json (the default, also behind the header of a schema registry), avro (behind
	// that header), avro-single (single-object encoding), avro-bare (without a header), protobuf (behind that header) or
	// protobuf-bare (without a header). docs/formats.md has the rules.
	Format Encoding `yaml:"format,omitempty" json:"-"`
	// Schema is the path of a file that contains the schema of the messages, or a list of paths: for avro-single the schemas
	// that messages may have, for avro-bare the one that all have, for protobuf-bare the .proto file or descriptor set
	// whose first type all have.
	Schema OneOrMore `yaml:"schema,omitempty" json:"-"`
	// Label is the field to predict. Required.
	Label Label `yaml:"label" json:"label"`
	// Features are the fields to use as features; if the list is empty, every field that has no other role. A name
	// includes everything below it: a stands for a.b and a.0. "*" stands for every field that has no other role. A
	// field with another role, such as an attribute, is a feature only if you list its own name.
	Features []string `yaml:"features,omitempty" json:"features,omitempty"`
	// Ignore is the list of fields that are not read at all. A name includes everything below it.
	Ignore []string `yaml:"ignore,omitempty" json:"ignore,omitempty"`
	// Renamed is the list of fields that were learnt under another name. A record may use either name, so a saved
	// state remains usable when the schema of the input changes. A name includes everything below it. Optional.
	Renamed []Rename `yaml:"renamed,omitempty" json:"renamed,omitempty"`
	// Missing are the texts that mean "missing", in addition to JSON null. Default ["", "?", NaN, nan, NA, N/A, null,
	// None, NULL]. With an empty list only null is missing.
	Missing []Text `yaml:"missing" json:"missing"`
	// Weight is the field that contains the weight of the record, a number from 0 to 1e6. Optional.
	Weight string `yaml:"weight,omitempty" json:"weight,omitempty"`
	// Propensity is the field that contains the probability with which the label of the record would become known, above 0 and at most 1, if that is
	// known by design: exploration writes it as "propensity". With record.key, the message of the label may contain it. A record without it has
	// none. Optional. docs/labels.md has an example.
	Propensity string `yaml:"propensity,omitempty" json:"propensity,omitempty"`
	// ID is the field that identifies a record, so that a person can find it. Optional.
	ID string `yaml:"id,omitempty" json:"id,omitempty"`
	// Time is the event time. Optional.
	Time Time `yaml:"time,omitempty" json:"time,omitzero"`
	// Times are fields with a time of which numbers become features: hour, weekday, month or age. Any other time is left
	// out of the features, since each is a new value. Optional.
	Times []Times `yaml:"times,omitempty" json:"times,omitempty"`
	// Key is the field that connects a record with its label if the label arrives later. With a key, a record may
	// arrive without a label. Both messages must be in the same partition, the record first: give them the same Kafka
	// key. Optional.
	Key string `yaml:"key,omitempty" json:"key,omitempty"`
	// Unlabelled is what becomes of a record without a label: count or reject. With count, constraints that need no label are measured and
	// kept over all records, and the rest is learnt from those with a label. With reject, a record without a label is a dead letter; or, with
	// a key, it counts only once its label has come. The default is count with a key, and reject without. docs/labels.md has examples.
	Unlabelled Unlabelled `yaml:"unlabelled,omitempty" json:"unlabelled,omitempty"`
	// CSV is how CSV files are written, if not with commas, decimal points and UTF-8. It is of files alone: topics hold no CSV. Optional.
	CSV Dialect `yaml:"csv,omitempty" json:"csv,omitzero"`
	// Limits are the largest sizes of one record.
	Limits Limits `yaml:"limits" json:"limits"`
}

// Unlabelled says what becomes of a record without a label.
type Unlabelled string

// What may become of it.
const (
	Count  Unlabelled = "count"
	Reject Unlabelled = "reject"
)

// Counts says whether a record without a label counts.
func (c *Config) Counts() bool {
	return c.Unlabelled == Count || c.Unlabelled == "" && c.Key != ""
}

// Rename gives a field its former name.
type Rename struct {
	// Field is the present name of the field in the input.
	Field string `yaml:"field" json:"field"`
	// Was is the name under which the field was learnt. The rest of the configuration uses this name.
	Was string `yaml:"was" json:"was"`
}

// learntAs is the name of a field in the rest of the configuration.
func (c *Config) learntAs(field string) string {
	for _, rename := range c.Renamed {
		if rename.Field == field {
			return rename.Was
		}
	}
	return field
}

// Label names the field to predict. With Positive the label is one of two classes, without it a
// number.
type Label struct {
	// Field is the field to predict.
	Field string `yaml:"field" json:"field"`
	// Positive is the value of a positive label; every other value that is not missing is negative. Required for
	// classification; absent for regression, whose label is a number.
	Positive Text `yaml:"positive,omitempty" json:"positive,omitempty"`
	// Time is the field that contains the time at which the label became known, written like that of record.time, which it needs. replay then learns a
	// label when the records have come to its time, and counts the record before. It is of files alone: on a topic, labels come by record.key. Optional.
	Time string `yaml:"time,omitempty" json:"time,omitempty"`
}

// Numeric says whether the label is a number.
func (l Label) Numeric() bool { return l.Positive == "" }

// Time names the field that holds the event time and how it is written.
type Time struct {
	// Field is the field that contains the event time.
	Field string `yaml:"field" json:"field"`
	// Format is the format of the event time: rfc3339 (the default), unix (seconds) or unix-ms (milliseconds).
	Format TimeFormat `yaml:"format,omitempty" json:"format,omitempty"`
}

// Limits are the largest size, number of values and depth of one record. A record beyond a limit is rejected. A limit of
// 0 means the default: 1 MiB, 4,096 values, depth 32.
type Limits struct {
	// RecordBytes is the largest size of a record in bytes. 0 means 1 MiB; at most 64 MiB.
	RecordBytes int `yaml:"record_bytes,omitempty" json:"record_bytes,omitempty"`
	// Fields is the largest number of values in a record, including objects and array elements. 0 means 4,096; at most
	// 65,536.
	Fields int `yaml:"fields,omitempty" json:"fields,omitempty"`
	// Depth is the deepest nesting of a record; the record itself has depth 1. 0 means 32; at most 1,000.
	Depth int `yaml:"depth,omitempty" json:"depth,omitempty"`
}

// Defaults and the ranges that Validate enforces.
const (
	DefaultRecordBytes = 1 << 20
	DefaultFields      = 4096
	DefaultDepth       = 32

	maxRecordBytes = 64 << 20
	maxFields      = 1 << 16
	maxDepth       = 1000
)

// MaxWeight is the largest weight of a record, MaxLabel the largest absolute value of a label that
// is a number: the fourth power of an error is still finite.
const (
	MaxWeight = 1e6
	MaxLabel  = 1e30
)

// WithDefaults returns c with every unset key that has a default set to it.
func (c Config) WithDefaults() Config {
	if c.Missing == nil {
		c.Missing = []Text{"", "?", "NaN", "nan", "NA", "N/A", "null", "None", "NULL"}
	}
	if c.Time.Field != "" && c.Time.Format == "" {
		c.Time.Format = RFC3339
	}
	c.Times = slices.Clone(c.Times)
	for i := range c.Times {
		c.Times[i] = c.Times[i].withDefaults()
	}
	c.Limits.RecordBytes = cmp.Or(c.Limits.RecordBytes, DefaultRecordBytes)
	if c.Limits.Fields == 0 {
		c.Limits.Fields = DefaultFields
	}
	c.Limits.Depth = cmp.Or(c.Limits.Depth, DefaultDepth)
	return c
}

// Problem is one thing wrong with a configuration: the key and what to do about it.
type Problem struct {
	Path    string // the key, such as record.label.field
	Message string
}

// Error reads "path: message".
func (p Problem) Error() string { return p.Path + ": " + p.Message }

// Validate returns every problem of c, with attributes the fields that the constraints name. It
// is to be called on what WithDefaults returns.
func (c Config) Validate(attributes []string) []Problem {
	v := validation{}
	v.at(c.At)
	v.format(c)
	v.label(c)
	if c.Unlabelled != "" && c.Unlabelled != Count && c.Unlabelled != Reject {
		v.add("record.unlabelled", "%q is not known: use %s or %s", c.Unlabelled, Count, Reject)
	}
	v.names("record.features", c.Features)
	v.names("record.ignore", c.Ignore)
	v.renamed(c, attributes)
	v.roles(c, attributes)
	v.time(c.Time)
	if c.Label.Time != "" && c.Time.Field == "" {
		v.add("record.label.time", "needs record.time.field: the time of the record")
	}
	c.CSV.validate(&v)
	v.times(c, attributes)
	v.limit("record.limits.record_bytes", c.Limits.RecordBytes, maxRecordBytes)
	v.limit("record.limits.fields", c.Limits.Fields, maxFields)
	v.limit("record.limits.depth", c.Limits.Depth, maxDepth)
	return v.problems
}

type validation struct{ problems []Problem }

func (v *validation) add(path, format string, arguments ...any) {
	v.problems = append(v.problems, Problem{path, fmt.Sprintf(format, arguments...)})
}

func (v *validation) label(c Config) {
	if c.Label.Field == "" {
		v.add("record.label.field", "required: name the field to predict")
	}
	if !c.Label.Numeric() && slices.Contains(c.Missing, c.Label.Positive) {
		v.add("record.label.positive", "%q counts as missing: remove it from record.missing", c.Label.Positive)
	}
}

func (v *validation) names(path string, names []string) {
	seen := make(map[string]bool, len(names))
	for i, name := range names {
		switch {
		case name == "":
			v.add(fmt.Sprintf("%s[%d]", path, i), "empty: name a field or remove the entry")
		case seen[name]:
			v.add(fmt.Sprintf("%s[%d]", path, i), "%q is listed twice: remove one", name)
		}
		seen[name] = true
	}
}

// renamed refuses names that would lead nowhere: an empty one, itself, a name that is renamed too, and one that the
// configuration uses.
func (v *validation) renamed(c Config, attributes []string) {
	used := slices.Concat([]string{c.Label.Field, c.Label.Time, c.Weight, c.Propensity, c.ID, c.Time.Field, c.Key}, attributes, c.Features, c.Ignore)
	for i, rename := range c.Renamed {
		path := fmt.Sprintf("record.renamed[%d]", i)
		earlier := Config{Renamed: c.Renamed[:i]}
		switch {
		case rename.Field == "":
			v.add(path+".field", "required: the name that the field has now")
		case rename.Was == "":
			v.add(path+".was", "required: the name under which the field was learnt")
		case len(rename.Was) > MaxNameBytes:
			v.add(path+".was", "longer than %d bytes: no record can hold it", MaxNameBytes)
		case c.learntAs(rename.Was) != rename.Was || rename.Field == rename.Was:
			v.add(path+".was", "%q is renamed too: name the field as it was learnt first", rename.Was)
		case earlier.learntAs(rename.Field) != rename.Field:
			v.add(path+".field", "%q is listed twice: remove one", rename.Field)
		case slices.Contains(used, rename.Field):
			v.add(path+".field", "%q is used elsewhere in the configuration: use %q there, the name under which it was learnt", rename.Field, rename.Was)
		}
	}
}

// roles finds fields that were given two roles that exclude each other.
func (v *validation) roles(c Config, attributes []string) {
	type role struct{ path, field string }
	roles := []role{
		{"record.label.field", c.Label.Field},
		{"record.label.time", c.Label.Time},
		{"record.weight", c.Weight},
		{"record.propensity", c.Propensity},
		{"record.id", c.ID},
		{"record.time.field", c.Time.Field},
		{"record.key", c.Key},
	}
	for _, r := range roles {
		if len(r.field) > MaxNameBytes {
			v.add(r.path, "longer than %d bytes: no record can hold it", MaxNameBytes)
		}
		if r.field != "" && covered(c.Ignore, r.field) {
			v.add(r.path, "%q is ignored: remove it from record.ignore", r.field)
		}
		if r.field != "" && r.path != roles[0].path && r.field == c.Label.Field {
			v.add(r.path, "%q is the label: name another field", r.field)
		}
	}
	for _, attribute := range attributes {
		if covered(c.Ignore, attribute) {
			v.add("record.ignore", "%q is the attribute of a constraint: remove it here", attribute)
		}
		if attribute == c.Label.Field {
			v.add("record.label.field", "%q is the attribute of a constraint: name another field", attribute)
		}
	}
	if c.Label.Field != "" && slices.Contains(c.Features, c.Label.Field) {
		v.add("record.features", "%q is the label: remove it, a model must not read what it predicts", c.Label.Field)
	}
	for _, name := range c.Features {
		if covered(c.Ignore, name) {
			v.add("record.features", "%q is ignored: remove it here or from record.ignore", name)
		}
	}
}

func (v *validation) time(t Time) {
	if t.Field == "" {
		if t.Format != "" {
			v.add("record.time.field", "required with record.time.format: name the field or remove record.time")
		}
		return
	}
	if !slices.Contains(timeFormats, t.Format) {
		v.add("record.time.format", "%q is unknown: use one of %s", t.Format, joined(timeFormats))
	}
}

func (v *validation) limit(path string, value, most int) {
	if value < 1 || value > most {
		v.add(path, "%d is outside 1 to %d", value, most)
	}
}

// covered says whether path or something above it is listed.
func covered(names []string, path string) bool {
	for _, name := range names {
		if path == name || strings.HasPrefix(path, name) && path[len(name)] == '.' {
			return true
		}
	}
	return false
}

func joined[T ~string](names []T) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = string(name)
	}
	return strings.Join(words, ", ")
}
