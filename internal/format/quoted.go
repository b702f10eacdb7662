package format

import (
	"encoding/json"
	"math"
	"unicode/utf8"

	"github.com/fairstream/fairstream/pkg/record"
)

// AppendFloat appends a number as JSON, of 32 or 64 bits, and quotes what JSON has no number for.
func AppendFloat(dst []byte, value float64, bits int) []byte {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return append(record.AppendNumber(append(dst, '"'), value, bits), '"')
	}
	return record.AppendNumber(dst, value, bits)
}

// AppendQuoted appends a JSON string. Bytes that are not UTF-8 stay what they are, so that the record is rejected for them.
func AppendQuoted(dst, text []byte) []byte {
	plain := utf8.Valid(text)
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] >= ' ' && text[i] != '"' && text[i] != '\\'
	}
	if !plain && utf8.Valid(text) {
		quoted, _ := json.Marshal(string(text)) // a string always becomes JSON
		return append(dst, quoted...)
	}
	dst = append(dst, '"')
	for _, c := range text {
		if plain || c >= ' ' && c != '"' && c != '\\' {
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
