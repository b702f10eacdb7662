package stream

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	library "github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/adult"
	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/avro"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// The writers' schemas: in the second, age is a double, a field is new and one is gone.
var adultSchemas = []string{
	`{"type":"record","name":"person","fields":[{"name":"age","type":"int"},{"name":"workclass","type":["null","string"]},{"name":"education","type":"string"},
	  {"name":"sex","type":{"type":"enum","name":"sex","symbols":["Male","Female"]}},{"name":"hours","type":"long"},{"name":"income","type":"string"}]}`,
	`{"type":"record","name":"person","fields":[{"name":"age","type":"double"},{"name":"education","type":"string"},{"name":"race","type":["null","string"]},
	  {"name":"sex","type":"string"},{"name":"hours","type":"long"},{"name":"income","type":"string"}]}`,
	`{"type":"record","name":"person","fields":[{"name":"age","type":"int"},{"name":"sex","type":"string"}]}`, // of no message of adultMessages: the label is gone
}

// adultMessages are records as Avro behind the header of a registry, and as JSON with the same members.
func adultMessages(t *testing.T, n int) (messages, lines []string) {
	t.Helper()
	reader, err := record.NewReader(adult.Open(), record.CSV, record.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parsed := []*library.Schema{}
	for _, schema := range adultSchemas {
		parsed = append(parsed, library.MustParse(schema))
	}
	for i := range n {
		if err := reader.Next(); err != nil {
			t.Fatal(err)
		}
		var all map[string]string
		if err := json.Unmarshal(reader.AppendJSON(nil), &all); err != nil {
			t.Fatal(err)
		}
		age, _ := strconv.Atoi(all["age"])
		hours, _ := strconv.ParseInt(all["hours-per-week"], 10, 64)
		optional := func(text string) any {
			if text == "?" {
				return nil
			}
			return text
		}
		version := 2 * i / n
		value := map[string]any{"education": all["education"], "sex": all["sex"], "hours": hours, "income": all["income"]}
		if version == 0 {
			value["age"], value["workclass"] = int32(age), optional(all["workclass"])
		} else {
			value["age"], value["race"] = float64(age), optional(all["race"])
		}
		message := binary.BigEndian.AppendUint32([]byte{0}, uint32(version+1))
		if message, err = parsed[version].AppendEncode(message, value); err != nil {
			t.Fatal(err)
		}
		messages = append(messages, string(message))
		members := []string{}
		for _, f := range parsed[version].Root().Fields {
			text, err := json.Marshal(value[f.Name])
			if err != nil {
				t.Fatal(err)
			}
			members = append(members, fmt.Sprintf("%q:%s", f.Name, text))
		}
		lines = append(lines, "{"+strings.Join(members, ",")+"}")
	}
	return messages, lines
}

// schemaServer is a registry with the schemas, which may fail as it is told.
func schemaServer(t *testing.T) (url string, fail *atomic.Value) {
	t.Helper()
	fail = &atomic.Value{}
	fail.Store(0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status := fail.Load().(int); status != 0 {
			w.WriteHeader(status)
			return
		}
		giveSchema(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, fail
}

// giveSchema answers as a registry with adultSchemas does.
func giveSchema(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/schemas/ids/"))
	if err != nil || id < 1 || id > len(adultSchemas) {
		unknownSchema(w, r)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]string{"schema": adultSchemas[id-1]})
}

// unknownSchema answers as a registry without the schema does.
func unknownSchema(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusNotFound)
	_, _ = fmt.Fprint(w, `{"error_code":40403,"message":"Schema not found"}`)
}

func openAvro(t *testing.T, url string) format.Format {
	t.Helper()
	f, err := avro.Registry(registry.Config{URLs: []string{url}, UnknownAfter: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// TestAvroLearnsTheWeightsOfJSON: with nullable fields and another writer's schema in the middle, through a registry that fails at first, while the
// process is ended twice; a record with an unknown id is a dead letter, and nothing else is.
func TestAvroLearnsTheWeightsOfJSON(t *testing.T) {
	t.Parallel()
	messages, lines := adultMessages(t, 2000)
	url, fail := schemaServer(t)
	fail.Store(http.StatusUnauthorized)
	world := newWorld(1)
	world.Put(testTopics.Input, 0, messages[:1500]...)
	world.Put(testTopics.Input, 0, "\x00\x00\x00\x00\x63\x02")
	world.Put(testTopics.Input, 0, messages[1500:]...)
	options := testOptions()
	options.Model.Record.Ignore = nil
	options.Format = openAvro(t, url)
	b := inBackground(t, world, options)
	await := func(what string, done func(Status) bool) {
		t.Helper()
		for end := time.Now().Add(5 * time.Minute); !done(b.Status()); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s: %+v", what, b.Status().Waits)
			}
		}
	}
	await("the cause", func(s Status) bool {
		return len(s.Waits) > 0 && s.Waits[0].Cause != nil && strings.Contains(s.Waits[0].Cause.Error(), "registry.password_file")
	})
	fail.Store(0)
	await("the first schema", func(s Status) bool { return s.Version > 0 })
	if err := b.end(); err != nil {
		t.Fatal(err)
	}
	options.Format = openAvro(t, url)
	s := New(world, options)
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	status := s.Status()
	if status.Version != 2000 || status.Rejected[string(record.UnknownSchema)] != 1 || len(status.Rejected) != 1 {
		t.Errorf("learnt %d, rejected %v", status.Version, status.Rejected)
	}
	if got, want := newest(t, world).WeightsSHA256, plainWith(t, options.Model, lines); got != want {
		t.Errorf("weights %s, of JSON %s", got, want)
	}
}
