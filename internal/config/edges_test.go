package config

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestAMisspeltKey is read as if it were written right, unless that one is there, too.
func TestAMisspeltKey(t *testing.T) {
	const good = "record: {label: {field: y, positive: 1}}\n"
	for text, want := range map[string][]string{
		good + "jobb: a\n":             {"jobb: unknown key: did you mean job?"},
		good + "jobb: [a]\n":           {"jobb: unknown key: did you mean job?", "job: is a list"},
		good + "job: a\njobb: [a]\n":   {"jobb: unknown key: did you mean job?"},
		good + "jobb: [a]\njob: a\n":   {"jobb: unknown key: did you mean job?"},
		good + "job: a\nquite: [a]\n":  {"quite: unknown key"},
		good + "job: {a: b}\n":         {"job: is keys with values, not"},
		good + "constraints: 5\n":      {"constraints: is a single value, not a list: begin each entry with a hyphen"},
		good + "learner: 5\njob: a\n":  {"learner: is a single value, not keys with values: indent its keys below it"},
		good + "learner: {window: x}":  {`learner.window: "x" is not a whole number`},
		good + "record.missing: [a]\n": {"record.missing: unknown key"},
	} {
		_, err := Load(Sources{Text: []byte(text)}, Learning)
		var problems Problems
		if !errors.As(err, &problems) || len(problems) != len(want) {
			t.Errorf("%q:\n%v", text, err)
			continue
		}
		for _, words := range want {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%q lacks %q:\n%v", text, words, err)
			}
		}
	}
}

// TestLastChangesAreChecked like all others, and a purpose is that of the sections that are written.
func TestLastChangesAreChecked(t *testing.T) {
	const good = "record: {label: {field: y, positive: 1}}\n"
	l := load(t, Sources{Text: []byte(good), Adjust: func(c *Config) { c.Job = "adjusted" }}, Learning)
	if l.Job != "adjusted" {
		t.Error(l.Job)
	}
	if _, err := Load(Sources{Text: []byte(good), Adjust: func(c *Config) { c.Learner.Window = -1 }}, Learning); err == nil || !strings.Contains(err.Error(), "learner.window") {
		t.Errorf("%v", err)
	}
	monitors := &Loaded{}
	monitors.Monitor.Given.Decision.Field = "granted"
	for want, l := range map[Purpose]*Loaded{Monitoring: monitors, Streaming: {origins: map[string]string{"kafka.brokers": "a file"}}, Learning: {}} {
		if got := l.written(); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	for said, want := range map[string]string{"yaml: bad": "bad", "bad": "bad", "line 3: yaml: yaml: bad": "bad"} {
		if got := yamlMessage(errors.New(said)); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
}

// TestDecidingNeedsAClusterForWhatItWrites: a log or heartbeats, and nothing else.
func TestDecidingNeedsAClusterForWhatItWrites(t *testing.T) {
	for _, c := range []struct {
		log       ServeLog
		heartbeat time.Duration
		needed    bool
	}{{LogNone, 0, false}, {LogNone, 1, true}, {LogNone, 10 * time.Second, true}, {"wait", 0, true}} {
		config := Default()
		config.Serve.Log, config.Serve.Heartbeat = c.log, c.heartbeat
		if got := said(config.WithDefaults().Validate(Deciding)); strings.Contains(got, "kafka.brokers") != c.needed {
			t.Errorf("%+v: %s", c, got)
		}
	}
	again, err := Recorded([]byte(`{"job":"loans","record":{"label":{"field":"y","positive":"1"}},"constraints":[{"name":"x","attribute":"sex","group":"m","versus":"f","tau":0.1}]}`))
	if err != nil || len(again.Constraints) != 1 || again.Constraints[0].Criterion == "" {
		t.Errorf("%+v, %v", again.Constraints, err)
	}
}

// TestListsArePrinted one entry a line, and an empty one with brackets.
func TestListsArePrinted(t *testing.T) {
	for constraints, want := range map[string]string{"[]": "constraints: []\n", "[{name: x, attribute: sex, group: m, versus: f, tau: 0.1}]": "constraints:\n- name: x #"} {
		l := load(t, Sources{Text: []byte("job: j\nrecord: {label: {field: y, positive: 1}}\nconstraints: " + constraints + "\n")}, Learning)
		if printed, err := l.YAML(); err != nil || !strings.Contains(string(printed), want) {
			t.Errorf("%s: %v\n%s", constraints, err, printed)
		}
	}
}
