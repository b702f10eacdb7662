package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/twmb/avro"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/fairstream/fairstream/internal/kafka"
)

const personSchema = `{"type":"record","name":"person","fields":[{"name":"age","type":"int"},{"name":"workclass","type":["null","string"]},
 {"name":"sex","type":{"type":"enum","name":"sex","symbols":["Male","Female"]}},{"name":"hours","type":"double"},{"name":"income","type":"string"}]}`

const personType = `syntax = "proto3"; enum Sex { Male = 0; Female = 1; }
message Person { int32 age = 1; optional string workclass = 2; Sex sex = 3; double hours = 4; string income = 5; }`

// asAvro and asProtobuf write persons behind the header of a registry, as schema 7.
func asAvro(t *testing.T) func(person map[string]any) []byte {
	schema := avro.MustParse(personSchema)
	return func(person map[string]any) []byte {
		message, err := schema.AppendEncode(binary.BigEndian.AppendUint32([]byte{0}, 7), person)
		if err != nil {
			t.Fatal(err)
		}
		return message
	}
}

func asProtobuf(t *testing.T) func(person map[string]any) []byte {
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{"p": personType})}}
	files, err := compiler.Compile(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	return func(person map[string]any) []byte {
		text, err := json.Marshal(person)
		if err != nil {
			t.Fatal(err)
		}
		m := dynamicpb.NewMessage(files[0].Messages().Get(0))
		if err := protojson.Unmarshal(text, m); err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return append([]byte{0, 0, 0, 0, 7, 0}, data...)
	}
}

const guidText = "11223344-5566-7788-99aa-bbccddeeff00"

// inHeader is a message whose serializer names its schema, and the type of Protobuf, in a header: what is behind the id and the indexes is the value.
func inHeader(message []byte) kafka.Message {
	guid := []byte{1, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0}
	value := message[5:]
	if indexed := message[5] == 0; indexed { // asProtobuf; a person in Avro is not aged 0
		guid, value = append(guid, 0), message[6:]
	}
	return kafka.Message{Value: value, Headers: []kafka.Header{{Key: "__value_schema_id", Value: guid}}}
}

// TestTopicsInOtherFormats: from a topic in Avro or Protobuf, init drafts what it drafts from the same records in JSON; check and run say the same of
// both, and score decides both in the same way.
func TestTopicsInOtherFormats(t *testing.T) {
	t.Run("avro", func(t *testing.T) { topicIn(t, "avro", map[string]string{"schema": personSchema}, asAvro(t)) })
	t.Run("protobuf", func(t *testing.T) {
		topicIn(t, "protobuf", map[string]string{"schema": personType, "schemaType": "PROTOBUF"}, asProtobuf(t))
	})
}

func topicIn(t *testing.T, format string, schema map[string]string, encode func(person map[string]any) []byte) {
	t.Parallel() // it waits for a registry most of the time
	_, client, b := onEmbedded(t, adultSections)
	var messages, headed, lines []kafka.Message
	for i := range 1200 {
		person := map[string]any{"age": int32(20 + i*7%50), "workclass": any("Private"), "sex": []string{"Male", "Female"}[i%2], "hours": float64(i%17) / 4, "income": []string{"<=50K", ">50K"}[(i*i+i/3)%5/3]}
		if i%11 == 0 {
			person["workclass"] = nil
		}
		work, err := json.Marshal(person["workclass"])
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Appendf(nil, `{"age":%d,"workclass":%s,"sex":%q,"hours":%v,"income":%q}`, person["age"], work, person["sex"], person["hours"], person["income"])
		encoded := encode(person)
		messages, lines = append(messages, kafka.Message{Value: encoded}), append(lines, kafka.Message{Value: line})
		headed = append(headed, inHeader(encoded))
	}
	spoilt := []kafka.Message{{Value: messages[0].Value[:len(messages[0].Value)-1]}, {Value: []byte("\x00\x00\x00\x00\x08\x02")}, {Value: []byte("{}")}}
	for topic, all := range map[string][]kafka.Message{"encoded": messages, "headed": headed, "plain": lines, "spoilt": append(spoilt, messages[:300]...)} {
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
		case r.URL.Path == "/schemas/ids/7", r.URL.Path == "/schemas/guids/"+guidText:
			_ = json.NewEncoder(w).Encode(schema)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprint(w, `{"error_code":40403,"message":"no"}`)
		}
	}))
	defer registry.Close()

	of := func(topic string, more ...string) []string {
		return append([]string{"init", "--topic", topic, "--job", "persons", "--brokers", b.Addresses()[0]}, more...)
	}
	draft := succeed(t, of("encoded", "--registry", registry.URL, "--format", format)...)
	for _, line := range []string{"  format: " + format + "\n", "registry:\n", fmt.Sprintf("  urls: [%q]\n", registry.URL)} {
		if !strings.Contains(draft, line) {
			t.Errorf("the draft lacks %q", line)
		}
	}
	var rest []string
	for line := range strings.Lines(draft) {
		if strings.HasSuffix(line, "the newest message's schema, schema id 7.\n") {
			continue
		}
		if line != "  format: "+format+"\n" && line != "registry:\n" && !strings.HasPrefix(line, "  urls:") {
			rest = append(rest, strings.ReplaceAll(line, "encoded", "plain"))
		}
	}
	if want := strings.Replace(succeed(t, of("plain")...), "  # A message of the input is one JSON object.\n", "", 1); strings.Join(rest, "") != want {
		t.Errorf("the draft is\n%s\nthat of JSON is\n%s", draft, want)
	}

	config := filepath.Join(t.TempDir(), "persons.yaml")
	if err := os.WriteFile(config, []byte(draft), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, _ := fairstream(t, "check", "--config", config)
	contains(t, said, "1,200 records of topic encoded; 0 rejected.", "is positive in ")
	asJSON := []string{"--set", "record.format=json", "--set", "topics.input=plain"}
	if _, plain, _ := fairstream(t, append([]string{"check", "--config", config}, asJSON...)...); strings.ReplaceAll(plain, "topic plain", "topic encoded") != said {
		t.Errorf("check says\n%s\nof JSON\n%s", said, plain)
	}
	run := func(more ...string) (warned []string) {
		code, _, said := fairstream(t, append([]string{"run", "--config", config, "--until-end", "--set", "server.address="}, more...)...)
		if code != done {
			t.Fatal(said)
		}
		for line := range strings.Lines(said) {
			if _, words, found := strings.Cut(line, `"key":`); found && strings.Contains(line, "the records do not fit the configuration") {
				warned = append(warned, words)
			}
		}
		return warned
	}
	run()
	odd := func(name string) []string {
		return []string{"--set", "record.ignore=agee", "--set", "job=" + name, "--set", "topics.model=" + name, "--set", "topics.state=" + name + ".state"}
	}
	if ours, plain := run(odd("one")...), run(append(odd("two"), asJSON...)...); len(ours) == 0 || !slices.Equal(ours, plain) {
		t.Errorf("of the first records run says %q, of JSON %q", ours, plain)
	}
	decisions := func(from string, more ...string) (all []string) {
		succeed(t, append([]string{"score", "--config", config, "--from", from, "--to", from + ".decisions", "--until-end", "--attributes"}, more...)...)
		_, err := client.ReadInput(t.Context(), from+".decisions", 0, kafka.Earliest, kafka.End, func(r *kafka.Record) error {
			decision, _, _ := strings.Cut(string(r.Value), `,"source"`)
			all = append(all, decision)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if ours, plain := decisions("encoded"), decisions("plain", asJSON...); len(ours) != 1200 || !slices.Equal(ours, plain) {
		t.Errorf("%d decisions, of JSON %d, or others: %s in place of %s", len(ours), len(plain), ours[0], plain[0])
	}
	if ours, headed := decisions("encoded"), decisions("headed"); len(headed) != 1200 || !slices.Equal(headed, ours) {
		t.Errorf("%d decisions of messages with headers, %d of those without, or others: %s in place of %s", len(headed), len(ours), headed[0], ours[0])
	}
	if _, headed, _ := fairstream(t, "check", "--config", config, "--set", "topics.input=headed"); strings.ReplaceAll(headed, "topic headed", "topic encoded") != strings.ReplaceAll(said, "schema id 7", "schema GUID "+guidText) {
		t.Errorf("check of messages with headers says\n%s\nof those without\n%s", headed, said)
	}
	monitored := func(job string, more ...string) {
		with := append([]string{"--config", config, "--set", "job=" + job, "--set", "topics.state=" + job, "--set", "topics.history=",
			"--set", "monitor.decision.field=workclass", "--set", "monitor.decision.positive=Private"}, more...)
		succeed(t, append([]string{"monitor", "--until-end", "--set", "server.address="}, with...)...)
		contains(t, succeed(t, append([]string{"state", "show"}, with...)...), "1,090 records learnt.", "110 rejected: missing_decision.")
	}
	monitored("three")
	monitored("four", asJSON...)
	succeed(t, append([]string{"run", "--config", config, "--until-end", "--set", "server.address=", "--set", "topics.input=spoilt", "--set", "registry.unknown_after=1s"}, odd("five")...)...)
	contains(t, succeed(t, append([]string{"deadletters", "replay", "--dry-run", "--config", config, "--set", "topics.input=spoilt", "--set", "registry.unknown_after=1s"}, odd("five")...)...),
		"Would write 0", "malformed_message", "unknown_schema", "no_schema_id")
	if rejected := decisions("spoilt", "--set", "registry.unknown_after=1s")[:3]; !strings.Contains(rejected[0], "malformed_message") ||
		!strings.Contains(rejected[1], "unknown_schema") || !strings.Contains(rejected[2], "no_schema_id") {
		t.Errorf("of what cannot be read: %q", rejected)
	}

	_, said, _ = fairstream(t, "check", "--config", config, "--set", "topics.input=spoilt", "--set", "registry.timeout=1s")
	contains(t, said, "303 records of topic spoilt; 3 rejected.", "malformed_message", "unknown_schema", "schema id 8: the registry does not know it", "no_schema_id")
	fails(t, failed, "--registry URL", of("encoded")...)
	fails(t, misuse, "--registry URL", of("encoded", "--format", format)...)
	_, said, _ = fairstream(t, "check", "--config", config, "--set", "record.label.field=incom", "--set", "record.id=workplace")
	contains(t, said, `Error: record: schema id 7 has no field "incom"`, `Warning: record.id: schema id 7 has no field "workplace"`)
	broken.Store(true)
	fails(t, failed, "schema id 7: the registry answers 401", of("encoded", "--registry", registry.URL, "--format", format, "--set", "registry.timeout=1s")...)
	registry.Close()
	fails(t, failed, "schema id 7: the registry does not answer", "check", "--config", config, "--set", "registry.timeout=1s")
}
