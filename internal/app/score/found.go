package score

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/internal/app/input"
	"github.com/fairstream/fairstream/internal/spelling"
	"github.com/fairstream/fairstream/pkg/document"
)

const (
	// lackingWithin is how many records are looked at for columns that none of them has.
	lackingWithin = 10000
	// familiarWithin is how many records are compared with those that the weights were learnt from.
	familiarWithin = 2000
	// leastDecided is of how many decisions it is said how many are positive.
	leastDecided = 100
)

// Found is what there is to tell of scored records.
type Found struct {
	Rows      int64            `json:"rows"`
	Positive  int64            `json:"positive"`  // positive decisions
	Learnt    float64          `json:"learnt"`    // the share of positive decisions among the records that were learnt last; 0 of predictions
	Anonymous int64            `json:"anonymous"` // negative decisions that were not explored
	Rejected  input.Rejections `json:"rejected"`
	Unread    map[string]int64 `json:"unread"` // values without a part in decisions, by column
	// Columns is how many the model has, Lacking those that none of the first records has, Unfamiliar what is unlike the records that were learnt.
	Columns    int      `json:"columns"`
	Lacking    []string `json:"lacking"`
	Unfamiliar []string `json:"unfamiliar"`
	Fields     []string `json:"fields"` // of the records
	Absent     []string `json:"absent"` // to be kept, and in no record
	// Tabular says that the input is CSV, of which every record has the same columns.
	Tabular bool `json:"tabular"`
}

// end takes in what is known at the end of a pass.
func (f *Found) end(lacking map[string]bool, unfamiliar []document.Unfamiliar, kept *keeping, p *input.Pass) {
	f.Lacking, f.Fields, f.Absent = slices.Sorted(maps.Keys(lacking)), p.Fields, kept.absent()
	for _, one := range unfamiliar {
		f.Unfamiliar = append(f.Unfamiliar, one.String())
	}
	f.Tabular = p.Reader.Header() != nil
}

// Join takes in what was found in the next block of the same file. Columns and distributions are those of the first one.
func (f *Found) Join(next *Found) {
	f.Rows, f.Positive, f.Anonymous = f.Rows+next.Rows, f.Positive+next.Positive, f.Anonymous+next.Anonymous
	f.Rejected.Join(&next.Rejected)
	for column, n := range next.Unread {
		f.Unread[column] += n
	}
	f.Absent = slices.DeleteFunc(f.Absent, func(name string) bool { return !slices.Contains(next.Absent, name) })
}

// Tell says what was found in a file. It is an error if no record was decided.
func (f *Found) Tell(to io.Writer, name string) error {
	f.Rejected.Write(to, f.Rows, name)
	if f.Anonymous > 0 {
		english.Fprintf(to, "Warning: %s not explored, because their records have no identifier: the document names no record.id, or the records lack it.\n",
			english.Counted(f.Anonymous, "negative decision"))
	}
	for _, column := range slices.Sorted(maps.Keys(f.Unread)) {
		english.Fprintf(to, "Warning: %s of %q had no part in the decisions: texts where numbers were learnt, or arrays or objects. Write values as they were learnt, or list the texts that mean a missing value in record.missing.\n",
			english.Counted(f.Unread[column], "value"), column)
	}
	if f.Rows > 0 {
		for _, absent := range f.Absent {
			english.Fprintf(to, "Warning: --keep %s: no record of %s has this field%s\n", absent, name, english.DidYouMeanField(absent, f.Fields))
		}
	}
	for _, unfamiliar := range f.Unfamiliar {
		fmt.Fprintf(to, "Warning: %s: %s\n", name, unfamiliar)
	}
	f.warn(to, name, f.Rows-f.Rejected.Total)
	if decided := f.Rows - f.Rejected.Total; f.Learnt > 0 && decided >= leastDecided {
		english.Fprintf(to, "Decided %s of %s: %s positively. Of the records that were learnt last, %.1f %% were decided positively.\n",
			english.Counted(decided, "record"), name, english.Share(int(f.Positive), int(decided)), 100*f.Learnt)
	}
	if f.Rows > 0 && f.Rejected.Total == f.Rows {
		return fmt.Errorf("nothing was decided: every record of %s was rejected", name)
	}
	return nil
}

// warn tells of columns of the model that no record has, of the first ones: they say nothing in these decisions.
func (f *Found) warn(to io.Writer, name string, rows int64) {
	// A few records of JSON may well lack some fields.
	few := rows < 20 && len(f.Lacking) < f.Columns && !f.Tabular
	if len(f.Lacking) == 0 || rows == 0 || few {
		return
	}
	english.Fprintf(to, "Warning: %s lacks %d of the %d columns of the model (seen in %s): %s%s\n",
		name, len(f.Lacking), f.Columns, english.Counted(min(rows, lackingWithin), "record"), english.List(f.Lacking), renamed(f.Lacking, f.Fields))
}

// renamed names the field that a missing column is probably called in the input.
func renamed(lacking, fields []string) string {
	for _, name := range lacking {
		if like := spelling.Field(name, fields); like != "" && like != name {
			return fmt.Sprintf("; is its %q the model's %q?", like, name)
		}
	}
	return ""
}
