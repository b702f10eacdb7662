package document

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/record"
)

// Words that stand for groups in a constraint.
const (
	// Rest is the Versus of a constraint against every other known value.
	Rest = "rest"
	// Best is the Versus of a constraint of Each against the value with the highest rate.
	Best = "best"
	// Each is the Group of a constraint that compares every value.
	Each = "each"
)

// Group is one side of a constraint as a configuration writes it: a value, a list of values, a range of a number as
// {from: 40, below: 65}, or, with several attributes, a list of these, one for each attribute.
type Group []fairness.Members

// Values is the group of one value, or of several: of one attribute any of them, of several attributes one for each.
func Values(values ...string) Group {
	var g Group
	for _, value := range values {
		g = append(g, fairness.Value(value))
	}
	return g
}

// Word is the group if it is a single value, "" if it is not.
func (g Group) Word() string {
	if len(g) == 1 && len(g[0].Values) == 1 {
		return g[0].Values[0]
	}
	return ""
}

// Terms joins the group with its attributes. The error says that it has a list or a range too many or too few.
func (g Group) Terms(attributes []string) ([]fairness.Term, error) {
	if len(attributes) == 1 && len(g) > 1 { // values of one attribute: their union
		var all fairness.Members
		for _, members := range g {
			if members.Range != nil {
				return nil, errors.New("lists a range with something else: give one range, or a list of values")
			}
			all.Values = append(all.Values, members.Values...)
		}
		g = Group{all}
	}
	if len(g) != len(attributes) {
		return nil, fmt.Errorf("has %d values, and attribute names %d: give one value for each attribute", len(g), len(attributes))
	}
	var terms []fairness.Term
	for i, attribute := range attributes {
		terms = append(terms, fairness.Term{Attribute: attribute, Members: g[i]})
	}
	return terms, nil
}

// members is how one entry is written.
type members struct{ fairness.Members }

// span is a range as it is written.
type span struct {
	From  *float64 `yaml:"from,omitempty" json:"from,omitempty"`
	Below *float64 `yaml:"below,omitempty" json:"below,omitempty"`
}

// errRange says that a group has none of its forms.
var errRange = errors.New("a range has the keys from and below, each with a finite number")

// read sets m from one of the forms, which decode reads into what it is given.
func (m *members) read(decode func(any) error) error {
	var one record.Text
	if decode(&one) == nil {
		m.Members = fairness.Value(string(one))
		return nil
	}
	var more []record.Text
	if decode(&more) == nil {
		for _, text := range more {
			m.Values = append(m.Values, string(text))
		}
		return nil
	}
	var ends map[string]*float64
	if decode(&ends) != nil {
		return errRange
	}
	m.Range = &fairness.Range{}
	for key, end := range ends {
		switch {
		case end == nil || *end-*end != 0: // infinite or no number
			return errRange
		case key == "from":
			m.Range.From = end
		case key == "below":
			m.Range.Below = end
		default:
			return errRange
		}
	}
	return nil
}

// written is what m was read from.
func (m members) written() any {
	switch {
	case m.Range != nil:
		return span{m.Range.From, m.Range.Below}
	case len(m.Values) == 1:
		return m.Values[0]
	}
	return m.Values
}

func (m *members) UnmarshalYAML(decode func(any) error) error { return m.read(decode) }

func (m *members) UnmarshalJSON(data []byte) error {
	return m.read(func(into any) error { return json.Unmarshal(data, into) })
}

// read sets g from a list of entries, or from one.
func (g *Group) read(decode func(any) error) error {
	var list []members
	var one members
	if err := decode(&one); err == nil && len(one.Values) <= 1 {
		list = []members{one}
	} else if decode(&list) != nil {
		return errRange
	}
	*g = nil
	for _, m := range list {
		*g = append(*g, m.Members)
	}
	return nil
}

// UnmarshalYAML reads any of the forms. decode is the callback that YAML libraries for Go share.
func (g *Group) UnmarshalYAML(decode func(any) error) error { return g.read(decode) }

// UnmarshalJSON reads any of the forms.
func (g *Group) UnmarshalJSON(data []byte) error {
	return g.read(func(into any) error { return json.Unmarshal(data, into) })
}

// written is what g was read from.
func (g Group) written() any {
	if len(g) == 1 {
		return members{g[0]}.written()
	}
	entries := make([]any, len(g))
	for i := range g {
		entries[i] = members{g[i]}.written()
	}
	return entries
}

// MarshalJSON writes the group as it was read.
func (g Group) MarshalJSON() ([]byte, error) { return json.Marshal(g.written()) }

// MarshalYAML writes the group as it was read.
func (g Group) MarshalYAML() (any, error) { return g.written(), nil }
