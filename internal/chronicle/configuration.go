package chronicle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
)

// Configuration is what is configured, what was before, and what changed in between. It is part of what a
// stream saves, and none of the learner's state: it holds times.
type Configuration struct {
	// Whole is all that is configured, without secrets, as JSON.
	Whole json.RawMessage `json:"whole"`
	// Changes are the latest changes over restarts, the newest last.
	Changes []document.ConfigChange `json:"changes,omitempty"`
}

// changesKept is how many changes a document shows; the history has all of them.
const changesKept = 20

// Sum is config_sha256.
func (c Configuration) Sum() string { return history.Sum(c.Whole) }

// ReadsOtherwise says whether somebody adapted the section record.
func (c Configuration) ReadsOtherwise(before Configuration) bool {
	changes, err := history.Differences(before.Whole, c.Whole)
	return err != nil || slices.ContainsFunc(changes, func(change history.Change) bool { return strings.HasPrefix(change.Key, "record.") })
}

// Follow takes over the changes of a configuration before, and adds those from it to c. version is the
// number of records learnt before.
func (c *Configuration) Follow(before Configuration, now time.Time, version int64) ([]history.Change, error) {
	changes, err := history.Differences(before.Whole, c.Whole)
	if err != nil {
		return nil, err
	}
	c.Changes = before.Changes
	for _, change := range changes {
		c.Changes = append(c.Changes, document.ConfigChange{Key: change.Key, Old: change.Old, New: change.New, Time: now, Version: version})
	}
	c.Changes = c.Changes[max(0, len(c.Changes)-changesKept):]
	return changes, nil
}

// Configured is the entry of a configuration that comes into force behind a snapshot, which an owner took as its sequence-th. It has one ID however
// often a process ends before its first snapshot.
func (c Configuration) Configured(changes []history.Change, owner string, sequence, version int64) history.Entry {
	return history.Entry{ID: fmt.Sprintf("%s/%s/%d", history.Configuration, owner, sequence), Kind: history.Configuration,
		Configuration: &history.Configured{Version: version, Changes: changes, Whole: c.Whole}}
}
