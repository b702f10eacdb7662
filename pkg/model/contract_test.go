package model_test

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/fairstream/fairstream/internal/bycommit"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// What every learner promises, whatever its mode, its encoding and its constraints.
func TestContract(t *testing.T) {
	text := peopleText(1, 1100)
	configs := everyConfiguration()
	names := slices.Sorted(maps.Keys(configs))
	first, every := bycommit.Of(t, "configurations", 3)
	for i := first; i < len(names); i += every {
		name := names[i]
		testLearner(t, name, configs[name], readRecords(t, configs[name], text))
	}
}

func testLearner(t *testing.T, name string, config model.Config, records []record.Record) {
	want := learn(t, config, records).AppendState(nil)
	check := func(what string, f func(t *testing.T) *model.Learner) {
		t.Run(name+"/"+what, func(t *testing.T) {
			if l := f(t); l != nil && !bytes.Equal(l.AppendState(nil), want) {
				t.Error("the state is another one")
			}
		})
	}
	check("the same records give the same bytes", func(t *testing.T) *model.Learner {
		return learn(t, config, records)
	})
	check("records are left as they are, and nothing of them is kept", func(t *testing.T) *model.Learner {
		l := newLearner(t, config)
		for i := range records {
			given := clone(&records[i])
			l.Learn(&given)
			if before := clone(&records[i]); !reflect.DeepEqual(given, before) {
				t.Fatal("a record was changed")
			}
			for _, f := range given.Features {
				clear(f.Text)
			}
			for _, v := range given.Attributes {
				clear(v.Text)
			}
		}
		return l
	})
	check("the order of fields is irrelevant", func(t *testing.T) *model.Learner {
		random := rand.New(rand.NewPCG(1, 1))
		l := newLearner(t, config)
		for i := range records {
			r := clone(&records[i])
			r.Layout = 0 // it would promise the order of the record before
			random.Shuffle(len(r.Features), func(a, b int) { r.Features[a], r.Features[b] = r.Features[b], r.Features[a] })
			l.Learn(&r)
		}
		return l
	})
	check("levels may be found before", func(t *testing.T) *model.Learner {
		l, other := newLearner(t, config), newLearner(t, config)
		if l.Grouper().Meets() {
			return nil
		}
		for i := range records {
			l.LearnAt(&records[i], slices.Clone(other.Levels(&records[i])))
		}
		return l
	})
	check("names may have other ids", func(t *testing.T) *model.Learner {
		l := newLearner(t, config)
		for i := range records {
			r := clone(&records[i])
			for k := range r.Features {
				r.Features[k].ID = record.NoName
				if i%3 == 0 {
					r.Features[k].ID = int32((k + i) % len(r.Features))
				}
			}
			l.Learn(&r)
		}
		return l
	})
	check("questions change nothing", func(t *testing.T) *model.Learner {
		l := newLearner(t, config)
		for i := range records {
			if i%97 == 0 {
				ask(t, l, &records[(i+1)%len(records)])
			}
			l.Learn(&records[i])
		}
		return l
	})
	check("restored is never stopped", func(t *testing.T) *model.Learner {
		l := newLearner(t, config)
		for i := range records {
			if i%311 == 100 { // once during the warm-up
				l = restore(t, config, l.AppendState(nil))
			}
			l.Learn(&records[i])
		}
		return l
	})
	check("documents decide as the learner does", func(t *testing.T) *model.Learner {
		l := learn(t, config, records[:800])
		scorer, err := documentOf(t, l).Scorer()
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			ours, its := l.Margin(&records[i]), scorer.Margin(&records[i])
			if math.Float64bits(ours) != math.Float64bits(its) {
				t.Fatalf("record %d: the learner says %v, the document %v", i, ours, its)
			}
		}
		return nil
	})
}

// ask asks a learner everything that there is to ask.
func ask(t *testing.T, l *model.Learner, r *record.Record) {
	t.Helper()
	d := documentOf(t, l)
	if _, err := d.Encode(); err != nil {
		t.Error(err)
	}
	if _, _, err := l.UnconstrainedDocument(); err != nil {
		t.Error(err)
	}
	if again := documentOf(t, l); again.WeightsSHA256 != d.WeightsSHA256 {
		t.Error("asking twice gives two models")
	}
	if d.Version != l.Version() || d.Records != l.Version() {
		t.Errorf("version %d of %d records, %d were learnt", d.Version, d.Records, l.Version())
	}
	l.Margin(r)
	l.Report()
	l.Measurements()
	l.AppendState(nil)
	l.Weights()
	l.Config()
}
