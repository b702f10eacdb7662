package protobuf

import "testing"

// TestTheBoundsOfTimesAndDurations: those of the years 1 to 9999 and of 10,000 years, with nanoseconds below a second and of the same sign.
func TestTheBoundsOfTimesAndDurations(t *testing.T) {
	for _, c := range []struct {
		kind           special
		seconds, nanos int64
		want           string // empty: it is refused
	}{
		{timestamp, -62135596800, 0, "0001-01-01T00:00:00Z"}, {timestamp, -62135596801, 0, ""}, {timestamp, 253402300799, 999_999_999, "9999-12-31T23:59:59.999999999Z"}, {timestamp, 253402300800, 0, ""},
		{timestamp, 0, 0, "1970-01-01T00:00:00Z"}, {timestamp, 0, -1, ""}, {timestamp, 0, 1_000_000_000, ""}, {timestamp, -1, 500_000_000, "1969-12-31T23:59:59.5Z"},
		{duration, 315_576_000_000, 999_999_999, "315576000000.999999999s"}, {duration, 315_576_000_001, 0, ""}, {duration, -315_576_000_000, -999_999_999, "-315576000000.999999999s"},
		{duration, -315_576_000_001, 0, ""}, {duration, 0, 1_000_000_000, ""}, {duration, 0, -1_000_000_000, ""}, {duration, 0, 0, "0s"}, {duration, 1, 0, "1s"}, {duration, -1, 0, "-1s"},
		{duration, 0, -5, "-0.000000005s"}, {duration, 0, 5_000_000, "0.005s"}, {duration, 1, -1, ""}, {duration, -1, 1, ""}, {duration, 1, 1, "1.000000001s"}, {duration, -1, -1, "-1.000000001s"},
	} {
		got, err := appendSpecial(nil, c.kind, [3]value{{number: uint64(c.seconds)}, {number: uint64(c.nanos)}})
		if (err == nil) != (c.want != "") || err == nil && string(got) != c.want {
			t.Errorf("kind %v, %d s and %d ns: %q, %v, want %q", c.kind, c.seconds, c.nanos, got, err, c.want)
		}
	}
}
