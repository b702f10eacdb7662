// Package refine names the refinements that the adaptive mode adds to Algorithm 1 of the paper (preconditioned-steps, window, leave-one-out and so on),
// so that a study can leave some of them out (bench/ladder). The default leaves out none.
package refine

import (
	"fmt"
	"slices"
	"strings"
)

// Name is a refinement.
type Name string

// The refinements. research/learner.md measures each.
const (
	// PreconditionedSteps divides each weight's step by the root of its sum of squared gradients (AdaGrad); without it,
	// all weights share one step size that falls with the root of the records.
	PreconditionedSteps Name = "preconditioned-steps"
	// BoundedSteps bounds what one record may move its own margin by.
	BoundedSteps Name = "bounded-steps"
	// Prior chooses the strength of the pull to 0 from the records.
	Prior Name = "prior"
	// Ascent moves the multipliers with each record, by the tracked u.
	Ascent Name = "ascent"
	// Window replaces the tracked u by the recent records, scored by the present models. The refinements below act in it.
	Window Name = "window"
	// ExactStep sets the multiplier to the smallest at which the window is within the target.
	ExactStep Name = "exact-step"
	// Target stays below tau by the sampling error.
	Target Name = "target"
	// Refresh computes the margins of remembered records again.
	Refresh Name = "refresh"
	// LeaveOneOut takes away what a margin owes to its own record.
	LeaveOneOut Name = "leave-one-out"
	// Change drops records from before a change.
	Change Name = "change"
	// Turn mirrors a constrained model when the bias reverses.
	Turn Name = "turn"
	// Reference lets the multiplier of the constrained model follow what is needed.
	Reference Name = "reference"
	// Balance pushes remembered records of a side that stays away.
	Balance Name = "balance"
	// Threshold shifts the threshold where no interpolation weight is enough.
	Threshold Name = "threshold"
	// ActiveSet learns a constrained model only for comparisons that need one.
	ActiveSet Name = "active-set"
)

// Names are all refinements, in the order in which the ladder adds them.
var Names = []Name{PreconditionedSteps, BoundedSteps, Prior, Ascent, Window, ExactStep, Target, Refresh, LeaveOneOut, Change, Turn,
	Reference, Balance, Threshold, ActiveSet}

// Set is a set of refinements.
type Set uint32

// Parse returns the set of some names. The error lists the names that exist.
func Parse(names []string) (Set, error) {
	var set Set
	for _, name := range names {
		at := slices.Index(Names, Name(name))
		if at < 0 {
			return 0, fmt.Errorf("%q is no refinement: use some of %s", name, list())
		}
		set |= 1 << at
	}
	return set, nil
}

// Has says whether a refinement is in the set.
func (s Set) Has(name Name) bool { return s != 0 && s>>slices.Index(Names, name)&1 == 1 }

func list() string {
	words := make([]string, len(Names))
	for i, name := range Names {
		words[i] = string(name)
	}
	return strings.Join(words, ", ")
}
