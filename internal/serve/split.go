package serve

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/bits"
)

// The body of a request is cut at its brackets and quotes, and nothing else is looked at: what stands between them is decoded where it is
// used. So a record that is not JSON spoils its own row alone, and no record is parsed twice.

var errNotJSON = errors.New("the body is not JSON")

// space passes over white space.
func space(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}

// value gives the end of the value that begins at at, which is not white space.
func value(data []byte, at int) (end int, err error) {
	if at >= len(data) {
		return at, errNotJSON
	}
	switch data[at] {
	case '"':
		return text(data, at)
	case '{', '[':
		return nested(data, at)
	case '}', ']', ',', ':':
		return at, errNotJSON
	}
	for end = at; end < len(data); end++ {
		switch data[end] {
		case ',', ']', '}', ' ', '\n', '\t', '\r':
			return end, nil
		}
	}
	return end, nil
}

// Strings are searched eight bytes at a time: most are so short that a call of package bytes would cost more than the search.
const (
	ones   = 0x0101010101010101
	highs  = 0x8080808080808080
	quotes = '"' * ones
)

// text gives the end of the string that begins at at.
func text(data []byte, at int) (end int, err error) {
	for end = at + 1; ; end++ {
		for ; end+8 <= len(data); end += 8 {
			x := binary.LittleEndian.Uint64(data[end:]) ^ quotes
			if found := (x - ones) &^ x & highs; found != 0 { // the lowest bit is that of the first quote
				end += bits.TrailingZeros64(found) / 8
				break
			}
		}
		for end < len(data) && data[end] != '"' {
			end++
		}
		if end == len(data) {
			return end, errNotJSON
		}
		escapes := 0
		for data[end-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return end + 1, nil
		}
	}
}

// nested gives the end of the object or the array that begins at at.
func nested(data []byte, at int) (end int, err error) {
	depth := 0
	for end = at; end < len(data); end++ {
		switch data[end] {
		case '"':
			if end, err = text(data, end); err != nil {
				return end, err
			}
			end--
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return end + 1, nil
			}
		}
	}
	return end, errNotJSON
}

// elements calls use for every element of an array; what stands behind the array is left. It gives the end of the array.
func elements(data []byte, at int, use func(element []byte) error) (end int, err error) {
	if at >= len(data) || data[at] != '[' {
		return at, errors.New("is not an array")
	}
	if at = space(data, at+1); at < len(data) && data[at] == ']' {
		return at + 1, nil
	}
	for {
		end, err := value(data, at)
		if err != nil {
			return end, err
		}
		if err := use(data[at:end]); err != nil {
			return end, err
		}
		switch at = space(data, end); {
		case at < len(data) && data[at] == ',':
			at = space(data, at+1)
		case at < len(data) && data[at] == ']':
			return at + 1, nil
		default:
			return at, errNotJSON
		}
	}
}

// members calls use for every member of an object that is all of data. use gives the end of the value that begins at at: what it reads itself
// is not looked at twice.
func members(data []byte, use func(name string, at int) (end int, err error)) error {
	at := space(data, 0)
	if at >= len(data) || data[at] != '{' {
		return errNotJSON
	}
	if at = space(data, at+1); at < len(data) && data[at] == '}' {
		return end(data, at+1)
	}
	for {
		if at >= len(data) || data[at] != '"' {
			return errNotJSON
		}
		stop, err := text(data, at)
		if err != nil {
			return err
		}
		var name string
		if err := json.Unmarshal(data[at:stop], &name); err != nil {
			return errNotJSON
		}
		if at = space(data, stop); at >= len(data) || data[at] != ':' {
			return errNotJSON
		}
		if stop, err = use(name, space(data, at+1)); err != nil {
			return err
		}
		switch at = space(data, stop); {
		case at < len(data) && data[at] == ',':
			at = space(data, at+1)
		case at < len(data) && data[at] == '}':
			return end(data, at+1)
		default:
			return errNotJSON
		}
	}
}

// values calls use for the value of every member of an object that is all of data.
func values(data []byte, use func(name string, value []byte) error) error {
	return members(data, func(name string, at int) (end int, err error) {
		if end, err = value(data, at); err == nil {
			err = use(name, data[at:end])
		}
		return end, err
	})
}

// end wants nothing but white space from at on.
func end(data []byte, at int) error {
	if space(data, at) != len(data) {
		return errNotJSON
	}
	return nil
}
