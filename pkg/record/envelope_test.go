package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// within returns a decoder of the records at the given place of a message.
func within(t *testing.T, at record.At) *record.Decoder {
	t.Helper()
	schema, err := record.NewSchema(record.Config{At: at, Label: record.Label{Field: "y", Positive: "1"}, Limits: record.Limits{RecordBytes: 400}}, []string{"sex"})
	if err != nil {
		t.Fatal(err)
	}
	return schema.NewDecoder()
}

// TestEnvelopes: the record is the same in every envelope, with and without the header of a registry, simple or not.
func TestEnvelopes(t *testing.T) {
	for _, c := range []struct {
		name     string
		at       record.At
		message  string
		snapshot bool
	}{
		{"an insert", record.Debezium, `{"before":null,"after":ROW,"source":{"snapshot":"false","db":"a"},"op":"c","ts_ms":1}`, false},
		{"an update", record.Debezium, `{"before":{"y":0,"x":1},"after":ROW,"op":"u"}`, false},
		{"a row of a snapshot", record.Debezium, `{"op":"r","after":ROW,"source":{"snapshot":"first"}}`, true},
		{"an insert of a snapshot", record.Debezium, `{"op":"c","after":ROW,"source":{"snapshot":true}}`, true},
		{"op behind the row, and another op in it", record.Debezium, `{"after" : ROW ,"op" : "u", "source":null}`, false},
		{"with its schema", record.Debezium, `{"schema":{"type":"struct","fields":[]},"payload":{"before":null,"after":ROW,"op":"c"}}`, false},
		{"of Kafka Connect", record.Connect, `{"schema":{"type":"struct","name":"payload"}, "payload": ROW}`, false},
		{"a structured event", record.CloudEvents, `{"specversion":"1.0","id":"7","source":"s","type":"t","datacontenttype":"application/json","data":ROW}`, false},
		{"the data of a binary event", record.CloudEvents, `ROW`, false},
		{"a path", "a.b", `{"x":{"b":1},"a":{"c":[1],"b":ROW}}`, false},
		{"a path of one name", "payload", `{"payload":ROW}`, false},
		{"an escaped name", "payload", `{"\u0070ayload":ROW}`, false},
	} {
		for _, row := range []string{`{"y":1,"sex":"f","x":7}`, "{ \"sex\":\"f\",\n\"x\":7, \"y\":1}", `{"y":"1","sex":"\u0066","x":7}`} {
			for _, header := range []string{"", "\x00\x00\x00\x00\x07"} {
				var rec record.Record
				message := header + strings.ReplaceAll(c.message, "ROW", row)
				if err := within(t, c.at).DecodeJSON(&rec, []byte(message)); err != nil {
					t.Errorf("%s: %v", c.name, err)
					continue
				}
				if !rec.Positive || string(rec.Attributes[0].Text) != "f" || len(rec.Features) != 1 || rec.Features[0].Name != "x" || string(rec.Features[0].Text) != "7" {
					t.Errorf("%s: %+v", c.name, rec)
				}
				if rec.Snapshot != c.snapshot || rec.Size != len(message) {
					t.Errorf("%s: snapshot %t, size %d of %d", c.name, rec.Snapshot, rec.Size, len(message))
				}
			}
		}
	}
}

// TestMessagesWithoutARecord: each is rejected with its reason, the field, and where in the message.
func TestMessagesWithoutARecord(t *testing.T) {
	for _, c := range []struct {
		at            record.At
		message       string
		reason        record.Reason
		field, detail string
		offset        int
	}{
		{record.Debezium, `{"before":{"y":1},"after":null,"op":"d"}`, record.Deleted, "", "what was learnt from them stays", -1},
		{record.Debezium, `{"op":"t","source":{"table":"a"}}`, record.Deleted, "", "", -1},
		{record.Debezium, `{"op":"m","message":{"content":"aGk="}}`, record.NotEnveloped, "op", "not c, r, u, d or t", -1},
		{record.Debezium, `{"y":1}`, record.NotEnveloped, "op", "", -1},
		{record.Debezium, `{"op":"c","before":null}`, record.NotEnveloped, "after", "absent or null", -1},
		{record.Debezium, `{"schema":{},"payload":null}`, record.Tombstone, "", "", -1},
		{record.Debezium, `{"op":"u","after":{"y":1,"y":2}}`, record.DuplicateField, "y", "", -1},
		{record.Debezium, `{"op":"u","after":{"y":1},"after":{"y":0}}`, record.DuplicateField, "after", "", -1},
		{record.Debezium, `{"op":"u","after":[1]}`, record.NotAnObject, "", "", 18},
		{record.Debezium, `{"op":"u","after":{"y":1}}x`, record.MalformedJSON, "", "", 26},
		{record.Debezium, `{"op":"u","after":{"y":1,}}`, record.MalformedJSON, "", "", 25},
		{record.Debezium, "\x00\x00\x00\x00\x07" + `{"op":"u","after":{"y":1,}}`, record.MalformedJSON, "", "", 30},
		{record.Debezium, `{"op":"u","after":"{\"y\":1}"}`, record.NotAnObject, "", "encoded twice", 18},
		{record.Debezium, `{"op":"u","after":{"x":1}}`, record.MissingLabel, "y", "", -1},
		{record.Debezium, `{"op":"u","after":{"y":1},"z":"` + strings.Repeat("z", 400) + `"}`, record.TooLong, "", "", 400},
		{record.Debezium, `{"op":"u","after":{"y":1,"x":"` + "\xff" + `"}}`, record.InvalidUTF8, "", "", 30},
		{record.Connect, `{"schema":null,"payload":null}`, record.Tombstone, "", "", -1},
		{record.Connect, `{"y":1}`, record.NotEnveloped, "payload", "", -1},
		{record.CloudEvents, `{"specversion":"1.0","data_base64":"e30="}`, record.NotEnveloped, "data", "data_base64", -1},
		{record.CloudEvents, `{"specversion":"1.0"}`, record.NotEnveloped, "data", "absent", -1},
		{record.CloudEvents, `{"specversion":"1.0","data":"{\"y\":1}"}`, record.NotAnObject, "", "", 28},
		{"a.b", `{"a":{"c":1}}`, record.NotEnveloped, "a.b", "", -1},
		{"a.b", `{"a":3}`, record.NotAnObject, "", "", 5},
		{"a.b", `[]`, record.NotAnObject, "", "", 0},
		{"a.b", ``, record.MalformedJSON, "", "", 0},
	} {
		var rec record.Record
		rejection, ok := errors.AsType[*record.Rejection](within(t, c.at).DecodeJSON(&rec, []byte(c.message)))
		if !ok || rejection.Reason != c.reason || rejection.Field != c.field || !strings.Contains(rejection.Detail, c.detail) || rejection.Offset != c.offset {
			t.Errorf("%s: %v", c.message, rejection)
		}
	}
}

// TestBareRecords: what comes in a request has no envelope.
func TestBareRecords(t *testing.T) {
	schema, err := record.NewSchema(record.Config{At: record.Debezium, Label: record.Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rec record.Record
	if err := schema.Bare().NewDecoder().DecodeJSON(&rec, []byte(`{"y":1}`)); err != nil || !rec.Positive {
		t.Errorf("%v, %+v", err, rec)
	}
	for _, at := range []record.At{".", "a..b", "a.", record.At(strings.Repeat("a", 600))} {
		if _, err := record.NewSchema(record.Config{At: at, Label: record.Label{Field: "y"}}, nil); err == nil || !strings.Contains(err.Error(), "record.at: ") {
			t.Errorf("%q: %v", at, err)
		}
	}
}

// TestEnvelopesCostNoMemory: nothing is allocated to open an envelope.
func TestEnvelopesCostNoMemory(t *testing.T) {
	decoder, message := within(t, record.Debezium), []byte(`{"before":null,"after":{"y":1,"sex":"f","x":7},"source":{"snapshot":"false"},"op":"c"}`)
	var rec record.Record
	if n := testing.AllocsPerRun(100, func() {
		if err := decoder.DecodeJSON(&rec, message); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// FuzzEnvelopes: whatever the message, an envelope gives a record or a rejection, and the record of a message in JSON that holds it.
func FuzzEnvelopes(f *testing.F) {
	for _, seed := range []string{`{"op":"c","after":{"y":1}}`, `{"payload":{"op":"r","after":{"y":1}}}`, `{"specversion":"1.0","data":{"y":1}}`, "\x00\x00\x00\x00\x07{\"a\":{\"b\":{}}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		for _, at := range []record.At{record.Debezium, record.Connect, record.CloudEvents, "a.b"} {
			var rec record.Record
			err := within(t, at).DecodeJSON(&rec, message)
			if rejection, ok := errors.AsType[*record.Rejection](err); err != nil && (!ok || rejection.Offset > len(message)) {
				t.Fatalf("%q at %s: %v", message, at, err)
			}
		}
	})
}

// TestEnveloped: the envelope of a message is guessed from its members.
func TestEnveloped(t *testing.T) {
	for message, at := range map[string]record.At{
		`{"op":"c","before":null,"after":{"y":1},"source":{}}`:             record.Debezium,
		"\x00\x00\x00\x00\x07" + `{"op":"d","before":{"y":1},"source":{}}`: record.Debezium,
		`{"schema":{},"payload":{"op":"c","after":{},"source":{}}}`:        record.Debezium,
		`{"schema":{"type":"struct"},"payload":{"y":1}}`:                   record.Connect,
		`{"specversion":"1.0","id":"1","type":"t","source":"s","data":{}}`: record.CloudEvents,
		`{"op":"c","after":1}`: "", `{"schema":1,"payload":2}`: "", `{"y":1}`: "", `[]`: "", `{`: "", "": "",
	} {
		if got := record.Enveloped([]byte(message)); got != at {
			t.Errorf("%s: %q", message, got)
		}
	}
}
