package score

import (
	"context"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/apptest"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"

	"os"
)

// learnt is the document of weights that were learnt from a file.
func learnt(t *testing.T, yaml, csv string) []byte {
	t.Helper()
	c := apptest.Load(t, yaml, 0).Model()
	learner, err := model.New(c)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := c.Schema()
	if err != nil {
		t.Fatal(err)
	}
	p := &input.Pass{Schema: schema, Labelled: true, Reject: func(*record.Rejection) {}, Each: func(r *record.Record) { learner.Learn(r) },
		Source: input.Source{Name: "made up", Open: func(as record.Config) (input.Rows, error) {
			return record.NewReader(strings.NewReader(csv), record.CSV, as.Limits)
		}}}
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	doc, err := learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	text, err := doc.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestFiles: a line for each record in the order of the file, by weights of a file and of a topic, and what is told beside.
func TestFiles(t *testing.T) {
	stage := apptest.NewStage(t)
	j := apptest.Learnt(t)
	const withID = "record: {label: {field: paid, positive: 1}, ignore: [pay], id: who}\nconstraints: [{name: sex, attribute: sex, group: M, versus: F, tau: 0.2}]\n"
	const amounts = "record: {label: {field: pay}, ignore: [paid]}\nlearner: {task: regression}\n"
	apptest.InDirectory(t, map[string]string{
		"a.csv": apptest.CSV(60), "few.csv": "age,sex\n30,F\n", "renamed.csv": "Age,sex,part\n30,F,n\n", "bad.csv": apptest.Header + "\n1,2\n", "empty.csv": apptest.Header + "\n",
		"again.csv": "who,age,sex,part\na,30,F,n\nb,40,M,s\na,30,F,n\n",
		"few.jsonl": "{\"age\":30,\"who\":\"a\\\"b\"}\n{\"age\":40}\n[1]\n",
		"named.csv": "who,age,sex,score,note\n7,30,?,NA,\"a, \"\"b\"\"\"\n8,x,F,1\n", "none.jsonl": "{\"x\":30}\n",
		"unread.jsonl": "{\"age\":true}\n{\"age\":[30]}\n{\"age\":\"31\",\"sex\":{\"is\":\"F\"}}\n",
		"weights.json": string(learnt(t, withID, apptest.CSV(1500))), "amounts.json": string(learnt(t, amounts, apptest.CSV(1500))), "no.json": "{}",
	})
	for name, c := range map[string]struct {
		file string
		work File
	}{
		"csv":           {"a.csv", File{Model: "weights.json"}},
		"json":          {"few.jsonl", File{Model: "weights.json", JSON: true}},
		"csv-of-json":   {"few.jsonl", File{Model: "weights.json"}},
		"amounts":       {"few.csv", File{Model: "amounts.json"}},
		"amounts-json":  {"few.jsonl", File{Model: "amounts.json", JSON: true}},
		"lacking":       {"few.csv", File{Model: "weights.json"}},
		"lacking-all":   {"none.jsonl", File{Model: "weights.json"}},
		"again":         {"again.csv", File{Model: "weights.json"}},
		"renamed":       {"renamed.csv", File{Model: "weights.json"}},
		"nothing":       {"bad.csv", File{Model: "weights.json"}},
		"nothing-json":  {"bad.csv", File{Model: "weights.json", JSON: true}},
		"empty":         {"empty.csv", File{Model: "weights.json"}},
		"no-document":   {"a.csv", File{Model: "no.json"}},
		"no-file":       {"a.csv", File{Model: "none.json"}},
		"unread":        {"unread.jsonl", File{Model: "weights.json", JSON: true}},
		"keep":          {"few.csv", File{Model: "weights.json", Keep: []string{"sex", "age"}}},
		"keep-all":      {"named.csv", File{Model: "weights.json", Keep: []string{KeepAll}}},
		"keep-amounts":  {"few.csv", File{Model: "amounts.json", Keep: []string{"age"}}},
		"keep-unknown":  {"few.csv", File{Model: "weights.json", Keep: []string{"agee"}}},
		"keep-json":     {"few.jsonl", File{Model: "weights.json", Keep: []string{"who", "from.town", "shoe"}}},
		"keep-json-all": {"few.jsonl", File{Model: "weights.json", Keep: []string{KeepAll}}},
		"keep-as-json":  {"few.jsonl", File{Model: "weights.json", Keep: []string{KeepAll}, JSON: true}},
		"keep-csv-json": {"named.csv", File{Model: "weights.json", Keep: []string{KeepAll}, JSON: true}},
		"topic":         {"few.csv", File{Config: j.Config}},
		"topic-alias":   {"few.csv", File{Config: j.Config, Alias: "latest"}},
		"topic-unknown": {"few.csv", File{Config: j.Config, Alias: "staple"}},
	} {
		from, err := input.NewSource(c.file, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		c.work.Streams, c.work.Source = stage.Streams, from
		stage.Says(t, name+".txt", func(ctx context.Context) error { return c.work.Run(ctx) })
	}
	text, err := os.ReadFile("weights.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := document.Parse(text); err != nil {
		t.Error(err)
	}
}

// TestTopicsAreChecked: what does not fit together is refused, and no topic of the job is written to.
func TestTopicsAreChecked(t *testing.T) {
	c := apptest.Load(t, "kafka: {brokers: [a:9092]}\n"+apptest.Loans, 0)
	c.Topics.Events = "events"
	for want, work := range map[string]Topics{
		"":                                     {From: "in", To: "out"},
		" ":                                    {From: "in", To: "out", Shadow: "candidate", Split: 1},
		"--from and --to belong together":      {From: "in"},
		"--from and --to belong together: the": {To: "out"},
		"--to x: the decisions would go to the topic of": {From: "x", To: "x"},
		"--split needs --shadow":                         {From: "in", To: "out", Split: .1},
		"--split 1.1 is outside":                         {From: "in", To: "out", Split: 1.1, Shadow: "candidate"},
		"--split -0.1 is outside":                        {From: "in", To: "out", Split: -.1},
		"the job's own, topics.input":                    {From: "x", To: "in"},
		"the job's own, topics.model":                    {From: "x", To: "weights"},
		"the job's own, topics.state":                    {From: "x", To: "state"},
		"the job's own, topics.dead_letter":              {From: "x", To: "dead"},
		"the job's own, topics.history":                  {From: "x", To: "history"},
		"the job's own, topics.events":                   {From: "x", To: "events"},
	} {
		work.Config = c
		err := work.Check()
		if (err == nil) != (strings.TrimSpace(want) == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", []string{work.From, work.To}, err, want)
		}
	}
}
