package backfill

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/fairstream/fairstream/internal/logistic"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/fairness"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
	"github.com/fairstream/fairstream/pkg/surrogate"
)

func relaxationOf(name string) surrogate.Name { return surrogate.Name(name) }

// TestShardsChangeNoBit: the order in which files are summed, and by how many, leaves no trace.
func TestShardsChangeNoBit(t *testing.T) {
	h := generated(64, 125)
	var first []byte
	for _, shards := range []int{1, 4, 16, 64} {
		result := run(t, Options{Model: config(""), Source: h, Shards: shards, Sample: 3000})
		state := result.Learner.AppendState(nil)
		if first == nil {
			first = state
		} else if !bytes.Equal(state, first) {
			t.Errorf("the state of %d shards is another one than that of 1", shards)
		}
	}
}

// TestWeightsAreThoseOfTheOptimum: the gradient of the objective, written down plainly, is 0 at the weights of the sums, for each relaxation.
func TestWeightsAreThoseOfTheOptimum(t *testing.T) {
	h, names := generated(4, 2500), surrogate.Names()
	if testing.Short() {
		names = []surrogate.Name{surrogate.Approximation3}
	}
	for _, name := range names {
		t.Run(string(name), func(t *testing.T) {
			var saves [][]byte
			o := Options{Model: config(string(name)), Source: h, Save: func(saved []byte) error { saves = append(saves, bytes.Clone(saved)); return nil }}
			result := run(t, o)
			if result.Rounds.Unfinished || len(result.Rounds.Pressed) != 1 {
				t.Fatalf("after %d rounds %d constraints are pressed, unfinished: %v", result.Rounds.Passes, len(result.Rounds.Pressed), result.Rounds.Unfinished)
			}
			var s saved
			if err := json.Unmarshal(saves[0], &s); err != nil {
				t.Fatal(err)
			}
			learner, err := model.Restore(o.Model, s.Learner)
			if err != nil {
				t.Fatal(err)
			}
			basis, err := learner.Basis()
			if err != nil {
				t.Fatal(err)
			}
			p := result.Rounds.Pressed[0]
			for _, one := range []struct {
				weights    []float64
				multiplier float64
			}{{result.Rounds.Free.Base, 0}, {p.Way.Base, p.Multiplier}} {
				objective := func(w []float64) float64 {
					return plain(t, h, &result.Survey, learner, &basis, w, one.multiplier, name)
				}
				at := objective(one.weights)
				for j := range one.weights {
					const h = 1e-3
					w := append([]float64(nil), one.weights...)
					w[j] += h
					up := objective(w)
					w[j] -= 2 * h
					slope := (up - objective(w)) / (2 * h)
					if math.Abs(slope) > 1e-4 { // the outer function takes the inner values without their averaging
						t.Errorf("multiplier %v: the slope in weight %d is %g where the objective is %g", one.multiplier, j, slope, at)
					}
				}
			}
			if m := result.Rounds.Measured[0]; math.Abs(p.Multiplier) < mostMultiplier && math.Abs(math.Abs(m.Difference)-m.Target) > .01 {
				t.Errorf("the difference %v is not at its target %v", m.Difference, m.Target)
			}
		})
	}
}

// plain is the mean objective of a record.
func plain(t *testing.T, h history, s *Survey, learner *model.Learner, basis *model.Basis, w []float64, multiplier float64, name surrogate.Name) float64 {
	t.Helper()
	total, weight, touched := 0.0, 0.0, make([]float64, len(w))
	var inner [surrogate.MaxInner]float64
	var sides [2]float64
	relaxations, err := surrogate.NewBoth(surrogate.Settings{Name: name, Monotone: true, Slope: 2})
	if err != nil {
		t.Fatal(err)
	}
	outer := 0
	r := relaxations[0]
	if multiplier < 0 {
		if r = relaxations[len(relaxations)-1]; len(relaxations) == 1 {
			outer = 1
		}
	}
	mean := s.Weight / float64(s.Labelled)
	for file := range h {
		for i := range h[file] {
			if s.isNewest(Place{File: file, Position: int64(i)}, 0) {
				continue
			}
			e, _ := learner.Read(&h[file][i], 0)
			z, relative := 0.0, e.Weight/mean
			for k, j := range e.Row.Index {
				z += w[j] * e.Row.At(k)
				touched[j] += relative * e.Row.At(k) * e.Row.At(k)
			}
			y := 1.0
			if !e.Positive {
				y = -1
			}
			total -= relative * math.Log(logistic.Probability(y*z))
			weight += relative
			// The inner functions are averaged over a quarter to both sides, here by Simpson's rule in small pieces.
			const pieces = 40
			for k := range 2*pieces + 1 {
				share := 2.0
				if k%2 == 1 {
					share = 4
				}
				if k == 0 || k == 2*pieces {
					share = 1
				}
				var one [surrogate.MaxInner]float64
				r.Inner(one[:], e.Sides[0], z/2-.25+.5*float64(k)/(2*pieces))
				for i := range one {
					inner[i] += relative * one[i] * share / (6 * pieces)
				}
			}
			for at, side := range [2]fairness.Side{fairness.Group, fairness.Versus} {
				if e.Sides[0] == side {
					sides[at] += relative
				}
			}
		}
	}
	for j := range w {
		total += (basis.Precisions[j] + basis.Regularization*touched[j]) * w[j] * w[j] / 2
	}
	total /= weight
	if multiplier == 0 {
		return total
	}
	for i := range inner {
		inner[i] /= weight
	}
	var values [surrogate.MaxOuter]float64
	r.Value(values[:], inner[:])
	pushed, err := control.NewPushed(name, multiplier, [2]float64{sides[0] / weight, sides[1] / weight})
	if err != nil {
		t.Fatal(err)
	}
	return total + pushed.Factor*values[outer]
}

// TestAKilledBackfillGoesOn: from whatever round, the end is the same.
func TestAKilledBackfillGoesOn(t *testing.T) {
	h := generated(4, 1000)
	var saves [][]byte
	o := Options{Model: config(""), Source: h, Save: func(saved []byte) error { saves = append(saves, bytes.Clone(saved)); return nil }}
	whole := run(t, o).Learner.AppendState(nil)
	if len(saves) < 8 {
		t.Fatalf("%d saves", len(saves))
	}
	o.Save = nil
	for i := 0; i < len(saves); i += 3 {
		o.Saved = saves[i]
		if !bytes.Equal(run(t, o).Learner.AppendState(nil), whole) {
			t.Errorf("the state is another one after going on from save %d of %d", i, len(saves))
		}
	}
}

// TestNewestAreInNoSum: other labels of the newest records leave what the learner begins with as it is, and change what it measures.
func TestNewestAreInNoSum(t *testing.T) {
	for _, byTime := range []bool{false, true} {
		h := generated(4, 1000)
		o := Options{Model: config(""), Source: h, ByTime: byTime}
		before := run(t, o)
		turned := 0
		for file := range h {
			for i := range h[file] {
				at := Place{File: file, Position: int64(i)}
				if byTime {
					at.Time = h[file][i].Time.UnixMicro()
				}
				if before.Survey.isNewest(at, 0) {
					h[file][i].Positive = !h[file][i].Positive
					turned++
				}
			}
		}
		if turned != 2000 || before.Survey.Newest != 2000 {
			t.Fatalf("by time %v: %d of 4,000 records are the newest, and the survey says %d", byTime, turned, before.Survey.Newest)
		}
		after := run(t, o)
		if !bytes.Equal(after.Before.AppendState(nil), before.Before.AppendState(nil)) {
			t.Errorf("by time %v: the newest records are in a sum", byTime)
		}
		if bytes.Equal(after.Learner.AppendState(nil), before.Learner.AppendState(nil)) {
			t.Errorf("by time %v: the newest records were not learnt", byTime)
		}
		if version := after.Learner.Version(); version != 4000 {
			t.Errorf("by time %v: version %d", byTime, version)
		}
		d, err := after.Learner.Document()
		if err != nil {
			t.Fatal(err)
		}
		if n := d.Measurements.Prequential.Accuracy.Records; n != 2000 {
			t.Errorf("by time %v: the document was measured on %d records, and 2,000 were learnt one by one", byTime, n)
		}
	}
}

// TestOrderByTime: the newest are the last in time, whatever their files.
func TestOrderByTime(t *testing.T) {
	h := generated(4, 1000) // the first are the newest
	s := run(t, Options{Model: config(""), Source: h, ByTime: true}).Survey
	for i := range h[0] {
		newest := s.isNewest(Place{Time: h[0][i].Time.UnixMicro(), Position: int64(i)}, 0)
		if newest != (i < 500) {
			t.Fatalf("record %d: newest %v", i, newest)
		}
	}
}

// TestWithoutAFullMatrix: beyond MostDense weights the diagonal and the steps before lead to the same model.
func TestWithoutAFullMatrix(t *testing.T) {
	h := generated(4, 1500)
	full := run(t, Options{Model: config(""), Source: h}).Rounds
	mostDense = 3
	defer func() { mostDense = MostDense }()
	thin := run(t, Options{Model: config(""), Source: h}).Rounds
	if thin.Unfinished {
		t.Errorf("unfinished after %d rounds", thin.Passes)
	}
	for j, w := range full.Free.Base {
		if math.Abs(w-thin.Free.Base[j]) > .01 {
			t.Errorf("weight %d is %v, and %v without a full matrix", j, w, thin.Free.Base[j])
		}
	}
}

func TestRefused(t *testing.T) {
	h := generated(2, 300)
	unlabelled := generated(2, 300)
	for file := range unlabelled {
		for i := range unlabelled[file] {
			unlabelled[file][i].HasLabel = false
		}
	}
	timeless := generated(2, 300)
	for file := range timeless {
		for i := range timeless[file] {
			timeless[file][i].Time = time.Time{}
		}
	}
	many := config("")
	for range 4 {
		many.Constraints = append(many.Constraints, many.Constraints[0])
	}
	for i := range many.Constraints {
		many.Constraints[i].Name = string(rune('p' + i))
	}
	strata := config("")
	strata.Constraints[0].Strata = "word"
	paper := config("")
	paper.Learner.Mode = model.Paper
	for _, one := range []struct {
		o     Options
		words string
	}{
		{Options{Model: many, Source: h}, "constraints: 5 comparisons"},
		{Options{Model: strata, Source: h}, "constraints[0].strata"},
		{Options{Model: paper, Source: h}, "learner.mode"},
		{Options{Model: config(""), Source: generated(2, 100)}, "columns are to be found from 100 records, of 100 that are not among the newest, and learner.warmup asks for more"},
		{Options{Model: config(""), Source: unlabelled}, "record.label.field"},
		{Options{Model: config(""), Source: timeless, ByTime: true}, "record.time.field: none of 600 records"},
	} {
		if _, err := Run(context.Background(), one.o); err == nil || !strings.Contains(err.Error(), one.words) {
			t.Errorf("%v, and not %q", err, one.words)
		}
	}
}

// TestStopped: a backfill that is told to stop does.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	o := Options{Model: config(""), Source: generated(4, 500), Tell: func(p Progress) {
		if p.Rounds.Passes == 2 {
			stop()
		}
	}}
	if _, err := Run(ctx, o); err == nil {
		t.Error("it went on")
	}
}

// TestAPanicIsAnError: a defect that a record brings out stops the work, and the error names its file and position.
func TestAPanicIsAnError(t *testing.T) {
	_, err := Run(context.Background(), Options{Model: config(""), Source: defective{generated(4, 500)}, Shards: 2})
	if err == nil || !strings.Contains(err.Error(), "part-02.csv: a defect of this program stopped it at position 77: the 78th") || !strings.Contains(err.Error(), "goroutine") {
		t.Errorf("%v", err)
	}
}

// defective is a history whose third file brings out a defect.
type defective struct{ history }

func (d defective) Read(ctx context.Context, file int, each func(int64, *record.Record)) error {
	return d.history.Read(ctx, file, func(position int64, r *record.Record) {
		if each(position, r); file == 2 && position == 77 {
			panic("the 78th")
		}
	})
}

// TestShelf: a record that was kept is the same.
func TestShelf(t *testing.T) {
	var s shelf
	r := record.Record{HasLabel: true, Positive: true, Label: 2.5, Weight: 3, ID: []byte("id"), Features: []record.Field{field("a", ""), {Name: "b", ID: record.NoName, Missing: true}, field("c", "text")},
		Attributes: []record.Value{{Missing: true}, {Text: []byte("v")}}}
	s.put(&record.Record{Features: []record.Field{field("c", "other")}, Attributes: make([]record.Value, 2)}, Place{}, 1)
	b := s.put(&r, Place{File: 3}, 9)
	var got record.Record
	s.get(b, &got, 2)
	want, _ := json.Marshal(r)
	if have, _ := json.Marshal(got); !bytes.Equal(have, want) {
		t.Errorf("%s\n%s", have, want)
	}
}

// TestPublishedIsAtItsTarget: what the state measures of the weights that it would publish is what they were chosen for, although its newest records came to
// other weights.
func TestPublishedIsAtItsTarget(t *testing.T) {
	c := config("")
	c.Learner.Window = 4096
	d, err := run(t, Options{Model: c, Source: generated(8, 2500)}).Learner.Document()
	if err != nil {
		t.Fatal(err)
	}
	control, said := &d.Measurements.Control[0], &d.Constraints[0]
	if off := math.Abs(said.Value) - control.Target; math.Abs(off) > .003 || control.Multiplier == 0 {
		t.Errorf("the difference is %v, and %v was aimed at with the multiplier %v", said.Value, control.Target, control.Multiplier)
	}
}
