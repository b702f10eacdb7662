package format

import (
	"math"
	"strings"
	"testing"
)

// TestDecimals: each is exact, has no zeros at its end behind the point, and is bounded.
func TestDecimals(t *testing.T) {
	t.Parallel()
	huge := append([]byte{0x80}, make([]byte, 11)...) // -2^95
	for _, c := range []struct {
		unscaled []byte
		scale    int
		want     string
	}{
		{nil, 2, "0"}, {[]byte{0}, 2, "0"}, {[]byte{5}, 2, "0.05"}, {[]byte{100}, 2, "1"}, {[]byte{0xff}, 0, "-1"}, {[]byte{0xff}, 3, "-0.001"},
		{[]byte{0, 200}, 0, "200"}, {[]byte{0x04, 0xd2}, 2, "12.34"}, {huge, 0, "-39614081257132168796771975168"}, {huge, 27, "-39.614081257132168796771975168"},
		{[]byte{0x85}, -2, "-12300"}, {[]byte{1}, 400, "0." + strings.Repeat("0", 399) + "1"}, {[]byte{0}, -3, "0"},
		{[]byte{5}, 1, "0.5"}, {[]byte{1, 0xf5}, 2, "5.01"}, {[]byte{0xfe, 0x0b}, 2, "-5.01"}, {[]byte{0x04, 0xd2}, 4, "0.1234"}, {[]byte{0x04, 0xd2}, 5, "0.01234"}, {append(make([]byte, 127), 7), 0, "7"},
		{[]byte{1}, -400, "1" + strings.Repeat("0", 400)}, {[]byte{0x80, 0, 0, 0, 0, 0, 0, 0}, 0, "-9223372036854775808"}, {[]byte{0, 0x80, 0, 0, 0, 0, 0, 0, 0}, 0, "9223372036854775808"},
	} {
		got, err := AppendDecimal(nil, c.unscaled, c.scale)
		if err != nil || string(got) != c.want {
			t.Errorf("%x at scale %d: %s in place of %s (%v)", c.unscaled, c.scale, got, c.want, err)
		}
	}
	if _, err := AppendDecimal(nil, make([]byte, 129), 0); err == nil {
		t.Error("a decimal of 129 bytes was taken")
	}
	for _, scale := range []int{-401, 401, math.MinInt32, math.MaxInt32} {
		if _, err := AppendDecimal(nil, []byte{1}, scale); err == nil {
			t.Errorf("scale %d was taken", scale)
		}
	}
}
