package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

// pair decodes the same records on the fast path and on the general one, on which a line feed in front sends them.
type pair struct {
	fast, general *record.Decoder
	a, b          record.Record
}

func newPair(s *record.Schema) *pair {
	return &pair{fast: s.NewDecoder(), general: s.NewDecoder()}
}

// check says whether data is a record, and fails unless both paths give the same one, or the same rejection.
func (p *pair) check(tb testing.TB, data []byte) bool {
	tb.Helper()
	first, second := p.fast.DecodeJSON(&p.a, data), p.general.DecodeJSON(&p.b, append([]byte{'\n'}, data...))
	if (first == nil) != (second == nil) {
		tb.Fatalf("%q: %v, and on the general path %v", data, first, second)
	}
	if first != nil {
		r1, _ := errors.AsType[*record.Rejection](first)
		r2, _ := errors.AsType[*record.Rejection](second)
		if r1.Reason != r2.Reason || r1.Field != r2.Field {
			tb.Fatalf("%q: %v, and on the general path %v", data, first, second)
		}
		return false
	}
	if got, want := described(&p.a), described(&p.b); got != want {
		tb.Fatalf("%q: %s\nis on the general path %s", data, got, want)
	}
	var hashes []uint64
	for i := range p.a.Features {
		f := &p.a.Features[i]
		if !f.Missing && f.Hash != record.Hash(f.Text) || f.Missing && (f.Hash != 0 || f.Text != nil) {
			tb.Fatalf("%q: %+v", data, f)
		}
		hashes = append(hashes, f.Hash)
	}
	if !slices.Equal(p.a.Hashes(), hashes) {
		tb.Fatalf("%q: hashes %v, want %v", data, p.a.Hashes(), hashes)
	}
	return true
}

func described(r *record.Record) string {
	var b strings.Builder
	for i := range r.Features {
		f := &r.Features[i]
		fmt.Fprintf(&b, "%s/%d=%q %v %x ", f.Name, f.ID, f.Text, f.Missing, f.Hash)
	}
	for _, v := range r.Attributes {
		fmt.Fprintf(&b, "%q %v ", v.Text, v.Missing)
	}
	fmt.Fprintf(&b, "%v %v %v %v %q %q %v", r.HasLabel, r.Positive, r.Label, r.Weight, r.ID, r.Key, r.Time)
	return b.String()
}

// TestShapesEqualGeneral: records of a stream with one order, with now and then another, repeated and fresh values of all kinds and wrong bytes,
// are what the general path makes of each.
func TestShapesEqualGeneral(t *testing.T) {
	t.Parallel()
	orders := [][]string{
		{"y", "w", "a", "b", "sex", "c", "id", "a.group", "at", "ignored", "d"},
		{"y", "w", "b", "a", "sex", "c"},
		{"w", "y", strings.Repeat("long", 9), "a", "b", "sex"},
		{"y", "w", "a", "b", "sex", "c", "id", "a.group", "at", "ignored", "d", "e"},
	}
	values := []string{`"x"`, `"y"`, `""`, `"?"`, `null`, `"null"`, `true`, `1`, `"1"`, `-0.5`, `"Married-civ-spouse"`, `"é日"`,
		`"` + strings.Repeat("s", 23) + `"`, `"` + strings.Repeat("s", 24) + `"`, `"` + strings.Repeat("s", 25) + `"`, `123456789012345678901234`,
		`"a,b}"`, `"a\\b"`, `nul`, `01`, `[1]`, `"` + strings.Repeat("t", 300) + `"`}
	for _, separators := range [][2]string{{",", ":"}, {", ", ": "}, {" , ", " :  "}} {
		random := rand.New(rand.NewPCG(28, uint64(len(separators[0]))))
		p := newPair(fullSchema(t))
		good := 0
		n := mutations(t, 6000)
		for i := range n {
			order := orders[i*8/n%2]
			if random.IntN(16) == 0 {
				order = orders[random.IntN(len(orders))]
			}
			var members []string
			for _, key := range order {
				value := fmt.Sprint(random.IntN(4 + i%1000))
				switch {
				case key == "y":
					value = `"1"`
				case key != "w" && key != "at" && random.IntN(2) == 0:
					value = values[random.IntN(min(len(values), 4+random.IntN(40)))]
				}
				members = append(members, `"`+key+`"`+separators[1]+value)
			}
			data := []byte("{" + strings.Join(members, separators[0]) + "}")
			if random.IntN(8) == 0 {
				data = mutate(random, string(data), string(data))
			}
			if data == nil {
				continue
			}
			// What comes after the record in its buffer says nothing.
			room := append(bytes.Clone(data), `","y":"1"}`...)
			if p.check(t, room[:len(data):len(data)+random.IntN(11)]) {
				good++
			}
		}
		if good < n/3 {
			t.Errorf("only %d of %d were records", good, n)
		}
	}
}

// FuzzShapes does so for any bytes, after records of another shape.
func FuzzShapes(f *testing.F) {
	for _, seed := range []string{
		`{"y":1,"w":2,"a":"x","b":null}`, `{"y": "1", "w": 1, "a": "x", "sex": "f"}`, `{"y":1,"w":2,"a":"x","b":null`, `{"y":1,"w":2,"a":"x"}}`,
		`{"y":1,"w":2,"a":"` + strings.Repeat("x", 200) + `","b":"x"}`, "{\"y\":1,\"w\":2,\"a\":\"\xff\",\"b\":1}", `{"y":1,"w":2,"a":1e,"b":1}`,
	} {
		f.Add([]byte(`{"y":1,"w":2,"a":"x","b":null}`), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		for _, data := range [][]byte{first, second} {
			if len(data) == 0 || len(data) > 990 || data[0] == 0 {
				t.Skip("a byte in front makes it another message")
			}
		}
		p := newPair(fullSchema(t))
		for _, data := range [][]byte{first, first, second, first, second, second} {
			p.check(t, data)
		}
	})
}

// TestColumnsWhoseTextsDoNotRepeat are decoded as before once their texts are not remembered any more, and so are the columns whose turn it
// is then.
func TestColumnsWhoseTextsDoNotRepeat(t *testing.T) {
	t.Parallel()
	p := newPair(everything(t))
	for i := range 4000 {
		line := []byte(`{"y":1,"w":1`)
		for c := range 100 {
			value := i * (c + 1)
			if c%10 == 9 {
				value = i % (c + 1)
			}
			line = fmt.Appendf(line, `,"x%d":%d`, c, value)
		}
		if !p.check(t, append(line, '}')) {
			t.Fatal("no record")
		}
	}
}

// TestShapesAllocateNothing, even where no record has the order of the one before.
func TestShapesAllocateNothing(t *testing.T) {
	decoder := fullSchema(t).NewDecoder()
	var rec record.Record
	var lines [][]byte
	for i := range 64 {
		keys := []string{"a", "b", "c", "d", "e", "f"}
		random := rand.New(rand.NewPCG(uint64(i), 1))
		random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		lines = append(lines, []byte(`{"y":1,"w":1,"`+strings.Join(keys, `":"text","`)+`":2}`))
	}
	i := 0
	decode := func() {
		if err := decoder.DecodeJSON(&rec, lines[i%len(lines)]); err != nil {
			t.Fatal(err)
		}
		i++
	}
	for range 1000 {
		decode()
	}
	if n := testing.AllocsPerRun(1000, decode); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// TestRowsUnderAHeader: each row is what the general path makes of its JSON, with the hashes of its features, also where times have parts.
func TestRowsUnderAHeader(t *testing.T) {
	t.Parallel()
	for _, times := range [][]record.Times{nil, {{Field: "when", Format: record.DateOnly}}} {
		schema, err := record.NewSchema(record.Config{Label: record.Label{Field: "y", Positive: "1"}, Ignore: []string{"skip"}, Weight: "w", Times: times}, []string{"sex"})
		if err != nil {
			t.Fatal(err)
		}
		header, err := record.NewHeader([]string{"a", "when", "y", "skip", "sex", "w", "b"})
		if err != nil {
			t.Fatal(err)
		}
		rows, general := schema.NewDecoder(), schema.NewDecoder()
		var a, b record.Record
		random := rand.New(rand.NewPCG(4, 28))
		good := 0
		for range 2000 {
			var cells [][]byte
			for _, values := range [][]string{{"x", "", "12.5", "?"}, {"2026-11-25", "2026-02-01", "", "never"}, {"1", "0", "0", ""}, {"s"}, {"f", "m", ""}, {"1", "2", "1", "-1"}, {"x", "yy"}} {
				cells = append(cells, []byte(values[random.IntN(len(values))]))
			}
			first := rows.DecodeCSV(&a, header, cells)
			second := general.DecodeJSON(&b, append([]byte{'\n'}, header.AppendJSON(nil, cells)...))
			if (first == nil) != (second == nil) {
				t.Fatalf("%q: %v, and on the general path %v", cells, first, second)
			}
			if first != nil {
				continue
			}
			good++
			if got, want := described(&a), described(&b); got != want || !slices.Equal(a.Hashes(), b.Hashes()) {
				t.Fatalf("%q: %s %v\nis on the general path %s %v", cells, got, a.Hashes(), want, b.Hashes())
			}
		}
		if good < 500 {
			t.Errorf("only %d were records", good)
		}
	}
}
