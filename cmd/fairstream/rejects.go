package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/fairstream/fairstream/internal/app/english"
	"github.com/fairstream/fairstream/pkg/record"
)

// rejects counts rejected records by reason, and keeps the first few.
type rejects struct {
	total   int64
	reasons map[record.Reason]int64
	first   []record.Rejection
}

// shown is how many rejected records are shown.
const shown = 5

func (r *rejects) add(rejection *record.Rejection) {
	if r.reasons == nil {
		r.reasons = map[record.Reason]int64{}
	}
	r.total++
	r.reasons[rejection.Reason]++
	if len(r.first) < shown {
		r.first = append(r.first, *rejection)
	}
}

// write lists the reasons, the most frequent first, and the first records with their lines.
func (r *rejects) write(w io.Writer, rows int64, name string) {
	if r.total == 0 {
		return
	}
	english.Fprintf(w, "Rejected %d of %s of %s:\n", r.total, english.Counted(rows, "record"), name)
	reasons := slices.SortedFunc(maps.Keys(r.reasons), func(a, b record.Reason) int {
		return cmp.Or(cmp.Compare(r.reasons[b], r.reasons[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons {
		english.Fprintf(w, "  %9d  %s\n", r.reasons[reason], reason)
	}
	fmt.Fprintln(w, "The first of them:")
	for _, rejection := range r.first {
		fmt.Fprintf(w, "  %v\n", &rejection)
	}
}
