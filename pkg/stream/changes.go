package stream

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/history"
)

// configuration is what is configured, what was before, and what changed in between. It is part of what a
// stream saves, and none of the learner's state: it holds times.
type configuration struct {
	// Whole is all that is configured, without secrets, as JSON.
	Whole json.RawMessage `json:"whole"`
	// Changes are the latest changes over restarts, the newest last.
	Changes []document.ConfigChange `json:"changes,omitempty"`
}

// changesKept is how many changes a document shows; the history has all of them.
const changesKept = 20

// sum is config_sha256.
func (c configuration) sum() string { return history.Sum(c.Whole) }

// configurationOf is that of the options.
func configurationOf(o *Options) (c configuration, err error) {
	if c.Whole = o.Configuration; c.Whole == nil {
		c.Whole, err = json.Marshal(o.Model)
	}
	if err != nil {
		err = fmt.Errorf("stream: the configuration: %w", err)
	}
	return c, err
}

// readsOtherwise says whether somebody adapted the section record.
func (c configuration) readsOtherwise(before configuration) bool {
	changes, err := history.Differences(before.Whole, c.Whole)
	return err != nil || slices.ContainsFunc(changes, func(change history.Change) bool { return strings.HasPrefix(change.Key, "record.") })
}

// follow takes over the changes of a configuration before, and adds those from it to c. version is the
// number of records learnt before.
func (c *configuration) follow(before configuration, now time.Time, version int64) ([]history.Change, error) {
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

// configured is the entry of a configuration that comes into force behind a snapshot. It has one ID however
// often a process ends before its first snapshot.
func (c configuration) configured(changes []history.Change, behind Reference, version int64) history.Entry {
	return history.Entry{ID: fmt.Sprintf("%s/%s/%d", history.Configuration, behind.Owner, behind.Sequence), Kind: history.Configuration,
		Configuration: &history.Configured{Version: version, Changes: changes, Whole: c.Whole}}
}
