package inspect

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/fairstream/fairstream/internal/table"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// A unit changes where the newest numbers of a column are its first ones times a known factor.
const (
	// unitNumbers of a column are kept from the start and from the end.
	unitNumbers = 512
	// The distributions differ by at least unitsApart (Kolmogorov and Smirnov's distance), and by at most unitsAlike once the
	// first numbers are multiplied.
	unitsApart = .5
	unitsAlike = .12
	// unitDistinct is how many different numbers both parts have at least.
	unitDistinct = 10
)

// factors between units: powers of ten, percent, dozens, minutes and hours, pounds and kilograms, inches, miles.
var factors = []float64{10, 100, 1000, 1e6, 12, 60, 3600, 24, 7, 1024, 2.2046, 2.54, 1.6093, 3.2808}

// ends are the first and the newest numbers of a column.
type ends struct {
	first, newest []float64
	next          int
	powers        powers // of all numbers
	rise          rise
}

func (e *ends) add(x float64) {
	switch {
	case len(e.first) < unitNumbers:
		e.first = append(e.first, x)
	case len(e.newest) < unitNumbers:
		e.newest = append(e.newest, x)
	default:
		e.newest[e.next] = x
		e.next = (e.next + 1) % unitNumbers
	}
}

// factor is what the first numbers were multiplied by, 0 if nothing shows that.
func (e *ends) factor() float64 {
	if len(e.newest) < unitNumbers {
		return 0
	}
	first, newest := slices.Clone(e.first), slices.Clone(e.newest)
	slices.Sort(first)
	slices.Sort(newest)
	if distinct(first) < unitDistinct || distinct(newest) < unitDistinct || distance(first, newest, 1) < unitsApart {
		return 0
	}
	best := unitsAlike
	found := 0.0
	for _, f := range factors {
		for _, f := range []float64{f, 1 / f} {
			if d := distance(first, newest, f); d < best {
				best, found = d, f
			}
		}
	}
	return found
}

func distinct(sorted []float64) (n int) {
	for i := range sorted {
		if i == 0 || sorted[i] != sorted[i-1] {
			n++
		}
	}
	return n
}

// distance is the largest difference of the distribution functions of a times f and b, both sorted. Numbers within a thousandth
// count as equal, since units are rounded.
func distance(a, b []float64, f float64) (most float64) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x := min(a[i]*f, b[j])
		upTo := x + math.Abs(x)/1000
		for i < len(a) && a[i]*f <= upTo {
			i++
		}
		for j < len(b) && b[j] <= upTo {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}

// unitFinding says that the unit of a column changes by a factor.
func unitFinding(column string, f float64) Finding {
	return Finding{Path: "record", Text: fmt.Sprintf("the unit of %q changes: its newest %d numbers are spread as the first %d are, times %s. Write all in one unit where the records are made",
		column, unitNumbers, unitNumbers, plain(cmp.Or(math.Round(f*1e4)/1e4, f))), unit: true}
}

// units finds columns whose unit changes on the way.
func (s *search) units() {
	for _, c := range s.columns {
		if e := s.ends[c.Name]; e != nil {
			if f := e.factor(); f != 0 {
				s.found = append(s.found, unitFinding(c.Name, f))
			}
		}
	}
}

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
	ends
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
			w.add(x)
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
func (u *Units) Newly() []Finding {
	if u.records%unitEvery != 0 {
		return nil
	}
	return u.Changed(unitNumbers)
}

// Changed does so for the columns that have so many newer numbers since they were compared.
func (u *Units) Changed(fresh int) (found []Finding) {
	for name, w := range u.columns {
		if w.told || w.fresh < fresh {
			continue
		}
		w.fresh = 0
		if f := w.factor(); f != 0 {
			w.told = true
			found = append(found, unitFinding(name, f))
		}
	}
	slices.SortFunc(found, func(a, b Finding) int { return cmp.Compare(a.Text, b.Text) })
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
func (u *UnitsOf) Read(raw []byte) []Finding {
	if u.decoder.DecodeJSON(&u.rec, raw) != nil {
		return nil
	}
	u.Add(&u.rec)
	return u.Newly()
}
