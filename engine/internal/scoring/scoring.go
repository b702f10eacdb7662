// Package scoring scores files on an engine. The lines of each block go to a file of their own; what they are is internal/app/score's.
package scoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/fairstream/fairstream/engine/internal/history"
	"github.com/fairstream/fairstream/engine/internal/storage"
	"github.com/fairstream/fairstream/internal/app/backfill"
	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/app/program"
	"github.com/fairstream/fairstream/internal/app/score"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/model"
)

// Scores scores files.
type Scores struct {
	*program.Streams
	history.Files
	Inputs []string
	Output string // a folder
	About

	found []backfill.Found
}

// About is what workers need to know.
type About struct {
	Document []byte   `json:"document"`
	From     string   `json:"from"` // where the document comes from
	ID       string   `json:"id,omitempty"`
	Format   string   `json:"format,omitempty"`
	JSON     bool     `json:"json,omitempty"`
	Explore  float64  `json:"explore,omitempty"`
	Keep     []string `json:"keep,omitempty"`
}

// Check finds the files, and says whether their lines can be written.
func (s *Scores) Check(ctx context.Context) (err error) {
	if s.found, err = s.FindAll(s.Inputs); err != nil {
		return err
	}
	bases := map[string]string{}
	for _, one := range s.found {
		base := path.Base(filepath.ToSlash(one.Name))
		if other, twice := bases[base]; twice {
			return fmt.Errorf("--input: %s and %s have the same name, and their decisions would, too: score them one after the other", other, one.Name)
		}
		bases[base] = one.Name
	}
	if s.Workers != "" && !storage.IsAddress(s.Output) && !filepath.IsAbs(s.Output) {
		return fmt.Errorf("--output %s: workers in other processes do not know the working directory: give the whole path", s.Output)
	}
	empty, err := storage.IsEmpty(ctx, s.Output)
	if err != nil {
		return fmt.Errorf("--output %s: %w", s.Output, err)
	}
	if !empty {
		return fmt.Errorf("--output %s: the folder is not empty: name another one, so that no old decisions are among the new ones", s.Output)
	}
	return nil
}

// Score scores all files.
func (s *Scores) Score(ctx context.Context) error {
	doc, err := document.Parse(s.Document)
	if err != nil {
		return fmt.Errorf("%s: %w", s.From, err)
	}
	schema, err := doc.Schema()
	if err != nil {
		return fmt.Errorf("%s: %w", s.From, err)
	}
	looked, err := s.Look(ctx, backfill.Job{Model: model.Config{Record: schema.Config()}, Format: s.Format, Unhashed: true}, s.found)
	if err != nil {
		return err
	}
	extension := ".csv"
	if s.JSON {
		extension = ".jsonl"
	}
	all, err := blocks.Run(ctx, &s.Files, s.found, looked, &s.About, func(file, k int) string {
		return storage.Join(s.Output, fmt.Sprintf("%s.%05d%s", path.Base(filepath.ToSlash(s.found[file].Name)), k, extension))
	})
	if err != nil {
		return err
	}
	return s.tell(all)
}

// tell says what was found in each file.
func (s *Scores) tell(all []history.Done[score.Found]) (err error) {
	rows := int64(0)
	for i := range s.found {
		var found *score.Found
		for ; len(all) > 0 && all[0].File == i; all = all[1:] {
			if found == nil {
				found = all[0].Found
			} else {
				found.Join(all[0].Found)
			}
		}
		rows += found.Rows
		err = errors.Join(err, found.Tell(s.Err, s.found[i].Name))
	}
	english.Fprintf(s.Err, "Wrote decisions about %s of %s to %s.\n", english.Counted(rows, "record"), english.Counted(len(s.found), "file"), s.Output)
	return err
}

// blocks are those of files. Beside each is the name of the file that its lines go to.
var blocks = history.Blocks[About, string, score.Found]{
	Kind:   "score",
	Format: func(about *About) string { return about.Format },
	Work: func(ctx context.Context, a *About, source input.Source, b *history.Block[string]) (found *score.Found, problem, err error) {
		part := score.Part{Source: source, Document: a.Document, From: a.From, ID: a.ID, JSON: a.JSON, Explore: a.Explore, Keep: a.Keep, First: b.From == 0, OneByOne: true}
		err = storage.Write(ctx, b.About, func(to io.Writer) error {
			out := &watched{to: to}
			if found, problem = part.Write(ctx, out); out.err != nil {
				problem = nil
			}
			return errors.Join(out.err, problem)
		})
		if problem != nil {
			return nil, problem, nil
		}
		return found, nil, err
	},
}

func init() { blocks.Register() }

// watched tells errors of writing from those of reading.
type watched struct {
	to  io.Writer
	err error
}

func (w *watched) Write(p []byte) (n int, err error) {
	n, err = w.to.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}
