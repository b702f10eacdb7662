package input

import (
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestHowNumbersAreWritten: five cells that no other way allows tell it, and four do not; marks with two meanings are left alone.
func TestHowNumbersAreWritten(t *testing.T) {
	rows := func(pairs ...any) string {
		var text strings.Builder
		for i := 0; i < len(pairs); i += 2 {
			for range pairs[i+1].(int) {
				text.WriteString("\"" + pairs[i].(string) + "\"\n")
			}
		}
		return text.String()
	}
	for name, c := range map[string]struct {
		separator, rows string
		want            record.Dialect
	}{
		"a comma":                       {"", rows("0,5", 5), record.Dialect{Decimal: ","}},
		"a comma, too few":              {"", rows("0,5", 4), record.Dialect{}},
		"a comma, and as many points":   {"", rows("0,5", 5, "0.5", 5), record.Dialect{}},
		"a comma, and fewer points":     {"", rows("0,5", 6, "0.5", 5), record.Dialect{Decimal: ","}},
		"a comma and points between":    {"", rows("0,5", 5, "1.294,08", 1), record.Dialect{Decimal: ",", Thousands: "."}},
		"a comma and spaces between":    {"", rows("0,5", 5, "1 294,08", 1), record.Dialect{Decimal: ",", Thousands: " "}},
		"points between, of semicolons": {";", rows("1.294", 5), record.Dialect{Separator: ";", Decimal: ",", Thousands: "."}},
		"points between, too few":       {";", rows("1.294", 4), record.Dialect{Separator: ";"}},
		"points between, of commas":     {"", rows("1.294", 5), record.Dialect{}},
		"points that are decimals, too": {";", rows("1.294", 5, "0.5", 1), record.Dialect{Separator: ";"}},
		"points, and commas between":    {";", rows("1.294", 5, "1,294", 1), record.Dialect{Separator: ";"}},
		"apostrophes":                   {"", rows("1'294", 5), record.Dialect{Thousands: "'"}},
		"apostrophes, too few":          {"", rows("1'294", 4), record.Dialect{}},
		"commas between and points":     {"", rows("1,294", 5, "0.5", 1), record.Dialect{Thousands: ","}},
		"commas between and signs":      {"", rows("$1,294", 5), record.Dialect{Thousands: ",", Symbols: true}},
		"commas between alone":          {"", rows("1,294", 5), record.Dialect{}},
		"commas between, too few":       {"", rows("1,294", 4, "0.5", 1), record.Dialect{}},
		"spaces between and signs":      {"", rows("4 446 kr", 5), record.Dialect{Decimal: ",", Thousands: " ", Symbols: true}},
		"signs and either mark":         {";", rows("25.000 TL", 9, "0.5", 9), record.Dialect{Separator: ";"}},
		"lakhs":                         {"", rows("₹1,23,456", 5), record.Dialect{Thousands: ",", Symbols: true}},
		"liras":                         {";", rows("4.719,00 TL", 5), record.Dialect{Separator: ";", Decimal: ",", Thousands: ".", Symbols: true}},
		"signs":                         {"", rows("5 %", 5), record.Dialect{Symbols: true}},
		"signs, too few":                {"", rows("5 %", 4), record.Dialect{}},
		"letters that are a sign":       {"", rows("RM 12", 5), record.Dialect{Symbols: true}},
		"many digits behind letters":    {"", rows("RM1200", 5), record.Dialect{Symbols: true}},
		"rooms":                         {"", rows("RM12", 9, "TRY5", 9, "CAD101", 9), record.Dialect{}},
		"texts":                         {"", rows("a 1,5 b", 10, "x", 10), record.Dialect{}},
		"behind a thousand rows":        {"", rows("x", 996, "0,5", 10), record.Dialect{}},
		"within a thousand rows":        {"", rows("x", 995, "0,5", 5), record.Dialect{Decimal: ","}},
	} {
		d := record.Dialect{Separator: c.separator}
		if sniffNumbers(&d, c.rows); d != c.want {
			t.Errorf("%s: %+v, want %+v", name, d, c.want)
		}
	}
}

// TestScriptsInOneByte: five letters of Central Europe, or five words of another script, tell; a byte that stands for nothing tells alone.
func TestScriptsInOneByte(t *testing.T) {
	for name, c := range map[string]struct {
		text           string
		central, other bool
	}{
		"western":              {strings.Repeat("caf\xe9 ", 10), false, false},
		"within words":         {strings.Repeat("a\xb3b ", 5), true, false},
		"too few":              {strings.Repeat("a\xb3b ", 4), false, false},
		"at the end of a word": {strings.Repeat("a\xb3 ", 9), false, false},
		"at its beginning":     {strings.Repeat(" \xb9a", 9), false, false},
		"a capital":            {strings.Repeat(" \xa3a", 5), true, false},
		"a price":              {strings.Repeat(" \xa35", 9), false, false},
		"a capital behind":     {strings.Repeat("a\x9f ", 5), true, false},
		"words":                {strings.Repeat("\xc1\xc2\xc3\xc4 ", 5), false, true},
		"words, too few":       {strings.Repeat("\xc1\xc2\xc3\xc4 ", 4), false, false},
		"short words":          {strings.Repeat("\xc1\xc2\xc3 ", 9), false, false},
		"no character":         {"a\x81", false, true},
		"another one":          {"\x9d", false, true},
	} {
		if central, other := centralEuropean([]byte(c.text)), otherScript([]byte(c.text)); central != c.central || other != c.other {
			t.Errorf("%s: of Central Europe %v, of another script %v", name, central, other)
		}
	}
	if got := wholeLines([]byte("a\nb")); string(got) != "a\nb" {
		t.Errorf("%q", got)
	}
	long := append([]byte(strings.Repeat("x", sniffed-4)), "\nabc"...)
	if got := wholeLines(long); len(got) != sniffed-3 {
		t.Errorf("%d of %d bytes are whole lines", len(got), len(long))
	}
}
