package score

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/pkg/record"
)

// KeepAll keeps every column of the input.
const KeepAll = "all"

// keeping copies fields of the input beside the decisions. A nil *keeping copies nothing.
type keeping struct {
	names []string // of the fields; nil: all that a record has
	pass  *input.Pass
	place []int // of each field in the record before, where it probably is again
	found []bool
}

// newKeeping keeps the fields of these names, or KeepAll, of the rows of a pass. nil without names.
func newKeeping(names []string, p *input.Pass) (k *keeping, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	if p.Keep, err = input.Everything(p.Schema.Config()); err != nil {
		return nil, err
	}
	k = &keeping{names: names, pass: p}
	if slices.Equal(names, []string{KeepAll}) {
		k.names = nil
	}
	return k, nil
}

// open is called when the source is open, which may know its columns.
func (k *keeping) open(asJSON bool) error {
	header := k.pass.Reader.Header()
	switch {
	case header != nil && k.names == nil:
		k.names = header.Names()
	case header != nil:
		for _, name := range k.names {
			if !slices.Contains(header.Names(), name) {
				return fmt.Errorf("--keep %s: %s has no such column%s", name, k.pass.Source.Name, english.DidYouMean(name, header.Names()))
			}
		}
	case k.names == nil && !asJSON:
		return errors.New("--keep all: each record of such a file may have other fields: name those that become columns, or add --json")
	}
	k.place, k.found = make([]int, len(k.names)), make([]bool, len(k.names))
	return nil
}

// field returns the field of number i in the present row; nil if it has none.
func (k *keeping) field(i int) *record.Field {
	if k.pass.Kept == nil {
		return nil
	}
	fields := k.pass.Kept.Features
	at := k.place[i]
	if at >= len(fields) || fields[at].Name != k.names[i] {
		if at = slices.IndexFunc(fields, func(f record.Field) bool { return f.Name == k.names[i] }); at < 0 {
			return nil
		}
		k.place[i] = at
	}
	k.found[i] = true
	return &fields[at]
}

// columns appends the names of the columns to those of the output. A name that the output has already begins with "input.".
func (k *keeping) columns(header []string) []string {
	if k == nil {
		return header
	}
	for _, name := range k.names {
		for slices.Contains(header, name) {
			name = "input." + name
		}
		header = append(header, name)
	}
	return header
}

// cells appends the values of the present row as cells of CSV, empty where it has none.
func (k *keeping) cells(line []byte) []byte {
	if k == nil {
		return line
	}
	for i := range k.names {
		line = append(line, ',')
		if f := k.field(i); f != nil {
			line = appendCell(line, f.Text)
		}
	}
	return line
}

// append writes ,"kept":{"NAME":"text",…} with the fields that the present row has.
func (k *keeping) append(line []byte) []byte {
	if k == nil || k.pass.Kept == nil {
		return line
	}
	line = append(line, `,"kept":{`...)
	begin := len(line)
	write := func(f *record.Field) {
		if f == nil {
			return
		}
		if len(line) > begin {
			line = append(line, ',')
		}
		line = append(appendText(line, f.Name), ':')
		if f.Missing {
			line = append(line, "null"...)
		} else {
			line = appendText(line, string(f.Text))
		}
	}
	if k.names == nil {
		for i := range k.pass.Kept.Features {
			write(&k.pass.Kept.Features[i])
		}
	}
	for i := range k.names {
		write(k.field(i))
	}
	return append(line, '}')
}

// appendText writes a text as JSON.
func appendText(line []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a text always becomes JSON
	return append(line, quoted...)
}

// absent are the fields that no record had.
func (k *keeping) absent() (names []string) {
	if k == nil {
		return nil
	}
	for i, found := range k.found {
		if !found {
			names = append(names, k.names[i])
		}
	}
	return names
}
