package format

import (
	"errors"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestSchemaIDs: a header is a zero and an id that a registry can give.
func TestSchemaIDs(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]record.Reason{
		"\x00\x00\x00\x00\x07":     "",
		"\x00\x7f\xff\xff\xffmore": "",
		"\x00\x80\x00\x00\x00":     record.UnknownSchema,
		"\x00\xff\xff\xff\xff":     record.UnknownSchema,
		"\x00\x00\x00\x07":         record.NoSchemaID,
		"\x01\x00\x00\x00\x07":     record.NoSchemaID,
		"":                         record.NoSchemaID,
	} {
		_, err := SchemaID([]byte(value))
		rejection, _ := errors.AsType[*record.Rejection](err)
		if want == "" && err != nil || want != "" && (rejection == nil || rejection.Reason != want) {
			t.Errorf("%x: %v in place of %q", value, err, want)
		}
	}
	for value, want := range map[string]string{"\x00\xff\xff\xff\xff{": "4294967295", "\x00\x00\x01\x00\x07": "65543", "\x00\x00\x00\x07": "", "{1234}": "", "": ""} {
		if got := JSON.SchemaOf([]byte(value)); got != want {
			t.Errorf("%x names the schema %q, want %q", value, got, want)
		}
	}
	if id, err := SchemaID([]byte("\x00\x00\x01\x00\x07")); err != nil || id != 65543 {
		t.Error(id, err)
	}
	if _, err := SchemaID(nil); err == nil || err.(*record.Rejection).Reason != record.Tombstone {
		t.Errorf("a record without a value: %v", err)
	}
}
