package avro

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"
)

const (
	secondsADay = 24 * 60 * 60
	instant     = "2006-01-02T15:04:05.999999999Z"
	localTime   = "2006-01-02T15:04:05.999999999"
	clock       = "15:04:05.999999999"
)

// appendTime appends the text of a number of a logical type of time.
func appendTime(dst []byte, k kind, value int64) []byte {
	switch k {
	case date:
		return time.Unix(value*secondsADay, 0).UTC().AppendFormat(dst, time.DateOnly)
	case timeMillis:
		return time.UnixMilli(value).UTC().AppendFormat(dst, clock)
	case timeMicros:
		return time.UnixMicro(value).UTC().AppendFormat(dst, clock)
	case timestampMillis:
		return time.UnixMilli(value).UTC().AppendFormat(dst, instant)
	case timestampMicros:
		return time.UnixMicro(value).UTC().AppendFormat(dst, instant)
	case timestampNanos:
		return time.Unix(0, value).UTC().AppendFormat(dst, instant)
	case localMillis:
		return time.UnixMilli(value).UTC().AppendFormat(dst, localTime)
	case localMicros:
		return time.UnixMicro(value).UTC().AppendFormat(dst, localTime)
	}
	return time.Unix(0, value).UTC().AppendFormat(dst, localTime)
}

// appendUUID appends the text of RFC 9562.
func appendUUID(dst, b []byte) []byte {
	dst = hex.AppendEncode(dst, b[:4])
	for i := 4; i < 10; i += 2 {
		dst = hex.AppendEncode(append(dst, '-'), b[i:i+2])
	}
	return hex.AppendEncode(append(dst, '-'), b[10:])
}

// appendDuration appends months, days and milliseconds, as ISO 8601 writes durations.
func appendDuration(dst, b []byte) []byte {
	months, days, millis := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	dst = strconv.AppendUint(append(dst, 'P'), uint64(months), 10)
	dst = strconv.AppendUint(append(dst, 'M'), uint64(days), 10)
	dst = strconv.AppendFloat(append(dst, "DT"...), float64(millis)/1000, 'f', -1, 64)
	return append(dst, 'S')
}
