package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/cluster"
	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/monitor"
)

// TestFromInitToMonitoredDecisions follows docs/decisions.md: init, run, score with --attributes, and the watch.yaml of that page. Every label
// joins its decision, whether init found the identifier, records have it as their Kafka key alone, or record.id was added to a
// job that had learnt.
func TestFromInitToMonitoredDecisions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, "docs/decisions.md"))
	if err != nil {
		t.Fatal(err)
	}
	watch := regexp.MustCompile("(?s)```yaml\n(job: adult-decisions\n.*?)```").FindSubmatch(text)
	if watch == nil {
		t.Fatal("docs/decisions.md has no watch.yaml")
	}
	for name, c := range map[string]struct {
		field string // of the identifier in the records that are learnt; empty: they have none
		keyed bool   // what is decided has its identifier as the Kafka key alone
		added bool   // record.id is added later
	}{"proposed": {field: "id"}, "key": {keyed: true}, "added": {field: "file", added: true}} {
		t.Run(name, func(t *testing.T) {
			b, err := devbroker.Start(devbroker.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(b.Close)
			client, err := kafka.Open(kafka.Config{Brokers: b.Addresses()}, kafka.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = client.Close() })
			directory := t.TempDir()
			write := func(name, text string) string {
				file := filepath.Join(directory, name)
				text = strings.ReplaceAll(text, "127.0.0.1:9092", b.Addresses()[0])
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return file
			}

			const learnt, decided = 2000, 300
			var sample, labels []string
			var applicants []kafka.Message
			for i, line := range adultJSON(t)[:learnt+decided] {
				var fields map[string]any
				if err := json.Unmarshal([]byte(line), &fields); err != nil {
					t.Fatal(err)
				}
				id := fmt.Sprintf("f-%06d", i)
				if c.field != "" {
					fields[c.field] = id
				}
				if i < learnt {
					sample = append(sample, asJSON(t, fields))
					continue
				}
				labels = append(labels, asJSON(t, map[string]any{"id": id, "income": fields["income"]}))
				delete(fields, "income")
				message := kafka.Message{Value: []byte(asJSON(t, fields))}
				if c.keyed {
					message.Key = []byte(id)
				}
				applicants = append(applicants, message)
			}
			people := write("people.jsonl", strings.Join(sample, "\n"))
			proposed := succeed(t, "init", "--input", people, "--job", "adult")
			if c.field == "id" {
				contains(t, proposed, "\n  id: id\n")
			}
			job := write("job.yaml", strings.Replace(proposed, "\ntopics:", "\nserver: {address: \"\"}\ntopics:", 1))
			watched := write("watch.yaml", strings.Replace(string(watch[1]), `"127.0.0.1:8469"`, `""`, 1))
			succeed(t, "topics", "create", "--config", job, "--partitions", "1")
			succeed(t, "produce", "--config", job, "--input", people)
			succeed(t, "run", "--config", job, "--until-end")
			if c.added {
				changed := regexp.MustCompile(`(?m)^  ignore:(\n    - file.*| \[file\])\n`).ReplaceAllString(proposed, "")
				changed = strings.Replace(changed, "\nrecord:\n", "\nrecord:\n  id: file\n", 1)
				job = write("job.yaml", strings.Replace(changed, "\ntopics:", "\nserver: {address: \"\"}\ntopics:", 1))
				succeed(t, "run", "--config", job, "--until-end")
				succeed(t, "produce", "--config", job, "--input", people)
				succeed(t, "run", "--config", job, "--until-end")
			}

			if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "people.unlabelled", Kind: kafka.InputTopic, Partitions: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := client.Produce(t.Context(), "people.unlabelled", 0, applicants...); err != nil {
				t.Fatal(err)
			}
			succeed(t, "score", "--config", job, "--from", "people.unlabelled", "--to", "people.decisions", "--attributes", "--until-end")
			succeed(t, "produce", "--config", watched, "--input", write("labels.jsonl", strings.Join(labels, "\n")))
			succeed(t, "monitor", "--config", watched, "--until-end")
			_, all, err := cluster.ReadMonitored(t.Context(), client, mustLoad(t, watched))
			if err != nil {
				t.Fatal(err)
			}
			var report monitor.Report
			for _, one := range all {
				report = *one.Report
			}
			if len(all) != 1 || report.Records != decided || report.Labelled != decided {
				t.Errorf("%d models, %d decisions, %d labels; want 1, %d, %d", len(all), report.Records, report.Labelled, decided, decided)
			}
		})
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
