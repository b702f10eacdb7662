package backfill

import "github.com/fairstream/fairstream/pkg/record"

// recordsForFields is in how many of the first good records of a file a field is looked for.
const recordsForFields = 1000

// fields are the names of the features in the first records of a file.
type fields struct {
	names   map[string]bool
	records int
}

func (f *fields) add(r *record.Record) {
	if f.records++; f.records > recordsForFields {
		return
	}
	for i := range r.Features {
		if name := r.Features[i].Name; !f.names[name] {
			if f.names == nil {
				f.names = map[string]bool{}
			}
			f.names[name] = true
		}
	}
}

// evenness says which fields only some of the files have: their schema has changed.
type evenness struct {
	files  int // with records
	first  int // the first of them
	fields map[string]*spread
}

// spread is how many files have a field, and the first that lacks it, -1 if all have it.
type spread struct{ files, lacks int }

// take takes in a file. The order in which files come is of no account.
func (e *evenness) take(file int, of *fields) {
	if e.fields == nil {
		e.fields = map[string]*spread{}
	}
	for name := range of.names {
		s := e.fields[name]
		if s == nil {
			s = &spread{lacks: -1}
			if e.files > 0 {
				s.lacks = e.first
			}
			e.fields[name] = s
		}
		s.files++
	}
	for name, s := range e.fields {
		if !of.names[name] && (s.lacks < 0 || file < s.lacks) {
			s.lacks = file
		}
	}
	if e.files++; e.files == 1 || file < e.first {
		e.first = file
	}
}
