package protobuf

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/record"
)

const everyType = `syntax = "proto3";
package bank;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
enum Job { CLERK = 0; MINER = 1; }
message Loan {
  int32 y = 1; int64 big = 2; float f = 3; double d = 4; string s = 5; bool t = 6; bytes raw = 7; Job job = 8;
  optional int32 gone = 9; optional string here = 10; google.protobuf.Timestamp at = 11; google.protobuf.Duration took = 12;
  google.protobuf.Int64Value wrapped = 13; google.protobuf.StringValue unwrapped = 14;
  Person person = 15; repeated double list = 16; map<string, sint64> more = 17; repeated Person people = 18; map<uint32, Person> by = 19;
  oneof one { string left = 20; int32 right = 21; }
  sint32 si = 22; uint32 u32 = 23; uint64 u64 = 24; fixed32 f32 = 25; fixed64 f64 = 26; sfixed32 s32 = 27; sfixed64 s64 = 28; repeated string texts = 29; Job other = 1000;
  message Person { int32 age = 1; Job job = 2; Empty empty = 3; message Empty {} }
}
message Tree { Tree left = 1; }`

func schemaOf(tb testing.TB, config record.Config, attributes ...string) *record.Schema {
	tb.Helper()
	if config.Label.Field == "" {
		config.Label = record.Label{Field: "y", Positive: "1"}
	}
	schema, err := record.NewSchema(config, attributes)
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// flatten writes the features as name=text, a missing one as name?.
func flatten(r *record.Record) string {
	var parts []string
	for _, f := range r.Features {
		if f.Missing {
			parts = append(parts, f.Name+"?")
		} else {
			parts = append(parts, f.Name+"="+string(f.Text))
		}
	}
	return strings.Join(parts, " ")
}

// fixed has one schema, 7.
type fixed struct {
	format.Local
	file *file
}

func (f fixed) Find(message *kafka.Record) (*shape, int, error) {
	named, err := format.SchemaID(message)
	if err != nil {
		return nil, 0, err
	}
	return f.file.find(named)
}
func (fixed) Name(*kafka.Record) string     { return "schema id 7" }
func (fixed) SchemaOf(*kafka.Record) string { return "" }

func decoderOf(tb testing.TB, text string, s *record.Schema) *decoder {
	tb.Helper()
	f, err := compile(registry.Schema{Text: text, Type: sr.TypeProtobuf})
	if err != nil {
		tb.Fatal(err)
	}
	return protobuf{fixed{file: f}}.NewDecoder(s).(*decoder)
}

func loanType(tb testing.TB) protoreflect.MessageDescriptor {
	tb.Helper()
	parsed, err := parse(everyType, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return parsed.Messages().Get(0)
}

// encode writes a message from its text, behind the header, as the first type of schema 7.
func encode(tb testing.TB, text string) []byte {
	tb.Helper()
	m := dynamicpb.NewMessage(loanType(tb))
	if err := prototext.Unmarshal([]byte(text), m); err != nil {
		tb.Fatal(err)
	}
	data, err := proto.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return append([]byte{0, 0, 0, 0, 7, 0}, data...)
}

// TestEveryTypeBecomesTheTextThatJSONHas: the texts are those of the package comment.
func TestEveryTypeBecomesTheTextThatJSONHas(t *testing.T) {
	schema := schemaOf(t, record.Config{})
	d, open := decoderOf(t, everyType, schema), schema.NewDecoder()
	for text, want := range map[string]string{
		`y: 1 big: -9223372036854775808 f: 0.1 d: 39 s: "é" t: true raw: "\001\002\377" job: MINER here: "" at {seconds: 1795249800 nanos: 500000000} took {seconds: -1 nanos: -500000000}
		 wrapped {value: 7} unwrapped {} person {age: 3} list: [1.5, nan, 1e21] more {key: "k" value: -7} people {job: MINER} people {} by {key: 4000000000 value {age: 1}} right: 0
		 si: -2147483648 u32: 4294967295 u64: 18446744073709551615 f32: 4294967295 f64: 18446744073709551615 s32: -1 s64: -1 texts: "a" texts: "" other: 7`: "big=-9223372036854775808 f=0.1 d=39 s=é t=true raw=AQL/ " +
			"job=MINER gone? here? at=2026-11-21T08:30:00.5Z took=-1.5s wrapped=7 unwrapped? person.age=3 person.job=CLERK list.0=1.5 list.1? list.2=1e+21 more.k=-7 " +
			"people.0.age=0 people.0.job=MINER people.1.age=0 people.1.job=CLERK by.4000000000.age=1 by.4000000000.job=CLERK left? right=0 si=-2147483648 u32=4294967295 " +
			"u64=18446744073709551615 f32=4294967295 f64=18446744073709551615 s32=-1 s64=-1 texts.0=a texts.1? other=7",
		`y: 1`: "big=0 f=0 d=0 s? t=false raw? job=CLERK gone? here? at? took? wrapped? unwrapped? left? right? si=0 u32=0 u64=0 f32=0 f64=0 s32=0 s64=0 other=CLERK",
	} {
		var r record.Record
		if err := d.Decode(&r, &kafka.Record{Value: encode(t, text)}); err != nil || !r.Positive {
			t.Fatalf("%v, label %t", err, r.Positive)
		}
		if got := flatten(&r); got != want {
			t.Errorf("%s\nin place of\n%s", got, want)
		}
		checkPrinted(t, d, open, &r, encode(t, text)[6:], nil)
	}
}

// withoutMissing is what is left of the features where those without presence or a value are dropped, in the order of their names.
func withoutMissing(r *record.Record) string {
	parts := slices.DeleteFunc(strings.Split(flatten(r), " "), func(part string) bool { return strings.HasSuffix(part, "?") })
	for i, part := range parts {
		if name, negative := strings.CutSuffix(part, "=-0"); negative { // which is 0 here
			parts[i] = name + "=0"
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// checkAgainstLibrary holds the walk to the library and its JSON: what both read is the same, and the walk refuses no more than bounds.
func checkAgainstLibrary(t *testing.T, d *decoder, open *record.Decoder, message protoreflect.MessageDescriptor, data []byte) {
	t.Helper()
	var walked, read record.Record
	err := d.Decode(&walked, &kafka.Record{Value: append([]byte{0, 0, 0, 0, 7, 0}, data...)})
	if rejection, ok := errors.AsType[*record.Rejection](err); err != nil && !ok || ok && rejection.Reason == "" {
		t.Fatalf("%x: %v", data, err)
	}
	checkPrinted(t, d, open, &walked, data, err)
	m := dynamicpb.NewMessage(message)
	if problem := unmarshal(data, m); problem != nil {
		return // the library looks into parts that are passed over here
	}
	text, problem := protojson.MarshalOptions{UseProtoNames: true, EmitDefaultValues: true}.Marshal(m)
	if problem != nil || err != nil {
		rejection, _ := errors.AsType[*record.Rejection](err)
		if problem == nil && rejection != nil && rejection.Reason == record.DuplicateField {
			return // a map with a key twice
		}
		if problem == nil && open.DecodeJSON(&read, text) == nil {
			t.Fatalf("%x: %v, and the library gives %s", data, err, text)
		}
		return
	}
	if err := open.DecodeJSON(&read, text); err != nil {
		return // a map with a dotted key, for example
	}
	if got, want := withoutMissing(&walked), withoutMissing(&read); got != want || walked.Positive != read.Positive {
		t.Fatalf("%x: %s\nin place of\n%s", data, got, want)
	}
}

// checkPrinted holds the JSON of a message to the record that the walk made of it, or to its error. What JSON does not take, such as a field that is
// ignored and no UTF-8, the walk may.
func checkPrinted(t *testing.T, d *decoder, open *record.Decoder, walked *record.Record, data []byte, rejected error) {
	t.Helper()
	var read record.Record
	line, err := protobuf{d.From}.AppendJSON(nil, append([]byte{0, 0, 0, 0, 7, 0}, data...))
	if err == nil {
		err = open.DecodeJSON(&read, line)
	}
	switch {
	case (err == nil) != (rejected == nil):
		t.Fatalf("%x: %v, and as JSON %v: %s", data, rejected, err, line)
	case err == nil && (flatten(walked) != flatten(&read) || walked.Positive != read.Positive):
		t.Fatalf("%x: %s\nin place of\n%s", data, flatten(&read), flatten(walked))
	}
}

// unmarshal is the library's, which panics over some maps of damaged messages (v1.36.12: a nil key).
func unmarshal(data []byte, m proto.Message) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = errors.New("panic")
		}
	}()
	return proto.Unmarshal(data, m)
}

// comparableType is everyType without times, whose JSON the library writes with more zeros, and floats of 32 bits.
var comparableType = strings.NewReplacer("google.protobuf.Timestamp at = 11; google.protobuf.Duration took = 12;", "", "float f = 3;", "").Replace(everyType)

func comparing(tb testing.TB) (*decoder, *record.Decoder, protoreflect.MessageDescriptor) {
	parsed, err := parse(comparableType, nil)
	if err != nil {
		tb.Fatal(err)
	}
	schema := schemaOf(tb, record.Config{Missing: []record.Text{"", "NaN"}}).LabelOptional()
	return decoderOf(tb, comparableType, schema), schema.NewDecoder(), parsed.Messages().Get(0)
}

// TestTheSameRecordAsJSON: mutated messages are what the library makes of them. FAIRSTREAM_MUTATIONS sets how many.
func TestTheSameRecordAsJSON(t *testing.T) {
	d, open, message := comparing(t)
	good := encode(t, `y: 1 big: -5 d: 0.25 s: "text" t: true raw: "\001" job: MINER here: "x" wrapped {value: 7} person {age: 3 empty {}} list: [1.5, 2] more {key: "k" value: -7}
		people {job: MINER} people {} by {key: 4 value {age: 1}} left: "l" si: -2 u32: 5 f64: 1 texts: "a" texts: "b" other: MINER`)[6:]
	random := rand.New(rand.NewPCG(1, 2))
	for range mutations(t) {
		data := slices.Clone(good)
		for range 1 + random.IntN(3) {
			switch at := random.IntN(len(data)); random.IntN(4) {
			case 0:
				data[at] = byte(random.IntN(256))
			case 1:
				data = append(data[:at:at], data[min(len(data), at+1+random.IntN(4)):]...)
			case 2:
				data = slices.Insert(data, at, data[at:min(len(data), at+random.IntN(20))]...)
			case 3:
				data = append(data, data[:at]...) // fields that come twice
			}
			if len(data) == 0 {
				data = []byte{0}
			}
		}
		checkAgainstLibrary(t, d, open, message, data)
	}
}

// FuzzMessages: see checkAgainstLibrary.
func FuzzMessages(f *testing.F) {
	d, open, message := comparing(f)
	f.Add(encode(f, `y: 1 list: [1, 2] more {key: "k"} person {age: 1}`)[6:])
	f.Fuzz(func(t *testing.T, data []byte) { checkAgainstLibrary(t, d, open, message, data) })
}

func rejected(t *testing.T, err error, reason record.Reason, words string) {
	t.Helper()
	rejection, ok := errors.AsType[*record.Rejection](err)
	if !ok || rejection.Reason != reason || !strings.Contains(rejection.Error(), words) {
		t.Errorf("%v in place of %s with %q", err, reason, words)
	}
}

// TestTypesOfAFile: the indexes behind the header tell the type, wherever it is defined.
func TestTypesOfAFile(t *testing.T) {
	d := decoderOf(t, everyType, schemaOf(t, record.Config{Label: record.Label{Field: "age"}}))
	// Of the types in Loan, those of the entries of its two maps come first.
	message := func(data []byte, indexes ...int64) []byte {
		value := []byte{0, 0, 0, 0, 7}
		for _, i := range indexes {
			value = binary.AppendVarint(value, i)
		}
		return append(value, data...)
	}
	person := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 39)
	var r record.Record
	if err := d.Decode(&r, &kafka.Record{Value: message(person, 2, 0, 2)}); err != nil || r.Label != 39 || flatten(&r) != "job=CLERK" {
		t.Errorf("%v, %+v", err, r)
	}
	if err := d.Decode(&r, &kafka.Record{Value: message(nil, 1, 1)}); err == nil || !strings.Contains(err.Error(), "bank.Tree is recursive: bank.Tree contains itself") {
		t.Error(err)
	}
	rejected(t, d.Decode(&r, &kafka.Record{Value: message(nil, 3, 0, 2, 0)}), record.UnfitSchema, `no field "age"`)
	rejected(t, d.Decode(&r, &kafka.Record{Value: message(nil, 1<<40)}), record.MalformedMessage, "indexes")
	rejected(t, d.Decode(&r, &kafka.Record{Value: message(nil, 2, 0)}), record.MalformedMessage, "incomplete")
	rejected(t, d.Decode(&r, &kafka.Record{Value: message(person[:1], 2, 0, 2)}), record.MalformedMessage, "not what its schema says")
}

// TestAnnotationsAreNoFields: a schema may carry the annotations of Confluent's registry without a reference to their file.
func TestAnnotationsAreNoFields(t *testing.T) {
	d := decoderOf(t, `syntax = "proto3";
import "confluent/meta.proto";
message Person {
  option (confluent.message_meta).doc = "who asks for a loan";
  string job = 1 [(confluent.field_meta) = {doc: "in words", tags: ["PII"]}];
  int32 age = 2;
}`, schemaOf(t, record.Config{Label: record.Label{Field: "age"}}))
	data := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), "clerk")
	data = protowire.AppendVarint(protowire.AppendTag(data, 2, protowire.VarintType), 39)
	var r record.Record
	if err := d.Decode(&r, &kafka.Record{Value: append([]byte{0, 0, 0, 0, 7, 0}, data...)}); err != nil || r.Label != 39 || flatten(&r) != "job=clerk" {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestSchemasThatAreRefused: each names what is wrong.
func TestSchemasThatAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"message {": "does not compile", `syntax = "proto3"; import "elsewhere.proto"; message A {}`: "elsewhere.proto",
		`syntax = "proto3"; message A { B b = 1; }`: "B",
	} {
		if _, err := compile(registry.Schema{Text: text, Type: sr.TypeProtobuf}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	imported, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: `syntax = "proto3"; import "people.proto"; message A { Person p = 1; }`,
		References: []registry.Reference{{Name: "people.proto", Text: `syntax = "proto3"; message Person { int32 age = 1; }`}}})
	if err != nil || imported.types["\x00"].shape.fields[0].inside == nil {
		t.Error(err)
	}
	// Serializers in Python register descriptors.
	described, err := parse(everyType, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := protodesc.ToFileDescriptorProto(described)
	for _, f := range file.MessageType[0].Field {
		f.JsonName = new(string) // as those of Python are
	}
	data, err := proto.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: base64.StdEncoding.EncodeToString(data)})
	if err != nil || len(again.types["\x00"].shape.fields) != 30 {
		t.Errorf("%v, %+v", err, again)
	}
	if _, err := compile(registry.Schema{Type: sr.TypeAvro}); err == nil || !strings.Contains(err.Error(), "record.format") {
		t.Error(err)
	}
	// A registry's own type with the name of a special one is an ordinary message.
	own, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: `syntax = "proto3"; import "google/protobuf/timestamp.proto"; message A { google.protobuf.Timestamp t = 1; }`,
		References: []registry.Reference{{Name: "google/protobuf/timestamp.proto", Text: `syntax = "proto3"; package google.protobuf; message Timestamp { int64 a = 1; int32 b = 2; int32 c = 3; }`}}})
	if err != nil || own.types["\x00"].shape.fields[0].inside.special != ordinary {
		t.Error(err)
	}
}

// TestBounds: what a message states is not believed, and parts that are merged cost no more than they have.
func TestBounds(t *testing.T) {
	d := decoderOf(t, everyType, schemaOf(t, record.Config{Limits: record.Limits{Fields: 100, Depth: 2}}))
	var r record.Record
	message := func(data []byte) *kafka.Record {
		return &kafka.Record{Value: append([]byte{0, 0, 0, 0, 7, 0}, data...)}
	}
	long := protowire.AppendVarint(protowire.AppendTag(nil, 5, protowire.BytesType), math.MaxInt64)
	rejected(t, d.Decode(&r, message(long)), record.MalformedMessage, "")
	packed := protowire.AppendBytes(protowire.AppendTag(nil, 16, protowire.BytesType), make([]byte, 8*200))
	rejected(t, d.Decode(&r, message(packed)), record.TooManyFields, "")
	rejected(t, d.Decode(&r, message(encode(t, `y: 1 people {age: 1}`)[6:])), record.TooDeep, "")
	rejected(t, d.Decode(&r, message(encode(t, "y: 1 at {seconds: 253402300800}")[6:])), record.MalformedMessage, "Timestamp")
	rejected(t, d.Decode(&r, message(encode(t, "y: 1 took {seconds: 1 nanos: -1}")[6:])), record.MalformedMessage, "Duration")
	rejected(t, d.Decode(&r, &kafka.Record{}), record.Tombstone, "")
	rejected(t, d.Decode(&r, &kafka.Record{Value: []byte{0, 0, 0, 0, 7}}), record.MalformedMessage, "indexes")
	rejected(t, d.Decode(&r, &kafka.Record{Value: []byte(`{"y":1}`)}), record.NoSchemaID, "")
	var parts []byte
	for range 100_000 {
		parts = append(parts, protowire.AppendBytes(protowire.AppendTag(nil, 15, protowire.BytesType), []byte{8, 3})...)
	}
	allocated := testing.AllocsPerRun(1, func() {
		if err := d.Decode(&r, message(parts)); err != nil {
			t.Error(err)
		}
	})
	if allocated > 200 {
		t.Errorf("%v allocations", allocated)
	}
}

// TestDecodingAllocatesNothing in the long run.
func TestDecodingAllocatesNothing(t *testing.T) {
	d := decoderOf(t, everyType, schemaOf(t, record.Config{}))
	message := kafka.Record{Value: encode(t, `y: 1 s: "text" d: 1.25 person {age: 3} list: [1, 2] at {seconds: 5} more {key: "k" value: 1}`)}
	var r record.Record
	if n := testing.AllocsPerRun(1000, func() {
		if err := d.Decode(&r, &message); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// mutations is how many messages are tried: 50,000, or what FAIRSTREAM_MUTATIONS says.
func mutations(t *testing.T) int {
	text := os.Getenv("FAIRSTREAM_MUTATIONS")
	if text == "" {
		return 50_000
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBareMessages have the first type of their schema.
func TestBareMessages(t *testing.T) {
	f, err := Bare(everyType)
	if err != nil {
		t.Fatal(err)
	}
	d := f.NewDecoder(schemaOf(t, record.Config{Features: []string{"s"}}))
	var r record.Record
	if err := d.Decode(&r, &kafka.Record{Value: encode(t, `y: 1 s: "text"`)[6:]}); err != nil || flatten(&r) != "s=text" {
		t.Errorf("%v, %s", err, flatten(&r))
	}
	rejected(t, d.Decode(&r, &kafka.Record{}), record.Tombstone, "")
	for text, want := range map[string]string{`syntax = "proto3";`: "no type", `syntax = "proto3"; message T { T t = 1; }`: "T contains itself", "{": "does not compile"} {
		if _, err := Bare(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestChangeEvents: an event of Debezium in Protobuf is what it is in JSON.
func TestChangeEvents(t *testing.T) {
	const text = `syntax = "proto3"; message Envelope { Row before = 1; Row after = 2; string op = 3; Source source = 4; } message Row { int32 y = 1; int32 age = 2; } message Source { string snapshot = 1; }`
	f, err := Bare(text)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parse(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := f.NewDecoder(schemaOf(t, record.Config{At: record.Debezium, Limits: record.Limits{Fields: 2, Depth: 1}}))
	decode := func(text string) (r record.Record, err error) {
		m := dynamicpb.NewMessage(parsed.Messages().Get(0))
		if err := prototext.Unmarshal([]byte(text), m); err != nil {
			t.Fatal(err)
		}
		data, err := proto.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		err = d.Decode(&r, &kafka.Record{Value: data})
		return r, err
	}
	for text, snapshot := range map[string]bool{`op: "c" after {y: 1 age: 39}`: false, `op: "r" after {y: 1 age: 39} before {y: 0}`: true, `op: "u" source {snapshot: "last"} after {y: 1 age: 39}`: true} {
		if r, err := decode(text); err != nil || flatten(&r) != "age=39" || r.Snapshot != snapshot {
			t.Errorf("%s: %v, %s, snapshot %t", text, err, flatten(&r), r.Snapshot)
		}
	}
	_, err = decode(`op: "d" before {y: 1}`)
	rejected(t, err, record.Deleted, "")
	_, err = decode(`op: "u" before {y: 1}`)
	rejected(t, err, record.NotEnveloped, "after")
}
