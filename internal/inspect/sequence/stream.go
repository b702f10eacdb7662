package sequence

import (
	"cmp"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// Units finds columns of a long stream whose unit changes. It belongs to one goroutine.
type Units struct {
	columns map[string]*watched
	places  []place // of the fields of the record before
	records int64
	stride  int64 // 0: unitStride
}

// place is a field of a record, and what is kept of its column: nil if there are too many columns.
type place struct {
	name    string
	watched *watched
}

// watched are the ends of a column.
type watched struct {
	seen.Ends
	fresh int // numbers since they were compared
	told  bool
}

const (
	// All records are looked at up to closely, then one of unitStride; of records in JSON, which must be decoded for it, one of rawStride.
	closely    = 8192
	unitStride = 16
	rawStride  = 64
	// After so many records columns are compared.
	unitEvery = 512
	// unitColumns bounds the columns that are watched.
	unitColumns = 512
)

// Add takes in the features of a record for which Passes was false.
func (u *Units) Add(r *record.Record) {
	for i := range r.Features {
		f := &r.Features[i]
		if f.Missing {
			continue
		}
		x := table.Number(f.Text)
		if math.IsNaN(x) {
			continue
		}
		if w := u.watch(i, f.Name); w != nil {
			w.Add(x)
			w.fresh++
		}
	}
}

// watch returns what is kept of a column, whose field most records have in the same place; nil if there are too many columns.
func (u *Units) watch(at int, name string) *watched {
	for at >= len(u.places) {
		u.places = append(u.places, place{})
	}
	p := &u.places[at]
	if p.name == name && name != "" {
		return p.watched
	}
	w := u.columns[name]
	if w == nil && len(u.columns) < unitColumns {
		if u.columns == nil {
			u.columns = map[string]*watched{}
		}
		w = &watched{}
		u.columns[name] = w
	}
	*p = place{name, w}
	return w
}

// Passes counts a record, and says whether it is passed over.
func (u *Units) Passes() bool {
	u.records++
	return u.records > closely && u.records%cmp.Or(u.stride, unitStride) != 0
}

// Newly lists the columns whose unit has changed and that were not told of yet, by name. It is to be called after Add, and compares a column
// when all its newest numbers are new.
func (u *Units) Newly() []find.Finding {
	if u.records%unitEvery != 0 {
		return nil
	}
	return u.Changed(seen.UnitNumbers)
}

// Changed does so for the columns that have so many newer numbers since they were compared.
func (u *Units) Changed(fresh int) (found []find.Finding) {
	for name, w := range u.columns {
		if w.told || w.fresh < fresh {
			continue
		}
		w.fresh = 0
		if f := w.Factor(); f != 0 {
			w.told = true
			found = append(found, unitFinding(name, f))
		}
	}
	slices.SortFunc(found, func(a, b find.Finding) int { return cmp.Compare(a.Text, b.Text) })
	return found
}

// UnitsOf are Units of records in JSON, read as a configuration says.
type UnitsOf struct {
	Units
	decoder *record.Decoder
	rec     record.Record
}

// NewUnitsOf has seen no record.
func NewUnitsOf(c model.Config) (*UnitsOf, error) {
	schema, err := c.Schema()
	if err != nil {
		return nil, err
	}
	return &UnitsOf{Units: Units{stride: rawStride}, decoder: schema.LabelOptional().NewDecoder()}, nil
}

// Read takes in a record for which Passes was false, and returns what is Newly found. A record that cannot be read changes nothing.
func (u *UnitsOf) Read(raw []byte) []find.Finding {
	if u.decoder.DecodeJSON(&u.rec, raw) != nil {
		return nil
	}
	u.Add(&u.rec)
	return u.Newly()
}
