package backfill

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/pkg/model"
)

// dealt has the records of a history taken in by workers that share nothing with the backfill but bytes. Which worker has a record is random.
type dealt struct {
	history
	config  model.Config
	workers int
	random  *rand.Rand
	damage  func(parts [][]byte) [][]byte // nil does none
	passes  int
}

func (d *dealt) Pass(_ context.Context, task []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		d.passes++
		workers := make([]*Worker, d.workers)
		for i := range workers {
			var err error
			if workers[i], err = NewWorker(d.config, task); err != nil {
				yield(nil, err)
				return
			}
		}
		for file := range d.history {
			for i := range d.history[file] {
				workers[d.random.IntN(d.workers)].Take(file, int64(i), &d.history[file][i])
			}
		}
		var parts [][]byte
		for i, w := range workers {
			if i%2 == 1 && d.damage == nil { // every other part is joined by a worker
				if err := w.Join(parts[len(parts)-1]); err != nil {
					yield(nil, err)
					return
				}
				parts = parts[:len(parts)-1]
			}
			parts = append(parts, w.Part())
		}
		d.random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		if d.damage != nil {
			parts = d.damage(parts)
		}
		for _, part := range parts {
			if !yield(part, nil) {
				return
			}
		}
	}
}

// TestElsewhereChangesNoBit: workers in other processes find what this process finds, however records are dealt to them, with a full matrix
// of curvature and without.
func TestElsewhereChangesNoBit(t *testing.T) {
	h := generated(5, 800)
	for _, dense := range []int{MostDense, 2} {
		mostDense = dense
		here := run(t, Options{Model: config(""), Source: h, Sample: 1500, ByTime: true})
		for _, workers := range []int{1, 4, 64} {
			d := &dealt{history: h, config: config(""), workers: workers, random: rand.New(rand.NewPCG(1, uint64(workers)))}
			there := run(t, Options{Model: config(""), Source: h, Sample: 1500, ByTime: true, Elsewhere: d})
			if !bytes.Equal(there.Learner.AppendState(nil), here.Learner.AppendState(nil)) || there.Survey != here.Survey {
				t.Errorf("dense up to %d: the state of %d workers elsewhere is another one", dense, workers)
			}
			if d.passes < 5 || d.passes != there.Rounds.Passes+3 {
				t.Errorf("%d passes were made elsewhere, and %d rounds", d.passes, there.Rounds.Passes)
			}
		}
	}
	mostDense = MostDense
}

// TestPartsThatAreRefused: a part that is damaged, cut short or of another kind ends the backfill, and so does a worker's error.
func TestPartsThatAreRefused(t *testing.T) {
	h := generated(2, 300)
	var other []byte
	for name, test := range map[string]struct {
		damage func([][]byte) [][]byte
		words  string
	}{
		"flipped": {func(p [][]byte) [][]byte { p[0][len(p[0])/2] ^= 1; return p }, "checksum"},
		"short":   {func(p [][]byte) [][]byte { p[0] = p[0][:20]; return p }, "a part of a backfill's pass"},
		"empty":   {func(p [][]byte) [][]byte { p[0] = nil; return p }, "not a part"},
		"other": {func(p [][]byte) [][]byte {
			if other == nil {
				other = p[0]
			} else {
				p[0] = other
			}
			return p
		}, "damaged"},
	} {
		d := &dealt{history: h, config: config(""), workers: 2, random: rand.New(rand.NewPCG(1, 1)), damage: test.damage}
		if _, err := Run(context.Background(), Options{Model: config(""), Source: h, Elsewhere: d}); err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v, and not %q", name, err, test.words)
		}
	}
	lost := errors.New("the worker is gone")
	if _, err := Run(context.Background(), Options{Model: config(""), Source: h, Elsewhere: fails{lost}}); !errors.Is(err, lost) {
		t.Errorf("a worker that is gone: %v", err)
	}
	for _, task := range []string{"", "{", `{"kind":"other","of":1}`, `{"kind":"sums","of":{}}`, `{"kind":"survey","of":"x"}`} {
		if _, err := NewWorker(config(""), []byte(task)); err == nil {
			t.Errorf("the task %q is accepted", task)
		}
	}
}

type fails struct{ err error }

func (f fails) Pass(context.Context, []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) { yield(nil, f.err) }
}
