package record_test

import (
	"errors"
	"testing"
	"time"

	"github.com/fairstream/fairstream/pkg/record"
)

func TestEventTime(t *testing.T) {
	at := time.Date(2026, 11, 21, 7, 30, 0, 5e8, time.UTC)
	for _, c := range []struct {
		format record.TimeFormat
		text   string
		want   time.Time // zero: rejected
	}{
		{"", `"2026-11-21T08:30:00.5+01:00"`, at}, // RFC 3339 is the default
		{record.RFC3339, `"2026-11-21T07:30:00.5Z"`, at},
		{record.RFC3339, `"2026-11-21 07:30:00"`, time.Time{}},
		{record.RFC3339, `"2026-02-30T07:30:00Z"`, time.Time{}},
		{record.RFC3339, `1795246200`, time.Time{}},
		{record.UnixTime, `1795246200.5`, at},
		{record.UnixTime, `"1795246200"`, at.Truncate(time.Second)},
		{record.UnixTime, `-1`, time.Unix(-1, 0)},
		{record.UnixTime, `253402300799`, time.Unix(253402300799, 0)},
		{record.UnixTime, `253402300800`, time.Time{}},
		{record.UnixTime, `1795246200500`, time.Time{}}, // milliseconds given as seconds
		{record.UnixTime, `"0x10"`, time.Time{}},
		{record.UnixTime, `"Infinity"`, time.Time{}},
		{record.UnixMilli, `1795246200500`, at},
		{record.UnixMilli, `1795246200500.25`, at.Add(250 * time.Microsecond)},
		{record.UnixMilli, `1e300`, time.Time{}},
	} {
		schema, err := record.NewSchema(record.Config{
			Label: record.Label{Field: "y", Positive: "1"}, Time: record.Time{Field: "at", Format: c.format},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		err = schema.NewDecoder().DecodeJSON(&rec, []byte(`{"y":1,"at":`+c.text+`}`))
		if c.want.IsZero() {
			if r, ok := errors.AsType[*record.Rejection](err); !ok || r.Reason != record.BadTime || r.Field != "at" {
				t.Errorf("%s %s: error %v, want a bad time", c.format, c.text, err)
			}
			continue
		}
		if err != nil || !rec.Time.Equal(c.want) {
			t.Errorf("%s %s: %v, error %v, want %v", c.format, c.text, rec.Time, err, c.want)
		}
	}
}
