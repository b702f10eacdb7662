package formats

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr/srfake"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

const (
	avroSchema = `{"type":"record","name":"Loan","namespace":"bank","fields":[{"name":"y","type":"int"},{"name":"ok","type":"boolean"},{"name":"age","type":["null","double"]},
		{"name":"sex","type":{"type":"enum","name":"Sex","symbols":["f","m"]}},{"name":"other","type":["null","Sex"]},{"name":"name","type":"string"},
		{"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"born","type":["null",{"type":"int","logicalType":"date"}]},
		{"name":"amount","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}},{"name":"list","type":{"type":"array","items":["null","long"]}},
		{"name":"more","type":{"type":"map","values":"float"}},{"name":"left","type":"string","default":"east"},{"name":"raw","type":["null","bytes"]}]}`
	protoSchema = `syntax = "proto3"; import "google/protobuf/timestamp.proto"; import "google/protobuf/wrappers.proto";
		message Loan { int32 y = 1; bool ok = 2; optional double age = 3; Sex sex = 4; string name = 5; google.protobuf.Timestamp at = 6; repeated int64 list = 7; Inner in = 8;
		google.protobuf.Int64Value other = 9; }
		message Inner { float x = 1; } enum Sex { f = 0; m = 1; }`
	jsonSchema = `{"type":"object","properties":{"y":{"type":"integer"}}}`
)

// TestEncodersWriteWhatDecodersRead: rows of CSV, which are texts, and of JSON become messages in each format that are read as the same values.
func TestEncodersWriteWhatDecodersRead(t *testing.T) {
	t.Parallel()
	registered := srfake.New()
	t.Cleanup(registered.Close)
	to := registry.Config{URLs: []string{registered.URL()}}
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	avroFile, protoFile := file("a.avsc", avroSchema), file("a.proto", protoSchema)
	const (
		avroRow = `{"y":"1","ok":"true","age":"?","sex":"m","other":"f","name":"?","at":"2026-11-24T10:00:00Z","born":"1984-02-29","amount":"12.34","list":[1,"",3],"more":{"a":1.5},"raw":"a"}`
		avroOut = `{"y":1,"ok":true,"age":null,"sex":"m","other":"f","name":"?","at":"2026-11-24T10:00:00Z","born":"1984-02-29","amount":12.34,"list":[1,null,3],"more":{"a":1.5},"left":"east","raw":"YQ=="}`
		protRow = `{"y":"1","ok":"true","age":"?","sex":"m","name":5,"at":"2026-11-24T10:00:00Z","list":[1,"3"],"in":{"x":2.5},"other":"7"}`
		protOut = `{"y":1,"ok":true,"age":null,"sex":"m","name":"5","at":"2026-11-24T10:00:00Z","list":[1,3],"in":{"x":2.5},"other":7}`
	)
	for _, c := range []struct {
		name     string
		config   record.Config
		file     string
		row, out string
	}{
		{"avro", record.Config{Format: record.Avro}, avroFile, avroRow, avroOut},
		{"avro-single", record.Config{Format: record.AvroSingle, Schema: []string{avroFile}}, "", avroRow, avroOut},
		{"avro-bare", record.Config{Format: record.AvroBare, Schema: []string{avroFile}}, "", avroRow, avroOut},
		{"protobuf", record.Config{Format: record.Protobuf}, protoFile, protRow, protOut},
		{"protobuf-bare", record.Config{Format: record.ProtobufBare, Schema: []string{protoFile}}, "", protRow, protOut},
		{"json with a header", record.Config{}, file("a.json", jsonSchema), `{"y":1}`, "\x00\x00\x00\x00\x03" + `{"y":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := NewEncoder(t.Context(), c.config, to, "loans", c.file)
			if err != nil {
				t.Fatal(err)
			}
			message, err := e.AppendMessage([]byte("before"), []byte(c.row))
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(c.config, to)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			value := []byte(strings.TrimPrefix(string(message), "before"))
			got, err := f.AppendJSON(nil, value)
			if pending, waits := errors.AsType[*format.Pending](err); waits {
				<-pending.Ready
				got, err = f.AppendJSON(nil, value)
			}
			if err != nil || string(got) != c.out {
				t.Errorf("%s in place of\n%s (%v)", got, c.out, err)
			}
		})
	}
}

// TestWhatNoSchemaHolds: a row that does not fit is named by its field and without its value, and so is a schema that cannot be used, before it is
// registered.
func TestWhatNoSchemaHolds(t *testing.T) {
	t.Parallel()
	registered := srfake.New()
	t.Cleanup(registered.Close)
	to := registry.Config{URLs: []string{registered.URL()}}
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	avroFile, protoFile := file("a.avsc", avroSchema), file("a.proto", protoSchema)
	good := `"y":1,"ok":true,"sex":"m","name":"a","at":7,"amount":1,"list":[],"more":{}`
	for _, c := range []struct {
		format    record.Encoding
		row, want string
	}{
		{record.AvroBare, `{` + good + `}`, ""},
		{record.AvroBare, `{` + good + `,"y":"secret"}`, `field "y": is not of type int`},
		{record.AvroBare, `{` + good + `,"y":3000000000}`, `field "y": is not of type int`},
		{record.AvroBare, `{` + good + `,"ok":"secret"}`, `field "ok": is not a boolean`},
		{record.AvroBare, `{` + good + `,"age":"secret"}`, `field "age": matches no type of its union`},
		{record.AvroBare, `{` + good + `,"sex":"secret"}`, `field "sex" does not fit the schema`},
		{record.AvroBare, `{` + good + `,"amount":"secret"}`, `field "amount": is not a number`},
		{record.AvroBare, `{` + good + `,"list":[1,"secret"]}`, `field "list.1": matches no type`},
		{record.AvroBare, `{` + good + `,"list":"secret"}`, `field "list": is not an array`},
		{record.AvroBare, `{` + good + `,"more":{"a":"secret"}}`, `field "more.a": is not a number`},
		{record.AvroBare, `{` + good + `,"more":"secret"}`, `field "more": is not an object`},
		{record.AvroBare, `{"ok":true}`, `field "y": is not of type int`},
		{record.AvroBare, `["secret"]`, `is not an object`},
		{record.AvroBare, `{"secret`, `is not a JSON object`},
		{record.ProtobufBare, `{"y":"secret","ok":true}`, `field "y" does not fit the schema`},
		{record.ProtobufBare, `{"ok":"secret"}`, `field "ok" does not fit the schema`},
		{record.ProtobufBare, `{"in":{"x":"secret"}}`, `field "in" does not fit the schema`},
		{record.ProtobufBare, `{"elsewhere":"secret"}`, `field "elsewhere" is not in the schema`},
		{record.ProtobufBare, `["secret"]`, `is not a JSON object`},
	} {
		e, err := NewEncoder(t.Context(), record.Config{Format: c.format, Schema: []string{map[record.Encoding]string{record.AvroBare: avroFile, record.ProtobufBare: protoFile}[c.format]}}, to, "loans", "")
		if err != nil {
			t.Fatal(err)
		}
		message, err := e.AppendMessage([]byte("before"), []byte(c.row))
		switch {
		case c.want == "" && (err != nil || len(message) <= len("before")):
			t.Errorf("%s: %v", c.row, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") || string(message) != "before"):
			t.Errorf("%s: %q, %v in place of %q", c.row, message, err, c.want)
		}
	}
	for _, c := range []struct {
		config record.Config
		to     registry.Config
		file   string
		want   string
	}{
		{record.Config{Format: record.Avro}, to, "", "give --schema FILE, which is registered as loans-value"},
		{record.Config{Format: record.Avro}, registry.Config{}, avroFile, "set registry.urls"},
		{record.Config{Format: record.Avro}, to, filepath.Join(folder, "none"), "--schema: open"},
		{record.Config{Format: record.Avro}, to, protoFile, "a.proto: is not a valid Avro schema"},
		{record.Config{Format: record.Avro}, to, file("int.avsc", `"int"`), "is of type int, not record"},
		{record.Config{Format: record.Protobuf}, to, avroFile, "a.avsc: the Protobuf schema does not compile"},
		{record.Config{Format: record.Protobuf}, to, file("none.proto", `syntax = "proto3";`), "defines no type of messages"},
		{record.Config{Format: record.AvroBare, Schema: []string{avroFile}}, to, avroFile, "have the schema that record.schema names"},
		{record.Config{Format: record.AvroBare, Schema: []string{protoFile}}, to, "", "record.schema: is not a valid Avro schema"},
		{record.Config{Format: record.Avro}, registry.Config{URLs: []string{"http://127.0.0.1:1"}}, avroFile, "the schema was not registered as loans-value"},
	} {
		if e, err := NewEncoder(t.Context(), c.config, c.to, "loans", c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v with %q: %v, %v in place of %q", c.config, c.file, e, err, c.want)
		}
	}
	if e, err := NewEncoder(t.Context(), record.Config{}, to, "loans", ""); e != nil || err != nil {
		t.Errorf("JSON: %v, %v", e, err)
	}
}
