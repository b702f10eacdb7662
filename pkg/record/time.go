package record

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"time"
)

// TimeFormat is how an event time is written.
type TimeFormat string

// The formats. Unix times may carry a fraction and count from 1970-01-01 UTC.
const (
	RFC3339   TimeFormat = "rfc3339" // 2026-11-21T08:30:00.5+01:00; the default
	UnixTime  TimeFormat = "unix"    // seconds
	UnixMilli TimeFormat = "unix-ms" // milliseconds
)

// Formats that record.times reads, too.
const (
	LocalTime TimeFormat = "local" // 2026-11-21T08:30:00, or with a space: no zone
	DateOnly  TimeFormat = "date"  // 2026-11-21
)

var (
	timeFormats    = []TimeFormat{RFC3339, UnixTime, UnixMilli}
	allTimeFormats = []TimeFormat{RFC3339, LocalTime, DateOnly, UnixTime, UnixMilli}
)

// readTime reads a time in the zone that it is written in; UTC if it has none.
func readTime(format TimeFormat, text []byte) (time.Time, error) {
	layout := ""
	switch format {
	case RFC3339:
		layout = time.RFC3339Nano
	case LocalTime:
		layout = "2006-01-02T15:04:05.999999999"
		if len(text) > 10 && text[10] == ' ' {
			layout = "2006-01-02 15:04:05.999999999"
		}
	case DateOnly:
		layout = time.DateOnly
	default:
		return parseTime(format, text)
	}
	t, err := time.Parse(layout, view(text))
	if err != nil {
		return time.Time{}, errTime
	}
	return t, nil
}

// latest is the first second of the year 10000, which RFC 3339 cannot write.
const latest = 253402300800

var errTime = errors.New("record: not a time of the configured format")

// notWritten says why a text is no time of a format, and names the format that it probably has. It shows nothing of the text.
func notWritten(format TimeFormat, text []byte) string {
	why := "not a time written as " + string(format)
	looks := func(as TimeFormat) bool {
		_, err := readTime(as, text)
		return err == nil
	}
	_, number := Decimal(text)
	switch whole := bytes.TrimLeft(text, "0123456789"); {
	case format == UnixMilli && number:
	case len(whole) == 0 && len(text) == milliDigits:
		why += "; a number of 13 digits is one written as unix-ms"
	case number && format != UnixTime && looks(UnixTime):
		why += "; a number is a time written as unix (seconds)"
	case !number && looks(RFC3339):
		why += "; it looks like one written as rfc3339"
	}
	return why
}

// milliDigits are those of the milliseconds since 1970, from 2001 to 2286.
const milliDigits = 13

func parseTime(format TimeFormat, text []byte) (time.Time, error) {
	if format == RFC3339 {
		t, err := time.Parse(time.RFC3339Nano, view(text))
		if err != nil {
			return time.Time{}, errTime
		}
		return t.UTC(), nil
	}
	perSecond := int64(1)
	if format == UnixMilli {
		perSecond = 1000
	}
	// Whole numbers are exact; a fraction is rounded to the microsecond, which is what a float64
	// resolves.
	if n, err := strconv.ParseInt(view(text), 10, 64); err == nil {
		if n <= -latest*perSecond || n >= latest*perSecond {
			return time.Time{}, errTime
		}
		if format == UnixMilli {
			return time.UnixMilli(n).UTC(), nil
		}
		return time.Unix(n, 0).UTC(), nil
	}
	f, ok := Decimal(text)
	if !ok || math.Abs(f) >= float64(latest*perSecond) {
		return time.Time{}, errTime
	}
	return time.UnixMicro(int64(math.Round(f * (1e6 / float64(perSecond))))).UTC(), nil
}
