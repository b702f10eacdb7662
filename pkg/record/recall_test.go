package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// TestWalksRemember: what a decoder remembers of names, texts and numbers changes no record. Each is what a decoder makes of it that has seen none
// before: columns that come and go, change places or never repeat, texts that are short, long, missing, or no UTF-8, and fields twice.
func TestWalksRemember(t *testing.T) {
	t.Parallel()
	schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Missing: []record.Text{"?", "7"}, ID: "f3", Features: record.OneOrMore{"*", "f2"},
		Renamed: []record.Rename{{Field: "new", Was: "f0"}}}, []string{"f2", "sex"})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(29, 3))
	var names []string
	for i := range 80 { // more than remember texts
		names = append(names, fmt.Sprintf("f%d", i))
	}
	long := strings.Repeat("long ", 6)
	texts := []string{"", "?", "7", "a", "b", "Private", "Married-civ-spouse", long[:23], long[:24], long, "é", "true", "12", "127"}
	type value struct {
		name, text string
		number     int64
		kind       int
	}
	put := func(d *record.Decoder, dst *record.Record, values []value) error {
		err := d.Begin(dst, 100)
		for _, v := range values {
			var n *record.Node
			if err == nil {
				n, err = d.Member(d.Root(), v.name)
			}
			if err != nil {
				return err
			}
			switch v.kind {
			case 0:
				err = d.Put(n, []byte(v.text), -1)
			case 1:
				err = d.Put(n, append(make([]byte, 0, 64), v.text...), -1)
			case 2:
				err = d.PutInt(n, v.number, -1)
			case 3:
				err = d.PutBool(n, v.number > 0, -1)
			default:
				err = d.PutNull(n, -1)
			}
		}
		if err == nil {
			err = d.End()
		}
		return err
	}
	d := schema.NewDecoder()
	var records [3]record.Record
	layouts := map[uint64]string{}
	good, count := 0, 4
	order := slices.Clone(names[:count])
	for i := range 10_000 {
		if i%1000 == 0 {
			count = 1 + random.IntN(len(names))
			order = slices.Clone(names[:count])
		}
		if random.IntN(50) == 0 {
			random.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		}
		values := []value{{name: "y", number: int64(i % 2), kind: 2}, {name: "sex", text: texts[random.IntN(len(texts))], kind: 1}}
		for k, name := range order[:len(order)-random.IntN(40)/39] {
			v := value{name, texts[random.IntN(len(texts))], random.Int64N(300) - 20, min(random.IntN(8), 4)}
			switch {
			case k == 1:
				v.text, v.kind = fmt.Sprint("unique ", i), 1
			case random.IntN(3000) == 0:
				v.text, v.kind = "\xff", random.IntN(2)
			case random.IntN(3000) == 0:
				v.name = order[0]
			case random.IntN(3000) == 0:
				v.name = "new" // f0
			}
			values = append(values, v)
		}
		got, want := &records[random.IntN(len(records))], &record.Record{}
		problem, expected := put(d, got, values), put(schema.NewDecoder(), want, values)
		if fmt.Sprint(problem) != fmt.Sprint(expected) {
			t.Fatalf("record %d: %v in place of %v", i, problem, expected)
		}
		if problem != nil {
			continue
		}
		good++
		if one, other := everythingOf(got), everythingOf(want); one != other {
			t.Fatalf("record %d:\n%s\nin place of\n%s", i, one, other)
		}
		hashes := got.Hashes()
		var all []string
		for k, f := range got.Features {
			if all = append(all, f.Name); hashes[k] != f.Hash || f.ID != want.Features[k].ID {
				t.Fatalf("record %d: field %d has the hash %x and the id %d", i, k, hashes[k], f.ID)
			}
		}
		if before, known := layouts[got.Layout]; known && before != strings.Join(all, " ") {
			t.Fatalf("record %d: layout %d had other fields", i, got.Layout)
		}
		layouts[got.Layout] = strings.Join(all, " ")
	}
	if good < 5_000 || len(layouts) > 4_000 {
		t.Errorf("%d records in %d layouts", good, len(layouts))
	}
}

// everythingOf is all of a record but its layout.
func everythingOf(r *record.Record) string {
	var b bytes.Buffer
	for _, f := range r.Features {
		fmt.Fprintf(&b, "%s=%q %x %v %v\n", f.Name, f.Text, f.Hash, f.Missing, f.Text == nil)
	}
	fmt.Fprintf(&b, "%v %q %v %v", r.Attributes, r.ID, r.Positive, r.HasLabel)
	return b.String()
}
