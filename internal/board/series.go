package board

import (
	"time"

	"github.com/fairstream/fairstream/pkg/fairness"
)

// Key names a row of Status.Constraints. An empty field fits every row.
type Key struct {
	Name      string
	Criterion fairness.Criterion
	Group     string
	Versus    string
}

// Key is that of the row.
func (c *Constraint) Key() Key { return Key{c.Name, c.Criterion, c.Group, c.Versus} }

// Fits says whether k names the row of another key.
func (k Key) Fits(row Key) bool {
	fits := func(asked, has string) bool { return asked == "" || asked == has }
	return fits(k.Name, row.Name) && fits(string(k.Criterion), string(row.Criterion)) && fits(k.Group, row.Group) && fits(k.Versus, row.Versus)
}

// Series is a constraint over time: the answer of /api/v1/series.
type Series struct {
	Name      string             `json:"name"`
	Criterion fairness.Criterion `json:"criterion"`
	Group     string             `json:"group"`
	Versus    string             `json:"versus"`
	Tau       float64            `json:"tau"`
	// Points are in ascending order of N, at most MostPoints; older ones may lie farther apart.
	Points []Point `json:"points"`
	// Marks are in ascending order of N, at most MostMarks.
	Marks []Mark `json:"marks"`
}

// Most points and marks of a series.
const (
	MostPoints = 600
	MostMarks  = 200
)

// Key is that of the constraint.
func (s *Series) Key() Key { return Key{s.Name, s.Criterion, s.Group, s.Versus} }

// Point is what was known after N records.
type Point struct {
	N int64 `json:"n"`
	// Time is that of the record; null if records carry none.
	Time *time.Time `json:"time"`
	// Value, Lo and Hi are the pointwise estimate.
	Value Number `json:"value"`
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
	// SequenceValue, SequenceLo and SequenceHi are the anytime-valid sequence.
	SequenceValue Number `json:"sequence_value"`
	SequenceLo    Number `json:"sequence_lo"`
	SequenceHi    Number `json:"sequence_hi"`
	// Version is the newest published version, 0 if there is none.
	Version int64 `json:"version"`
}

// Mark is something that happened after N records.
type Mark struct {
	N    int64      `json:"n"`
	Time *time.Time `json:"time"`
	Kind MarkKind   `json:"kind"`
	Text string     `json:"text"`
}

// MarkKind says what happened.
type MarkKind string

// The kinds of marks.
const (
	MarkPublication   MarkKind = "publication"
	MarkAlarm         MarkKind = "alarm"
	MarkVerdict       MarkKind = "verdict"
	MarkConfiguration MarkKind = "configuration"
	MarkLoss          MarkKind = "loss"
)
