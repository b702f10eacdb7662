package inspect

import (
	"slices"

	"github.com/fairstream/fairstream/internal/inspect/column"
	"github.com/fairstream/fairstream/internal/inspect/find"
	"github.com/fairstream/fairstream/internal/inspect/keys"
	"github.com/fairstream/fairstream/internal/inspect/leak"
	"github.com/fairstream/fairstream/internal/inspect/relation"
	"github.com/fairstream/fairstream/internal/inspect/seen"
	"github.com/fairstream/fairstream/internal/inspect/sequence"
	"github.com/fairstream/fairstream/pkg/model"
)

// Inspection gathers what records hold of what a configuration names, and lists what is odd of it.
type Inspection struct{ *seen.Records }

// New prepares an inspection for a checked configuration with its defaults.
func New(config model.Config) (*Inspection, error) {
	records, err := seen.New(config)
	return &Inspection{records}, err
}

// Most of what is odd shows in leastRecords; to look at a field takes more than ten times as long as to learn it.
const (
	leastRecords = 500
	mostFields   = 250_000
)

// Enough says whether so many records, with so many fields together, are enough where records are looked at beside learning: of wide ones fewer are.
func Enough(records, fields int) bool { return records >= leastRecords && fields >= mostFields }

// Has says whether some record has a field.
func (i *Inspection) Has(name string) bool { return find.New(i.Records).Has(name) }

// The checks, in their order: a later one may say nothing of what an earlier one has told of. Those of ofAll judge all records and their groups, the
// others single columns; ofClasses are for labels of two classes.
var (
	ofAll = []func(*find.Search){keys.Labels, keys.Fields, keys.Groups, keys.Lopsided, keys.Unbounded}

	ofColumns = []func(*find.Search){
		keys.Spellings, keys.Further, keys.Bounds, keys.Identifiers, keys.Persons, keys.Twice, relation.Repeated, relation.Contradicting,
		column.Swallowed, column.Sums, relation.NearCopies, relation.Akin, column.MergedCells, relation.Crossed, relation.Scaled, relation.Twofold,
		relation.ShiftedCells, column.Spikes, column.Signs, keys.Rests, keys.Weights, column.Declared, keys.Weighting, column.Cut, column.Wrapped,
		column.Names, column.Parted,
	}

	ofClasses = []func(*find.Search){
		keys.Turned, labelOrder, leak.Leaks, leak.Together, leak.Scores, leak.Telling, sequence.Endings, sequence.Shifts, sequence.Displaced,
		leak.NextLabels, sequence.Ruled, sequence.Flipped, keys.Unknown,
	}

	furtherOfColumns = []func(*find.Search){
		keys.Roles, leak.Proxies, leak.TellingGroups, column.Coded, keys.Single, column.Texts, column.CutOff, column.Shortened, column.Unread,
		column.Dated, column.Listed, column.Ranged, column.Separated, column.Gaps, column.Codes, sequence.Sorted, relation.Swapped, sequence.Moved,
		sequence.Renamed, sequence.Unit, column.Outlying, column.Multiplied, sequence.Breaks, column.LateGaps, sequence.Clocks, sequence.Backwards, relation.Following,
		column.NoFeature, column.Kinds, column.Arrays, keys.Resembling,
	}
)

func labelOrder(s *find.Search) {
	s.Found = append(s.Found, sequence.Labels(s.Evidence(), s.Config.Record.Label.Field)...)
}

// Findings lists what is odd, the fatal ones first.
func (i *Inspection) Findings() []find.Finding {
	s := find.New(i.Records)
	try(s, ofAll)
	odd(s)
	slices.SortStableFunc(s.Found, func(a, b find.Finding) int {
		switch {
		case a.Fatal == b.Fatal:
			return 0
		case a.Fatal:
			return -1
		}
		return 1
	})
	return s.Found
}

// ColumnFindings lists only what is odd of single columns, however many records there are of each group and label. A
// learner itself tells of the columns that it leaves out, [sequence.Units] of units that change, and [sequence.Labels] of the order of all labels.
func (i *Inspection) ColumnFindings() []find.Finding {
	s := find.New(i.Records)
	odd(s)
	return slices.DeleteFunc(s.Found, func(f find.Finding) bool { return f.LeftOut || f.Unit || f.Order })
}

func odd(s *find.Search) {
	try(s, ofColumns)
	if s.Config.Learner.Task == model.Classification {
		try(s, ofClasses)
	}
	try(s, furtherOfColumns)
}

func try(s *find.Search, checks []func(*find.Search)) {
	for _, check := range checks {
		check(s)
	}
}
