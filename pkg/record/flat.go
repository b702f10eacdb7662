package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Most records are flat objects without escapes, and reading those is most of what a decoder does.
// decodeFlat reads them and nothing else: strings end at the next quote, members come in the order
// of the record before. As long as a record has the very shape of those before it, decodeShape reads it in its place.
// With both a record takes less than half the time it takes on the general path (BenchmarkDecodeJSON). decodeFlat takes nothing that the general path refuses and gives the same record:
// the tests hold both to each other and to the standard library. Whatever is not flat, not simple or
// to be rejected it leaves to the general path.

// decodeFlat reads data, all but finishing the record, if it is a flat object. When it returns false, data is for
// the general path to read from the start.
func (d *Decoder) decodeFlat(data []byte) bool {
	i := afterSpace(data, 0)
	if i == len(data) || data[i] != '{' {
		return false
	}
	i++
	link := &d.tree.root.first
	if d.shape.begins() {
		count, end, whole, ok := d.decodeShape(data, i)
		if whole || !ok {
			return ok
		}
		i, link = end, d.leaveShape(count)
	}
	before := i
	if d.members == 0 {
		if i = afterSpace(data, i); i < len(data) && data[i] == '}' {
			return afterSpace(data, i+1) == len(data)
		}
	} else {
		var more bool
		if i, more = afterMember(data, i); !more {
			return i == len(data)
		}
	}
	for {
		n := *link
		var end int
		if n != nil && n.prefix.begins(data[i:]) {
			end = afterSpace(data, i+len(n.prefix.text))
		} else {
			key, after, ok := flatKey(data, i)
			if !ok {
				return false
			}
			var err error
			if n, err = d.tree.member(d.tree.root, link, key); err != nil {
				return false
			}
			end = after
		}
		link = &n.next
		text, next, ok := flatValue(data, end)
		if !ok {
			return false
		}
		if d.enter(n) != nil {
			return false
		}
		d.shape.note(n, data[before:end])
		if !n.column.ignored {
			if d.assign(n.column, text, isNull(data, end, text), end) != nil {
				return false
			}
		}
		var more bool
		before = next
		if i, more = afterMember(data, next); !more {
			return i == len(data)
		}
	}
}

// afterMember returns where the next member begins, i being behind the value of one. Without a next one it returns the length of data if
// that ends with the object, else -1.
func afterMember(data []byte, i int) (next int, more bool) {
	if i = afterSpace(data, i); i < len(data) {
		switch data[i] {
		case ',':
			return afterSpace(data, i+1), true
		case '}':
			if i = afterSpace(data, i+1); i == len(data) {
				return i, false
			}
		}
	}
	return -1, false
}

// isNull says whether the text of the value at i is that of null, not of a string.
func isNull(data []byte, i int, text []byte) bool {
	return len(text) == 4 && text[0] == 'n' && data[i] == 'n'
}

// flatKey reads the key at i and the colon after it, and returns where the value begins.
func flatKey(data []byte, i int) (key []byte, end int, ok bool) {
	if i == len(data) || data[i] != '"' {
		return nil, 0, false
	}
	quote, ok := flatString(data, i+1)
	if !ok {
		return nil, 0, false
	}
	end = afterSpace(data, quote+1)
	if end == len(data) || data[end] != ':' {
		return nil, 0, false
	}
	return data[i+1 : quote], afterSpace(data, end+1), true
}

// flatValue reads the scalar at i: its text, without the quotes of a string, and where it ends.
func flatValue(data []byte, i int) (text []byte, end int, ok bool) {
	if i == len(data) {
		return nil, 0, false
	}
	switch c := data[i]; {
	case c == '"':
		if end, ok = flatString(data, i+1); !ok {
			return nil, 0, false
		}
		return data[i+1 : end], end + 1, true
	case c == '-' || isDigit(c):
		end, ok = afterNumber(data, i)
	case c == 't':
		end, ok = i+4, bytes.HasPrefix(data[i:], []byte("true"))
	case c == 'f':
		end, ok = i+5, bytes.HasPrefix(data[i:], []byte("false"))
	case c == 'n':
		end, ok = i+4, bytes.HasPrefix(data[i:], []byte("null"))
	}
	if !ok {
		return nil, 0, false
	}
	return data[i:end], end, true
}

// flatString returns where the quote is that closes the string whose text begins at start. The text must be UTF-8
// without escapes and control characters.
func flatString(data []byte, start int) (end int, ok bool) {
	var high uint64
	for end = start; end+8 <= len(data); end += 8 {
		x := binary.LittleEndian.Uint64(data[end:])
		stops := controlOr(x, '"', '\\')
		if stops == 0 {
			high |= x & highs
			continue
		}
		high |= x & highs & (stops&-stops - 1)
		end += bits.TrailingZeros64(stops) / 8
		return end, data[end] == '"' && (high == 0 || utf8.Valid(data[start:end]))
	}
	for ; end < len(data); end++ {
		switch c := data[end]; {
		case c == '"':
			return end, utf8.Valid(data[start:end])
		case c < ' ' || c == '\\':
			return 0, false
		}
	}
	return 0, false
}

// afterNumber returns where the JSON number at i ends.
func afterNumber(data []byte, i int) (int, bool) {
	if data[i] == '-' {
		i++
	}
	start := i
	i = afterDigits(data, i)
	if i == start || data[start] == '0' && i > start+1 {
		return 0, false
	}
	if i < len(data) && data[i] == '.' {
		start = i + 1
		if i = afterDigits(data, start); i == start {
			return 0, false
		}
	}
	if i < len(data) && (data[i] == 'e' || data[i] == 'E') {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		start = i
		if i = afterDigits(data, start); i == start {
			return 0, false
		}
	}
	return i, true
}

func afterDigits(data []byte, i int) int {
	for i < len(data) && isDigit(data[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// afterSpace skips blanks; other white space is not simple.
func afterSpace(data []byte, i int) int {
	for i < len(data) && data[i] == ' ' {
		i++
	}
	return i
}
