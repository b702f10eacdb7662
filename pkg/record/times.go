package record

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// Times asks for numbers instead of a time: the field itself is then no feature, and the field applied becomes the
// features applied.hour, applied.weekday and so on.
type Times struct {
	// Field is the field that contains a time.
	Field string `yaml:"field" json:"field"`
	// Format is the format of the time: rfc3339 (the default), local (2026-11-21T08:30:00, without a zone), date
	// (2026-11-21), unix (seconds) or unix-ms (milliseconds).
	Format TimeFormat `yaml:"format,omitempty" json:"format,omitempty"`
	// Parts are the numbers to use: hour (0 to 23), weekday (1 is Monday, 7 is Sunday), month (1 to 12) and age (days
	// from the time to record.time). Default hour and weekday; of a date, weekday and month. Hour, weekday and month are
	// those of the zone that the time is written in.
	Parts []TimePart `yaml:"parts,omitempty" json:"parts,omitempty"`
}

// TimePart is a number made of a time.
type TimePart string

// The parts.
const (
	Hour    TimePart = "hour"
	Weekday TimePart = "weekday"
	Month   TimePart = "month"
	Age     TimePart = "age"
)

var timeParts = []TimePart{Hour, Weekday, Month, Age}

// withDefaults returns t with every unset key set.
func (t Times) withDefaults() Times {
	t.Format = cmp.Or(t.Format, RFC3339)
	if t.Parts == nil {
		t.Parts = []TimePart{Hour, Weekday}
		if t.Format == DateOnly {
			t.Parts = []TimePart{Weekday, Month}
		}
	}
	return t
}

func (v *validation) times(c Config, attributes []string) {
	for i, t := range c.Times {
		path := fmt.Sprintf("record.times[%d]", i)
		switch {
		case t.Field == "":
			v.add(path+".field", "required: name the field that contains a time")
		case t.Field == c.Label.Field || slices.Contains(attributes, t.Field):
			v.add(path+".field", "%q is the label or an attribute: name another field", t.Field)
		case covered(c.Ignore, t.Field):
			v.add(path+".field", "%q is ignored: remove it from record.ignore", t.Field)
		case slices.ContainsFunc(c.Times[:i], func(other Times) bool { return other.Field == t.Field }):
			v.add(path+".field", "%q is listed twice: remove one", t.Field)
		}
		if !slices.Contains(allTimeFormats, t.Format) {
			v.add(path+".format", "%q is unknown: use one of %s", t.Format, joined(allTimeFormats))
		}
		if len(t.Parts) == 0 {
			v.add(path+".parts", "empty: list parts, such as hour and weekday, or remove the entry")
		}
		for k, part := range t.Parts {
			switch {
			case !slices.Contains(timeParts, part):
				v.add(fmt.Sprintf("%s.parts[%d]", path, k), "%q is unknown: use %s", part, joined(timeParts))
			case slices.Contains(t.Parts[:k], part):
				v.add(fmt.Sprintf("%s.parts[%d]", path, k), "%q is listed twice: remove one", part)
			case part == Age && c.Time.Field == "":
				v.add(fmt.Sprintf("%s.parts[%d]", path, k), "age counts the days to the event time: set record.time.field, or remove it")
			}
		}
	}
}

// moment is what a decoder knows of a field of record.times.
type moment struct {
	times Times
	parts []*column // in the order of times.Parts
	age   *column   // one of them, or nil
	at    time.Time // its value there; the zero time if it was missing
}

// newMoment makes the columns of the parts of a field of record.times, nil for any other field.
func (s *Schema) newMoment(path string) *moment {
	i := slices.IndexFunc(s.config.Times, func(t Times) bool { return t.Field == path })
	if i < 0 {
		return nil
	}
	m := &moment{times: s.config.Times[i]}
	for _, part := range m.times.Parts {
		c := &column{path: path + "." + string(part), id: notYet, attribute: -1, feature: true}
		m.parts = append(m.parts, c)
		if part == Age {
			m.age = c
		}
	}
	return m
}

// belowTime says whether a path lies below a field of record.times, where the parts are.
func (s *Schema) belowTime(path string) bool {
	return slices.ContainsFunc(s.config.Times, func(t Times) bool { return path != t.Field && covered([]string{t.Field}, path) })
}

// smallNumbers are the texts of hours, days and months.
var smallNumbers = func() (texts [24][]byte) {
	for i := range texts {
		texts[i] = strconv.AppendInt(nil, int64(i), 10)
	}
	return texts
}()

// assignMoment gives the parts of a time. That of an age waits for the event time, which may come later.
func (d *Decoder) assignMoment(c *column, text []byte, missing bool, offset int) error {
	m := c.moment
	m.at = time.Time{}
	d.moments = append(d.moments, m)
	if !missing {
		at, err := readTime(m.times.Format, text)
		if err != nil {
			return &Rejection{Reason: BadTime, Field: c.path, Offset: offset, Detail: notWritten(m.times.Format, text)}
		}
		m.at = at
	}
	for i, part := range m.times.Parts {
		n := 0
		switch part {
		case Age:
			continue
		case Hour:
			n = m.at.Hour()
		case Weekday:
			n = (int(m.at.Weekday())+6)%7 + 1
		case Month:
			n = int(m.at.Month())
		}
		d.addPart(m.parts[i], smallNumbers[n], missing)
	}
	return nil
}

// addAges gives the ages of the record's times.
func (d *Decoder) addAges() {
	for _, m := range d.moments {
		if m.age == nil {
			continue
		}
		if m.at.IsZero() || d.record.Time.IsZero() {
			d.addPart(m.age, nil, true)
			continue
		}
		days := d.record.Time.Sub(m.at).Hours() / 24
		start := len(d.record.unescaped)
		d.record.unescaped = strconv.AppendFloat(d.record.unescaped, math.Round(days*100)/100, 'f', -1, 64)
		end := len(d.record.unescaped)
		d.addPart(m.age, d.record.unescaped[start:end:end], false)
	}
}

func (d *Decoder) addPart(c *column, text []byte, missing bool) {
	if c.id == notYet {
		c.id = d.schema.names.ID(c.path)
	}
	d.layout.add(len(d.record.Features), c)
	d.record.addFeature(c, text, missing)
}
