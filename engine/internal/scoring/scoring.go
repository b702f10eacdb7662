// Package scoring scores files on an engine. The lines of each block go to a file of their own; what they are is internal/app/score's.
package scoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fairstream/fairstream/engine/internal/deal"
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

const kind = "score"

func init() { deal.Register(kind, work) }

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

// item is a block and where its lines go.
type item struct {
	backfill.Block
	Lines string `json:"lines"`
}

// scored is what became of a block.
type scored struct {
	File  int          `json:"file"`
	Row   int64        `json:"row"`
	Found *score.Found `json:"found,omitempty"`
	// Problem is why it could not be scored, if that would be the same for another worker.
	Problem string `json:"problem,omitempty"`
}

// Check finds the files, and says whether their lines can be written.
func (s *Scores) Check(ctx context.Context) error {
	bases := map[string]string{}
	for _, pattern := range s.Inputs {
		found, err := s.Find(pattern)
		if err != nil {
			return fmt.Errorf("--input %s: %w", pattern, err)
		}
		if len(found) == 0 {
			return fmt.Errorf("--input %s: no file has such a name; quote the pattern, so that the shell leaves it alone", pattern)
		}
		for _, one := range found {
			base := path.Base(filepath.ToSlash(one.Name))
			switch other, twice := bases[base]; {
			case twice && other == one.Name:
				continue
			case twice:
				return fmt.Errorf("--input: %s and %s have the same name, and their decisions would, too: score them one after the other", other, one.Name)
			}
			bases[base], s.found = one.Name, append(s.found, one)
		}
	}
	slices.SortFunc(s.found, func(a, b backfill.Found) int { return strings.Compare(a.Name, b.Name) })
	if s.Workers != "" && !storage.IsAddress(s.Output) && !filepath.IsAbs(s.Output) {
		return fmt.Errorf("--output %s: workers in other processes do not know the working directory: give the whole path", s.Output)
	}
	there, err := storage.List(ctx, storage.Join(s.Output, "*"))
	if err != nil {
		return fmt.Errorf("--output %s: %w", s.Output, err)
	}
	if len(there) > 0 {
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
	items, blocks, err := s.items(looked)
	if err != nil {
		return err
	}
	about, err := json.Marshal(s.About)
	if err != nil {
		return err
	}
	var all []scored
	for result, err := range s.Run(ctx, kind, about, items) {
		if err != nil {
			return err
		}
		var some []scored
		if err := json.Unmarshal(result, &some); err != nil {
			return err
		}
		all = append(all, some...)
	}
	if len(all) != len(items) {
		return fmt.Errorf("%d of %d blocks were scored: the engine lost some, or scored some twice", len(all), len(items))
	}
	return s.tell(all, blocks)
}

// items are all blocks; blocks is how many there are of each file.
func (s *Scores) items(looked []backfill.Looked) (items []string, blocks []int, err error) {
	extension := ".csv"
	if s.JSON {
		extension = ".jsonl"
	}
	for i, one := range looked {
		if one.Problem != "" {
			return nil, nil, errors.New(one.Problem)
		}
		base := path.Base(filepath.ToSlash(s.found[i].Name))
		for k, b := range one.Blocks {
			text, err := json.Marshal(item{backfill.Block{Found: s.found[i], Block: b, File: i}, storage.Join(s.Output, fmt.Sprintf("%s.%05d%s", base, k, extension))})
			if err != nil {
				return nil, nil, err
			}
			items = append(items, string(text))
		}
		blocks = append(blocks, len(one.Blocks))
	}
	return items, blocks, nil
}

// tell says what was found in each file.
func (s *Scores) tell(all []scored, blocks []int) (err error) {
	slices.SortFunc(all, func(a, b scored) int {
		if a.File != b.File {
			return a.File - b.File
		}
		return int(a.Row - b.Row)
	})
	rows := int64(0)
	for i := range s.found {
		var found *score.Found
		for _, one := range all[:blocks[i]] {
			switch {
			case one.Problem != "":
				return errors.New(one.Problem)
			case found == nil:
				found = one.Found
			default:
				found.Join(one.Found)
			}
		}
		all = all[blocks[i]:]
		rows += found.Rows
		err = errors.Join(err, found.Tell(s.Err, s.found[i].Name))
	}
	english.Fprintf(s.Err, "Wrote decisions about %s of %s to %s.\n", english.Counted(rows, "record"), english.Counted(len(s.found), "file"), s.Output)
	return err
}

// work is that of a worker.
func work(ctx context.Context, data []byte, items iter.Seq[string]) ([]byte, error) {
	var about About
	if err := json.Unmarshal(data, &about); err != nil {
		return nil, err
	}
	list := []scored{}
	for text := range items {
		var one item
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			return nil, err
		}
		done, err := about.score(ctx, &one)
		if err != nil {
			return nil, err
		}
		list = append(list, done)
	}
	return json.Marshal(list)
}

// score scores a block. An error is not of the file, and may not come again.
func (a *About) score(ctx context.Context, b *item) (scored, error) {
	done := scored{File: b.File, Row: b.Row}
	local, release, err := history.Fetch(ctx, b.Found)
	if err != nil {
		done.Problem = fmt.Sprintf("%s: %v", b.Name, err)
		return done, nil
	}
	defer release()
	source, err := input.NewSource(local, a.Format, nil)
	if err != nil {
		done.Problem = err.Error()
		return done, nil
	}
	source.Name = b.Name
	part := score.Part{Source: source.Block(b.Block.Block), Document: a.Document, From: a.From, ID: a.ID, JSON: a.JSON, Explore: a.Explore, Keep: a.Keep, First: b.From == 0, OneByOne: true}
	var problem error
	err = storage.Write(ctx, b.Lines, func(to io.Writer) error {
		out := &watched{to: to}
		if done.Found, problem = part.Write(ctx, out); out.err != nil {
			problem = nil
		}
		return errors.Join(out.err, problem)
	})
	if problem != nil && ctx.Err() == nil {
		done.Problem = problem.Error()
		return done, nil
	}
	return done, err
}

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
