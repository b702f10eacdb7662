package record

import (
	"errors"
	"fmt"
	"testing"
)

// remembering is a decoder of records with the columns c0, c1, ..., which have been decoded before.
func remembering(t *testing.T, columns int, walk bool) (d *Decoder, next func(value func(column int) string)) {
	t.Helper()
	schema, err := NewSchema(Config{Label: Label{Field: "y", Positive: "1"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d = schema.NewDecoder()
	var r Record
	next = func(value func(column int) string) {
		t.Helper()
		var err error
		if walk {
			err = d.Begin(&r, 10)
			for i := range columns {
				n, failed := d.Member(d.Root(), fmt.Sprint("c", i))
				err = errors.Join(err, failed, d.Put(n, Short(value(i)), -1))
			}
			n, failed := d.Member(d.Root(), "y")
			err = errors.Join(err, failed, d.PutInt(n, 1, -1), d.End())
		} else {
			text := `{"y":1`
			for i := range columns {
				text += fmt.Sprintf(`,"c%d":%q`, i, value(i))
			}
			err = d.DecodeJSON(&r, []byte(text+"}"))
		}
		if err != nil || len(r.Features) != columns {
			t.Fatalf("%d features: %v", len(r.Features), err)
		}
		for i := range columns {
			if f := &r.Features[i]; string(f.Text) != value(i) || f.Hash != Hash([]byte(value(i))) {
				t.Fatalf("column %d is %q, want %q", i, f.Text, value(i))
			}
		}
	}
	return d, next
}

// TestTextsThatRepeatAreRemembered: a text is met once, of JSON and of a walk; one that is too long each time.
func TestTextsThatRepeatAreRemembered(t *testing.T) {
	for _, walk := range []bool{false, true} {
		d, next := remembering(t, 2, walk)
		for i := range 90 {
			next(func(column int) string {
				if column == 0 {
					return fmt.Sprint("word ", i%3)
				}
				return "a text of more than twenty-four bytes"
			})
		}
		c := d.tree.columns["c0"]
		if c.texts.known == nil || c.texts.misses != 3 || c.texts.given {
			t.Errorf("walk %t: %d texts of 3 were met", walk, c.texts.misses)
		}
		if long := d.tree.columns["c1"]; !walk && long.texts.misses < 80 || walk && long.texts.misses != 0 {
			t.Errorf("walk %t: a long text was met %d times", walk, long.texts.misses)
		}
		if want := map[bool]int{false: 3, true: 2}[walk]; d.shape.tables != want { // the label's column, too, of JSON
			t.Errorf("walk %t: texts of %d columns are remembered, want %d", walk, d.shape.tables, want)
		}
	}
}

// TestColumnsWhoseTextsDoNotRepeatAreGivenUp, and others have their turn: no more than so many are remembered at a time.
func TestColumnsWhoseTextsDoNotRepeatAreGivenUp(t *testing.T) {
	for _, walk := range []bool{false, true} {
		d, next := remembering(t, textsColumns+2, walk)
		last := func() *column { return d.tree.columns[fmt.Sprint("c", textsColumns+1)] }
		for i := range textsMisses + 10 {
			next(func(column int) string {
				if column < 2 {
					return fmt.Sprint(column, " ", i)
				}
				return "the same"
			})
			if i == textsMisses/2 && (d.shape.tables != textsColumns || last().texts.known != nil || d.tree.columns["c0"].texts.given) {
				t.Errorf("walk %t: texts of %d columns are remembered, of the last one %t", walk, d.shape.tables, last().texts.known != nil)
			}
		}
		first, second := d.tree.columns["c0"], d.tree.columns["c1"]
		if !first.texts.given || !second.texts.given || first.texts.known != nil || d.shape.tables != textsColumns || last().texts.known == nil && walk {
			t.Errorf("walk %t: the first is given up %t, the second %t, texts of %d columns are remembered, of the last one %t", walk, first.texts.given, second.texts.given, d.shape.tables, last().texts.known != nil)
		}
	}
}

// TestColumnsWhoseTextsRepeatAreKept: as many misses among three times as many records are few.
func TestColumnsWhoseTextsRepeatAreKept(t *testing.T) {
	for _, walk := range []bool{false, true} {
		d, next := remembering(t, 1, walk)
		for i := range 3*textsMisses + 20 {
			next(func(int) string {
				if i%3 == 0 {
					return fmt.Sprint(i)
				}
				return "the same"
			})
		}
		if c := d.tree.columns["c0"]; c.texts.given || c.texts.known == nil || c.texts.misses >= 20 {
			t.Errorf("walk %t: given up %t after %d misses", walk, c.texts.given, c.texts.misses)
		}
	}
}

// TestPatienceWithAShape: one that records no longer fit is noted again after some in a row, and each that none fits later on.
func TestPatienceWithAShape(t *testing.T) {
	s := shape{}
	for range 3 { // nothing is known: no reason to be more patient
		if s.begins() || s.patience != 0 {
			t.Fatalf("patience %d", s.patience)
		}
	}
	patience := leastPatience
	for range 12 {
		s.layout, s.strays, s.patience, s.members = 1, patience-1, patience, make([]member, 2)
		if !s.begins() || s.patience != patience || len(s.members) != 2 {
			t.Fatalf("a record less than there must be: patience %d, want %d", s.patience, patience)
		}
		s.strays++
		patience = min(2*patience, mostPatience)
		if s.begins() || s.patience != patience || len(s.members) != 0 || s.layout != 0 {
			t.Fatalf("out of date: patience %d, want %d", s.patience, patience)
		}
	}
}
