package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/devbroker"
	"github.com/fairstream/fairstream/internal/kafka"
)

// workflow is a configuration whose topics do not exist yet.
func workflow(t *testing.T, addresses []string) (config string) {
	t.Helper()
	config = filepath.Join(t.TempDir(), "config.yaml")
	input := strings.NewReplacer("/", ".", "#", ".").Replace(t.Name())
	text := adultSections + fmt.Sprintf("kafka: {brokers: [%q]}\ntopics: {input: %s}\nserver: {address: \"\"}\n", addresses[0], input)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

// TestWorkflow uses the commands of a job's life in order: it creates topics, fills them, learns, shows the model, scores and
// resets the state. The weights are those that replay finds in the same records.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	onBrokers(t, func(t *testing.T, addresses []string) {
		config := workflow(t, addresses)
		refuse := func(says string, args ...string) {
			t.Helper()
			if code, _, stderr := fairstream(t, args...); code != failed || !strings.Contains(stderr, says) {
				t.Errorf("%s: exit code %d, not %q:\n%s", strings.Join(args, " "), code, says, stderr)
			}
		}
		lines := adultJSON(t)[:8000]
		input := filepath.Join(t.TempDir(), "records.jsonl")
		const malformed = 10
		text := strings.Join(lines, "\n") + strings.Repeat("\n{\"age\":", malformed)
		if err := os.WriteFile(input, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}

		// Before there are topics.
		refuse("does not exist", "topics", "verify", "--config", config)
		refuse("does not exist", "produce", "--config", config, "--input", input)
		refuse("does not exist", "models", "show", "--config", config)
		refuse("does not exist", "state", "show", "--config", config)

		if made := succeed(t, "topics", "create", "--config", config, "--partitions", "1"); strings.Count(made, "created") != 5 {
			t.Errorf("topics create:\n%s", made)
		}
		if made := succeed(t, "topics", "create", "--config", config, "--partitions", "3"); strings.Count(made, "exists") != 5 {
			t.Errorf("topics create, again:\n%s", made)
		}
		succeed(t, "topics", "verify", "--config", config)

		// Before anything is learnt.
		refuse("no weights of job adult yet", "models", "show", "--config", config, "--json")
		refuse("no weights of job adult yet", "score", "--config", config, "--input", input)
		if state := succeed(t, "state", "show", "--config", config); !strings.Contains(state, "Nobody ever claimed job adult") {
			t.Errorf("state show:\n%s", state)
		}

		if wrote := succeed(t, "produce", "--config", config, "--input", input); !strings.Contains(wrote, "Wrote 8,010 records") {
			t.Errorf("produce: %s", wrote)
		}
		succeed(t, "run", "--config", config, "--until-end")

		want := weightsOf(t, lines)
		document := showDocument(t, config)
		if document.Job != "adult" || document.Version != 8000 || document.Records != 8000 || document.Rejected != malformed || document.WeightsSHA256 != want {
			t.Errorf("models show: %+v, replay finds weights %s", document, want)
		}
		if len(document.Offsets) != 1 || len(document.Constraints) != 1 || document.Constraints[0].Name != "sex" {
			t.Errorf("models show: %+v", document)
		}
		for topic, next := range document.Offsets {
			if !strings.HasSuffix(topic, "/0") || next != 8000+malformed {
				t.Errorf("next offset of %s is %d", topic, next)
			}
		}
		for _, command := range [][]string{{"models", "list"}, {"models", "show"}, {"models", "explain"}} {
			if said := succeed(t, append(command, "--config", config)...); !strings.Contains(said, "8,000") {
				t.Errorf("%v:\n%s", command, said)
			}
		}
		if terms := succeed(t, "models", "explain", "--config", config, "--top", "3", "--json"); strings.Count(terms, "\n") != 3 || !strings.Contains(terms, `"weight":`) {
			t.Errorf("models explain --json:\n%s", terms)
		}
		refuse("no version 7 ", "models", "show", "--config", config, "--version", "7")

		// The topic's document and the file of it decide alike.
		file := filepath.Join(t.TempDir(), "weights.json")
		if err := os.WriteFile(file, []byte(succeed(t, "models", "show", "--config", config, "--json")), 0o600); err != nil {
			t.Fatal(err)
		}
		scores := succeed(t, "score", "--config", config, "--input", input, "--json")
		if fromFile := succeed(t, "score", "--model", file, "--input", input, "--json"); scores != fromFile {
			t.Error("score differs between the topic and a file of its document")
		}
		if got := strings.Count(scores, `"decision":0`) + strings.Count(scores, `"decision":1`); got != 8000 || strings.Count(scores, "\n") != 8000+malformed {
			t.Errorf("%d decisions in %d lines", got, strings.Count(scores, "\n"))
		}

		if state := succeed(t, "state", "show", "--config", config); !strings.Contains(state, "8,000 records learnt") || !strings.Contains(state, "10 rejected: malformed_json") {
			t.Errorf("state show:\n%s", state)
		}
		if text := succeed(t, "state", "verify", "--config", config); !strings.Contains(text, "Everything fits together.") {
			t.Errorf("state verify:\n%s", text)
		}
		if code, _, stderr := fairstream(t, "state", "reset", "--config", config); code != misuse || !strings.Contains(stderr, "--yes") {
			t.Errorf("state reset without --yes: exit code %d\n%s", code, stderr)
		}
		succeed(t, "state", "reset", "--config", config, "--yes")
		if state := succeed(t, "state", "show", "--config", config); !strings.Contains(state, "no snapshot") {
			t.Errorf("state show after the reset:\n%s", state)
		}
		succeed(t, "run", "--config", config, "--until-end")
		if again := showDocument(t, config); again.WeightsSHA256 != want || again.Records != 8000 {
			t.Errorf("after the reset: %+v", again)
		}
	})
}

// shownDocument is what others rely on in models show --json.
type shownDocument struct {
	Job           string           `json:"job"`
	Version       int64            `json:"version"`
	WeightsSHA256 string           `json:"weights_sha256"`
	Records       int64            `json:"records"`
	Rejected      int64            `json:"rejected"`
	Offsets       map[string]int64 `json:"offsets"`
	Constraints   []struct {
		Name string `json:"name"`
	} `json:"constraints"`
}

func showDocument(t *testing.T, config string) shownDocument {
	t.Helper()
	text := succeed(t, "models", "show", "--config", config, "--json")
	if strings.Count(text, "\n") != 1 {
		t.Errorf("models show --json is no single line: %d", strings.Count(text, "\n"))
	}
	var d shownDocument
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// A CSV row becomes an object of strings; keys keep the records of one key together; --topic chooses.
func TestProduceCSVWithKeys(t *testing.T) {
	b, err := devbroker.Start(devbroker.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	config := workflow(t, b.Addresses())
	succeed(t, "topics", "create", "--config", config)
	client, err := kafka.Open(kafka.Config{Brokers: b.Addresses()}, kafka.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: "keyed", Kind: kafka.InputTopic, Partitions: 4}); err != nil {
		t.Fatal(err)
	}
	people := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(people, []byte("id,age,income\na,30,>50K\nb,\"4,0\",x\na,31,\nb,41,?\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "produce", "--config", config, "--set", "record.id=id", "--input", people, "--topic", "keyed", "--rate", "1000")
	values := map[string][]string{}
	where := map[string]int32{}
	for partition := range int32(4) {
		_, err := client.Read(t.Context(), "keyed", partition, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			key := string(r.Key)
			if before, seen := where[key]; seen && before != partition {
				t.Errorf("the records of one key are on partitions %d and %d", before, partition)
			}
			where[key] = partition
			values[key] = append(values[key], string(r.Value))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		"a": `{"id":"a","age":"30","income":">50K"} {"id":"a","age":"31","income":""}`,
		"b": `{"id":"b","age":"4,0","income":"x"} {"id":"b","age":"41","income":"?"}`,
	}
	for key := range want {
		if got := strings.Join(values[key], " "); got != want[key] {
			t.Errorf("key %s: %s", key, got)
		}
	}
	if len(values) != len(want) {
		t.Errorf("%d keys", len(values))
	}
}

func TestWorkflowMisuse(t *testing.T) {
	inDirectory(t, map[string]string{
		"config.yaml": learning + "kafka: {brokers: [\"127.0.0.1:1\"]}\ntopics: {input: records}\n",
		"files.yaml":  learning,
		"people.csv":  people,
	})
	for _, test := range []struct{ args, says string }{
		{"topics create", "no configuration file"},
		{"topics create -c files.yaml", "topics.input: required"},
		{"topics create -c config.yaml --partitions 0", "--partitions 0"},
		{"topics remove", `unknown command "remove"`},
		{"produce -c config.yaml", `required flag(s) "input" not set`},
		{"produce -c config.yaml -i people.csv --rate -1", "--rate -1"},
		{"produce -c config.yaml -i people.txt", "people.txt"},
		{"models show -c files.yaml", "kafka.brokers: name at least one"},
		{"models explain -c files.yaml", "topics.input: required"},
		{"state reset -c config.yaml", "--yes"},
		{"score -i people.csv", "--model is missing"},
		{"score -c files.yaml -i people.csv", "kafka.brokers: name at least one"},
		{"broker --port 70000", "--port 70000"},
		{"demo extra", "extra"},
	} {
		code, _, stderr := fairstream(t, strings.Fields(test.args)...)
		if code != misuse || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: exit code %d\n%s", test.args, code, stderr)
		}
	}
}
