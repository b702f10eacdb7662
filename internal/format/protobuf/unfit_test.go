package protobuf

import (
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"

	"github.com/fairstream/fairstream/internal/format/registry"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestSchemasWithoutLabelOrAttributeAreUnfit: a field that its writers removed or retyped is never learnt as another value.
func TestSchemasWithoutLabelOrAttributeAreUnfit(t *testing.T) {
	for _, c := range []struct {
		fields string
		config record.Config
		want   string // "": fits
	}{
		{"int32 y = 1; string sex = 2;", record.Config{}, ""},
		{"string sex = 2;", record.Config{}, `no field "y"`},
		{"repeated int32 y = 1; string sex = 2;", record.Config{}, "label"},
		{"E y = 1; string sex = 2;", record.Config{}, "label"},
		{"E y = 1; string sex = 2;", record.Config{Label: record.Label{Field: "y", Positive: "ONE"}}, ""},
		{"int32 y = 1;", record.Config{}, `no field "sex"`},
		{"int32 y = 1; M sex = 2;", record.Config{}, "a message"},
		{"int32 y = 1; string gender = 2;", record.Config{Renamed: []record.Rename{{Field: "gender", Was: "sex"}}}, ""},
		{"int32 k = 3; int32 y = 1;", record.Config{Key: "k"}, ""},
		{"bool y = 1; string sex = 2;", record.Config{}, "label"},
		{"double y = 1; string sex = 2;", record.Config{Label: record.Label{Field: "y", Positive: "yes"}}, "label"},
		{"bytes y = 1; string sex = 2;", record.Config{Label: record.Label{Field: "y"}}, "label"},
		{"google.protobuf.Int64Value y = 1; string sex = 2;", record.Config{}, ""},
		{"google.protobuf.BoolValue y = 1; string sex = 2;", record.Config{}, "label"},
		{"int32 y = 1; sint64 sex = 2;", record.Config{}, `the attribute "sex" a type that cannot have any value of its groups`},
		{"int32 y = 1; google.protobuf.BoolValue sex = 2;", record.Config{}, "groups"},
		{"int32 y = 1; google.protobuf.StringValue sex = 2;", record.Config{}, ""},
		{"int32 y = 1; E sex = 2;", record.Config{}, "groups"},
		{"int32 y = 1; G sex = 2;", record.Config{}, ""},
		{"M after = 3; string op = 4;", record.Config{At: record.Debezium}, ""},
		{"int32 y = 1; string sex = 2;", record.Config{At: record.Debezium}, "record.at"},
	} {
		f, err := compile(registry.Schema{Type: sr.TypeProtobuf, Text: `syntax = "proto3"; import "google/protobuf/wrappers.proto"; message A {` + c.fields + `} message M { int32 y = 1; string sex = 2; }
			enum E { NONE = 0; ONE = 1; } enum G { UNKNOWN = 0; F = 1; }`})
		if err != nil {
			t.Fatal(err)
		}
		err = unfit(f.types["\x00"].shape, schemaOf(t, c.config, "sex").WithGroups(map[string][]string{"sex": {"M", "F"}}))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.fields, err)
		}
	}
}
