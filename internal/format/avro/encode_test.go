package avro

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/format"
	"github.com/fairstream/fairstream/internal/kafka"
	fields "github.com/fairstream/fairstream/pkg/record"
)

const written = `{"type":"record","name":"loan","namespace":"org.example","fields":[
 {"name":"id","type":"string"},
 {"name":"n","type":"int"},
 {"name":"long","type":["null","long"],"default":null},
 {"name":"x","type":["null","double"]},
 {"name":"yes","type":"boolean"},
 {"name":"sex","type":{"type":"enum","name":"sex","symbols":["F","M"]}},
 {"name":"born","type":["null",{"type":"int","logicalType":"date"}]},
 {"name":"at","type":["null",{"type":"long","logicalType":"timestamp-millis"}]},
 {"name":"price","type":["null",{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}]},
 {"name":"raw","type":["null","bytes"]},
 {"name":"person","type":["null",{"type":"record","name":"person","fields":[{"name":"age","type":"int"}]}]},
 {"name":"others","type":{"type":"array","items":"org.example.person"}},
 {"name":"counts","type":{"type":"map","values":"long"}},
 {"name":"either","type":["int","string"]}]}`

const object = `{"id":"a","n":"7","x":"1.5","yes":"true","sex":"M","born":"2026-03-04","at":"2026-03-04T05:06:07Z","price":"12.34","raw":"b","person":{"age":41},"others":[{"age":1},{"age":"2"}],"counts":{"k":5},"either":"text"}`

// TestWhatIsEncodedIsRead: texts become what the schema has, behind a prefix or as a single object.
func TestWhatIsEncodedIsRead(t *testing.T) {
	read, err := Bare(written)
	if err != nil {
		t.Fatal(err)
	}
	encode, err := NewEncoder(written, []byte("prefix"), []string{"NA"})
	if err != nil {
		t.Fatal(err)
	}
	json := func(object string) string {
		t.Helper()
		message, err := encode.AppendMessage([]byte("before "), []byte(object))
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		value, is := strings.CutPrefix(string(message), "before prefix")
		if !is {
			t.Fatalf("%q", message)
		}
		text, err := read.AppendJSON(nil, []byte(value))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	whole := json(object)
	for _, want := range []string{`"id":"a"`, `"n":7`, `"long":null`, `"x":1.5`, `"yes":true`, `"sex":"M"`, `"born":"2026-03-04`, `"at":"2026-03-04T05:06:07`, `"price":12.34`, `"person":{"age":41}`, `"others":[{"age":1},{"age":2}]`, `"counts":{"k":5}`, `"either":"text"`} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %s in %s", want, whole)
		}
	}
	none := strings.NewReplacer(`"x":"1.5"`, `"x":"NA"`, `"yes":"true"`, `"yes":false`, `"person":{"age":41}`, `"person":null`, `"either":"text"`, `"either":8`, `"id":"a"`, `"id":true`, `"n":"7"`, `"n":-2147483648`).Replace(object)
	whole = json(none)
	for _, want := range []string{`"x":null`, `"yes":false`, `"person":null`, `"either":8`, `"id":"true"`, `"n":-2147483648`} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %s in %s", want, whole)
		}
	}
	if text := json(strings.Replace(object, `"id":"a"`, `"id":"NA"`, 1)); !strings.Contains(text, `"id":"NA"`) {
		t.Errorf("a text that stands for null where texts are: %s", text)
	}
	single, err := NewSingleEncoder(written, nil)
	if err != nil {
		t.Fatal(err)
	}
	message, err := single.AppendMessage(nil, []byte(object))
	if err != nil || len(message) < 10 || message[0] != 0xc3 || message[1] != 1 {
		t.Fatalf("%x, %v", message, err)
	}
	f, err := Single(written)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := f.AppendJSON(nil, message); err != nil || !strings.Contains(string(text), `"price":12.34`) {
		t.Errorf("%s, %v", text, err)
	}
	if err := f.(format.Format).NewDecoder(schemaOf(t, fields.Config{Label: fields.Label{Field: "yes", Positive: "true"}})).Decode(&fields.Record{}, &kafka.Record{Value: message}); err != nil {
		t.Error(err)
	}
	if said, err := read.(format.Describer).Describe(nil); err == nil {
		t.Errorf("no message is described: %+v", said)
	}
}

// TestWhatASchemaCannotHold is an error that names the field, and no value.
func TestWhatASchemaCannotHold(t *testing.T) {
	encode, err := NewEncoder(written, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[[2]string]string{
		{`"n":"7"`, `"n":"secret"`}:                                 `field "n": is not of type int`,
		{`"n":"7"`, `"n":2147483648`}:                               `field "n": is not of type int`,
		{`"n":"7",`, ``}:                                            `field "n": is not of type int`,
		{`"yes":"true"`, `"yes":"secret"`}:                          `field "yes": is not a boolean`,
		{`"id":"a"`, `"id":null`}:                                   `field "id": is not a text`,
		{`"x":"1.5"`, `"x":"secret"`}:                               `field "x": matches no type of its union`,
		{`"price":"12.34"`, `"price":"secret"`}:                     `field "price": matches no type of its union`,
		{`[{"age":1},{"age":"2"}]`, `[{"age":1},{"age":"secret"}]`}: `field "others.1.age": is not of type int`,
		{`[{"age":1},{"age":"2"}]`, `"secret"`}:                     `field "others": is not an array`,
		{`{"k":5}`, `{"k":"secret"}`}:                               `field "counts.k": is not of type long`,
		{`{"k":5}`, `"secret"`}:                                     `field "counts": is not an object`,
		{`"sex":"M"`, `"sex":"secret"`}:                             "does not fit the schema",
	} {
		text := strings.Replace(object, change[0], change[1], 1)
		if text == object {
			t.Fatalf("%s is not there", change[0])
		}
		dst, err := encode.AppendMessage([]byte("x"), []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || string(dst) != "x" {
			t.Errorf("%s: %v, want %s; %q", change[1], err, want, dst)
		}
	}
	for text, want := range map[string]string{"no": "is not a JSON object", "[]": "is not an object", `"a"`: "is not an object"} {
		if _, err := encode.AppendMessage(nil, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for schema, want := range map[string]string{"{": "is not a valid Avro schema", `"int"`: "is of type int, not record"} {
		if _, err := NewEncoder(schema, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", schema, err)
		}
		if _, err := NewSingleEncoder(schema, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
