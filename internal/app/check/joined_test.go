package check

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
)

const later = `record: {label: {field: out.paid, positive: "true"}, key: id, ignore: [at, by]}
constraints: [{name: sex, attribute: sex, group: m, versus: f, tau: 0.2}]
`

// TestLabelsThatComeLater complete the record that waits for them, in the order of the records, and are no records. Labels alone are used where there is no record.
func TestLabelsThatComeLater(t *testing.T) {
	loaded := apptest.Load(t, later, config.Learning)
	for name, c := range map[string]struct {
		messages, want      []string
		found, spent, alone int
		early               int
	}{
		"joined": {[]string{`{"id":1,"sex":"m","x":3,"out":{"paid":null,"y":1},"at":""}`, `{"id":2,"sex":"f"}`, `{"id":2,"out":{"paid":true}}`, `{"id":1,"out":{"paid":false,"z":2},"at":"2026-01-01T00:00:00Z","by":"b","w":1}`},
			[]string{`1 {"id":1,"sex":"m","x":3,"out":{"paid":false,"y":1},"at":"2026-01-01T00:00:00Z","by":"b"}`, `2 {"id":2,"sex":"f","out":{"paid":true}}`}, 2, 0, 0, 0},
		"another's":   {[]string{`{"id":3,"out":{"paid":true}}`, `{"id":1,"sex":"m"}`}, []string{`2 {"id":1,"sex":"m"}`}, 0, 0, 1, 0},
		"before":      {[]string{`{"id":1,"out":{"paid":true}}`, `{"id":1,"sex":"m"}`, `{"id":1,"sex":"m"}`}, []string{`2 {"id":1,"sex":"m"}`, `3 {"id":1,"sex":"m"}`}, 0, 0, 1, 1},
		"twice":       {[]string{`{"id":1,"x":3}`, `{"id":1,"out":{"paid":true}}`, `{"id":1,"out":{"paid":true}}`}, []string{`1 {"id":1,"x":3,"out":{"paid":true}}`}, 1, 1, 1, 0},
		"whole":       {[]string{`{"id":1,"x":3,"out":{"paid":true}}`, `{"id":1,"x":4,"out":{"paid":true}}`}, []string{`1 {"id":1,"x":3,"out":{"paid":true}}`, `2 {"id":1,"x":4,"out":{"paid":true}}`}, 0, 0, 0, 0},
		"first field": {[]string{`{"out":{"y":1},"id":1}`, `{"id":1,"out":{"paid":true}}`}, []string{`1 {"out":{"y":1,"paid":true},"id":1}`}, 1, 0, 0, 0},
		"labels only": {[]string{`{"id":1,"out":{"paid":true}}`, `{"id":2,"out":{"paid":true}}`}, []string{`1 {"id":1,"out":{"paid":true}}`, `2 {"id":2,"out":{"paid":true}}`}, 0, 0, 0, 0},
	} {
		var got []string
		j, err := newJoined(loaded.Model(), func(raw []byte, line int64) { got = append(got, fmt.Sprintf("%d %s", line, raw)) })
		if err != nil {
			t.Fatal(err)
		}
		for k, message := range c.messages {
			j.add([]byte(message), int64(k+1))
		}
		if labels := j.finish(); !slices.Equal(got, c.want) || labels != c.found+c.spent || j.found != c.found || j.alone != c.alone || j.early != c.early || j.size != 0 {
			t.Errorf("%s: %q, %d labels, %d found, %d alone, %d bytes", name, got, labels, j.found, j.alone, j.size)
		}
	}
}

// TestRecordsThatWaitTooLong: no more bytes are held than there is room for, and a label for a record that was used is left out. What has no key is used at once.
func TestRecordsThatWaitTooLong(t *testing.T) {
	loaded := apptest.Load(t, later, config.Learning)
	var got []string
	j, err := newJoined(loaded.Model(), func(raw []byte, line int64) { got = append(got, fmt.Sprintf("%d %s", line, raw)) })
	if err != nil {
		t.Fatal(err)
	}
	if j.most != mostHeld {
		t.Errorf("%d bytes are held", j.most)
	}
	messages := []string{`{"id":1,"sex":"m"}`, `{"id":2,"sex":"f"}`, `{"id":3,"sex":"m"}`, `{"id":1,"out":{"paid":true}}`, `{"id":3,"out":{"paid":true}}`, `no JSON`, `{"sex":"f"}`}
	for k, message := range messages {
		if j.most = 2 * len(messages[0]); k >= 3 {
			j.most = 100
		}
		if j.add([]byte(message), int64(k+1)); j.size > j.most {
			t.Errorf("%d bytes are held after %d messages", j.size, k+1)
		}
	}
	if !slices.Equal(got, []string{`1 {"id":1,"sex":"m"}`, "6 no JSON", `7 {"sex":"f"}`}) {
		t.Errorf("used before the end: %q", got)
	}
	if labels, want := j.finish(), []string{`2 {"id":2,"sex":"f"}`, `3 {"id":3,"sex":"m","out":{"paid":true}}`}; labels != 2 || j.found != 1 || j.spent != 1 || j.alone != 1 || !slices.Equal(got[3:], want) {
		t.Errorf("%q, %d labels, %d found, %d spent, %d alone", got[3:], labels, j.found, j.spent, j.alone)
	}
	both := []byte(`{"id":1,"out":[1],"x":{"a":1}}`)
	for with, want := range map[string]string{`{"out":{"paid":true}}`: `{"id":1,"out":{"paid":true},"x":{"a":1}}`, `{"y":1}`: `{"id":1,"out":[1],"x":{"a":1}}`, `{"out":{"y":1}}`: `{"id":1,"out":{},"x":{"a":1}}`} {
		if text := string(merged(both, []byte(with), "", []string{"out.paid"})); text != want {
			t.Errorf("with %s: %s, want %s", with, text, want)
		}
	}
}

// TestNoFalseAlarmOfLabels: applications and then outcomes are as good as records with their labels, but a key that names persons is told of.
func TestNoFalseAlarmOfLabels(t *testing.T) {
	var applications, outcomes strings.Builder
	for i := range 2000 {
		x := i * 7919 % 2000
		fmt.Fprintf(&applications, `{"id":"L%d","person":"P%d","sex":"%s","x":%d,"z":%d}`+"\n", i, i*37%700, []string{"m", "f"}[i*31%7%2], x, i*i*13%997)
		fmt.Fprintf(&outcomes, `{"id":"L%d","person":"P%d","out":{"paid":%v},"at":"2026-01-01T00:00:00Z","by":"b"}`+"\n", i, i*37%700, x+i*104729%1500 > 1700)
	}
	apptest.InDirectory(t, map[string]string{"in.jsonl": applications.String() + outcomes.String()})
	for yaml, warns := range map[string]bool{strings.Replace(later, "[at, by]", "[at, by, person]", 1): false, strings.Replace(later, "key: id, ignore: [at, by]", "key: person, ignore: [at, by, id]", 1): true} {
		loaded := apptest.Load(t, yaml, config.Learning)
		from, err := input.NewSource("in.jsonl", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := (&Records{Streams: &program.Streams{Out: &out, Err: &out}, Config: loaded.Model(), Monitor: loaded.Monitor}).OfFile(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		said := strings.Join(strings.Fields(out.String()), " ")
		if !warns {
			for _, never := range []string{"beside the right records?", "joined to nothing?", "put in twice", "first fifth", "record.key:"} {
				if strings.Contains(said, never) {
					t.Errorf("%q in\n%s", never, said)
				}
			}
		}
		if strings.Contains(said, `record.key: "person" has 700 different values in 4000 records`) != warns {
			t.Errorf("%s", out.String())
		}
	}
}

// TestLateLabels: check warns of an age that most labels exceed, by the times of records and labels.
func TestLateLabels(t *testing.T) {
	var messages strings.Builder
	for i := range 600 {
		fmt.Fprintf(&messages, `{"id":"L%d","sex":"%s","x":%d,"at":"2026-01-01T00:00:00Z"}`+"\n", i, []string{"m", "f"}[i*31%7%2], i*7919%2000)
	}
	for i := range 600 {
		fmt.Fprintf(&messages, `{"id":"L%d","out":{"paid":%v},"at":"2026-0%d-01T00:00:00Z"}`+"\n", i, i*104729%3 > 0, 1+i%3)
	}
	apptest.InDirectory(t, map[string]string{"in.jsonl": messages.String()})
	loaded := apptest.Load(t, strings.Replace(later, "ignore: [at, by]", "time: {field: at}, ignore: [by]", 1), config.Learning)
	for age, warns := range map[time.Duration]bool{0: false, 48 * time.Hour: true, 1440 * time.Hour: false} {
		from, err := input.NewSource("in.jsonl", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := (&Records{Streams: &program.Streams{Out: &out, Err: &out}, Config: loaded.Model(), Monitor: loaded.Monitor, Age: age}).OfFile(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(strings.Fields(out.String()), " "); strings.Contains(said, "400 of 600 labels come more than 2 days after their records") != warns {
			t.Errorf("an age of %v: %s", age, said)
		}
	}
}

// TestALabelThatDoesNotFitItsRecord is left out, and the record stays as it was: here both together have more fields than a record may have.
func TestALabelThatDoesNotFitItsRecord(t *testing.T) {
	loaded := apptest.Load(t, strings.Replace(later, "key: id,", "key: id, limits: {fields: 5},", 1), config.Learning)
	var got []string
	j, err := newJoined(loaded.Model(), func(raw []byte, _ int64) { got = append(got, string(raw)) })
	if err != nil {
		t.Fatal(err)
	}
	messages := []string{`{"id":1,"sex":"m","x":3,"y":4}`, `{"id":1,"out":{"paid":true},"at":"2026-01-01T00:00:00Z","by":"b"}`}
	for _, message := range messages {
		j.add([]byte(message), 1)
	}
	if labels := j.finish(); labels != 0 || j.found != 0 || j.alone != 1 || !slices.Equal(got, messages[:1]) {
		t.Errorf("%q, %d labels, %d found, %d alone", got, labels, j.found, j.alone)
	}
}
