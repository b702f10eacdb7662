package record

import "testing"

// TestAsJSON: of an envelope that Avro does not have, no trace is left.
func TestAsJSON(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		format   Encoding
		at, want At
	}{
		{"", Connect, Connect}, {EncodedJSON, CloudEvents, CloudEvents}, {Avro, Connect, ""},
		{AvroSingle, CloudEvents, ""}, {Avro, Debezium, Debezium}, {AvroBare, "a.b", "a.b"},
	} {
		if got := (Config{Format: c.format, At: c.at}).AsJSON().At; got != c.want {
			t.Errorf("%q at %q: %q, want %q", c.format, c.at, got, c.want)
		}
	}
}
