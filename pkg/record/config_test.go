package record_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

func validConfig() record.Config {
	return record.Config{Label: record.Label{Field: "income", Positive: ">50K"}}
}

func TestWithDefaults(t *testing.T) {
	config := validConfig()
	config.Time.Field = "at"
	config = config.WithDefaults()
	if !slices.Equal(config.Missing, []record.Text{"", "?", "NaN", "nan", "NA", "N/A", "null", "None", "NULL"}) {
		t.Errorf("missing %q, want the empty text, ? and the words of pandas, R and SQL", config.Missing)
	}
	if config.Limits != (record.Limits{RecordBytes: 1 << 20, Fields: 4096, Depth: 32}) {
		t.Errorf("limits %+v", config.Limits)
	}
	if config.Time.Format != record.RFC3339 {
		t.Errorf("time format %q", config.Time.Format)
	}
	if problems := config.Validate([]string{"sex"}); problems != nil {
		t.Errorf("problems %v", problems)
	}

	config = validConfig()
	config.Missing = []record.Text{}
	if config = config.WithDefaults(); len(config.Missing) != 0 {
		t.Errorf("an empty list of missing texts became %q", config.Missing)
	}
}

func TestValidate(t *testing.T) {
	cases := map[string]struct {
		change     func(*record.Config)
		attributes []string
		path, hint string // of the problem
	}{
		"no label":                  {func(c *record.Config) { c.Label.Field = "" }, nil, "record.label.field", "required"},
		"missing positive":          {func(c *record.Config) { c.Label.Positive = "?" }, nil, "record.label.positive", "record.missing"},
		"empty feature":             {func(c *record.Config) { c.Features = []string{"a", ""} }, nil, "record.features[1]", "empty"},
		"feature twice":             {func(c *record.Config) { c.Features = []string{"a", "a"} }, nil, "record.features[1]", "twice"},
		"label as a feature":        {func(c *record.Config) { c.Features = []string{"income"} }, nil, "record.features", "label"},
		"ignored feature":           {func(c *record.Config) { c.Features, c.Ignore = []string{"a.b"}, []string{"a"} }, nil, "record.features", "ignored"},
		"empty ignore":              {func(c *record.Config) { c.Ignore = []string{""} }, nil, "record.ignore[0]", "empty"},
		"ignored label":             {func(c *record.Config) { c.Ignore = []string{"income"} }, nil, "record.label.field", "record.ignore"},
		"ignored above weight":      {func(c *record.Config) { c.Weight, c.Ignore = "a.w", []string{"a"} }, nil, "record.weight", "record.ignore"},
		"ignored attribute":         {func(c *record.Config) { c.Ignore = []string{"sex"} }, []string{"sex"}, "record.ignore", "constraint"},
		"label as attribute":        {func(*record.Config) {}, []string{"income"}, "record.label.field", "constraint"},
		"label time without a time": {func(c *record.Config) { c.Label.Time, c.Time = "then", record.Time{} }, nil, "record.label.time", "needs record.time.field"},
		"label as weight":           {func(c *record.Config) { c.Weight = "income" }, nil, "record.weight", "label"},
		"label as key":              {func(c *record.Config) { c.Key = "income" }, nil, "record.key", "label"},
		"long id":                   {func(c *record.Config) { c.ID = strings.Repeat("a", record.MaxNameBytes+1) }, nil, "record.id", "longer"},
		"format, no field":          {func(c *record.Config) { c.Time.Format = record.UnixTime }, nil, "record.time.field", "required"},
		"unknown format":            {func(c *record.Config) { c.Time = record.Time{Field: "at", Format: "iso"} }, nil, "record.time.format", "rfc3339, unix, unix-ms"},
		"renamed to nothing":        {func(c *record.Config) { c.Renamed = []record.Rename{{Field: "a"}} }, nil, "record.renamed[0].was", "required"},
		"renamed from nothing":      {func(c *record.Config) { c.Renamed = []record.Rename{{Was: "a"}} }, nil, "record.renamed[0].field", "required"},
		"renamed to itself":         {func(c *record.Config) { c.Renamed = []record.Rename{{"a", "a"}} }, nil, "record.renamed[0].was", "learnt first"},
		"renamed by two steps":      {func(c *record.Config) { c.Renamed = []record.Rename{{"a", "b"}, {"b", "c"}} }, nil, "record.renamed[0].was", "learnt first"},
		"renamed twice":             {func(c *record.Config) { c.Renamed = []record.Rename{{"a", "b"}, {"a", "c"}} }, nil, "record.renamed[1].field", "twice"},
		"the label renamed":         {func(c *record.Config) { c.Renamed = []record.Rename{{"income", "y"}} }, nil, "record.renamed[0].field", "used elsewhere"},
		"no fields":                 {func(c *record.Config) { c.Limits.Fields = -1 }, nil, "record.limits.fields", "outside"},
		"too deep":                  {func(c *record.Config) { c.Limits.Depth = 1 << 20 }, nil, "record.limits.depth", "outside"},
		"too long":                  {func(c *record.Config) { c.Limits.RecordBytes = 1 << 40 }, nil, "record.limits.record_bytes", "outside"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			config := validConfig()
			c.change(&config)
			problems := config.WithDefaults().Validate(c.attributes)
			if len(problems) != 1 || problems[0].Path != c.path || !strings.Contains(problems[0].Message, c.hint) {
				t.Errorf("problems %v, want one at %s with %q", problems, c.path, c.hint)
			}
			if _, err := record.NewSchema(config, c.attributes); err == nil || !strings.Contains(err.Error(), c.path) {
				t.Errorf("NewSchema: %v, want the problem", err)
			}
		})
	}
}

func TestValidateReportsEveryProblem(t *testing.T) {
	config := record.Config{Ignore: []string{"sex", ""}, Limits: record.Limits{Depth: -1}}
	problems := config.WithDefaults().Validate([]string{"sex"})
	var paths []string
	for _, problem := range problems {
		paths = append(paths, problem.Path)
	}
	want := []string{"record.label.field", "record.ignore[1]", "record.ignore", "record.limits.depth"}
	if !slices.Equal(paths, want) {
		t.Errorf("problems at %q, want %q", paths, want)
	}
}

func TestNewSchemaRefusesAttributesTwice(t *testing.T) {
	if _, err := record.NewSchema(validConfig(), []string{"sex", "race", "sex"}); err == nil {
		t.Error("an attribute given twice was taken")
	}
}

func TestTextFromJSON(t *testing.T) {
	for written, want := range map[string]record.Text{
		`">50K"`: ">50K", `"\u003e50K"`: ">50K", `1`: "1", `1.0`: "1.0", `-1e3`: "-1e3", `true`: "true", `false`: "false",
	} {
		var label record.Label
		if err := json.Unmarshal([]byte(`{"field":"y","positive":`+written+`}`), &label); err != nil || label.Positive != want {
			t.Errorf("%s: text %q, error %v, want %q", written, label.Positive, err, want)
		}
	}
	for _, written := range []string{`[1]`, `{}`} {
		var text record.Text
		if err := json.Unmarshal([]byte(written), &text); err == nil {
			t.Errorf("%s was taken as %q", written, text)
		}
	}
	var text record.Text
	if err := text.UnmarshalText([]byte("1.50")); err != nil || text != "1.50" {
		t.Errorf("UnmarshalText: %q, %v", text, err)
	}
}
