package backfill

import (
	"cmp"
	"strconv"

	"github.com/fairstream/fairstream/pkg/record"
)

const (
	// recordsForFields is in how many of the first good records of a file a field is looked for.
	recordsForFields = 1000
	// valuesForKind is how many known values a field of a file needs to be called a number or a text, and kindShare how many of them are of that kind.
	valuesForKind = 20
	kindShare     = .9
)

// fields are the features in the first records of a file, and how its labels and groups are written.
type fields struct {
	Records int              `json:"records"`
	Kinds   map[string]kinds `json:"kinds"` // by name
	Codes   codes            `json:"codes"`
}

// kinds are how many values of a field are numbers, and how many are not.
type kinds struct {
	Numbers int `json:"numbers"`
	Texts   int `json:"texts"`
}

func (f *fields) add(r *record.Record, g *groups) {
	if f.Records++; f.Records > recordsForFields {
		return
	}
	f.Codes.add(r, g)
	if f.Kinds == nil {
		f.Kinds = map[string]kinds{}
	}
	for i := range r.Features {
		field := &r.Features[i]
		k := f.Kinds[field.Name]
		switch {
		case field.Missing:
		case isNumber(field.Text):
			k.Numbers++
		default:
			k.Texts++
		}
		f.Kinds[field.Name] = k
	}
}

func isNumber(text []byte) bool {
	if _, ok := record.ShortDecimal(text); ok {
		return true
	}
	if len(text) == 0 || text[0] > '9' { // inf, nan
		return false
	}
	_, err := strconv.ParseFloat(string(text), 64)
	return err == nil
}

// kind is 0 of numbers, 1 of texts, −1 of neither.
func (k kinds) kind() int {
	switch all := float64(k.Numbers + k.Texts); {
	case all < valuesForKind:
	case float64(k.Numbers) >= kindShare*all:
		return 0
	case float64(k.Texts) >= kindShare*all:
		return 1
	}
	return -1
}

// evenness says which fields only some of the files have, and which are numbers in some and texts in others: their schema has changed.
type evenness struct {
	files  int // with records
	first  int // the first of them
	fields map[string]*spread
	codes  []coded
}

// spread is how many files have a field, and the first that lacks it, -1 if all have it.
type spread struct {
	files, lacks int
	as           [2]some // numbers, texts
}

// some are some files: how many, and the first of them.
type some struct{ files, first int }

func (s *some) add(file int) {
	if s.files++; s.files == 1 || file < s.first {
		s.first = file
	}
}

// take takes in a file. The order in which files come is of no account.
func (e *evenness) take(file int, of *fields) {
	if e.fields == nil {
		e.fields = map[string]*spread{}
	}
	for name, k := range of.Kinds {
		s := e.fields[name]
		if s == nil {
			s = &spread{lacks: -1}
			if e.files > 0 {
				s.lacks = e.first
			}
			e.fields[name] = s
		}
		s.files++
		if kind := k.kind(); kind >= 0 {
			s.as[kind].add(file)
		}
	}
	for name, s := range e.fields {
		if _, has := of.Kinds[name]; !has && (s.lacks < 0 || file < s.lacks) {
			s.lacks = file
		}
	}
	if e.files++; e.files == 1 || file < e.first {
		e.first = file
	}
	e.codes = append(e.codes, coded{file, of.Codes})
}

// rarer is of which kind a field is in fewer files, −1 if it is of one kind only.
func (s *spread) rarer() int {
	switch {
	case s.as[0].files == 0 || s.as[1].files == 0:
		return -1
	case cmp.Or(cmp.Compare(s.as[0].files, s.as[1].files), cmp.Compare(s.as[1].first, s.as[0].first)) < 0:
		return 0
	}
	return 1
}
