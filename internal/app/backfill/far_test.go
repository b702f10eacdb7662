package backfill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/backfill"
	"github.com/fairstream/fairstream/pkg/model"
)

// workers are far ones in this process, which are told everything as JSON.
type workers struct {
	number     int
	blockBytes int64
	blocks     int
	drop       bool // a block is lost
	dies       error
}

func (w *workers) Find(pattern string) (list []Found, err error) {
	names, err := filepath.Glob(pattern)
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		list = append(list, Found{name, info.Size(), info.ModTime()})
	}
	return list, err
}

func asIs(_ context.Context, of Found) (string, func(), error) { return of.Name, func() {}, nil }

// sent is what another process gets.
func sent[T any](one T) (other T) {
	data, err := json.Marshal(one)
	if err == nil {
		err = json.Unmarshal(data, &other)
	}
	if err != nil {
		panic(err)
	}
	return other
}

func (w *workers) Look(ctx context.Context, job Job, files []Found) (list []Looked, err error) {
	job = sent(job)
	for _, one := range files {
		looked := job.Look(ctx, sent(one), w.blockBytes, asIs)
		w.blocks += len(looked.Blocks)
		list = append(list, sent(looked))
	}
	return list, nil
}

func (w *workers) Work(ctx context.Context, job Job, task []byte, blocks []Block) iter.Seq2[Report, error] {
	return func(yield func(Report, error) bool) {
		if w.drop {
			blocks = blocks[1:]
		}
		if w.dies != nil {
			yield(Report{}, w.dies)
			return
		}
		job = sent(job)
		var last *Report // the reports of two workers are joined to one
		for worker := range w.number {
			report, err := job.Work(ctx, task, func(yield func(Block) bool) {
				for i := range blocks {
					if b := blocks[len(blocks)-1-i]; i%w.number == worker && !yield(sent(b)) {
						return
					}
				}
			}, asIs)
			if worker%3 == 0 && worker+1 < w.number && err == nil {
				last = &report
				continue
			}
			if last != nil && err == nil {
				two := []Report{sent(*last), sent(report)}
				last = nil
				report, err = job.Join(task, func(yield func(Report, error) bool) {
					_ = yield(two[0], nil) && yield(two[1], nil)
				})
			}
			if !yield(sent(report), err) {
				return
			}
		}
	}
}

// ofFiles runs a backfill, and returns its state.
func ofFiles(t *testing.T, far Far, c config.Config, patterns ...string) (*backfill.State, string, error) {
	t.Helper()
	b, said := prepared(t, patterns...)
	b.Far, b.Sample = far, 2400
	if err := b.Configure(c, nil); err != nil {
		return nil, said.String(), err
	}
	if err := b.Run(context.Background()); err != nil {
		return nil, said.String(), err
	}
	data, err := os.ReadFile(b.Output)
	if err != nil {
		t.Fatal(err)
	}
	state, err := backfill.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return state, said.String(), nil
}

// TestFarFilesChangeNoBit: the state of blocks that workers in other processes take in is that of this process, with the same files, records
// and rejections.
func TestFarFilesChangeNoBit(t *testing.T) {
	if testing.Short() {
		t.Skip("computes in one goroutine")
	}
	directory := adultFiles(t, 4, 700)
	write(t, filepath.Join(directory, "part-90.jsonl"), "{\"age\": 1}\n")
	pattern := filepath.Join(directory, "part-*")
	here, said, err := ofFiles(t, nil, adultConfig(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	rejected := "Rejected 1 of 2,801 records"
	if !strings.Contains(said, rejected) {
		t.Fatalf("%q is not in\n%s", rejected, said)
	}
	for _, far := range []*workers{{number: 1, blockBytes: 1 << 30}, {number: 4, blockBytes: 20_000}, {number: 16, blockBytes: 3000}} {
		there, said, err := ofFiles(t, far, adultConfig(), pattern)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(there.Learner, here.Learner) {
			t.Errorf("%d workers on %d blocks leave another state", far.number, far.blocks)
		}
		there.Finished = here.Finished
		a, _ := json.Marshal(here.Provenance)
		if b, _ := json.Marshal(there.Provenance); !bytes.Equal(a, b) {
			t.Errorf("%d workers:\n%s\n%s", far.number, a, b)
		}
		if !strings.Contains(said, rejected) || far.number == 16 && far.blocks < 40 {
			t.Errorf("%d workers, %d blocks: %s", far.number, far.blocks, said)
		}
	}
}

// TestFarFailures: what is wrong with a file ends the backfill by its name, and a lost block is seen.
func TestFarFailures(t *testing.T) {
	directory := adultFiles(t, 3, 300)
	pattern := filepath.Join(directory, "part-*")
	gone := errors.New("the worker is gone")
	for name, test := range map[string]struct {
		far   *workers
		extra string
		text  string
		words string
	}{
		"none":      {&workers{}, "", "", "no file has such a name"},
		"lost":      {&workers{drop: true}, "", "", "not each of the 3 once"},
		"dies":      {&workers{dies: gone}, "", "", gone.Error()},
		"columns":   {&workers{}, "part-97.csv", "a,b\n1,2\n", "part-97.csv has other columns"},
		"rejected":  {&workers{}, "part-98.jsonl", strings.Repeat("{\n", 50), "part-98.jsonl: 50 of 50 rows"},
		"truncated": {&workers{}, "part-99.jsonl.gz", "\x1f\x8b\x08\x00", "part-99.jsonl.gz"},
	} {
		test.far.number, test.far.blockBytes = 2, 1<<30
		p := pattern
		if name == "none" {
			p += "x"
		}
		if test.extra != "" {
			write(t, filepath.Join(directory, test.extra), test.text)
		}
		if _, _, err := ofFiles(t, test.far, adultConfig(), p); err == nil || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%s: %v, and not %q", name, err, test.words)
		}
		if test.extra != "" {
			if err := os.Remove(filepath.Join(directory, test.extra)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestJobsAreReadAsWritten: a worker gets the configuration of the backfill.
func TestJobsAreReadAsWritten(t *testing.T) {
	job := jobOf(adultConfig(), "csv")
	job.Model.Constraints = append(job.Model.Constraints, model.Constraint{Name: "age", Attribute: model.OneOrMore{"age"}, Group: model.Values("z"), Versus: model.Values("x", "y")})
	first, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := json.Marshal(sent(job)); err != nil || !bytes.Equal(first, second) {
		t.Errorf("%v\n%s\n%s", err, first, second)
	}
}
