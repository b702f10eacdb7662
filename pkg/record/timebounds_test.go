package record

import (
	"strconv"
	"testing"
	"time"
)

// TestTheBoundsOfTimes: a number is a time up to the last one that a program can write, and no later or earlier one.
func TestTheBoundsOfTimes(t *testing.T) {
	for _, c := range []struct {
		format   TimeFormat
		text     string
		want     time.Time
		isNoTime bool
	}{
		{UnixTime, "0", time.Unix(0, 0), false}, {UnixTime, "-1", time.Unix(-1, 0), false}, {UnixTime, "1700000000.25", time.UnixMicro(1_700_000_000_250_000), false},
		{UnixMilli, "1700000000123", time.UnixMilli(1_700_000_000_123), false}, {UnixMilli, "1700000000123.5", time.UnixMicro(1_700_000_000_123_500), false},
	} {
		got, err := parseTime(c.format, []byte(c.text))
		if (err != nil) != c.isNoTime || err == nil && !got.Equal(c.want) {
			t.Errorf("%s %s is %v, %v, want %v", c.format, c.text, got, err, c.want)
		}
	}
	for _, sign := range []int64{-1, 1} {
		for format, perSecond := range map[TimeFormat]int64{UnixTime: 1, UnixMilli: 1000} {
			inside, beyond := sign*(latest*perSecond-1), sign*latest*perSecond
			for _, dot := range []string{"", ".0"} {
				if _, err := parseTime(format, []byte(strconv.FormatInt(inside, 10)+dot)); err != nil {
					t.Errorf("%s %d%s: %v", format, inside, dot, err)
				}
				if got, err := parseTime(format, []byte(strconv.FormatInt(beyond, 10)+dot)); err == nil {
					t.Errorf("%s %d%s is %v", format, beyond, dot, got)
				}
			}
		}
	}
}
