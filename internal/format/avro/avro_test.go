package avro

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/twmb/avro"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

func schemaOf(tb testing.TB, config fields.Config, attributes ...string) *fields.Schema {
	tb.Helper()
	if config.Label.Field == "" {
		config.Label = fields.Label{Field: "y", Positive: "1"}
	}
	schema, err := fields.NewSchema(config, attributes)
	if err != nil {
		tb.Fatal(err)
	}
	return schema
}

// flatten writes the features as name=text, a missing one as name?.
func flatten(r *fields.Record) string {
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

func encode(tb testing.TB, schema string, value any) []byte {
	tb.Helper()
	data, err := avro.MustParse(schema).Encode(value)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func decoderOf(tb testing.TB, schema string, s *fields.Schema) format.Decoder {
	tb.Helper()
	f, err := Bare(schema)
	if err != nil {
		tb.Fatal(err)
	}
	return f.NewDecoder(s)
}

const everyType = `{"type":"record","name":"loan","namespace":"bank","fields":[
 {"name":"y","type":"int"},
 {"name":"big","type":"long"},
 {"name":"f","type":"float"},
 {"name":"d","type":"double"},
 {"name":"whole","type":"double"},
 {"name":"s","type":"string"},
 {"name":"t","type":"boolean"},
 {"name":"raw","type":"bytes"},
 {"name":"four","type":{"type":"fixed","name":"quad","size":4}},
 {"name":"job","type":{"type":"enum","name":"job","symbols":["clerk","miner"]}},
 {"name":"gone","type":["null","string"]},
 {"name":"here","type":["null","string"]},
 {"name":"amount","type":{"type":"bytes","logicalType":"decimal","precision":30,"scale":2}},
 {"name":"born","type":{"type":"int","logicalType":"date"}},
 {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
 {"name":"micro","type":{"type":"long","logicalType":"timestamp-micros"}},
 {"name":"here_at","type":{"type":"long","logicalType":"local-timestamp-millis"}},
 {"name":"clock","type":{"type":"int","logicalType":"time-millis"}},
 {"name":"odd","type":{"type":"string","logicalType":"mystery"}},
 {"name":"person","type":{"type":"record","name":"person","fields":[{"name":"age","type":"int"},{"name":"job","type":"job"}]}},
 {"name":"partner","type":["null","person"]},
 {"name":"list","type":{"type":"array","items":"double"}},
 {"name":"more","type":{"type":"map","values":["null","long"]}}]}`

// TestEveryTypeBecomesTheTextThatJSONHas: the texts are those of the specification of each type and of the package comment.
func TestEveryTypeBecomesTheTextThatJSONHas(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 8, 30, 0, 500_000_000, time.UTC)
	data := encode(t, everyType, map[string]any{
		"y": int32(1), "big": int64(math.MaxInt64), "f": float32(0.1), "d": 0.1, "whole": 39.0, "s": "é", "t": true, "raw": []byte{1, 2, 255}, "four": []byte{1, 2, 3, 4},
		"job": "miner", "gone": nil, "here": "x", "amount": big.NewRat(-1250, 100), "born": at.Truncate(24 * time.Hour), "at": at, "micro": at.Add(time.Microsecond), "here_at": at,
		"clock": 8*time.Hour + 30*time.Minute, "odd": "o", "person": map[string]any{"age": int32(39), "job": "clerk"}, "partner": map[string]any{"age": int32(-1), "job": "miner"},
		"list": []any{1.5, 1e21, math.NaN()}, "more": map[string]any{"k": int64(7)},
	})
	var r fields.Record
	if err := decoderOf(t, everyType, schemaOf(t, fields.Config{})).Decode(&r, &kafka.Record{Value: data}); err != nil {
		t.Fatal(err)
	}
	want := "big=9223372036854775807 f=0.1 d=0.1 whole=39 s=é t=true raw=AQL/ four=AQIDBA== job=miner gone? here=x amount=-12.5 born=2026-11-21 " +
		"at=2026-11-21T08:30:00.5Z micro=2026-11-21T08:30:00.500001Z here_at=2026-11-21T08:30:00.5 clock=08:30:00 odd=o person.age=39 person.job=clerk " +
		"partner.age=-1 partner.job=miner list.0=1.5 list.1=1e+21 list.2? more.k=7"
	if got := flatten(&r); got != want {
		t.Errorf("%s\nin place of\n%s", got, want)
	}
	if !r.Positive || !r.HasLabel {
		t.Error("the label was not read")
	}
}

// TestSchemasThatAreRefused: each names what is wrong.
func TestSchemasThatAreRefused(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"type":"array","items":`, 250) + `"int"` + strings.Repeat("}", 250)
	for schema, want := range map[string]string{
		`{"type":"record","name":"tree","namespace":"a.b","fields":[{"name":"left","type":["null","tree"]}]}`: "a.b.tree contains itself",
		`"string"`: "not a record",
		`{"type":`: "not a valid Avro schema",
		`{"type":"record","name":"r","fields":[{"name":"a","type":` + deep + `}]}`: "deeper than 200",
	} {
		if _, err := Bare(schema); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v", schema, err)
		}
	}
}

func rejected(t *testing.T, err error, reason fields.Reason, words string) {
	t.Helper()
	rejection, ok := errors.AsType[*fields.Rejection](err)
	if !ok || rejection.Reason != reason || !strings.Contains(rejection.Error(), words) {
		t.Errorf("%v in place of %s with %q", err, reason, words)
	}
}

// TestSchemasWithoutLabelOrAttributeAreUnfit: a field that its writers removed or retyped is never learnt as another value.
func TestSchemasWithoutLabelOrAttributeAreUnfit(t *testing.T) {
	t.Parallel()
	of := func(types ...string) string {
		var all []string
		for i := 0; i < len(types); i += 2 {
			all = append(all, `{"name":"`+types[i]+`","type":`+types[i+1]+`}`)
		}
		return `{"type":"record","name":"r","fields":[` + strings.Join(all, ",") + `]}`
	}
	number := fields.Config{Label: fields.Label{Field: "y"}}
	keyed := fields.Config{Key: "k"}
	for _, c := range []struct {
		name, schema string
		config       fields.Config
		want         string // "": fits
	}{
		{"all there", of("y", `"int"`, "sex", `"string"`), fields.Config{}, ""},
		{"no label", of("sex", `"string"`), fields.Config{}, `no field "y"`},
		{"label is a boolean", of("y", `"boolean"`, "sex", `"string"`), fields.Config{}, "label"},
		{"label is a record", of("y", `{"type":"array","items":"int"}`, "sex", `"string"`), fields.Config{}, "label"},
		{"label lost its symbol", of("y", `{"type":"enum","name":"e","symbols":["a","b"]}`, "sex", `"string"`), fields.Config{}, "label"},
		{"label in a union", of("y", `["null","string"]`, "sex", `"string"`), fields.Config{}, ""},
		{"numeric label is an enum", of("y", `{"type":"enum","name":"e","symbols":["a","b"]}`, "sex", `"string"`), number, "label"},
		{"numeric label became a double", of("y", `"double"`, "sex", `"string"`), number, ""},
		{"no attribute", of("y", `"int"`), fields.Config{}, `no field "sex"`},
		{"attribute became an object", of("y", `"int"`, "sex", `{"type":"map","values":"string"}`), fields.Config{}, "an object"},
		{"attribute under its new name", of("y", `"int"`, "gender", `"string"`), fields.Config{Renamed: []fields.Rename{{Field: "gender", Was: "sex"}}}, ""},
		{"attribute became a number", of("y", `"int"`, "sex", `["null","int"]`), fields.Config{}, `the attribute "sex" a type that cannot have any value of its groups`},
		{"attribute became an enum of one of its groups", of("y", `"int"`, "sex", `{"type":"enum","name":"e","symbols":["x","F"]}`), fields.Config{}, ""},
		{"attribute lost its symbols", of("y", `"int"`, "sex", `{"type":"enum","name":"e","symbols":["x","female"]}`), fields.Config{}, `"sex"`},
		{"attribute became one of several types", of("y", `"int"`, "sex", `["int","string"]`), fields.Config{}, ""},
		{"labels that come later", of("k", `"long"`, "y", `"int"`), keyed, ""},
		{"records that wait without an attribute", of("k", `"long"`, "a", `"int"`), keyed, `no field "sex"`},
	} {
		s, err := parse(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		schema := schemaOf(t, c.config, "sex").WithGroups(map[string][]string{"sex": {"M", "F"}})
		if err := unfit(s, schemaOf(t, c.config, "sex")); strings.HasPrefix(c.name, "attribute lost") && err != nil {
			t.Errorf("%s, where each value is a group: %v", c.name, err)
		}
		if err := unfit(s, schema.Scored()); err != nil && !strings.Contains(err.Error(), "record.at") {
			t.Errorf("to be scored: %v", err)
		}
		err = unfit(s, schema)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestBytesThatAreNotTheSchemas: every cut of a good message is rejected, and what follows one.
func TestBytesThatAreNotTheSchemas(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"s","type":"string"},{"name":"u","type":["null","double"]},
		{"name":"a","type":{"type":"array","items":"null"}},{"name":"ignored","type":{"type":"map","values":{"type":"array","items":"null"}}}]}`
	d := decoderOf(t, schema, schemaOf(t, fields.Config{Ignore: []string{"ignored"}, Limits: fields.Limits{Fields: 100}}))
	good := encode(t, schema, map[string]any{"y": int32(1), "s": "text", "u": 1.5, "a": []any{nil}, "ignored": map[string]any{"k": []any{nil}}})
	var r fields.Record
	if err := d.Decode(&r, &kafka.Record{Value: good}); err != nil {
		t.Fatal(err)
	}
	for n := range len(good) {
		if err := d.Decode(&r, &kafka.Record{Value: good[:n]}); err == nil {
			t.Errorf("%d of %d bytes were taken", n, len(good))
		}
	}
	rejected(t, d.Decode(&r, &kafka.Record{Value: append(good, 0)}), fields.MalformedMessage, "bytes follow")
	rejected(t, d.Decode(&r, &kafka.Record{}), fields.Tombstone, "")
	many := []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01} // 2^63-1
	head := []byte{2, 2, 'x', 0}
	rejected(t, d.Decode(&r, &kafka.Record{Value: append(append([]byte{}, head...), many...)}), fields.TooManyFields, "")
	passed := append(append([]byte{}, head...), 0, 2, 2, 'k')
	rejected(t, d.Decode(&r, &kafka.Record{Value: append(passed, many...)}), fields.MalformedMessage, "are skipped")
	rejected(t, d.Decode(&r, &kafka.Record{Value: append([]byte{2}, many...)}), fields.MalformedMessage, "longer")
	rejected(t, d.Decode(&r, &kafka.Record{Value: []byte{2, 2, 0xff}}), fields.InvalidUTF8, "")
	rejected(t, d.Decode(&r, &kafka.Record{Value: []byte{2, 2, 'x', 8}}), fields.MalformedMessage, "a branch")
}

// TestSingleObjects: the fingerprint tells the schema; the library writes the message.
func TestSingleObjects(t *testing.T) {
	t.Parallel()
	const first = `{"type":"record","name":"r","doc":"not in the fingerprint","fields":[{"name":"y","type":"int"},{"name":"a","type":"int"}]}`
	const second = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"b","type":"double"}]}`
	f, err := Single(first, second)
	if err != nil {
		t.Fatal(err)
	}
	d := f.NewDecoder(schemaOf(t, fields.Config{}))
	var r fields.Record
	for schema, want := range map[string]string{first: "a=2", second: "b=2"} {
		value := map[string]any{"y": int32(1), "a": int32(2), "b": 2.0}
		data, err := avro.MustParse(schema).AppendSingleObject(nil, value)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Decode(&r, &kafka.Record{Value: data}); err != nil || flatten(&r) != want {
			t.Errorf("%s in place of %s (%v)", flatten(&r), want, err)
		}
		data[2] ^= 1
		rejected(t, d.Decode(&r, &kafka.Record{Value: data}), fields.UnknownSchema, "fingerprint")
	}
	rejected(t, d.Decode(&r, &kafka.Record{Value: []byte(`{"y":1}`)}), fields.NoSchemaID, "record.format")
}

// TestDecodingAllocatesNothing in the long run: every type, with texts that are made.
func TestDecodingAllocatesNothing(t *testing.T) {
	const schema = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"s","type":"string"},{"name":"u","type":["null","double"]},
		{"name":"n","type":"long"},{"name":"when","type":{"type":"long","logicalType":"timestamp-millis"}},{"name":"a","type":{"type":"array","items":"int"}}]}`
	d := decoderOf(t, schema, schemaOf(t, fields.Config{}))
	message := kafka.Record{Value: encode(t, schema, map[string]any{"y": int32(1), "s": "text", "u": 1.25, "n": int64(1 << 40), "when": time.UnixMilli(1e12), "a": []any{int32(1), int32(2)}})}
	var r fields.Record
	if n := testing.AllocsPerRun(1000, func() {
		if err := d.Decode(&r, &message); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// TestFloodsOfKeys: a decoder that forgets the names that it knew, since there are too many, makes the same records, and keeps none of
// what it forgot.
func TestFloodsOfKeys(t *testing.T) {
	const schema = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"s","type":"string"},{"name":"m","type":{"type":"map","values":"int"}}]}`
	d := decoderOf(t, schema, schemaOf(t, fields.Config{Limits: fields.Limits{Fields: 5000}})).(*decoder)
	decoded := func(keys map[string]any) *fields.Record {
		t.Helper()
		var r fields.Record
		if err := d.Decode(&r, &kafka.Record{Value: encode(t, schema, map[string]any{"y": int32(1), "s": "x", "m": keys})}); err != nil || !r.Positive {
			t.Fatal(err, r.Positive)
		}
		return &r
	}
	for i := range 2 * fields.MaxNames / 4000 {
		keys := map[string]any{}
		for k := range 4000 {
			keys[fmt.Sprint(i, "-", k)] = int32(k)
		}
		if r := decoded(keys); len(r.Features) != 4001 {
			t.Fatal(len(r.Features))
		}
		if r := decoded(nil); flatten(r) != "s=x" || !d.Bound() {
			t.Fatal(flatten(r), d.Bound())
		}
	}
}

// TestTheSameRecordAsJSON: the library's JSON of random values is the oracle.
func TestTheSameRecordAsJSON(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"record","name":"r","fields":[{"name":"y","type":"int"},{"name":"s","type":"string"},{"name":"d","type":"double"},
		{"name":"o","type":["null",{"type":"record","name":"o","fields":[{"name":"t","type":"boolean"}]}]},{"name":"m","type":{"type":"map","values":"long"}}]}`
	s := schemaOf(t, fields.Config{})
	binary, text := decoderOf(t, schema, s), format.JSON.NewDecoder(s)
	var a, b fields.Record
	for i := range 1000 {
		x := float64(i*i) / 7
		value := map[string]any{"y": int32(i % 2), "s": strings.Repeat("x", i%40), "d": math.Ldexp(x, i%300-150), "o": any(nil), "m": map[string]any{"k": int64(i) << (i % 50)}}
		if i%3 > 0 {
			value["o"] = map[string]any{"t": i%3 > 1}
		}
		data := encode(t, schema, value)
		line, err := json.Marshal(struct {
			Y any `json:"y"`
			S any `json:"s"`
			D any `json:"d"`
			O any `json:"o"`
			M any `json:"m"`
		}{value["y"], value["s"], value["d"], value["o"], value["m"]})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(binary.Decode(&a, &kafka.Record{Value: data}), text.Decode(&b, &kafka.Record{Value: line})); err != nil {
			t.Fatal(err)
		}
		if flatten(&a) != flatten(&b) || a.Positive != b.Positive {
			t.Fatalf("%s in place of %s", flatten(&a), flatten(&b))
		}
		for k := range a.Features {
			if a.Features[k].Hash != b.Features[k].Hash {
				t.Fatalf("%s: another hash", a.Features[k].Name)
			}
		}
	}
}

const changes = `{"type":"record","name":"Envelope","namespace":"db.loans","fields":[
 {"name":"before","type":["null",{"type":"record","name":"Value","fields":[{"name":"y","type":"int"},{"name":"age","type":["null","int"]}]}]},
 {"name":"after","type":["null","Value"]},
 {"name":"source","type":{"type":"record","name":"Source","fields":[{"name":"db","type":"string"},{"name":"snapshot","type":["null","string"]},{"name":"after","type":"int"}]}},
 {"name":"op","type":"string"},{"name":"ts_ms","type":["null","long"]}]}`

// TestChangeEvents: an event of Debezium in Avro is what it is in JSON.
func TestChangeEvents(t *testing.T) {
	t.Parallel()
	d := decoderOf(t, changes, schemaOf(t, fields.Config{At: fields.Debezium, Limits: fields.Limits{Fields: 2, Depth: 1}}))
	event := func(op, snapshot string, after any) *kafka.Record {
		return &kafka.Record{Value: encode(t, changes, map[string]any{"before": map[string]any{"y": int32(0), "age": nil}, "after": after, "op": op, "ts_ms": int64(1),
			"source": map[string]any{"db": "a", "snapshot": snapshot, "after": int32(3)}})}
	}
	row := map[string]any{"y": int32(1), "age": int32(39)}
	var r fields.Record
	for _, c := range []struct {
		op, snapshot string
		isSnapshot   bool
	}{{"c", "false", false}, {"u", "false", false}, {"r", "true", true}, {"r", "false", true}, {"c", "last", true}} {
		if err := d.Decode(&r, event(c.op, c.snapshot, row)); err != nil || flatten(&r) != "age=39" || !r.Positive || r.Snapshot != c.isSnapshot {
			t.Errorf("%+v: %v, %s, snapshot %t", c, err, flatten(&r), r.Snapshot)
		}
	}
	rejected(t, d.Decode(&r, event("d", "false", nil)), fields.Deleted, "")
	rejected(t, d.Decode(&r, event("u", "false", nil)), fields.NotEnveloped, "after")
	rejected(t, d.Decode(&r, event("m", "false", row)), fields.NotEnveloped, "op")
	bare := decoderOf(t, everyType, schemaOf(t, fields.Config{At: "nowhere"}))
	rejected(t, bare.Decode(&r, &kafka.Record{Value: []byte{0}}), fields.UnfitSchema, `no field "nowhere"`)
	inside := decoderOf(t, everyType, schemaOf(t, fields.Config{At: "person", Label: fields.Label{Field: "job", Positive: "clerk"}}))
	if err := inside.Decode(&r, &kafka.Record{Value: encode(t, everyType, everyValue(1))}); err != nil || flatten(&r) != "age=39" || !r.Positive {
		t.Errorf("%v, %s", err, flatten(&r))
	}
}
