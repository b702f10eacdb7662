package features

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/record"
)

func TestMissingIsALevel(t *testing.T) {
	e := testEncoder(t, nil, numbers(0, 50)...)
	if got := encoded(e, false, fields("x", "?")); got != "0:1" {
		t.Errorf("a missing value that was never learnt is %s", got)
	}
	missing := encoded(e, true, fields("x", "?"))
	if missing == "0:1" || encoded(e, false, fields("x", "?")) != missing {
		t.Errorf("a missing value is %s, then %s", missing, encoded(e, false, fields("x", "?")))
	}
	if got := encoded(e, true, nil); got != "0:1" {
		t.Errorf("an absent field is %s", got)
	}
}

// A text in a numeric column is a level of it, and a number that has earned it has one besides its bin.
func TestNumericColumnsHaveLevels(t *testing.T) {
	e := testEncoder(t, nil, slices.Repeat(numbers(0, 60), 5)...)
	if c := &e.columns[0]; c.Kind != Binned || !c.NumberLevels {
		t.Fatalf("kind %d, levels %t", c.Kind, c.NumberLevels)
	}
	if got := strings.Fields(encoded(e, true, fields("x", "17"))); len(got) != 2 {
		t.Errorf("17 becomes %v: intercept and line were expected", got)
	}
	if got := strings.Fields(insist(e, fields("x", "17"))); len(got) != 3 {
		t.Errorf("17 becomes %v: intercept, line and level were expected", got)
	}
	if got := strings.Fields(encoded(e, true, fields("x", "unknown"))); len(got) != 2 {
		t.Errorf("a text becomes %v: intercept and level were expected", got)
	}
	// 17 and 17.0 are one number and two texts.
	if encoded(e, true, fields("x", "17")) == insist(e, fields("x", "17.0")) {
		t.Error("17 and 17.0 are one level")
	}
}

// Neither the order of a record's fields nor ids of names make a difference; nothing decided changes later.
func TestEncodingIsAFunctionOfTheRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	config := DefaultConfig()
	config.Crosses = [][]string{{"c1", "c3"}}
	config.Vocabulary = VocabularyConfig{Levels: 60, Buckets: 8, Columns: 10}
	plain, shuffled := NewLearning(config), NewLearning(config)
	names := record.NewNames()
	first := map[string]string{}
	for i := range 3000 {
		var pairs []string
		for c := range 14 {
			if random.IntN(3) > 0 {
				value := fmt.Sprint(random.IntN(c + 2))
				if c%2 == 1 {
					value = "v" + value
				}
				pairs = append(pairs, fmt.Sprint("c", c), value)
			}
		}
		features := fields(pairs...)
		other := slices.Clone(features)
		random.Shuffle(len(other), func(a, b int) { other[a], other[b] = other[b], other[a] })
		for k := range other {
			other[k].ID = names.ID(other[k].Name)
		}
		grow := i%5 > 0
		a, b := encoded(plain, grow, features), encoded(shuffled, grow, other)
		if a != b {
			t.Fatalf("record %d is %s, with its fields in another order %s", i, a, b)
		}
		// Late columns become numeric once; after that a row is for good.
		if i > 2000 && grow {
			key := strings.Join(pairs, " ")
			if before, seen := first[key]; seen && before != a {
				t.Fatalf("record %d was %s and is %s", i, before, a)
			}
			first[key] = a
		}
	}
	if len(plain.columns) != 10 || plain.ignored == 0 || plain.ignored != shuffled.ignored {
		t.Errorf("%d columns, %d and %d fields ignored", len(plain.columns), plain.ignored, shuffled.ignored)
	}
}

func TestCrosses(t *testing.T) {
	cross := func(c *Config) {
		c.Crosses = [][]string{{"x", "sex"}, {"sex", "job", "never"}, {"job", "sex"}}
	}
	e := testEncoder(t, cross, numbers(0, 320)...)
	row := func(pairs ...string) string { return insist(e, fields(pairs...)) }
	single := row("x", "5", "sex", "f")
	if got := row("sex", "f"); strings.Count(got, ":") != 2 {
		t.Errorf("a record without one of the columns has a cross: %s", got)
	}
	if row("x", "5", "sex", "f") != single || row("sex", "f", "x", "5") != single {
		t.Error("a cross is not a function of the record")
	}
	// The cross is of coarse bins: neighbours share it, distant numbers do not.
	last := func(row string) string { return row[strings.LastIndex(row, " "):] }
	if last(row("x", "6", "sex", "f")) != last(single) || last(row("x", "200", "sex", "f")) == last(single) {
		t.Error("the cross with a number is not by coarse bin")
	}
	if last(row("x", "5", "sex", "m")) == last(single) {
		t.Error("the cross does not tell its levels apart")
	}
	row("sex", "?", "job", "clerk")
	row("x", "unknown", "sex", "f")
	var texts []string
	for _, l := range e.words.levels {
		if i, cross := l.Slot.Cross(); cross {
			texts = append(texts, fmt.Sprint(e.crosses[i].names, ": ", l.Text))
		}
	}
	want := []string{"[x sex]: < 40 & f", "[x sex]: [200, 240) & f", "[x sex]: < 40 & m", "[job sex]: clerk & (missing)", "[x sex]: unknown & f"}
	if !slices.Equal(texts, want) {
		t.Errorf("crosses are %q", texts)
	}
}

// Encoding a record without learning leaves its new columns to be learnt, though its layout was seen.
func TestScoringDoesNotHideNewColumns(t *testing.T) {
	l := NewLearning(DefaultConfig())
	r := &record.Record{Features: fields("a", "1", "b", "2"), Layout: 7}
	var row Row
	l.Frozen.Encode(&row, r)
	if len(row.Index) != 1 || l.Size() != 1 {
		t.Errorf("an encoder that knows nothing gives %v", row.Index)
	}
	if l.Encode(&row, r); len(row.Index) != 3 {
		t.Errorf("two new columns give %v", row.Index)
	}
	if l.Frozen.Encode(&row, r); len(row.Index) != 3 {
		t.Errorf("two known columns give %v", row.Index)
	}
}

// TestRefusedNamesAreSaved: a state has them, in their order, those of no letter too.
func TestRefusedNamesAreSaved(t *testing.T) {
	l := learnt(100)
	l.Refuse([]string{"sex", "", "religion"})
	again, err := read(write(l))
	if err != nil || !slices.Equal(again.refused, l.refused) {
		t.Errorf("%q, want %q (%v)", again.refused, l.refused, err)
	}
}

// TestRefusedNames: a field that was probably meant by a refused name is no column, early or late, and neither after
// the state was saved and read.
func TestRefusedNames(t *testing.T) {
	resembles := func(name, field string) bool {
		return strings.HasSuffix(field, name) || name == "religion" && field == "relgion"
	}
	l := NewLearning(everyKind())
	l.Resembles = resembles
	l.Refuse([]string{"sex", "religion"})
	var row Row
	encode := func(l *Learning) {
		for i := range 600 {
			r := fields("bins", fmt.Sprint(i%60), "applicant.sex", "mf"[i%2:i%2+1], "words", "w"+fmt.Sprint(i%5))
			if i > 300 {
				r = append(r, fields("relgion", "r"+fmt.Sprint(i%3), "late", fmt.Sprint(i%4))...)
			}
			l.Encode(&row, &record.Record{Features: r})
			l.Reveal(float64(i%2)-.5, .25, 1)
		}
	}
	names := func(l *Learning) (all []string) {
		for _, c := range l.Parts().Columns {
			all = append(all, c.Name)
		}
		return all
	}
	encode(l)
	want := []string{"bins", "words", "late"}
	if got := names(l); !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	again, err := read(write(l))
	if err != nil {
		t.Fatal(err)
	}
	again.Resembles = resembles
	encode(again)
	if got := names(again); !slices.Equal(got, want) {
		t.Errorf("columns after saving and reading %v, want %v", got, want)
	}
}
