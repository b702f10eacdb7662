package record

import (
	"encoding/json"
	"errors"
)

// Text is a configuration value that is compared with records as text. It may be written as a
// YAML or JSON string, number or boolean; a number stands for the characters it was written with,
// so 1 and "1" are one text and 1.0 is another. (A YAML library that normalises numbers makes 1.0
// the text 1: quote it to be sure.)
type Text string

// UnmarshalText accepts any scalar: YAML libraries pass its characters.
func (t *Text) UnmarshalText(text []byte) error {
	*t = Text(text)
	return nil
}

// UnmarshalJSON accepts a string, a number or a boolean.
func (t *Text) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*t = Text(s)
		return nil
	case '{', '[', 'n':
		return errors.New("must be a string, a number or a boolean")
	}
	*t = Text(data)
	return nil
}
