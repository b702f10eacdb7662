package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/config"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
	"github.com/fairstream/fairstream/pkg/record"
)

var errGone = errors.New("the disk is gone")

// cut are rows whose third cannot be read.
type cut struct {
	input.Rows
	read int
}

func (c *cut) Next() error {
	if c.read++; c.read > 2 {
		return errGone
	}
	return c.Rows.Next()
}

// ready is a replay whose configuration was checked.
func ready(t *testing.T, streams *program.Streams, asked Settings) *Replay {
	t.Helper()
	r := New(streams, asked)
	given := map[string]bool{"folds": asked.Folds > 0}
	if err := r.CheckArguments(nil, nil, func(flag string) bool { return given[flag] }); err != nil {
		t.Fatal(err)
	}
	loaded, err := config.Load(config.Sources{Files: []string{"c.yaml"}, Adjust: r.Adjust}, config.Learning)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Configure(loaded.Config, []string{"c.yaml"}); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestInputsThatAreGone at one reading after the other: an error where the records are learnt or measured, and where they are only looked at once more,
// nothing that is said is another thing, but some of it is not known.
func TestInputsThatAreGone(t *testing.T) {
	header := "age,sex,part,paid,pay,club,day"
	odd := func(year int) func(i int, cells map[string]string) {
		return func(i int, cells map[string]string) {
			cells["club"], cells["day"] = map[string]string{"M": "rugby", "F": "netball"}[cells["sex"]], fmt.Sprintf("%d-%02d-%02d", year, 1+i%12, 1+i%28)
			if i%40 == 0 {
				cells["club"] = "chess"
			}
		}
	}
	inDirectory(t, map[string]string{"in.csv": changed(300, header, odd(2024)), "out.csv": changed(240, header, odd(2023)), "c.yaml": oneConstraint})
	for name, c := range map[string]struct {
		asked  Settings
		passes int
	}{
		"a holdout": {Settings{Inputs: []string{"in.csv"}, Holdout: "out.csv"}, 6},
		"folds":     {Settings{Inputs: []string{"in.csv"}, Folds: 2}, 5},
	} {
		run := func(at int, whole bool) (said, notes string, opened int, err error) {
			var out, other bytes.Buffer
			r := ready(t, &program.Streams{Out: &out, Err: &other}, c.asked)
			failing := func(open func(record.Config) (input.Rows, error)) func(record.Config) (input.Rows, error) {
				return func(as record.Config) (input.Rows, error) {
					if opened++; opened != at {
						return open(as)
					}
					if whole {
						return nil, errGone
					}
					rows, err := open(as)
					return &cut{Rows: rows}, err
				}
			}
			r.train.Open = failing(r.train.Open)
			if r.test.Name != "" {
				r.test.Open = failing(r.test.Open)
			}
			err = r.Run(t.Context())
			return rates.ReplaceAllString(seconds.ReplaceAllString(out.String(), ""), ""), rates.ReplaceAllString(other.String(), ""), opened, err
		}
		want, warned, passes, err := run(0, true)
		if err != nil || !strings.Contains(warned, "Warning: ") {
			t.Fatalf("%s: %v\n%s", name, err, warned)
		}
		if passes != c.passes {
			t.Errorf("%s: %d readings", name, passes)
		}
		for at := 1; at <= passes; at++ {
			for _, whole := range []bool{true, false} {
				said, notes, _, err := run(at, whole)
				if err != nil {
					if !errors.Is(err, errGone) || said != "" {
						t.Errorf("%s, without reading %d (%v): %v\n%s", name, at, whole, err, said)
					}
					continue
				}
				if said != want {
					t.Errorf("%s, without reading %d (%v), is\n%s\nwant\n%s", name, at, whole, said, want)
				}
				for line := range strings.Lines(notes) {
					if line, _, _ = strings.Cut(line, ". Without "); !strings.Contains(warned, strings.TrimSpace(line)) {
						t.Errorf("%s, without reading %d (%v), says %s", name, at, whole, line)
					}
				}
				if len(notes) >= len(warned) {
					t.Errorf("%s, without reading %d (%v), says as much", name, at, whole)
				}
			}
		}
	}
}

// TestWhatIsNotWritten in the end is an error: weights and pages whose directory is gone.
func TestWhatIsNotWritten(t *testing.T) {
	for name, asked := range map[string]Settings{
		"weights":          {Save: "d/w.json"},
		"weights of folds": {Save: "d/w.json", Folds: 2},
		"a page":           {Page: "d/p.html", Holdout: "0.5"},
		"a page of folds":  {Page: "d/p.html", Folds: 2},
	} {
		inDirectory(t, map[string]string{"in.csv": madeRecords(200), "c.yaml": oneConstraint})
		if err := os.Mkdir("d", 0o700); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		asked.Inputs = []string{"in.csv"}
		r := ready(t, &program.Streams{Out: &out, Err: io.Discard}, asked)
		if err := os.Remove("d"); err != nil {
			t.Fatal(err)
		}
		if err := r.Run(t.Context()); !errors.Is(err, os.ErrNotExist) || out.Len() > 0 {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
	}
}

// TestBundledRecordsThatCannotBeLearnt or measured: a configuration that is wrong, a document that is damaged, an interruption.
func TestBundledRecordsThatCannotBeLearnt(t *testing.T) {
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FoldsOfBundled(interrupted, *BundledConfig(), 2); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("folds: %v", err)
	}
	wrong := *BundledConfig()
	wrong.Constraints = nil
	wrong.Learner.Task = "luck"
	if _, err := FoldsOfBundled(t.Context(), wrong, 2); err == nil {
		t.Error("folds of a wrong configuration")
	}
	learner, err := model.New(BundledConfig().Model())
	if err != nil {
		t.Fatal(err)
	}
	schema, err := BundledConfig().Model().Schema()
	if err != nil {
		t.Fatal(err)
	}
	learned := 0
	p := &input.Pass{Source: input.PartOfBundled(true), Schema: schema, Labelled: true, Reject: func(*record.Rejection) {}, Each: func(rec *record.Record) {
		if learned++; learned < 500 {
			learner.Add(rec)
		}
	}}
	if err := errors.Join(p.Open(), p.Run(t.Context())); err != nil {
		t.Fatal(err)
	}
	doc := func() *document.Document {
		d, err := learner.Document()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if _, err := OfBundled(interrupted, learner, doc()); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("a holdout: %v", err)
	}
	for name, damage := range map[string]func(*document.Document){
		"weights":   func(d *document.Document) { d.Model = []byte(`{"columns":3}`) },
		"the label": func(d *document.Document) { d.Config.Record.Label.Field = "" },
	} {
		d := doc()
		damage(d)
		if found, err := OfBundled(t.Context(), learner, d); err == nil || found != nil {
			t.Errorf("%s is damaged: %v", name, found)
		}
	}
}
