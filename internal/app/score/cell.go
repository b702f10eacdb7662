package score

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// bit is a decision in output: 1 for the positive one.
func bit(decision bool) byte {
	if decision {
		return '1'
	}
	return '0'
}

// appendCell writes a text, in quotes if a reader needs them.
func appendCell(line, text []byte) []byte {
	if !quoted(text) {
		return append(line, text...)
	}
	line = append(line, '"')
	for at := bytes.IndexByte(text, '"'); at >= 0; at = bytes.IndexByte(text, '"') {
		line = append(append(line, text[:at+1]...), '"')
		text = text[at+1:]
	}
	return append(append(line, text...), '"')
}

// quoted says whether a text is written in quotes, by the rule of encoding/csv.
func quoted(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	first, _ := utf8.DecodeRune(text)
	return unicode.IsSpace(first) || string(text) == `\.` || bytes.ContainsAny(text, ",\"\r\n")
}
