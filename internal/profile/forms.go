package profile

import (
	"bytes"
	"net/netip"
	"time"
)

// timeLayout is one way in which times are written.
type timeLayout struct {
	layout string
	rfc    bool // record.time reads it
}

// timeLayouts are tried in this order.
var timeLayouts = [...]timeLayout{
	{time.RFC3339Nano, true},
	{"2006-01-02T15:04:05.999999999", false},
	{"2006-01-02 15:04:05.999999999", false},
	{"2006-01-02 15:04:05.999999999Z07:00", false},
	{"2006-01-02T15:04", false},
	{"2006-01-02 15:04", false},
	{"2006-01-02", false},
	{"2006/01/02", false},
	{"2006.01.02", false},
	{"2006/01/02 15:04:05", false},
	{"2006/01/02 15:04", false},
	{"02.01.2006", false},
	{"01/02/2006", false},
	{"02/01/2006", false},
	{compactDate, false},
}

const compactDate = "20060102"

func (l *timeLayout) matches(text []byte) bool {
	// Most texts are no times: the places of digits and separators tell without parsing.
	for i := range min(len(l.layout), len(text), 10) {
		digit := l.layout[i] >= '0' && l.layout[i] <= '9'
		if digit != (text[i] >= '0' && text[i] <= '9') || !digit && l.layout[i] != text[i] {
			return false
		}
	}
	t, err := time.Parse(l.layout, string(text))
	return err == nil && (t.Year() >= 1800 && t.Year() < 2200 || isNever(t) && l.layout != compactDate)
}

// isNever says whether a time stands for "never" or "not known", as 9999-12-31 does.
func isNever(t time.Time) bool { return t.Year() == 9999 || t.Year() == 2999 || t.Year() == 1 }

// IsNever says whether a text is a time that stands for "never" or "not known".
func IsNever(text []byte) bool {
	for i := range timeLayouts {
		if l := &timeLayouts[i]; l.matches(text) {
			t, err := time.Parse(l.layout, string(text))
			return err == nil && isNever(t)
		}
	}
	return false
}

// ParseTime reads a time in one of the layouts that can be read in one way only. It reads none that stands for "never".
func ParseTime(text []byte) (t time.Time, ok bool) {
	if len(text) < 8 || len(text) > 40 || text[0] < '0' || text[0] > '9' {
		return t, false
	}
	for i := range timeLayouts {
		l := &timeLayouts[i]
		if l.layout != compactDate && l.layout[2] != '/' && l.matches(text) {
			t, err := time.Parse(l.layout, string(text))
			return t, err == nil && !isNever(t)
		}
	}
	return t, false
}

// isKnownIdentifier says whether a text is a UUID, an IP address, an e-mail address or a telephone number with
// its country.
func isKnownIdentifier(text []byte) bool {
	switch {
	case len(text) == 36 && isUUID(text):
		return true
	case len(text) >= 8 && len(text) <= 20 && text[0] == '+':
		return isInteger(bytes.ReplaceAll(text[1:], []byte(" "), nil))
	case len(text) > 64:
		return false
	case bytes.IndexByte(text, '@') > 0:
		_, domain, _ := bytes.Cut(text, []byte("@"))
		return bytes.IndexByte(domain, '.') > 0 && !bytes.ContainsAny(text, " \t")
	case bytes.Count(text, []byte(".")) == 3 || bytes.Count(text, []byte(":")) >= 2:
		_, err := netip.ParseAddr(string(text))
		return err == nil
	}
	return false
}

func isUUID(text []byte) bool {
	for i, b := range text {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if b != '-' {
				return false
			}
		case b >= '0' && b <= '9', b >= 'a' && b <= 'f', b >= 'A' && b <= 'F':
		default:
			return false
		}
	}
	return true
}
