package backfill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/envelope"
	"github.com/fairstream/fairstream/pkg/control"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

// faulty counts calls, and fails at one of them.
type faulty struct {
	at, calls int
	err       error
}

func (f *faulty) call() error {
	if f.calls++; f.calls == f.at {
		return f.err
	}
	return nil
}

// faultySource fails after half of the records of a file.
type faultySource struct {
	history
	*faulty
}

func (s faultySource) Read(ctx context.Context, file int, each func(int64, *record.Record)) error {
	if err := s.call(); err != nil {
		for i := range len(s.history[file]) / 2 {
			each(int64(i), &s.history[file][i])
		}
		return err
	}
	return s.history.Read(ctx, file, each)
}

// faultyElsewhere fails after some parts of a pass.
type faultyElsewhere struct {
	*dealt
	*faulty
}

func (e faultyElsewhere) Pass(ctx context.Context, task []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for found, err := range e.dealt.Pass(ctx, task) {
			if err == nil {
				err = e.call()
			}
			if !yield(found, err) || err != nil {
				return
			}
		}
	}
}

// TestEveryFault: whichever of the calls of a source, of workers elsewhere and of Save fails, the backfill ends with its error, and one that goes on from what was saved
// last has the end of one without a fault.
func TestEveryFault(t *testing.T) {
	h, c := generated(2, 450), config("")
	c.Learner.Warmup, c.Learner.Window = 200, 256
	want := run(t, Options{Model: c, Source: h}).Learner.AppendState(nil)
	lost := errors.New("lost")
	for name, with := range map[string]func(o *Options, f *faulty){
		"a source": func(o *Options, f *faulty) { o.Source = faultySource{h, f} },
		"workers elsewhere": func(o *Options, f *faulty) {
			o.Elsewhere = faultyElsewhere{&dealt{history: h, config: c, workers: 2, random: rand.New(rand.NewPCG(1, 1)), damage: func(parts [][]byte) [][]byte { return parts }}, f}
		},
		"a disk": func(o *Options, f *faulty) {
			kept := o.Save
			o.Save = func(saved []byte) error { return errors.Join(kept(saved), f.call()) }
		},
	} {
		faults := 0
		for at := 1; ; at++ {
			if testing.Short() && at > 8 {
				at += 4
			}
			var saved []byte
			o := Options{Model: c, Source: h, Shards: 1, Save: func(data []byte) error { saved = bytes.Clone(data); return nil }}
			f := &faulty{at: at, err: fmt.Errorf("call %d: %w", at, lost)}
			with(&o, f)
			result, err := Run(context.Background(), o)
			if err == nil && f.calls < at {
				break
			}
			faults++
			if result != nil || !errors.Is(err, lost) || f.calls > at+1 { // the other file may have begun
				t.Fatalf("%s: call %d of %d fails: %v", name, at, f.calls, err)
			}
			if testing.Short() && at%3 > 0 {
				continue
			}
			if again := run(t, Options{Model: c, Source: h, Saved: saved}); !bytes.Equal(again.Learner.AppendState(nil), want) {
				t.Errorf("%s: after call %d failed, the end is another one", name, at)
			}
		}
		if faults < 5 {
			t.Errorf("%s: %d calls can fail", name, faults)
		}
	}
}

// TestSavedOfAnotherHistory: a backfill that resumes, and finds no record left to sum, reports that.
func TestSavedOfAnotherHistory(t *testing.T) {
	h, c := generated(2, 450), config("")
	c.Learner.Warmup, c.Learner.Window = 200, 256
	var saved []byte
	run(t, Options{Model: c, Source: h, Save: func(data []byte) error {
		if saved == nil {
			saved = bytes.Clone(data)
		}
		return nil
	}})
	if _, err := Run(context.Background(), Options{Model: c, Source: history{nil, nil}, Saved: saved}); err == nil || !strings.HasPrefix(err.Error(), "of 900 records, 0 remain to be summed and 0 to choose multipliers on") {
		t.Error(err)
	}
}

// TestStatesWithDamagedSections: a section that is cut short or holds no JSON is refused, though the checksum of the whole is right.
func TestStatesWithDamagedSections(t *testing.T) {
	sealed := func(sections ...[]byte) []byte {
		data := stateFormat.Begin(nil)
		for _, section := range sections {
			data = append(data, section...)
		}
		return envelope.Seal(data, 0)
	}
	section := func(text string) []byte { return envelope.AppendSection(nil, []byte(text)) }
	if s, err := Open(sealed(section("{}"), section("learner"))); err != nil || string(s.Learner) != "learner" {
		t.Errorf("%+v, %v", s, err)
	}
	for name, data := range map[string][]byte{
		"nothing": sealed(), "a provenance that is cut short": sealed(section("{}")[:5]), "no JSON": sealed(section("{"), section("learner")),
		"no learner": sealed(section("{}")), "a learner that is cut short": sealed(section("{}"), section("learner")[:6]),
	} {
		if s, err := Open(data); err == nil || s != nil || !strings.HasPrefix(err.Error(), "backfill: ") {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// TestTasksAndPartsOfWorkers: a task of any kind that cannot be read is refused, and so is a part that is none.
func TestTasksAndPartsOfWorkers(t *testing.T) {
	for _, kind := range []kind{surveyPass, samplePass, newestPass, sumsPass, "other"} {
		if w, err := NewWorker(config(""), fmt.Appendf(nil, `{"kind":%q,"of":"x"}`, kind)); err == nil || w != nil {
			t.Errorf("%s: a task is made of %+v", kind, w)
		}
	}
	w, err := NewWorker(config(""), []byte(`{"kind":"survey","of":5,"keys":["a"]}`))
	if err != nil {
		t.Fatal(err)
	}
	before := w.Part()
	for _, sent := range [][]byte{nil, []byte("x"), before[:len(before)-1], seal(samplePass, w.part)} {
		if err := w.Join(sent); err == nil {
			t.Errorf("%d bytes are joined", len(sent))
		}
	}
	if !bytes.Equal(w.Part(), before) || w.Join(before) != nil {
		t.Error("the part of a worker has changed")
	}
}

// TestWhatALearnerInherits: constraints in the order of the configuration, whatever the order in which they were pressed, and weights where the last sums are of.
func TestWhatALearnerInherits(t *testing.T) {
	f := fit{survey: &Survey{Labelled: 10, Weight: 20}, basis: model.Basis{Enforced: []model.Enforceable{{Index: 4}, {Index: 6}}}}
	f.Summed, f.Free = 7, climb{Weights: []float64{1}}
	f.Pressed = []*pressed{{Enforced: 1, Multiplier: .2, Way: climb{Weights: []float64{2}}}, {Enforced: 0, Multiplier: -.1, Way: climb{Weights: []float64{3}, Base: []float64{4}}}}
	f.Measured = []Measured{{Rates: [2]float64{.1, .2}}, {Rates: [2]float64{.3, .4}}}
	found := f.inherited()
	want := []control.Given{{Comparison: 4, Multiplier: -.1, Rates: [2]float64{.1, .2}}, {Comparison: 6, Multiplier: .2, Rates: [2]float64{.3, .4}}}
	if fmt.Sprint(found.Constraints) != fmt.Sprint(want) || fmt.Sprint(found.Models.Weights) != "[[1] [4] [2]]" || found.Models.MeanWeight != 2 || found.Records != 7 || found.Models.Records != 7 {
		t.Errorf("%+v", found)
	}
	if f.Pressed[0].Enforced != 1 {
		t.Error("the order of the rounds has changed")
	}
}

// TestTheNewestOfNone: no record is among the newest where none is to be; else those from the first one on.
func TestTheNewestOfNone(t *testing.T) {
	from := Place{File: 1, Position: 5}
	for _, c := range []struct {
		s    Survey
		at   Place
		want bool
	}{
		{Survey{}, Place{}, false}, {Survey{From: from}, Place{File: 2}, false}, {Survey{Newest: 1, From: from}, from, true}, {Survey{Newest: 1, From: from}, Place{File: 1, Position: 4}, false},
		{Survey{Newest: 1, From: from}, Place{File: 2}, true}, {Survey{Newest: 1, From: from}, Place{File: 2, Time: -1}, false},
	} {
		if got := c.s.isNewest(c.at, 0); got != c.want {
			t.Errorf("%+v at %+v: %t", c.s, c.at, got)
		}
	}
	mostDense = 2
	defer func() { mostDense = MostDense }()
	if !newTotal(2, 0, nil).dense || newTotal(3, 0, nil).dense {
		t.Error("the largest full matrix")
	}
}
