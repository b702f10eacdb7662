package record

import (
	"encoding/json"
)

// OneOrMore is a list of texts that may be written as a single one in a configuration.
type OneOrMore []string

// UnmarshalYAML accepts one scalar or a sequence of them. unmarshal is the form of the callback that
// YAML libraries for Go share.
func (o *OneOrMore) UnmarshalYAML(unmarshal func(any) error) error {
	var one Text
	if err := unmarshal(&one); err == nil {
		*o = OneOrMore{string(one)}
		return nil
	}
	var more []Text
	if err := unmarshal(&more); err != nil {
		return err
	}
	o.set(more)
	return nil
}

// UnmarshalJSON accepts one scalar or an array of them.
func (o *OneOrMore) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		var more []Text
		if err := json.Unmarshal(data, &more); err != nil {
			return err
		}
		o.set(more)
		return nil
	}
	var one Text
	if err := json.Unmarshal(data, &one); err != nil {
		return err
	}
	*o = OneOrMore{string(one)}
	return nil
}

func (o *OneOrMore) set(texts []Text) {
	*o = nil
	for _, text := range texts {
		*o = append(*o, string(text))
	}
}

// MarshalJSON writes a single text as such, so that a configuration reads as it was written.
func (o OneOrMore) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]string(o))
}

// MarshalYAML writes a single text as such.
func (o OneOrMore) MarshalYAML() (any, error) {
	if len(o) == 1 {
		return o[0], nil
	}
	return []string(o), nil
}
