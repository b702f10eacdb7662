package form

import "testing"

func TestForm(t *testing.T) {
	for text, want := range map[string]string{
		"12": "as a whole number", "-12": "as a whole number", "12.50": "with 2 decimals", "0.5": "with 1 decimal", "0012": "as a whole number and leading zeros",
		"1.5e3": "with 1 decimal and an exponent", "1.23456789": "with 7 decimals or more", "1,234.50": "with digits, signs", "12.3.4": "with digits, signs",
		"Male": "with small letters, capitals", " no": "with small letters, a space at an end", "Zürich Nord": "with small letters, capitals, letters that are not English, spaces",
		"2026-11-21": "with digits, signs", "": "as an empty text", "e5": "with small letters, digits",
	} {
		if got := Of([]byte(text)).String(); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}
