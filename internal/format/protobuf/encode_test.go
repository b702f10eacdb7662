package protobuf

import (
	"strings"
	"testing"
)

// encodable is a schema of which the first type is written.
const encodable = proto3 + `message Loan { string id = 1; int32 n = 2; optional double x = 3; bool yes = 4; repeated string tags = 5; map<string, string> more = 6; Person person = 7; } message Person { int32 age = 1; }`

// TestWhatIsEncodedIsRead: texts become numbers and booleans where the type has those, and texts that stand for null are left out, but where a text is meant.
func TestWhatIsEncodedIsRead(t *testing.T) {
	read, err := Bare(encodable)
	if err != nil {
		t.Fatal(err)
	}
	encode, err := NewEncoder(encodable, []byte("prefix"), []string{"NA", ""})
	if err != nil {
		t.Fatal(err)
	}
	for object, want := range map[string]string{
		`{"id":"a","n":"7","x":"1.5","yes":"true","tags":["b"],"more":{"k":"v"},"person":{"age":3}}`: `{"id":"a","n":7,"x":1.5,"yes":true,"tags":["b"],"more":{"k":"v"},"person":{"age":3}}`,
		`{"id":"NA","n":"NA","x":"","yes":"false"}`:                                                  `{"id":"NA","n":0,"x":null,"yes":false}`,
		`{"id":12.50,"n":3,"yes":true}`:                                                              `{"id":"12.50","n":3,"x":null,"yes":true}`,
		`{"id":true,"x":null}`:                                                                       `{"id":"true","n":0,"x":null,"yes":false}`,
		`{"n":"-2147483648"}`:                                                                        `{"id":"","n":-2147483648,"x":null,"yes":false}`,
	} {
		message, err := encode.AppendMessage([]byte("before "), []byte(object))
		if err != nil {
			t.Errorf("%s: %v", object, err)
			continue
		}
		value, is := strings.CutPrefix(string(message), "before prefix")
		if !is {
			t.Errorf("%q", message)
		}
		if text, err := read.AppendJSON(nil, []byte(value)); err != nil || string(text) != want {
			t.Errorf("%s is read as %s, %v, want %s", object, text, err, want)
		}
	}
	for object, says := range map[string]string{
		`[1]`: "is not a JSON object", `{`: "is not a JSON object", `{"other":1}`: `field "other" is not in the schema`, `{"n":"many"}`: `field "n" does not fit the schema`, `{"yes":"perhaps"}`: `field "yes" does not fit the schema`,
		`{"n":2147483648,"id":"a"}`: `field "n" does not fit the schema`, `{"tags":"secret"}`: `field "tags" does not fit the schema`, `{"person":{"age":"secret"}}`: `field "person" does not fit the schema`,
	} {
		if message, err := encode.AppendMessage([]byte("before"), []byte(object)); err == nil || err.Error() != says || string(message) != "before" {
			t.Errorf("%s: %q, %v", object, message, err)
		}
	}
	for schema, says := range map[string]string{proto3: "the schema defines no type of messages", proto3 + "enum E { A = 0; }": "the schema defines no type of messages", "message {": ""} {
		if _, err := NewEncoder(schema, nil, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", schema, err)
		}
	}
}
