package input

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/record"
)

// Rejections counts rejected records by reason, and keeps the first few.
type Rejections struct {
	Total   int64
	Reasons map[record.Reason]int64
	First   []string // what is wrong with the first few

	last record.Rejection
}

// shown is how many rejected records are shown.
const shown = 5

// Add counts a rejection.
func (r *Rejections) Add(rejection *record.Rejection) {
	if r.Reasons == nil {
		r.Reasons = map[record.Reason]int64{}
	}
	r.Total++
	r.last = *rejection
	r.Reasons[rejection.Reason]++
	if len(r.First) < shown {
		r.First = append(r.First, rejection.Error())
	}
}

// Join adds those of other records, which come later.
func (r *Rejections) Join(later *Rejections) {
	if later.Total == 0 {
		return
	}
	if r.Reasons == nil {
		r.Reasons = map[record.Reason]int64{}
	}
	r.Total += later.Total
	r.last = later.last
	for reason, n := range later.Reasons {
		r.Reasons[reason] += n
	}
	r.First = append(r.First, later.First[:min(len(later.First), shown-len(r.First))]...)
}

// Write lists the reasons, the most frequent first, and the first records with their lines.
func (r *Rejections) Write(w io.Writer, rows int64, name string) {
	if r.Total == 0 {
		return
	}
	english.Fprintf(w, "Rejected %d of %s of %s:\n", r.Total, english.Counted(rows, "record"), name)
	reasons := slices.SortedFunc(maps.Keys(r.Reasons), func(a, b record.Reason) int {
		return cmp.Or(cmp.Compare(r.Reasons[b], r.Reasons[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		english.Fprintf(w, "  %9d  %s\n", r.Reasons[reason], reason)
	}
	fmt.Fprintln(w, "The first of them:")
	for _, rejection := range r.First {
		fmt.Fprintf(w, "  %s\n", rejection)
	}
	if r.Total == 1 && rows > 1 && r.cutOff(rows) {
		fmt.Fprintln(w, "It is the last record: was the file cut off, as by a transfer that broke? Copy it again.")
	}
}

// cutOff says whether the last of so many rows was rejected for what a file has at its end that was cut off.
func (r *Rejections) cutOff(rows int64) bool {
	switch r.last.Reason {
	case record.WrongFieldCount, record.MalformedCSV:
		return r.last.Line > rows // the header is a line, too
	case record.MalformedJSON:
		return r.last.Line >= rows
	}
	return false
}
