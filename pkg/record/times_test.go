package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// written lists the features of a record, name=text, in the order of names.
func written(rec *record.Record) string {
	var words []string
	for _, f := range rec.Features {
		if f.Missing {
			words = append(words, f.Name+"=missing")
		} else {
			words = append(words, fmt.Sprintf("%s=%s", f.Name, f.Text))
		}
		if f.Hash != record.Hash(f.Text) && !f.Missing {
			words = append(words, "another hash")
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// TestTimesBecomeNumbers: the parts of a time, in JSON and in CSV, wherever the event time stands.
func TestTimesBecomeNumbers(t *testing.T) {
	config := record.Config{Label: record.Label{Field: "y", Positive: "1"}, Time: record.Time{Field: "at"}, Times: []record.Times{
		{Field: "at"},
		{Field: "who.born", Format: record.DateOnly, Parts: []record.TimePart{record.Month, record.Age}},
		{Field: "seen", Format: record.UnixTime, Parts: []record.TimePart{record.Hour, record.Age}},
		{Field: "local", Format: record.LocalTime},
		{Field: "day", Format: record.DateOnly},
	}}
	schema, err := record.NewSchema(config, nil)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewDecoder()
	for _, test := range []struct{ text, want string }{
		{`{"who":{"born":"2026-01-01"},"y":1,"a":3,"seen":1767225600,"at":"2026-01-11T23:30:00-05:00"}`,
			"a=3 at.hour=23 at.weekday=7 seen.age=11.19 seen.hour=0 who.born.age=11.19 who.born.month=1"},
		{`{"at":"2026-01-12T00:00:00Z","y":1,"who":{"born":null},"seen":"?"}`,
			"at.hour=0 at.weekday=1 seen.age=missing seen.hour=missing who.born.age=missing who.born.month=missing"},
		{`{"y":1,"seen":0,"day":"2026-12-31"}`, "day.month=12 day.weekday=4 seen.age=missing seen.hour=0"},
		{`{"y":1,"local":"2026-11-21 08:30:00"}`, "local.hour=8 local.weekday=6"},
		{`{"y":1,"local":"2026-11-21T08:30:00.5","a\u0062":1}`, "ab=1 local.hour=8 local.weekday=6"},
		{`{"y":1,"day.weekday":9,"a":1}`, "a=1"},
	} {
		var rec record.Record
		if err := decoder.DecodeJSON(&rec, []byte(test.text)); err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if got := written(&rec); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
	for _, bad := range []string{`{"y":1,"at":"2026-01-11"}`, `{"y":1,"who":{"born":"11.1.2026"}}`, `{"y":1,"seen":"soon"}`, `{"y":1,"day":{"hour":3}}`} {
		var rec record.Record
		if rejection, ok := decoder.DecodeJSON(&rec, []byte(bad)).(*record.Rejection); !ok || rejection.Reason != record.BadTime && !strings.Contains(bad, "{\"hour") || rejection.Field == "" {
			t.Errorf("%s: %v", bad, rejection)
		}
	}
	reader, err := record.NewReader(strings.NewReader("at,who.born,y\n2026-01-11T23:30:00Z,2026-01-01,1\n"), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var rec record.Record
	if err := reader.Read(decoder, &rec); err != nil || written(&rec) != "at.hour=23 at.weekday=7 who.born.age=10.98 who.born.month=1" {
		t.Errorf("%v: %s", err, written(&rec))
	}
}

func TestTimesAreValidated(t *testing.T) {
	for _, test := range []struct {
		times record.Times
		path  string
	}{
		{record.Times{}, "record.times[0].field"},
		{record.Times{Field: "y"}, "record.times[0].field"},
		{record.Times{Field: "sex"}, "record.times[0].field"},
		{record.Times{Field: "gone.at"}, "record.times[0].field"},
		{record.Times{Field: "at", Format: "iso"}, "record.times[0].format"},
		{record.Times{Field: "at", Parts: []record.TimePart{}}, "record.times[0].parts"},
		{record.Times{Field: "at", Parts: []record.TimePart{"hours"}}, "record.times[0].parts[0]"},
		{record.Times{Field: "at", Parts: []record.TimePart{record.Hour, record.Hour}}, "record.times[0].parts[1]"},
		{record.Times{Field: "at", Parts: []record.TimePart{record.Age}}, "record.times[0].parts[0]"},
	} {
		config := record.Config{Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"gone"}, Times: []record.Times{test.times}}
		problems := config.WithDefaults().Validate([]string{"sex"})
		if len(problems) != 1 || problems[0].Path != test.path {
			t.Errorf("%+v: %v, want one at %s", test.times, problems, test.path)
		}
	}
}
