package order

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/goldentest"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/features"
)

// TestGoldenOrder: what is counted of records whose fields break and become whole again, come and go, and begin sorted, and what has moved by then.
func TestGoldenOrder(t *testing.T) {
	var text strings.Builder
	for _, kind := range []string{"broken", "comes and goes", "sorted", "one age"} {
		all := people(23)[:30_000]
		if kind == "sorted" {
			slices.SortStableFunc(all[:20_000], func(a, b person) int { return int(a.sex) - int(b.sex) })
		}
		for i := range all {
			p := &all[i]
			switch {
			case kind == "broken" && i > 10_000 && i < 14_000:
				p.town = 3
			case kind == "broken" && i > 18_000 && i < 21_000:
				p.amount *= 100
				p.age += 12
			case kind == "comes and goes" && i/3000%2 == 1:
				p.sex, p.town = 1, 7
			case kind == "one age" && i < 29_000:
				p.age = 40
			}
		}
		o, encoder, row := New(1), features.NewLearning(features.Config{Vocabulary: features.VocabularyConfig{Columns: 10, Levels: 1000, Buckets: 16}}), &features.Row{}
		for i := range 300 {
			encoder.Observe(all[i].record().Features)
		}
		encoder.Infer()
		for i, p := range all {
			r := p.record()
			encoder.Encode(row, r)
			if o.Observe(r, []fairness.Level{p.sex}, &encoder.Frozen); i%1000 != 999 {
				continue
			}
			attributes, columns := o.Moved()
			records, shares := o.Shares()
			fmt.Fprintf(&text, "%s, after %d: seen %d, moved %v %v, of one cell %v, worth %.6g, weights %.6g %.6g of %.6g %.6g\n", kind, i+1, o.seen, attributes, columns, o.OfOneCell(), records,
				o.weights[recent], o.weights[before], o.totals[recent], o.totals[before])
			for n := range o.fields {
				f := &o.fields[n]
				e := o.excesses(f)
				fmt.Fprintf(&text, " %d: run %d at %d of %d, since %d, told %d, up %x, once %x, twice %x, distance %.5g, news %v, one %v", n, f.run, f.at, f.last, f.since, f.told, f.up, f.once,
					f.twice, f.distance(e), o.news(f, e, f.distance(e)), o.onlyOne(f, e))
				most := slices.MaxFunc(e[:], func(a, b excess) int { return int(1e6 * (a.share - b.share)) })
				fmt.Fprintf(&text, ", most %.5f %.5f %.5f", most.before, most.share, most.least)
				if n >= o.attributes && len(shares) > n-o.attributes {
					fmt.Fprintf(&text, ", most of %.5f", slices.Max(shares[n-o.attributes][:]))
				}
				text.WriteByte('\n')
			}
		}
	}
	goldentest.Compare(t, "order.txt", text.String())
}

// TestNewsAtItsBounds: of a cell, of several together, and of one that is left alone.
func TestNewsAtItsBounds(t *testing.T) {
	for _, test := range []struct {
		e     excess
		up    bool
		alone bool
	}{
		{excess{.5, .1, .1}, false, false}, {excess{.5, .1001, .1}, true, false}, {excess{.5, .4, 1}, false, true}, {excess{.5, .399, 1}, false, false},
		{excess{.95, .0401, 1}, false, true}, {excess{.951, .049, 1}, false, false}, {excess{.9, .0799, 1}, false, false}, {excess{.9, .081, 1}, false, true},
	} {
		if test.e.up() != test.up || test.e.alone() != test.alone {
			t.Errorf("%+v: up %v, alone %v", test.e, test.e.up(), test.e.alone())
		}
	}
	for _, test := range []struct {
		shares []float64
		twice  uint64
		news   bool
	}{
		{[]float64{.2}, 0, true}, {[]float64{.199}, 0, false}, {[]float64{.125, .125}, 0, true}, {[]float64{.1, .09}, 0, false},
		{[]float64{.2}, 1, false}, {[]float64{.125, .125}, 2, false}, {[]float64{.125, .125}, 4, true},
	} {
		o := &Order{seen: 10_000}
		f := &field{twice: test.twice | 1<<together, at: 1}
		all := &[cells]excess{}
		for i := range all {
			all[i].least = .05
		}
		for i, share := range test.shares {
			all[i].share = share
		}
		if got := o.news(f, all, f.distance(all)); got != test.news {
			t.Errorf("%+v: %v", test, got)
		}
	}
	// Cells turn up above what is news, down below it, and the second time twice.
	f := &field{}
	for i, step := range []struct {
		above, below    bool
		up, once, twice uint64
	}{{false, true, 0, 0, 0}, {true, false, 4, 0, 0}, {false, false, 4, 0, 0}, {false, true, 0, 4, 0}, {false, true, 0, 4, 0}, {true, false, 4, 4, 0}, {true, true, 0, 4, 4}} {
		if f.turn(2, step.above, step.below); f.up != step.up || f.once != step.once || f.twice != step.twice {
			t.Errorf("step %d: %x %x %x", i, f.up, f.once, f.twice)
		}
	}
	// Runs of one value, however few had others before, and at the very beginning.
	for _, test := range []struct {
		seen, at, run int64
		before        float64
		twice         uint64
		one           bool
	}{
		{5000, 5000, 96, .875, 0, true}, {5000, 5000, 95, .875, 0, false}, {5000, 4999, 96, .875, 0, false}, {5000, 5000, 96, .875, 8, false}, {5000, 5000, 96, .875, 4, true},
		{50_000, 50_000, 4000, 1 - 1./128, 0, false}, {50_000, 50_000, 1024, 1 - 1./64, 0, true}, {50_000, 50_000, 1023, 1 - 1./64, 0, true},
		{704, 704, 693, 1 - 1./200, 0, true}, {704, 704, 692, 1 - 1./200, 0, false}, {704, 704, 704, 1 - 1./256, 0, false}, {1408, 1408, 1406, 1 - 1./512, 0, true},
		{1408, 1408, 1407, 1 - 1./1024, 0, false}, {640, 640, 639, 1 - 1./256, 0, true},
	} {
		o := &Order{seen: test.seen}
		all := &[cells]excess{}
		all[3].before = test.before
		if got := o.onlyOne(&field{at: test.at, run: test.run, last: 3, twice: test.twice}, all); got != test.one {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// TestTheTimeInWhichAFieldIsToldOf: from the first records that say anything, and for as long after it was news.
func TestTheTimeInWhichAFieldIsToldOf(t *testing.T) {
	for _, test := range []struct {
		seen, told int64
		moved      bool
	}{{least - 1, least - 1, false}, {least, least, true}, {least + 500, least + 500 - lately, true}, {least + 500, least + 500 - lately - 1, false}, {5000, 0, false}} {
		o := New(1)
		o.count(1, 0)
		for i := range o.fields {
			o.fields[i].told, o.fields[i].at = test.told, -1
		}
		o.seen, o.totals = test.seen, [times]float32{1, 1}
		o.fields[0].counts = [times][features.Cells]float32{{1}, {1}}
		o.fields[1].counts = o.fields[0].counts
		attributes, columns := o.Moved()
		if (len(attributes) == 1) != test.moved || (len(columns) == 1) != test.moved || test.moved && columns[0] != 0 {
			t.Errorf("%+v: %v %v", test, attributes, columns)
		}
		if one := o.OfOneCell(); (len(one) == 1) != (test.seen >= least) {
			t.Errorf("%+v: of one cell %v", test, one)
		}
	}
	for _, test := range []struct {
		share float32
		one   bool
	}{{.9998, false}, {.99995, true}} {
		o := New(0)
		o.count(0, 5)
		o.seen, o.totals[before] = least, 1
		o.fields[0].counts[before][5] = test.share
		if got := o.OfOneCell(); (len(got) == 1) != test.one {
			t.Errorf("a share of %v: %v", test.share, got)
		}
	}
	o := New(2)
	if records, shares := o.Shares(); records != 0 || shares != nil {
		t.Error("of nothing")
	}
	o.seen, o.weights[before], o.totals[before] = 1, 1, 1
	o.count(2, 3)
	if records, shares := o.Shares(); math.Abs(records-1) > 1e-9 || len(shares) != 1 || shares[0][3] != 1 {
		t.Errorf("of one record: %v %v", records, shares)
	}
}

// TestCountsAreRescaled once the newest weight is large: shares stay.
func TestCountsAreRescaled(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	o := New(1)
	encoder := features.NewLearning(features.Config{Vocabulary: features.VocabularyConfig{Columns: 10, Levels: 1000, Buckets: 16}})
	encoder.Infer()
	rescaled := 0
	last := float32(0)
	r := (person{}).record()
	for range 3000 * every {
		o.Observe(r, []fairness.Level{fairness.Level(random.IntN(3))}, &encoder.Frozen)
		if o.weights[recent] < last {
			rescaled++
			if o.weights != [times]float32{1, 1} || last < largestWeight/2 {
				t.Fatalf("%v after %v", o.weights, last)
			}
		}
		last = o.weights[recent]
	}
	sum := float32(0)
	for _, count := range o.fields[0].counts[recent] {
		sum += count / o.totals[recent]
	}
	if rescaled != 1 || math.Abs(float64(sum)-1) > 1e-4 || o.records != 3000*every || o.seen != 3000 {
		t.Errorf("rescaled %d times, shares are %v together, %d of %d", rescaled, sum, o.seen, o.records)
	}
}
