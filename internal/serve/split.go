package serve

import (
	"bytes"
	"encoding/json"
	"errors"
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

// text gives the end of the string that begins at at.
func text(data []byte, at int) (end int, err error) {
	for end = at + 1; ; end++ {
		quote := bytes.IndexByte(data[end:], '"')
		if quote < 0 {
			return len(data), errNotJSON
		}
		end += quote
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

// members calls use for every member of an object that is all of data.
func members(data []byte, use func(name string, value []byte) error) error {
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
		at = space(data, at+1)
		if stop, err = value(data, at); err != nil {
			return err
		}
		if err := use(name, data[at:stop]); err != nil {
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

// end wants nothing but white space from at on.
func end(data []byte, at int) error {
	if space(data, at) != len(data) {
		return errNotJSON
	}
	return nil
}
