package format

import (
	"errors"
	"testing"

	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/internal/kafka/kafkatest"
	"github.com/fairstream/fairstream/pkg/record"
)

func message(value []byte, headers ...kafka.Header) *kafka.Record {
	r := kafkatest.Record(0, &kafka.Message{Value: value, Headers: headers})
	return &r
}

const guid = "\x01\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff\x00"

// TestSchemaIDs: a header is a zero and an id that a registry can give, or a one and a GUID.
func TestSchemaIDs(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]record.Reason{
		"\x00\x00\x00\x00\x07":     "",
		"\x00\x7f\xff\xff\xffmore": "",
		guid:                       "",
		guid[:16]:                  record.NoSchemaID,
		"\x00\x00\x00\x00\x00more": record.UnknownSchema,
		"\x00\x80\x00\x00\x00":     record.UnknownSchema,
		"\x00\xff\xff\xff\xff":     record.UnknownSchema,
		"\x00\x00\x00\x07":         record.NoSchemaID,
		"\x01\x00\x00\x00\x07":     record.NoSchemaID,
		"\x02\x00\x00\x00\x07":     record.NoSchemaID,
		"":                         record.NoSchemaID,
	} {
		named, err := SchemaID(message([]byte(value)))
		rejection, _ := errors.AsType[*record.Rejection](err)
		if want == "" && err != nil || want != "" && (rejection == nil || rejection.Reason != want) {
			t.Errorf("%x: %v in place of %q", value, err, want)
		}
		if at := map[record.Reason]int{record.UnknownSchema: -1}[want]; rejection != nil && rejection.Offset != at {
			t.Errorf("%x is wrong at byte %d, not at %d", value, rejection.Offset, at)
		}
		if want == "" && string(named.Rest) != value[named.At:] {
			t.Errorf("%x: %q remains at %d", value, named.Rest, named.At)
		}
	}
	for value, want := range map[string]string{"\x00\xff\xff\xff\xff{": "4294967295", "\x00\x00\x01\x00\x07": "65543", "\x00\x00\x00\x07": "", "{1234}": "", "": "",
		guid + "{}": "11223344-5566-7788-99aa-bbccddeeff00"} {
		if got := JSON.SchemaOf(message([]byte(value))); got != want {
			t.Errorf("%x names the schema %q, want %q", value, got, want)
		}
	}
	if named, err := SchemaID(message([]byte("\x00\x00\x01\x00\x07"))); err != nil || named.ID != NumberID(65543) || named.ID.Name() != "schema id 65543" {
		t.Error(named, err)
	}
	if named, err := SchemaID(message([]byte(guid))); err != nil || named.ID.Name() != "schema GUID 11223344-5566-7788-99aa-bbccddeeff00" {
		t.Error(named.ID.Name(), err)
	}
	if _, err := SchemaID(message(nil)); err == nil || err.(*record.Rejection).Reason != record.Tombstone || err.(*record.Rejection).Offset != -1 {
		t.Errorf("a record without a value: %v", err)
	}
}

// TestSchemaIDsInHeaders: the last header of the name counts, whatever the value begins with, and the message can be written without headers.
func TestSchemaIDsInHeaders(t *testing.T) {
	t.Parallel()
	other := kafka.Header{Key: "other", Value: []byte("x")}
	in := func(value string) kafka.Header { return kafka.Header{Key: ValueSchema, Value: []byte(value)} }
	for _, c := range []struct {
		name, header, id, rest string
	}{
		{"GUID", guid, "11223344-5566-7788-99aa-bbccddeeff00", ""}, {"GUID and indexes", guid + "\x02\x04", "11223344-5566-7788-99aa-bbccddeeff00", "\x02\x04"},
		{"number", "\x00\x00\x00\x00\x07", "7", ""},
	} {
		m := message([]byte("\x00\x00\x00\x00\x09value"), other, in("\x00\x00\x00\x00\x01"), in(c.header), other)
		named, err := SchemaID(m)
		if err != nil || named.ID.String() != c.id || string(named.Rest) != c.rest || named.At != 0 || SchemaOf(m) != c.id {
			t.Errorf("%s: %+v, %v, %s", c.name, named, err, SchemaOf(m))
		}
		whole := Whole(m)
		alone, err := SchemaID(message(whole))
		if err != nil || alone.ID != named.ID || string(whole[alone.At:]) != c.rest+"\x00\x00\x00\x00\x09value" {
			t.Errorf("%s, whole: %q, %v", c.name, whole, err)
		}
	}
	for _, wrong := range []string{"", "7", "\x00\x00\x07", guid[:16], "\x02" + guid[1:]} {
		m := message([]byte("\x00\x00\x00\x00\x09value"), in(wrong))
		if rejection, _ := errors.AsType[*record.Rejection](errorOf(m)); rejection == nil || rejection.Reason != record.NoSchemaID || rejection.Offset != -1 || SchemaOf(m) != "" {
			t.Errorf("%x: %v", wrong, rejection)
		}
	}
	for _, header := range []string{"apicurio.value.globalId", "apicurio.value.contentId"} {
		m := message([]byte("value"), kafka.Header{Key: header, Value: make([]byte, 8)})
		if rejection, _ := errors.AsType[*record.Rejection](errorOf(m)); rejection == nil || rejection.Reason != record.NoSchemaID || rejection.Detail == noID(message(nil)).(*record.Rejection).Detail {
			t.Errorf("%s: %v", header, rejection)
		}
	}
	if rejection, _ := errors.AsType[*record.Rejection](errorOf(message(nil, in(guid)))); rejection == nil || rejection.Reason != record.Tombstone || Whole(message(nil, in(guid))) != nil {
		t.Error("a tombstone with a schema is none")
	}
	if got := JSON.Whole(message([]byte("{}"), in(guid))); string(got) != "{}" {
		t.Errorf("JSON needs no schema: %q", got)
	}
}

func errorOf(m *kafka.Record) error {
	_, err := SchemaID(m)
	return err
}
