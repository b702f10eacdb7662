package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// example is a configuration with every section.
const example = `job: adult
record:
  label: {field: income, positive: ">50K"}
  ignore: [fnlwgt]
  missing: ["", "?", "unknown"]
learner:
  mode: adaptive
constraints:
  - name: sex
    attribute: sex
    group: Male
    versus: Female
    criterion: demographic-parity
    tau: 0.05
    relaxation: approximation-1
    enforce: true
kafka:
  brokers: ["127.0.0.1:9092"]
topics:
  input: records
  model: models
  state: state
  dead_letter: records.dlq
`

// write puts text into a file named config.yaml and moves there, so that messages hold no directory.
func write(t *testing.T, texts ...string) []string {
	t.Helper()
	t.Chdir(t.TempDir())
	names := []string{"config.yaml", "second.yaml"}[:len(texts)]
	for i, text := range texts {
		if err := os.WriteFile(names[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func load(t *testing.T, sources Sources, purpose Purpose) *Loaded {
	t.Helper()
	loaded, err := Load(sources, purpose)
	if err != nil {
		t.Fatalf("Load:\n%v", err)
	}
	return loaded
}

func TestLoadReadsEverySection(t *testing.T) {
	loaded := load(t, Sources{Files: write(t, example)}, Streaming)
	want := Default()
	want.Job = "adult"
	want.Record.Label = record.Label{Field: "income", Positive: ">50K"}
	want.Record.Ignore = []string{"fnlwgt"}
	want.Record.Missing = []record.Text{"", "?", "unknown"}
	enforce := true
	want.Constraints = []model.Constraint{{
		Name: "sex", Attribute: model.OneOrMore{"sex"}, Group: model.Values("Male"), Versus: model.Values("Female"),
		Criterion: "demographic-parity", Tau: .05, Relaxation: "approximation-1", Enforce: &enforce,
	}}
	want.Kafka.Brokers = []string{"127.0.0.1:9092"}
	want.Topics.Input, want.Topics.Model, want.Topics.State, want.Topics.DeadLetter, want.Topics.History = "records", "models", "state", "records.dlq", "records.history"
	want.Topics.Waiting = "records.waiting"
	if !reflect.DeepEqual(loaded.Config, want) {
		t.Errorf("got  %+v\nwant %+v", loaded.Config, want)
	}
}

func TestLearningNeedsNoCluster(t *testing.T) {
	loaded := load(t, Sources{Files: write(t, `
record: {label: {field: y, positive: 1}}
`)}, Learning)
	if loaded.Record.Label.Positive != "1" {
		t.Errorf("positive is %q, want the characters as written", loaded.Record.Label.Positive)
	}
	const label = "record: {label: {field: y, positive: 1}}\n"
	for _, c := range []struct {
		text    string
		purpose Purpose
		want    []string
	}{
		{label, Streaming, []string{"kafka.brokers", "topics.input"}},
		{label, AsWritten, nil},
		{label + "stream: {start: latest}\n", AsWritten, nil},
		{label + "topics: {model: m}\n", AsWritten, []string{"kafka.brokers", "topics.input"}},
		{"kafka: {brokers: ['127.0.0.1:9092']}\n", AsWritten, []string{"record.label.field", "record.label.positive", "topics.input"}},
	} {
		var problems Problems
		_, err := Load(Sources{Files: write(t, c.text)}, c.purpose)
		errors.As(err, &problems)
		var paths []string
		for _, problem := range problems {
			paths = append(paths, problem.Path)
		}
		if !reflect.DeepEqual(paths, c.want) {
			t.Errorf("%s: %v is wrong, want %v", c.text, paths, c.want)
		}
	}
}

func TestTextKeepsItsCharacters(t *testing.T) {
	for _, text := range []string{"1", "1.0", "007", "1e3", "0x1f", "true", "yes", "2026-11-21", `">50K"`, "'?'", "no such"} {
		want := record.Text(strings.Trim(text, `"'`))
		loaded := load(t, Sources{Files: write(t, `
record: {label: {field: y, positive: `+text+`}, missing: []}
constraints: [{attribute: a, group: `+text+`, versus: [other], tau: .1}]
`)}, Learning)
		if got := loaded.Record.Label.Positive; got != want {
			t.Errorf("positive: %s is %q", text, got)
		}
		if got := loaded.Constraints[0].Group[0]; got.Values[0] != string(want) {
			t.Errorf("group: %s is %q", text, got.Values)
		}
	}
}

func TestDefaultsThatDependOnOtherKeys(t *testing.T) {
	loaded := load(t, Sources{Files: write(t, `
record: {label: {field: y, positive: 1}}
constraints: [{attribute: [sex, race], group: [F, B], versus: rest, tau: .1}]
kafka: {brokers: ["b:9092"]}
topics: {input: people, model: weights}
`)}, Streaming)
	if got := loaded.Topics; got.Model != "weights" || got.State != "people.state" || got.DeadLetter != "people.dlq" || got.History != "people.history" {
		t.Errorf("topics: %+v", got)
	}
	c := loaded.Constraints[0]
	if c.Name != "sex-race" || c.Criterion != "demographic-parity" || c.Relaxation != "approximation-1" || !c.Enforced() {
		t.Errorf("constraint: %+v", c)
	}
}

func TestLaterSourcesWin(t *testing.T) {
	base := "record: {label: {field: y, positive: 1}}\n"
	flag := func(path, value string) Assignment { return Assignment{Flag: "--set", Path: path, Value: value} }
	tests := []struct {
		name    string
		files   []string
		environ []string
		flags   []Assignment
		get     func(Config) any
		want    any
	}{
		{"default", []string{base}, nil, nil, func(c Config) any { return c.Learner.Warmup }, 1000},
		{"file", []string{base + "learner: {warmup: 2}"}, nil, nil, func(c Config) any { return c.Learner.Warmup }, 2},
		{"second file", []string{base + "learner: {warmup: 2, step: .1}", "learner: {warmup: 3}"}, nil, nil,
			func(c Config) any { return [2]float64{float64(c.Learner.Warmup), c.Learner.Step} }, [2]float64{3, .1}},
		{"variable", []string{base + "learner: {warmup: 2}"}, []string{"FAIRSTREAM_LEARNER_WARMUP=4"}, nil,
			func(c Config) any { return c.Learner.Warmup }, 4},
		{"flag", []string{base + "learner: {warmup: 2}"}, []string{"FAIRSTREAM_LEARNER_WARMUP=4"},
			[]Assignment{flag("learner.warmup", "5")}, func(c Config) any { return c.Learner.Warmup }, 5},
		{"last flag", []string{base}, nil, []Assignment{flag("learner.warmup", "5"), flag("learner.warmup", "6")},
			func(c Config) any { return c.Learner.Warmup }, 6},
		{"a list is replaced", []string{base + "constraints: [{attribute: a, group: x, versus: z, tau: .1}, {attribute: b, group: x, versus: z, tau: .1}]",
			"constraints: [{attribute: c, group: x, versus: z, tau: .2}]"}, nil, nil,
			func(c Config) any { return []any{len(c.Constraints), c.Constraints[0].Attribute[0]} }, []any{1, "c"}},
		{"a table is joined", []string{base + "learner: {columns: {a.b: {type: numeric}}}", "learner: {columns: {c: {type: categorical}}}"}, nil,
			[]Assignment{flag("learner.columns.a.b.encoding", "standardized")},
			func(c Config) any { return c.Learner.Columns }, map[string]features.ColumnConfig{
				"a.b": {Type: "numeric", Encoding: "standardized"}, "c": {Type: "categorical"}}},
		{"an entry by variable", []string{base + "constraints: [{attribute: a, group: x, versus: z, tau: .1}]"},
			[]string{"FAIRSTREAM_CONSTRAINTS_0_TAU=.2"}, []Assignment{flag("constraints[0].group", "#1")},
			func(c Config) any { return []any{c.Constraints[0].Tau, c.Constraints[0].Group.Word()} }, []any{.2, "#1"}},
		{"a new entry", []string{base}, nil, []Assignment{flag("constraints[0]", "{attribute: a, group: x, versus: z, tau: .1}")},
			func(c Config) any { return len(c.Constraints) }, 1},
		{"two new entries, and a key of the second", []string{base}, nil, []Assignment{flag("constraints[0]", "{attribute: a, group: x, versus: z, tau: .1}"),
			flag("constraints[1]", "{attribute: b, group: x, versus: z, tau: .1}"), flag("constraints[1].tau", ".3")},
			func(c Config) any {
				return []any{len(c.Constraints), c.Constraints[0].Tau, c.Constraints[1].Attribute[0], c.Constraints[1].Tau}
			}, []any{2, .1, "b", .3}},
		{"a section by variable, then its key", []string{base},
			[]string{"FAIRSTREAM_LEARNER_STEP=.7", "FAIRSTREAM_LEARNER={step: .5, warmup: 9}"}, nil,
			func(c Config) any { return [2]float64{float64(c.Learner.Warmup), c.Learner.Step} }, [2]float64{9, .7}},
		{"commas", []string{base}, []string{"FAIRSTREAM_KAFKA_BROKERS=a:1, b:2"}, nil,
			func(c Config) any { return c.Kafka.Brokers }, []string{"a:1", "b:2"}},
		{"a list in YAML", []string{base}, []string{`FAIRSTREAM_RECORD_IGNORE=["a,b", c]`}, nil,
			func(c Config) any { return c.Record.Ignore }, []string{"a,b", "c"}},
		{"lists of lists", []string{base}, nil, []Assignment{flag("learner.crosses", "[[a, b], [c, d]]")},
			func(c Config) any { return c.Learner.Crosses }, [][]string{{"a", "b"}, {"c", "d"}}},
		{"text is not YAML", []string{base}, nil, []Assignment{flag("record.label.positive", ">50K: # {")},
			func(c Config) any { return c.Record.Label.Positive }, record.Text(">50K: # {")},
		{"an empty text", []string{base, "record: {weight: w}"}, []string{"FAIRSTREAM_RECORD_WEIGHT="}, nil,
			func(c Config) any { return c.Record.Weight }, ""},
		{"a key with dots", []string{base + "kafka: {isolation.level: read_uncommitted}"}, nil, nil,
			func(c Config) any { return c.Kafka.IsolationLevel }, "read_uncommitted"},
		{"durations", []string{base + "stream: {shutdown_timeout: 1m30s}"}, nil, nil,
			func(c Config) any { return c.Stream.ShutdownTimeout }, 90 * time.Second},
		{"an empty section", []string{base + "learner:\nkafka:\n"}, nil, nil,
			func(c Config) any { return c.Learner.Warmup }, 1000},
		{"an alias", []string{base + "constraints: [&c {name: one, attribute: a, group: x, versus: z, tau: .1}]\nlearner: {crosses: [&x [a, b], *x]}"}, nil, nil,
			func(c Config) any { return c.Learner.Crosses }, [][]string{{"a", "b"}, {"a", "b"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			loaded := load(t, Sources{Files: write(t, test.files...), Environment: test.environ, Flags: test.flags}, Learning)
			if got := test.get(loaded.Config); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestTheBaseIsLeftAlone(t *testing.T) {
	base := Default()
	base.Record.Label = record.Label{Field: "y", Positive: "1"}
	base.Learner.Columns = map[string]features.ColumnConfig{"a": {Type: "numeric"}}
	base.Constraints = []model.Constraint{{Attribute: model.OneOrMore{"s"}, Group: model.Values("a"), Versus: model.Values("b"), Tau: .1}}
	loaded := load(t, Sources{Base: &base, Flags: []Assignment{
		{"--set", "constraints[0].tau", ".2"}, {"--set", "learner.columns.a.type", "categorical"},
	}}, Learning)
	if loaded.Constraints[0].Tau != .2 || loaded.Learner.Columns["a"].Type != "categorical" {
		t.Errorf("not set: %+v", loaded.Config)
	}
	if base.Constraints[0].Tau != .1 || base.Learner.Columns["a"].Type != "numeric" {
		t.Errorf("the base was changed: %+v", base)
	}
}

func TestFilesOfTheEnvironment(t *testing.T) {
	names := write(t, "record: {label: {field: y, positive: 1}}", "job: two")
	environment := []string{FilesVariable + "=" + strings.Join(names, ",")}
	if loaded := load(t, Sources{Environment: environment}, Learning); loaded.Job != "two" {
		t.Errorf("job is %q", loaded.Job)
	}
	loaded := load(t, Sources{Environment: environment, Files: names[:1]}, Learning)
	if loaded.Job != "fairstream" {
		t.Errorf("a --config does not replace %s: job is %q", FilesVariable, loaded.Job)
	}
}

func TestASecretOfALaterSourceReplacesTheWayToIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded := load(t, Sources{
		Files: write(t, example+"  management: verify\n", `
kafka: {brokers: ["b:9092"], security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.username: u, sasl.password: old}
`),
		Environment: []string{"FAIRSTREAM_KAFKA_SASL_PASSWORD_FILE=" + file},
	}, Streaming)
	if loaded.Kafka.SASLPassword != "" || loaded.Kafka.SASLPasswordFile != file {
		t.Errorf("password %v, file %q", loaded.Kafka.SASLPassword != "", loaded.Kafka.SASLPasswordFile)
	}
}

// TestJSON: equal configurations give equal bytes, another key gives others, and no secret is in them.
func TestJSON(t *testing.T) {
	load := func(path, value string) string {
		t.Helper()
		var flags []Assignment
		for _, pair := range [][2]string{{"record.label.field", "y"}, {"record.label.positive", "yes"}, {"kafka.sasl.password", "confidential"}, {path, value}} {
			flags = append(flags, Assignment{Flag: "--set", Path: pair[0], Value: pair[1]})
		}
		loaded, err := Load(Sources{Flags: flags}, Learning)
		if err != nil {
			t.Fatal(err)
		}
		data, err := loaded.JSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	one := load("job", "fairstream")
	for path, value := range map[string]string{"learner.confidence": ".8", "learner.level": ".9", "stream.keep_versions": "3", "job": "other", "record.limits.fields": "9"} {
		if load(path, value) == one {
			t.Errorf("%s is not in %s", path, one)
		}
	}
	if load("job", "fairstream") != one || strings.Contains(one, "confidential") || !strings.Contains(one, `"interval":"10s"`) {
		t.Errorf("%s", one)
	}
}
