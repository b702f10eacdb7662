package server

import (
	"slices"

	"github.com/fairstream/fairstream/internal/board"
	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/fairness"
)

// fitting leaves out the conditions that would contradict the answers above them, because they are about fewer or other decisions. Metrics keep all.
func fitting(b *board.Status) []board.Condition {
	return slices.DeleteFunc(slices.Clone(b.Conditions), func(c board.Condition) bool {
		switch c.Code {
		case string(document.Imprecise), string(document.TooFewRecords): // of the newest version on recent records
			return foundBeyond(b.Deciding.Constraints, c.Constraint)
		case "no_stable_version": // the newest version is not in use before there is one
			return b.WarmUp != nil
		}
		return false
	})
}

// foundBeyond says whether a comparison of a name is beyond its bound, and none of that name is open.
func foundBeyond(rows []board.Constraint, name string) bool {
	found := false
	for i := range rows {
		if rows[i].Name != name {
			continue
		}
		switch rows[i].Verdict() {
		case fairness.Violated:
			found = true
		case fairness.Met:
		default:
			return false
		}
	}
	return found
}
