package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/kafka"
)

const personSchema = `{"type":"record","name":"person","fields":[{"name":"age","type":"int"},{"name":"workclass","type":["null","string"]},
 {"name":"sex","type":{"type":"enum","name":"sex","symbols":["Male","Female"]}},{"name":"hours","type":"double"},{"name":"income","type":"string"}]}`

// TestAvroTopic: from a topic in Avro, init drafts what it drafts from the same records in JSON, and check and run take the draft as it is.
func TestAvroTopic(t *testing.T) {
	_, client, b := onEmbedded(t, adultSections)
	schema := avro.MustParse(personSchema)
	var messages, lines []kafka.Message
	for i := range 1200 {
		person := map[string]any{"age": int32(20 + i*7%50), "workclass": any("Private"), "sex": []string{"Male", "Female"}[i%2], "hours": float64(i%17) / 4, "income": []string{"<=50K", ">50K"}[(i*i+i/3)%5/3]}
		if i%11 == 0 {
			person["workclass"] = nil
		}
		message, err := schema.AppendEncode(binary.BigEndian.AppendUint32([]byte{0}, 7), person)
		if err != nil {
			t.Fatal(err)
		}
		work, err := json.Marshal(person["workclass"])
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Appendf(nil, `{"age":%d,"workclass":%s,"sex":%q,"hours":%v,"income":%q}`, person["age"], work, person["sex"], person["hours"], person["income"])
		messages, lines = append(messages, kafka.Message{Value: message}), append(lines, kafka.Message{Value: line})
	}
	spoilt := []kafka.Message{{Value: messages[0].Value[:8]}, {Value: []byte("\x00\x00\x00\x00\x08\x02")}, {Value: []byte("{}")}}
	for topic, all := range map[string][]kafka.Message{"encoded": messages, "plain": lines, "spoilt": append(spoilt, messages[:300]...)} {
		if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: topic, Kind: kafka.InputTopic, Partitions: 1, ReplicationFactor: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Produce(t.Context(), topic, 0, all...); err != nil {
			t.Fatal(err)
		}
	}
	var broken atomic.Bool
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case broken.Load():
			w.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(r.URL.Path, "/schemas/ids/7"):
			_ = json.NewEncoder(w).Encode(map[string]string{"schema": personSchema})
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprint(w, `{"error_code":40403,"message":"no"}`)
		}
	}))
	defer registry.Close()

	of := func(topic string, more ...string) []string {
		return append([]string{"init", "--topic", topic, "--job", "persons", "--brokers", b.Addresses()[0]}, more...)
	}
	draft := succeed(t, of("encoded", "--registry", registry.URL)...)
	for _, line := range []string{"  format: avro\n", "registry:\n", fmt.Sprintf("  urls: [%q]\n", registry.URL)} {
		if !strings.Contains(draft, line) {
			t.Errorf("the draft lacks %q", line)
		}
	}
	var rest []string
	for line := range strings.Lines(draft) {
		if line != "  format: avro\n" && line != "registry:\n" && !strings.HasPrefix(line, "  urls:") {
			rest = append(rest, strings.ReplaceAll(line, "encoded", "plain"))
		}
	}
	if want := strings.Replace(succeed(t, of("plain")...), "  # A message of the input is one JSON object.\n", "", 1); strings.Join(rest, "") != want {
		t.Errorf("the draft of Avro is\n%s\nthat of JSON is\n%s", draft, want)
	}

	config := filepath.Join(t.TempDir(), "persons.yaml")
	if err := os.WriteFile(config, []byte(draft), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, _ := fairstream(t, "check", "--config", config)
	contains(t, said, "1,200 records of topic encoded; 0 rejected.", "is positive in ")
	asJSON := []string{"--set", "record.format=json", "--set", "topics.input=plain"}
	if _, plain, _ := fairstream(t, append([]string{"check", "--config", config}, asJSON...)...); strings.ReplaceAll(plain, "plain", "encoded") != said {
		t.Errorf("check of Avro says\n%s\nof JSON\n%s", said, plain)
	}
	succeed(t, "run", "--config", config, "--until-end", "--set", "server.address=")

	_, said, _ = fairstream(t, "check", "--config", config, "--set", "topics.input=spoilt")
	contains(t, said, "303 records of topic spoilt; 3 rejected.", "malformed_message", "unknown_schema", "schema id 8: the registry does not know it", "no_schema_id")
	fails(t, failed, "--registry URL", of("encoded")...)
	fails(t, misuse, "--registry URL", of("encoded", "--format", "avro")...)
	fails(t, failed, "a sample of a topic is read as JSON or Avro only", of("encoded", "--format", "protobuf", "--registry", registry.URL)...)
	broken.Store(true)
	fails(t, failed, "schema id 7: the registry answers 401", of("encoded", "--registry", registry.URL, "--set", "registry.timeout=1s")...)
	registry.Close()
	fails(t, failed, "schema id 7: the registry does not answer", "check", "--config", config, "--set", "registry.timeout=1s")
}
