package order

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/fairstream/fairstream/internal/codec"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
	"github.com/fairstream/fairstream/pkg/record"
)

const length = 40_000

// person has a town of 20, one of them half of all, an age, and an amount that is mostly 0. Sex is the attribute.
type person struct {
	town, age int
	amount    float64
	sex       fairness.Level
}

func draw(random *rand.Rand) (p person) {
	p = person{town: random.IntN(20), age: 18 + random.IntN(60)}
	if random.Float64() < .5 {
		p.town = 0
	}
	if random.Float64() < .05 {
		p.amount = random.ExpFloat64() * 1000
	}
	if random.Float64() < .1 {
		p.sex = 1
	}
	return p
}

func people(seed uint64) []person {
	random := rand.New(rand.NewPCG(seed, 1))
	all := make([]person, length)
	for i := range all {
		all[i] = draw(random)
	}
	return all
}

func (p person) record() *record.Record {
	r := &record.Record{HasLabel: true, Weight: 1}
	for _, f := range [...]struct{ name, text string }{
		{"age", strconv.Itoa(p.age)}, {"amount", strconv.FormatFloat(p.amount, 'f', 2, 64)}, {"town", "town " + strconv.Itoa(p.town)},
	} {
		r.Features = append(r.Features, record.Field{Name: f.name, ID: record.NoName, Text: []byte(f.text), Hash: record.Hash([]byte(f.text))})
	}
	return r
}

// watch observes people, and calls look after each 2,000 of them with the names of what has moved.
func watch(all []person, look func(after int, moved []string)) (*Order, *features.Learning) {
	o, encoder, row := New(1), features.NewLearning(features.Config{Vocabulary: features.VocabularyConfig{Columns: 10, Levels: 1000, Buckets: 16}}), &features.Row{}
	for i := range 300 {
		encoder.Observe(all[i].record().Features)
	}
	encoder.Infer()
	for i, p := range all {
		r := p.record()
		encoder.Encode(row, r)
		o.Observe(r, []fairness.Level{p.sex}, &encoder.Frozen)
		if i%2000 == 1999 && look != nil {
			look(i+1, names(o, encoder))
		}
	}
	return o, encoder
}

func names(o *Order, encoder *features.Learning) (names []string) {
	attributes, columns := o.Moved()
	for range attributes {
		names = append(names, "sex")
	}
	for _, i := range columns {
		names = append(names, encoder.Parts().Columns[i].Name)
	}
	return names
}

func TestNothingMovesInRandomOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		watch(people(seed), func(after int, moved []string) {
			if moved != nil {
				t.Errorf("seed %d, after %d records: %q", seed, after, moved)
			}
		})
	}
}

// Records in the order of a field move in it at every look but the first ones, before which hardly anything came.
func TestSortedRecordsMove(t *testing.T) {
	t.Parallel()
	for name, less := range map[string]func(a, b person) int{
		"age":  func(a, b person) int { return a.age - b.age },
		"town": func(a, b person) int { return b.town - a.town },
		"sex":  func(a, b person) int { return int(a.sex) - int(b.sex) },
	} {
		all := people(1)
		slices.SortStableFunc(all, less)
		looks, said := 0, 0
		watch(all, func(after int, moved []string) {
			if name == "sex" && after <= length*9/10 {
				return // of one sex until now
			}
			if after < 8000 {
				return
			}
			looks++
			if slices.Contains(moved, name) {
				said++
			}
		})
		if said < looks*95/100 {
			t.Errorf("%s: said at %d of %d looks", name, said, looks)
		}
	}
}

// A long run of one value is told while the records before it are 0.012 of all or more.
func TestALongRunMoves(t *testing.T) {
	t.Parallel()
	all := people(10)
	for i := range all {
		if i < 1200 {
			all[i].town = 3
		} else {
			all[i].town = 4
		}
	}
	watch(all, func(after int, moved []string) {
		if got := fmt.Sprint(moved); after >= 12_000 && got != "[town]" {
			t.Errorf("after %d records: %s", after, got)
		}
	})
}

// A long run of one value is told after few others, too, while they are 0.012 of the records before, and until 4,224 records later; and after very few that came at
// the beginning, for longer. A column that is sparse has gaps, and no runs.
func TestALongRunAfterFewOthersMoves(t *testing.T) {
	t.Parallel()
	for first, until := range map[int]int{300: 24_000, 60: 28_000, 11: 0} { // until when it is told
		all := people(13)
		for i := range all {
			if all[i].town = 4; i < first {
				all[i].town = 3
			}
		}
		watch(all[:28_000], func(after int, moved []string) {
			if got := fmt.Sprint(moved) == "[town]"; after >= 8000 && got != (after <= until) {
				t.Errorf("after %d records, of which %d had another town: %q", after, first, moved)
			}
		})
	}
	o, encoder := watch(people(14)[:20_000], nil)
	row := &features.Row{}
	for i, p := range people(15) {
		r := p.record()
		if i%50 != 0 {
			r.Features = r.Features[:2] // no town
		} else {
			r.Features[2].Text = []byte("town 0")
			r.Features[2].Hash = record.Hash(r.Features[2].Text)
		}
		encoder.Encode(row, r)
		o.Observe(r, []fairness.Level{p.sex}, &encoder.Frozen)
	}
	if f := o.fields[3]; f.run > 1 {
		t.Errorf("a run of %d in a column with gaps", f.run)
	}
}

// A column is of one cell until a record has another value, or lacks it.
func TestOfOneCell(t *testing.T) {
	t.Parallel()
	all := people(9)
	for i := range all {
		all[i].town, all[i].age = 3, 20
	}
	for _, change := range []func(p *person){nil, func(p *person) { p.town = 4 }, func(p *person) { p.age = 70 }} {
		now := slices.Clone(all)
		want := "[0 2]" // by name: age, amount, town
		if change != nil {
			change(&now[11*1000-1])
			want = map[bool]string{true: "[0]", false: "[2]"}[now[11*1000-1].town == 4]
		}
		o, _ := watch(now[:6000], nil)
		if got := o.OfOneCell(); got != nil {
			t.Errorf("after 6,000 records: %v", got)
		}
		if o, _ = watch(now[:20_000], nil); fmt.Sprint(o.OfOneCell()) != want {
			t.Errorf("%v, want %s", o.OfOneCell(), want)
		}
	}
}

// A value that comes and goes is news the first two times, and until 4,224 records later.
func TestTurnsAreNoNews(t *testing.T) {
	t.Parallel()
	const turn = 5000
	all := append(people(2), people(8)...)
	for i := range all {
		all[i].age = 20 + 40*(i/turn%2)
	}
	var said []int
	watch(all, func(after int, moved []string) {
		if slices.Contains(moved, "age") {
			said = append(said, after)
		}
	})
	if len(said) == 0 || said[len(said)-1] > 5*turn+every*lately {
		t.Errorf("said after %v records", said)
	}
}

// A long run of the more frequent value, whose share hardly rises, is news the first two times, too.
func TestBurstsAreNoNews(t *testing.T) {
	t.Parallel()
	const one, both = 1000, 3000
	all := append(people(2), people(8)...)
	for i := range all {
		if all[i].age = 60; i%both < one {
			all[i].age = 20
		}
	}
	var said []int
	watch(all, func(after int, moved []string) {
		if slices.Contains(moved, "age") {
			said = append(said, after)
		}
	})
	if len(said) == 0 || said[len(said)-1] > 6*both+every*lately {
		t.Errorf("of %d records, said after %v", len(all), said)
	}
}

// The numbers of a column that grows slowly are no news, and those of one that changes its unit are.
func TestNumbersMoveByMagnitude(t *testing.T) {
	t.Parallel()
	grows, shrinks := people(3), people(3)
	for i := range grows {
		grows[i].age = 1_700_000_000 + i
		if i > length/2 {
			shrinks[i].age *= 12
		}
	}
	watch(grows, func(after int, moved []string) {
		if moved != nil {
			t.Errorf("a time, after %d records: %q", after, moved)
		}
	})
	watch(shrinks, func(after int, moved []string) {
		if want := after > length/2; after <= length*5/8 && (fmt.Sprint(moved) == "[age]") != want {
			t.Errorf("another unit from %d records on, after %d: %q", length/2, after, moved)
		}
	})
}

// Numbers of either sign that become a hundred times as large are told, although no magnitude is much more frequent than before; and those of a
// while are, until less than 0.04 of the records before are of it. A shift by a tenth of a deviation is not.
func TestManySmallChangesMoveAField(t *testing.T) {
	t.Parallel()
	const from = 24_700
	for name, test := range map[string]struct {
		number func(x float64, at int) float64
		told   func(after int) bool
	}{
		"a hundred times as large": {func(x float64, at int) float64 {
			if at >= from {
				x *= 100
			}
			return x
		}, func(after int) bool { return after >= 26_000 }},
		"0 for a while": {func(x float64, at int) float64 {
			if at >= from && at < from+6000 {
				x = 0
			}
			return x
		}, func(after int) bool {
			return after >= 26_000 && after <= 40_000 // first the newest are 0, then those before are in part; between, both have some zeros
		}},
		"a tenth of a deviation": {func(x float64, at int) float64 {
			if at >= from {
				x += .1
			}
			return x
		}, func(int) bool { return false }},
	} {
		all, random := people(11), rand.New(rand.NewPCG(12, 1))
		for i := range all {
			all[i].amount = test.number(random.NormFloat64(), i)
		}
		watch(all, func(after int, moved []string) {
			if want := test.told(after); slices.Contains(moved, "amount") != want || len(moved) > 1 {
				t.Errorf("%s, after %d records: %q", name, after, moved)
			}
		})
	}
}

// A column without values for a long time, and a field that ends, have moved.
func TestFieldsThatComeAndGoMove(t *testing.T) {
	t.Parallel()
	o, encoder := watch(people(4)[:20_000], nil)
	row := &features.Row{}
	for _, p := range people(5)[:4000] {
		r := p.record()
		r.Features = r.Features[1:] // no age
		encoder.Encode(row, r)
		o.Observe(r, []fairness.Level{p.sex}, &encoder.Frozen)
	}
	if got := fmt.Sprint(names(o, encoder)); got != "[age]" {
		t.Errorf("without ages: %s have moved", got)
	}
}

// What is restored goes on as the original, and damaged bytes are refused or are a state.
func TestState(t *testing.T) {
	t.Parallel()
	all := people(6)
	slices.SortStableFunc(all, func(a, b person) int { return a.town - b.town })
	o, encoder := watch(all[:20_000], nil)
	state := func(o *Order) []byte {
		c := codec.NewWriter(nil)
		o.Fields(c, 3)
		return c.Bytes()
	}
	restored := New(1)
	c := codec.NewReader(state(o))
	restored.Fields(c, 3)
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	for _, p := range all[20_000:] {
		o.Observe(p.record(), []fairness.Level{p.sex}, &encoder.Frozen)
		restored.Observe(p.record(), []fairness.Level{p.sex}, &encoder.Frozen)
	}
	if !bytes.Equal(state(o), state(restored)) {
		t.Error("a restored state goes on in another way")
	}
	few := codec.NewReader(state(o))
	if New(1).Fields(few, 2); few.Err() == nil {
		t.Error("a state with more columns than the encoder has was read")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		damaged := slices.Clone(state(o))
		damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		c, other := codec.NewReader(damaged), New(1)
		if other.Fields(c, 3); c.End() == nil {
			other.Moved() // does not panic
		}
	}
}

func TestObserveDoesNotAllocate(t *testing.T) {
	all := people(7)
	o, encoder := watch(all[:8000], nil)
	r := all[0].record()
	if n := testing.AllocsPerRun(1000, func() { o.Observe(r, []fairness.Level{0}, &encoder.Frozen) }); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
}

// TestCopies: people who come twice in a row are copies, and people who come once are not, though many of them are alike.
func TestCopies(t *testing.T) {
	t.Parallel()
	all := people(8)
	for i := range all {
		all[i].age = 40 + all[i].age%3 // 60 kinds of people without an amount
	}
	once, _ := watch(all[:20_000], nil)
	for i := 1; i < len(all); i += 2 {
		all[i] = all[i-1]
	}
	for i := range all {
		all[i].amount = float64(i / 2)
	}
	twice, _ := watch(all[:20_000], nil)
	if a, b := once.Copies(), twice.Copies(); a != 0 || b < .45 || b > .52 {
		t.Errorf("shares of copies: %v once, %v twice", a, b)
	}

	w, restored := codec.NewWriter(nil), New(1)
	twice.Fields(w, 3)
	c := codec.NewReader(w.Bytes())
	if restored.Fields(c, 3); c.End() != nil || restored.Copies() != twice.Copies() {
		t.Errorf("restored (%v), the share of copies is %v, not %v", c.Err(), restored.Copies(), twice.Copies())
	}
}
