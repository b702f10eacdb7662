package chronicle

import (
	"math"

	"github.com/fairstream/fairstream/pkg/history"
)

// Announcement is a changed verdict or an alarm of the monitor, or a step of the releases: an entry of the history, and an event
// on the topic of events. The same change has the same ID, however often it is told.
type Announcement struct {
	ID        string            `json:"id"`
	Decisions *history.Judged   `json:"decisions,omitempty"`
	Release   *history.Released `json:"release,omitempty"`
}

// Entry is what the history tells.
func (a Announcement) Entry() history.Entry {
	if a.Release != nil {
		return history.Entry{ID: a.ID, Kind: history.Release, Release: a.Release}
	}
	return history.Entry{ID: a.ID, Kind: history.Decisions, Decisions: a.Decisions}
}

// Announced is what a snapshot says of the announcements of the monitor. It holds the steps of the releases elsewhere.
type Announced struct {
	// Pending are those that the snapshot covers and the one before does not. They are told once it counts.
	Pending []Announcement `json:"pending,omitempty"`
	// Unwritten are announcements that the history has and the topic of events lacks, because its part was cut off: the newest of them.
	Unwritten []Announcement `json:"unwritten,omitempty"`
	// Offset is where the topic of events ended before Unwritten and Pending were told.
	Offset int64 `json:"offset,omitempty"`
}

// mostUnwritten bounds Announced.Unwritten.
const mostUnwritten = 200

// EntriesOf are what the history tells of announcements.
func EntriesOf(all []Announcement) []history.Entry {
	entries := make([]history.Entry, len(all))
	for i, one := range all {
		entries[i] = one.Entry()
	}
	return entries
}

// Finite is a number for JSON; nil if it is none.
func Finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
