package document

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

// TestBeyondChance: of shares of one distribution, none of 2,000 is beyond chance, and nothing is new; of another one, the difference is told.
func TestBeyondChance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	draw := func(n int, cells int) (of shares) {
		for range n {
			of[int(float64(cells)*math.Pow(random.Float64(), 2))] += 1 / float64(n)
		}
		return of
	}
	for range 2000 {
		n, m, cells := 100+random.IntN(4000), 100+random.IntN(2000), 1+random.IntN(features.Cells)
		s := &spreading{learnt: &Spread{Records: float64(n)}, records: m}
		is, was := draw(m, cells), draw(n, cells)
		if surprise, by := s.beyond(&is, &was); surprise >= beyondChance && by >= leastShifted {
			t.Errorf("%d and %d records in %d cells: %v by %v", n, m, cells, by, surprise)
		}
		if share := s.fresh(&is, &was); share > 0 {
			t.Errorf("%d and %d records in %d cells: %v new", n, m, cells, share)
		}
	}
	s := &spreading{learnt: &Spread{Records: 3000}, records: 2000}
	is, was := draw(2000, 20), draw(3000, 10)
	if surprise, by := s.beyond(&is, &was); surprise < beyondChance || by < farShifted {
		t.Errorf("%v by %v", by, surprise)
	}
	if share := s.fresh(&is, &was); math.Abs(share-(1-math.Sqrt(.5))) > .05 {
		t.Errorf("%v new", share)
	}
}

// TestShifts: texts and numbers that became more frequent, and columns that were exchanged, are named.
func TestShifts(t *testing.T) {
	column := func(name string, numeric bool) features.Column {
		if numeric {
			return features.Column{Name: name, Kind: features.Scaled, Scale: 1, First: 1}
		}
		return features.Column{Name: name, Kind: features.Levelled}
	}
	parts := features.Parts{Columns: []features.Column{column("age", true), column("hours", true), column("town", false)}, Size: 4,
		Levels: []features.Level{}}
	parts.Columns[1].First = 2
	weights := make([]float64, parts.Size)
	learn := func(random *rand.Rand) record.Record {
		return made(strconv.Itoa(18+random.IntN(60)), strconv.Itoa(1+random.IntN(12)), "town "+strconv.Itoa(random.IntN(5)))
	}
	for name, c := range map[string]struct {
		change func(r *record.Record)
		want   []string // columns, and what they are exchanged with
	}{
		"nothing": {func(*record.Record) {}, nil},
		"one town": {func(r *record.Record) {
			r.Features[2] = field("town", "town 1")
		}, []string{"town", ""}},
		"exchanged": {func(r *record.Record) {
			r.Features[0], r.Features[1] = field("age", string(r.Features[1].Text)), field("hours", string(r.Features[0].Text))
		}, []string{"age", "hours", "hours", "age"}},
		"gone": {func(r *record.Record) { r.Features = r.Features[:2] }, []string{"town", ""}},
	} {
		random := rand.New(rand.NewPCG(3, 3))
		d, err := New(Classification, parts, weights)
		if err != nil {
			t.Fatal(err)
		}
		d.Spread = spreadOf(t, parts, random, learn)
		f, err := d.Familiarity()
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			r := learn(random)
			c.change(&r)
			f.AddSpread(&r)
		}
		var got []string
		for _, s := range f.Shifts() {
			if !s.Far {
				t.Errorf("%s: %+v", name, s)
			}
			got = append(got, s.Column, s.With)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
			continue
		}
		for i := 0; i < len(got); i += 2 { // in any order
			found := false
			for k := 0; k < len(c.want); k += 2 {
				found = found || got[i] == c.want[k] && got[i+1] == c.want[k+1]
			}
			if !found {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}

// spreadOf is that of 2,000 records.
func spreadOf(t *testing.T, parts features.Parts, random *rand.Rand, draw func(*rand.Rand) record.Record) *Spread {
	t.Helper()
	encoder, err := features.NewFrozen(parts)
	if err != nil {
		t.Fatal(err)
	}
	const records = 2000
	s := &Spread{Records: records}
	for _, c := range parts.Columns {
		s.Columns = append(s.Columns, ColumnSpread{c.Name, make([]float64, features.Cells)})
	}
	for range records {
		r := draw(random)
		encoder.VisitCells(&r, func(column, cell int) { s.Columns[column].Shares[cell] += 1. / records })
	}
	return s
}

func field(name, text string) record.Field {
	return record.Field{Name: name, ID: record.NoName, Text: []byte(text), Hash: record.Hash([]byte(text))}
}

func made(age, hours, town string) record.Record {
	return record.Record{Features: []record.Field{field("age", age), field("hours", hours), field("town", town)}}
}

// TestStrangers: nobody of either group, and another share of one, are told; the same share is not, and neither are few records.
func TestStrangers(t *testing.T) {
	const config = `{"learner": {"level": 0.95, "minimum_records": 30}, "constraints": [{"name": "sex", "attribute": "sex", "group": "M", "versus": "F", "criterion": "demographic-parity", "tau": 0.05}]}`
	for name, c := range map[string]struct {
		sex  func(i int) string
		n    int
		want *Stranger
	}{
		"the same":   {func(i int) string { return []string{"M", "M", "F"}[i%3] }, 1000, nil},
		"others":     {func(i int) string { return []string{"male", "female"}[i%2] }, 1000, &Stranger{Name: "sex", Attribute: "sex", Group: "M", Records: 1000, None: true}},
		"few others": {func(i int) string { return []string{"male", "female"}[i%2] }, 99, nil},
		"one group":  {func(int) string { return "F" }, 1000, &Stranger{Name: "sex", Attribute: "sex", Group: "M", Records: 1000, Was: .6}},
	} {
		read, err := NewConfig([]byte(config))
		if err != nil {
			t.Fatal(err)
		}
		d := &Document{Config: read}
		d.Measurements.Prequential.Constraints = []fairness.Estimate{{Name: "sex", NGroup: 600, NVersus: 400}}
		g, err := newGrouping(d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.n {
			g.add(&record.Record{Attributes: []record.Value{{Text: []byte(c.sex(i))}}})
		}
		found := g.strangers()
		if len(found) > 0 != (c.want != nil) || c.want != nil && found[0] != *c.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
