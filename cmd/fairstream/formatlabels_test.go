package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bufbuild/protocompile"
	"github.com/twmb/avro"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/fairstream/fairstream/internal/kafka"
)

const laterSections = `job: loans
record: {label: {field: repaid, positive: "true"}, key: loan, id: loan}
learner: {warmup: 100}
stream: {snapshot: {records: 200}}
constraints:
  - {name: sex, attribute: sex, group: male, versus: female, tau: 0.05}
`

// Applications have no label, outcomes nothing else. The second schema of applications has a field more.
var loanSchemas = map[int]string{
	7: `{"type":"record","name":"application","fields":[{"name":"loan","type":"int"},{"name":"age","type":"int"},{"name":"hours","type":["null","double"]},
	 {"name":"sex","type":{"type":"enum","name":"sex","symbols":["male","female"]}}]}`,
	8: `{"type":"record","name":"application","fields":[{"name":"loan","type":"int"},{"name":"age","type":"int"},{"name":"hours","type":["null","double"]},
	 {"name":"sex","type":"string"},{"name":"branch","type":["null","string"]}]}`,
	9: `{"type":"record","name":"outcome","fields":[{"name":"loan","type":"int"},{"name":"repaid","type":"boolean"}]}`,
}

const loanTypes = `syntax = "proto3"; enum Sex { male = 0; female = 1; }
message Application { int32 loan = 1; int32 age = 2; optional double hours = 3; Sex sex = 4; }
message Outer { message Outcome { int32 loan = 1; bool repaid = 2; } }
message Second { int32 loan = 1; int32 age = 2; optional double hours = 3; Sex sex = 4; optional string branch = 5; }`

// avroLoans and protobufLoans write one of the three kinds of message behind the header of a registry.
func avroLoans(t *testing.T) func(kind int, members string) []byte {
	schemas := map[int]*avro.Schema{}
	for id, text := range loanSchemas {
		schemas[id] = avro.MustParse(text)
	}
	return func(kind int, members string) []byte {
		id := 7 + kind
		var value map[string]any
		if err := json.Unmarshal([]byte(members), &value); err != nil {
			t.Fatal(err)
		}
		message, err := schemas[id].AppendEncode(binary.BigEndian.AppendUint32([]byte{0}, uint32(id)), value)
		if err != nil {
			t.Fatal(err)
		}
		return message
	}
}

func protobufLoans(t *testing.T) func(kind int, members string) []byte {
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{Accessor: protocompile.SourceAccessorFromMap(map[string]string{"p": loanTypes})}}
	files, err := compiler.Compile(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	types := files[0].Messages()
	return func(kind int, members string) []byte {
		described := types.ByName([]protoreflect.Name{"Application", "Second", "Outer"}[kind])
		head := [][]byte{{0}, {2, 4}, {4, 2, 0}}[kind] // the indexes 0, [2] and [1, 0], zigzag
		if kind == 2 {
			described = described.Messages().Get(0)
		}
		m := dynamicpb.NewMessage(described)
		if err := protojson.Unmarshal([]byte(members), m); err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return append(append([]byte{0, 0, 0, 0, 7}, head...), data...)
	}
}

// TestLabelsThatComeLaterInOtherFormats: applications and outcomes are messages of several schemas or types, of which half are named in a header of
// Kafka. Records wait while their schema changes and while the process is restarted, and wait on if the registry does not answer then. What is learnt is
// what the same messages in JSON teach.
func TestLabelsThatComeLaterInOtherFormats(t *testing.T) {
	t.Run("avro", func(t *testing.T) { labelsLater(t, "avro", 5, avroLoans(t)) })
	t.Run("protobuf", func(t *testing.T) { labelsLater(t, "protobuf", 5, protobufLoans(t)) })
}

func labelsLater(t *testing.T, format string, header int, encode func(kind int, members string) []byte) {
	t.Parallel()
	config, client, _ := onEmbedded(t, laterSections)
	const records, delay = 900, 150
	var lines, messages []kafka.Message
	add := func(kind, i int, line string) {
		encoded := encode(kind, line)
		lines = append(lines, kafka.Message{Value: []byte(line)})
		if i%2 == 0 {
			messages = append(messages, kafka.Message{Value: encoded})
			return
		}
		guid := append([]byte{1, 15: 0, 16: encoded[4]}, headOf(format, kind, encoded[header:])...)
		messages = append(messages, kafka.Message{Value: encoded[header+len(guid)-17:], Headers: []kafka.Header{{Key: "__value_schema_id", Value: guid}}})
	}
	for i := range records + delay {
		if i < records {
			hours, sex := "null", []string{"male", "female"}[i%2]
			if i%7 > 0 {
				hours = fmt.Sprintf("%v", float64(i*31%17)/4)
			}
			line := fmt.Sprintf(`{"loan":%d,"age":%d,"hours":%s,"sex":%q`, i, 20+i*7%50, hours, sex)
			if i < records/2 {
				add(0, i, line+"}")
			} else {
				add(1, i/2, fmt.Sprintf(`%s,"branch":%s}`, line, []string{"null", `"north"`}[i%5/4]))
			}
		}
		if i >= delay {
			add(2, i, fmt.Sprintf(`{"loan":%d,"repaid":%v}`, i-delay, (i*i+i/3)%5 < 2))
		}
	}
	for _, topic := range []string{"encoded", "plain"} {
		if _, err := client.CreateTopics(t.Context(), kafka.TopicSpec{Name: topic, Kind: kafka.InputTopic, Partitions: 1, ReplicationFactor: 1}); err != nil {
			t.Fatal(err)
		}
	}
	var broken atomic.Bool
	var asked atomic.Int64
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if broken.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		id := int(r.URL.Path[len(r.URL.Path)-1] - '0') // of its number and of its GUID
		if format == "protobuf" {
			_ = json.NewEncoder(w).Encode(map[string]string{"schema": loanTypes, "schemaType": "PROTOBUF"})
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"schema": loanSchemas[id]})
	}))
	t.Cleanup(registry.Close)
	learnt := func(job string, all []kafka.Message, setting ...string) string {
		with := append([]string{"--config", config, "--set", "job=" + job, "--set", "topics.model=" + job + ".models", "--set", "topics.state=" + job + ".state",
			"--set", "topics.waiting=" + job + ".waiting"}, setting...)
		succeed(t, append([]string{"topics", "create"}, with...)...)
		topic := strings.TrimPrefix(setting[1], "topics.input=")
		parts := [][]kafka.Message{all[:len(all)/2], all[len(all)/2:]} // more than delay records wait between them
		for i, part := range parts {
			if _, err := client.Produce(t.Context(), topic, 0, part...); err != nil {
				t.Fatal(err)
			}
			if restarted := i > 0 && job == "encoded"; restarted {
				broken.Store(true)
				before := asked.Load()
				go func() {
					for asked.Load() < before+3 {
						time.Sleep(time.Millisecond)
					}
					broken.Store(false)
				}()
			}
			succeed(t, append([]string{"run", "--until-end"}, with...)...)
		}
		contains(t, succeed(t, append([]string{"state", "show"}, with...)...), "1,800 records learnt")
		shown := succeed(t, append([]string{"models", "show"}, with...)...)
		contains(t, shown, "Learnt 900 records", "rejected 0.")
		_, sum, _ := strings.Cut(shown, "SHA-256 ")
		return sum[:64]
	}
	want := learnt("plain", lines, "--set", "topics.input=plain")
	if got := learnt("encoded", messages, "--set", "topics.input=encoded", "--set", "record.format="+format, "--set", "registry.urls="+registry.URL); got != want {
		t.Errorf("weights %s, of JSON %s", got, want)
	}
}

// headOf is what a serializer writes behind the id: the indexes of the type in Protobuf.
func headOf(format string, kind int, rest []byte) []byte {
	if format == "avro" {
		return nil
	}
	return rest[:[]int{1, 2, 3}[kind]]
}
