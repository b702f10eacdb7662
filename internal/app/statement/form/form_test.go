package form

import "testing"

func TestForm(t *testing.T) {
	for text, want := range map[string]string{
		"12": "as a whole number", "-12": "as a whole number", "12.50": "with 2 decimals", "0.5": "with 1 decimal", "0012": "as a whole number and leading zeros",
		"1.5e3": "with 1 decimal and an exponent", "1.23456789": "with 7 decimals or more", "1,234.50": "with digits, signs", "12.3.4": "with digits, signs",
		"Male": "with small letters, capitals", " no": "with small letters, a space at an end", "Zürich Nord": "with small letters, capitals, letters that are not English, spaces",
		"2026-11-21": "with digits, signs", "": "as an empty text", "e5": "with small letters, digits",
		"0": "as a whole number", "00": "as a whole number and leading zeros", "0.": "as a whole number", "+5": "as a whole number", "5-": "with digits, signs", "1e-5": "as a whole number and an exponent", "1E5": "as a whole number and an exponent",
		"1e5e5": "with small letters, digits", "12e": "with small letters, digits", "1.25e10": "with 2 decimals and an exponent", "1.123456": "with 6 decimals", "1.1234567": "with 7 decimals or more", "-": "with signs", "7 ": "with digits, a space at an end",
		"az": "with small letters", "AZ": "with capitals", "{": "with signs", "`": "with signs", "[": "with signs", "@": "with signs", "a1 ": "with small letters, digits, a space at an end", " ": "with a space at an end",
		"01": "as a whole number and leading zeros", "10": "as a whole number", "a0": "with small letters, digits", "a9": "with small letters, digits", "a\x7f": "with small letters, signs", "a\u0080": "with small letters, letters that are not English",
	} {
		if got := Of([]byte(text)).String(); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
	if Of([]byte("5e5x")) != Of([]byte("5f5x")) {
		t.Error("a text that begins like a number with an exponent is written in another way than one that does not")
	}
}
