package history

import (
	"encoding/json"
	"fmt"
	"math"
)

// Known is what the other topics of a job say, for Log.Compare.
type Known struct {
	// Through is the last entry that stood on the topic before the others were read: what they say is at least as new.
	Through int64
	// Term is that of the claim in force; 0 if there is none.
	Term int64
	// Saved is the snapshot in force; nil if there is none.
	Saved *Saved
	// Published says whether a document stands under a key; nil if the job publishes none.
	Published func(key string) bool
}

// Saved is what a snapshot says.
type Saved struct {
	Term    int64
	Version int64
	// Steps is the number of the last step of the releases that it covers; nil if that is not known.
	Steps *int64
	// Head is the last entry to which it refers, and Configuration what was configured, as JSON.
	Head          int64
	Configuration json.RawMessage
}

// Compare looks for entries that continue the chain and yet cannot be true, because somebody added them: an owner claims the job, saves a
// snapshot and only then tells of a publication or a step of releases, so no entry is ahead of claim and snapshot, and a
// publication has its document.
func (l *Log) Compare(k Known) {
	c := &comparison{Known: k, log: l, keep: leastKept(l.tell().entries), steps: map[int64]*Entry{}}
	for _, e := range l.tell().entries {
		if e.Sequence <= k.Through {
			c.look(e)
		}
	}
	c.documents()
	c.configuration()
}

// comparison goes through the entries in order.
type comparison struct {
	Known
	log  *Log
	keep int // the newest documents that are on the model topic in any case
	// term is the highest so far, version the last that was published, and steps are those of the releases since the state began, by number.
	term    int64
	version int64
	steps   map[int64]*Entry
	// published are publications and changes of owner, in order.
	published []*Entry
	last      *Entry // the last configuration
}

func (c *comparison) found(e *Entry, format string, arguments ...any) {
	c.log.breaks = append(c.log.breaks, Break{Offset: -1, Sequence: e.Sequence, Time: e.Time, Problem: fmt.Sprintf("entry %d ", e.Sequence) + fmt.Sprintf(format, arguments...)})
}

func (c *comparison) look(e *Entry) {
	if c.Term > 0 && e.Term > c.Term {
		c.found(e, "is by an owner of term %d, and the highest term that a process claimed is %d: it was added", e.Term, c.Term)
	}
	saved := c.Saved
	covered := saved != nil && e.Term >= saved.Term
	switch e.Kind {
	case Owned:
		if e.Owner.Before >= e.Term || e.Term <= c.term {
			c.found(e, "tells that a process took the job over in term %d, which had begun before: it was added", e.Term)
		}
		if e.Owner.Version == 0 || e.Owner.Version < c.version { // it began again, or from an earlier state
			clear(c.steps)
		}
		c.published = append(c.published, e)
	case Reset:
		if e.Term <= c.term {
			c.found(e, "tells of a reset in term %d, which another process owned: it was added", e.Term)
		}
		clear(c.steps)
	case Configuration:
		c.last = e
	case Publication:
		if covered && e.Publication.Version > saved.Version {
			c.found(e, "tells of version %d, and the snapshot in force has version %d: it was added", e.Publication.Version, saved.Version)
		}
		c.published, c.version = append(c.published, e), e.Publication.Version
	case Release:
		number := e.Release.Number
		if before := c.steps[number]; before != nil {
			c.found(e, "tells of step %d of the releases, as entry %d does: one of them was added", number, before.Sequence)
		}
		c.steps[number] = e
		if covered && saved.Steps != nil && number > *saved.Steps {
			c.found(e, "tells of step %d of the releases, and the snapshot in force has %d steps: it was added", number, *saved.Steps)
		}
	case DataLoss, Decisions, Disown:
	}
	c.term = max(c.term, e.Term)
}

// documents looks for the document of each publication that cannot have been deleted yet because it was old. A process that ended before it
// published leaves an entry without a document; the next owner then begins with the same version.
func (c *comparison) documents() {
	newer := 0
	for i := len(c.published) - 1; i >= 0; i-- {
		e := c.published[i]
		if e.Kind != Publication {
			continue
		}
		if newer++; newer > c.keep {
			break
		}
		if i > 0 {
			if before := c.published[i-1]; before.Kind == Publication && before.Term == e.Term && before.Publication.Version >= e.Publication.Version {
				c.found(e, "tells of version %d behind version %d of the same owner: it was added", e.Publication.Version, before.Publication.Version)
				continue
			}
		}
		if c.Published == nil || c.Published(e.Publication.Key) {
			continue
		}
		if i+1 < len(c.published) {
			if next := c.published[i+1]; next.Kind == Owned && next.Owner.Version <= e.Publication.Version {
				continue
			}
		}
		c.found(e, "tells of version %d, and its document is not on the model topic: the document was deleted, the process ended before it published, or the entry was added", e.Publication.Version)
	}
}

// configuration compares the last one with that of the snapshot.
func (c *comparison) configuration() {
	if c.last == nil || c.Saved == nil || c.Saved.Head > c.Through || c.last.Term > c.Saved.Term || len(c.Saved.Configuration) == 0 {
		return
	}
	if changes, err := Differences(c.last.Configuration.Whole, c.Saved.Configuration); err != nil || len(changes) > 0 {
		c.found(c.last, "tells of another configuration than the snapshot in force has: one of them was altered, or the entry was added")
	}
}

// leastKept is the least stream.keep_versions of all configurations: as many of the newest documents are on the model topic.
func leastKept(entries []*Entry) int {
	least := math.MaxInt
	for _, e := range entries {
		if e.Kind != Configuration {
			continue
		}
		var c struct {
			Stream struct {
				Keep int `json:"keep_versions"`
			} `json:"stream"`
		}
		_ = json.Unmarshal(e.Configuration.Whole, &c) // 0 where it is of another form
		least = min(least, max(1, c.Stream.Keep))
	}
	if least == math.MaxInt { // no configuration is known
		return 1
	}
	return least
}
