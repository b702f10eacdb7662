package features

import (
	"slices"
	"strings"

	"github.com/fairstream/fairstream/pkg/record"
)

// layout finds the columns of a record's fields and puts the fields in the order of their columns. Records mostly bring
// the same fields in the same order, and then the order of the record before serves again.
type layout struct {
	byName map[string]int32
	// byID finds the column of a record.Names id. It is a cache: ids differ from run to run, so the name is
	// compared too, which is quick while it is the very string that was seen before.
	byID  []namedColumn
	last  uint64  // record.Record.Layout of the present record
	found []int32 // column of each field of the present record; see find
	order []ordered
	fresh []string // names of the present record that have no column
}

type namedColumn struct {
	name   string
	column int32
}

// ordered is a field of the present record and its column.
type ordered struct {
	column int32
	field  int32
}

// arrange puts the fields of a record in order, in l.order. number is record.Record.Layout.
func (l *layout) arrange(fields []record.Field, number uint64) {
	if number != 0 && number == l.last {
		return
	}
	l.last, l.fresh = number, l.fresh[:0]
	same := len(fields) == len(l.found)
	l.found = slices.Grow(l.found[:0], len(fields))[:len(fields)]
	for i := range fields {
		column := l.find(&fields[i])
		if column == unknownColumn {
			l.fresh = append(l.fresh, fields[i].Name)
		}
		same = same && l.found[i] == column
		l.found[i] = column
	}
	if same {
		return
	}
	l.order = l.order[:0]
	for i, column := range l.found {
		if column >= 0 {
			l.order = append(l.order, ordered{column, int32(i)})
		}
	}
	slices.SortFunc(l.order, func(a, b ordered) int { return int(a.column - b.column) })
}

// What find returns for a field without a column: its name was never seen, or is refused.
const (
	unknownColumn = -1
	noColumn      = -2
)

// find returns the column of a field, unknownColumn or noColumn.
func (l *layout) find(f *record.Field) int32 {
	if f.ID >= 0 && int(f.ID) < len(l.byID) {
		if known := &l.byID[f.ID]; known.name == f.Name && known.name != "" {
			return known.column
		}
	}
	column, known := l.byName[f.Name]
	if !known {
		return unknownColumn
	}
	if f.ID >= 0 {
		for int(f.ID) >= len(l.byID) {
			l.byID = append(l.byID, namedColumn{})
		}
		l.byID[f.ID] = namedColumn{f.Name, column}
	}
	return column
}

// parents appends the columns of which a field without a column is a part: "age.0" of "age", which has become an array or an object.
func (l *layout) parents(columns []int32) []int32 {
	for _, name := range l.fresh {
		for at := strings.IndexByte(name, '.'); at >= 0; {
			if column, known := l.byName[name[:at]]; known && column >= 0 && !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
			next := strings.IndexByte(name[at+1:], '.')
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	return columns
}

// name notes that a column has a name.
func (l *layout) name(name string, column int32) {
	if l.byName == nil {
		l.byName = map[string]int32{}
	}
	l.byName[name] = column
}
