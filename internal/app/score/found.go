package score

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

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
	// Behind them, one of spreadEvery is looked at for how values and groups are spread.
	spreadEvery = 16
	// manyAgain is the share of identifiers that came before which is told of.
	manyAgain = .02
	// mostShifted is how many columns are named that are spread otherwise than they were learnt.
	mostShifted = 5
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
	// Shifts are columns, and Strangers groups, that are spread otherwise than among the records that were learnt.
	Shifts    []document.Shift    `json:"shifts"`
	Strangers []document.Stranger `json:"strangers"`
	// Again is the share of the records whose identifier came before, and ID the field of it.
	Again  float64  `json:"again"`
	ID     string   `json:"id"`
	Fields []string `json:"fields"` // of the records
	Absent []string `json:"absent"` // to be kept, and in no record
	// Tabular says that the input is CSV, of which every record has the same columns.
	Tabular bool `json:"tabular"`
}

// end takes in what is known at the end of a pass.
func (f *Found) end(lacking map[string]bool, familiarity *document.Familiarity, kept *keeping, p *input.Pass) {
	f.Lacking, f.Fields, f.Absent = slices.Sorted(maps.Keys(lacking)), p.Fields, kept.absent()
	f.Tabular = p.Reader.Header() != nil
	f.take(familiarity)
}

// take takes in how records are beside those that were learnt.
func (f *Found) take(familiarity *document.Familiarity) {
	var told []string
	for _, one := range familiarity.Unfamiliar() {
		f.Unfamiliar, told = append(f.Unfamiliar, one.String()), append(told, one.Column)
	}
	f.Shifts = slices.DeleteFunc(familiarity.Shifts(), func(s document.Shift) bool {
		return slices.Contains(told, s.Column) || slices.Contains(f.Lacking, s.Column)
	})
	f.Strangers = familiarity.Strangers()
}

// Join takes in what was found in the next block of the same file. Columns and distributions are those of the first one.
func (f *Found) Join(next *Found) {
	f.Rows, f.Positive, f.Anonymous = f.Rows+next.Rows, f.Positive+next.Positive, f.Anonymous+next.Anonymous
	f.Rejected.Join(&next.Rejected)
	f.Again = max(f.Again, next.Again) // of one block
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
	if f.Again >= manyAgain {
		fmt.Fprintf(to, "Warning: %s: %s of the records have the same %q as an earlier one, yet each gets its own decision: does this field identify a record?\n", name, english.Percent(f.Again), f.ID)
	}
	f.tellShifts(to, name)
	if decided := f.Rows - f.Rejected.Total; f.Learnt > 0 && decided >= leastDecided {
		english.Fprintf(to, "Decided %s of %s: %s positively. Of the records that were learnt last, %.1f %% were decided positively.\n",
			english.Counted(decided, "record"), name, english.Share(int(f.Positive), int(decided)), 100*f.Learnt)
	}
	if f.Rows > 0 && f.Rejected.Total == f.Rows {
		return fmt.Errorf("nothing was decided: every record of %s was rejected", name)
	}
	return nil
}

// tellShifts tells of columns and groups that are spread otherwise than among the records that were learnt: in a warning, where that is probably a mistake.
func (f *Found) tellShifts(to io.Writer, name string) {
	for _, s := range f.Strangers {
		if s.None {
			english.Fprintf(to, "Warning: %s: none of %s with a value of %q is in a group of the constraint %q: is it written as in the records that were learnt? Decisions do not depend on it, but no comparison finds these people\n",
				name, english.Counted(s.Records, "record"), s.Attribute, s.Name)
			continue
		}
		fmt.Fprintf(to, "Warning: %s: the group %s of %q is %.0f %% of both groups, and was %.0f %% of them among the records that were learnt: are these the same kind of people?\n", name, s.Group, s.Name, 100*s.Is, 100*s.Was)
	}
	var far, near []string
	told := map[string]bool{}
	for _, s := range f.Shifts {
		words := strconv.Quote(s.Column)
		switch {
		case told[s.Column]:
		case s.With != "":
			told[s.With] = true
			fmt.Fprintf(to, "Warning: %s: %q and %q seem to be swapped: each has the values that the other had when it was learnt. Write each under its own name\n", name, s.Column, s.With)
		case s.Level != "" && s.Far:
			far = append(far, fmt.Sprintf("%s (%q in %s of the records, and in %s of those that were learnt)", words, s.Level, english.Percent(s.Is), english.Percent(s.Was)))
		case s.By < s.Fresh:
			far = append(far, fmt.Sprintf("%s (%s of the records have values that hardly occurred among the learnt records)", words, english.Percent(s.Fresh)))
		case s.Far:
			far = append(far, fmt.Sprintf("%s (other values in %s of the records or more)", words, english.Percent(s.By)))
		default:
			near = append(near, fmt.Sprintf("%s in %s", words, english.Percent(s.By)))
		}
	}
	if len(far) > 0 {
		fmt.Fprintf(to, "Warning: %s: these columns have values unlike those that were learnt: %s. Do they use the same units, words and codes, and are the records about the same kind of people?\n", name, some(far))
	}
	if len(near) > 0 {
		fmt.Fprintf(to, "%s: some columns differ from the learnt records by more than chance explains: %s of the records.\n", name, some(near))
	}
}

// some names the first of a list, and how many there are beside them.
func some(words []string) string {
	if more := len(words) - mostShifted; more > 0 {
		words = append(words[:mostShifted:mostShifted], fmt.Sprintf("%d more", more))
	}
	return english.And(words)
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
