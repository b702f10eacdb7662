package document

import "github.com/fairstream/fairstream/pkg/fairness"

// Missing compares the recent records that lack an attribute with those that have it. The constraints on the attribute speak of
// the latter only.
type Missing struct {
	Attribute string `json:"attribute"`
	// Records is how many recent records lack the attribute, and Share is their share by weight.
	Records int64   `json:"records"`
	Share   float64 `json:"share"`
	// Labels are the mean labels, and Decisions the mean decisions or predictions, before learning. The mean of 0 and 1 is the
	// share of positive ones.
	Labels    KnownAndMissing `json:"labels"`
	Decisions KnownAndMissing `json:"decisions"`
}

// KnownAndMissing is a mean of the records with an attribute, and of those without it.
type KnownAndMissing struct {
	Known   fairness.Measure `json:"known"`
	Missing fairness.Measure `json:"missing"`
}

// NewMissing describes an absence, with intervals of a level.
func NewMissing(attribute string, a *fairness.Absence, level float64) Missing {
	return Missing{Attribute: attribute, Records: a.Missing.Labels.Records, Share: a.Share(),
		Labels:    KnownAndMissing{a.Known.Labels.Measure(level), a.Missing.Labels.Measure(level)},
		Decisions: KnownAndMissing{a.Known.Decided.Measure(level), a.Missing.Decided.Measure(level)}}
}
