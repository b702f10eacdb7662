package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/fairstream/fairstream/internal/kafka"
)

// readTopic gives the messages of the first partition.
func readTopic(t *testing.T, client *kafka.Client, topic string) []kafka.Message {
	t.Helper()
	var messages []kafka.Message
	_, err := client.Read(t.Context(), topic, 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
		messages = append(messages, r.Message())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return messages
}

func TestProduceWritesEveryLine(t *testing.T) {
	const keyed = "record: {label: {field: y, positive: 1}, id: name, missing: [\"\", \"?\"]}\n"
	config, client, _ := onEmbedded(t, keyed)
	succeed(t, "topics", "create", "-c", config)
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := `{"name":"` + strings.Repeat("x", 1<<20) + `"}`
	code, stdout, stderr := fairstream(t, "produce", "-c", config, "-i", write("a.csv", "name,age,y\nAnn,30,1\n\"B\"\"ob\",?,0\nshort\n,5,1\n"))
	contains(t, stdout, "Wrote 3 records to people")
	contains(t, stderr, "Rejected 1 of 4 records", "line 4: wrong_field_count")
	if code != done {
		t.Errorf("exit code %d", code)
	}
	code, stdout, stderr = fairstream(t, "produce", "-c", config, "-i", write("b.jsonl", `{"name":"Cy","y":1}`+"\n{broken\n"+long+"\n"+`{"y":null}`+"\n"))
	contains(t, stdout, "Wrote 3 records to people")
	contains(t, stderr, "Rejected 1 of 4 records", "too_long")
	if code != done {
		t.Errorf("exit code %d", code)
	}
	code, _, stderr = fairstreamWith(t, `{"name":"Di"}`, "produce", "-c", config, "-i", "-", "--format", "jsonl", "--rate", "1000", "--topic", "people.dlq")
	if code != done {
		t.Errorf("standard input: exit code %d\n%s", code, stderr)
	}
	fails(t, failed, "holds no record that can be sent", "produce", "-c", config, "-i", write("c.jsonl", "\n"))
	fails(t, failed, "none.jsonl", "produce", "-c", config, "-i", "none.jsonl")
	fails(t, failed, "other: the topic does not exist", "produce", "-c", config, "-i", "adult", "--topic", "other")

	wants := []struct{ key, value string }{
		{"Ann", `{"name":"Ann","age":"30","y":"1"}`},
		{`B"ob`, `{"name":"B\"ob","age":"?","y":"0"}`},
		{"", `{"name":"","age":"5","y":"1"}`},
		{"Cy", `{"name":"Cy","y":1}`},
		{"", "{broken"},
		{"", `{"y":null}`},
	}
	messages := readTopic(t, client, "people")
	for i, message := range messages {
		if i >= len(wants) || string(message.Key) != wants[i].key || string(message.Value) != wants[i].value || wants[i].key == "" && message.Key != nil {
			t.Errorf("message %d is %q: %s", i, message.Key, message.Value)
		}
	}
	if len(messages) != len(wants) {
		t.Errorf("%d messages, want %d", len(messages), len(wants))
	}
	if others := readTopic(t, client, "people.dlq"); len(others) != 1 || string(others[0].Value) != `{"name":"Di"}` {
		t.Errorf("--topic got %d messages", len(others))
	}
}

// The key that joins a record with its label goes before the identifier: both must come to one partition. A record that has to have it and has
// not, and becomes a dead letter, is sent with its identifier.
func TestProduceKeysByTheJoiningField(t *testing.T) {
	config, client, _ := onEmbedded(t, "record: {label: {field: y, positive: 1}, id: name, key: case}\n")
	succeed(t, "topics", "create", "-c", config)
	code, _, stderr := fairstreamWith(t, `{"name":"Ann","case":"7"}`+"\n"+`{"name":"Bob"}`, "produce", "-c", config, "-i", "-", "--format", "jsonl")
	if code != done {
		t.Fatal(stderr)
	}
	var keys []string
	for _, message := range readTopic(t, client, "people") {
		keys = append(keys, string(message.Key))
	}
	if fmt.Sprint(keys) != "[7 Bob]" {
		t.Errorf("keys %q: want that of the first, and the identifier of the second, which has no key", keys)
	}
}

// TestProduceWritesJSONOnly: to a topic whose records are read as Avro it writes nothing.
func TestProduceWritesJSONOnly(t *testing.T) {
	config, client, _ := onEmbedded(t, "record: {label: {field: y, positive: 1}, format: avro}\nregistry: {urls: [\"http://127.0.0.1:1\"]}\n")
	succeed(t, "topics", "create", "-c", config)
	fails(t, misuse, "messages of record.format avro need a schema: give --schema FILE, which is registered as people-value", "produce", "-c", config, "-i", "adult")
	schema := filepath.Join(t.TempDir(), "s.avsc")
	if err := os.WriteFile(schema, []byte(`{"type":"record","name":"r","fields":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, failed, "the schema was not registered as people-value", "produce", "-c", config, "-i", "adult", "--schema", schema)
	if written := readTopic(t, client, "people"); len(written) > 0 {
		t.Errorf("%d messages", len(written))
	}
}

// A Kafka that is away is named at once; interrupting ends the wait.
func TestAwayFromKafka(t *testing.T) {
	inDirectory(t, map[string]string{"away.yaml": learning + "kafka: {brokers: [\"127.0.0.1:1\"]}\ntopics: {input: people}\n"})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	var out, err bytes.Buffer
	code := run(ctx, []string{"produce", "-c", "away.yaml", "-i", "adult"}, nil, &out, &err)
	if code != failed {
		t.Errorf("exit code %d", code)
	}
	contains(t, err.String(), "connection refused", "trying again for 30s", "fairstream: interrupted")
}

// An interrupted produce says where to go on, and --skip goes on there: every row is written once.
func TestProduceGoesOn(t *testing.T) {
	config, client, _ := onEmbedded(t, "record: {label: {field: y, positive: 1}}\n")
	succeed(t, "topics", "create", "-c", config)
	const rows = 3000
	var input strings.Builder
	for i := range rows {
		fmt.Fprintf(&input, "{\"y\":1,\"i\":%d}\n", i)
	}
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(file, []byte(input.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	var out, stderr bytes.Buffer
	if code := run(ctx, []string{"produce", "-c", config, "-i", file, "--rate", "2000"}, nil, &out, &stderr); code != failed {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	_, rest, found := strings.Cut(stderr.String(), "--skip ")
	skip := strings.TrimSpace(rest)
	if n, err := strconv.Atoi(skip); !found || err != nil || n == 0 || n >= rows {
		t.Fatalf("it says %s", stderr.String())
	}
	succeed(t, "produce", "-c", config, "-i", file, "--skip", skip)
	messages := readTopic(t, client, "people")
	for i, message := range messages {
		if want := fmt.Sprintf(`{"y":1,"i":%d}`, i); string(message.Value) != want {
			t.Fatalf("message %d is %s, want %s", i, message.Value, want)
		}
	}
	if len(messages) != rows {
		t.Errorf("%d messages of %d rows", len(messages), rows)
	}
	fails(t, failed, "no record behind the first 3,000 rows", "produce", "-c", config, "-i", file, "--skip", "3000")
	fails(t, misuse, "--skip -1", "produce", "-c", config, "-i", file, "--skip", "-1")
}

// TestProduceAsASchemaSays: rows become messages of a registered schema, from which a job learns the weights that it learns from JSON.
func TestProduceAsASchemaSays(t *testing.T) {
	registered := srfake.New()
	t.Cleanup(registered.Close)
	folder := t.TempDir()
	rows := []string{"age,sex,y"}
	for i := range 400 {
		rows = append(rows, fmt.Sprintf("%d,%s,%d", 20+i%50, []string{"f", "m"}[i%2], i/3%2))
	}
	for name, text := range map[string]string{
		"rows.csv": strings.Join(append(rows, "old,f,1"), "\n") + "\n", "good.csv": strings.Join(rows, "\n") + "\n",
		"s.avsc":  `{"type":"record","name":"r","fields":[{"name":"age","type":"int"},{"name":"sex","type":{"type":"enum","name":"s","symbols":["f","m"]}},{"name":"y","type":["null","long"]}]}`,
		"s.proto": `syntax = "proto3"; message R { optional int32 age = 1; string sex = 2; optional sint64 y = 3; }`,
		"s.json":  `{"type":"object","properties":{"age":{"type":"integer"},"y":{"type":"integer","description":"1 if repaid"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	weights := map[string]string{}
	for _, c := range []struct{ format, schema, says string }{
		{"json", "", ""}, {"json", "s.json", ""}, {"avro", "s.avsc", `row 401: field "age": is not of type int`}, {"protobuf", "s.proto", `row 401: field "age" does not fit the schema`},
	} {
		config, client, b := onEmbedded(t, "record: {format: "+c.format+", label: {field: y, positive: 1}}\nconstraints: [{attribute: sex, group: f, versus: m, tau: 0.1}]\nregistry: {urls: ["+registered.URL()+"]}\n")
		succeed(t, "topics", "create", "-c", config)
		arguments, file := []string{"produce", "-c", config, "-i"}, "good.csv"
		if c.says != "" {
			file = "rows.csv"
		}
		if arguments = append(arguments, filepath.Join(folder, file)); c.schema != "" {
			arguments = append(arguments, "--schema", filepath.Join(folder, c.schema))
		}
		code, stdout, stderr := fairstream(t, arguments...)
		contains(t, stdout, "Wrote 400 records to people")
		contains(t, stderr, c.says)
		if code != done {
			t.Fatalf("%v: exit code %d: %s", arguments, code, stderr)
		}
		if c.schema == "s.json" {
			contains(t, succeed(t, "init", "--topic", "people", "--brokers", b.Addresses()[0], "--registry", registered.URL(), "--format", "json"), "1 if repaid")
			_, said, warnings := fairstream(t, "check", "-c", config)
			contains(t, strings.Join(strings.Fields(said+warnings), " "), `schema id 1 has no field "sex"`)
		}
		succeed(t, "run", "-c", config, "--until-end")
		var all string
		for _, message := range readTopic(t, client, "people.models") {
			var d struct {
				WeightsSHA256 string `json:"weights_sha256"`
			}
			if json.Unmarshal(message.Value, &d) == nil {
				all += d.WeightsSHA256 + " "
			}
		}
		weights[c.format+c.schema] = all
		if all == "" || all != weights["json"] {
			t.Errorf("%s %s: weights %s in place of %s", c.format, c.schema, all, weights["json"])
		}
	}
}
