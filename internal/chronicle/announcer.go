package chronicle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/cluster"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/signature"
)

// PartEvents is the name of the part that makes events.
const PartEvents = "events"

// Events is the topic of events of a job.
type Events struct {
	Cluster cluster.Cluster
	// Name is empty if announcements are in the history alone.
	Name, Job string
	Signer    *signature.Signer // nil: nothing is signed
	// Part makes the events. Learning goes on without it.
	Part  *isolate.Part
	Probe isolate.Probe
}

// Announcer tells announcements, in order, once the snapshot that covers them counts (rule "announced from the snapshot" in
// doc.go). It belongs to the keeper's goroutine.
type Announcer struct {
	Events
	history *Recorder

	// While the part is cut off, unwritten are those that the topic lacks since the offset missedAt.
	unwritten []Announcement
	missedAt  int64

	owed []Announcement  // those of the snapshot that the owner began from, until they are told
	told map[string]bool // those of them that are on the topic
	next int64           // where the topic ends
}

// Announcer looks which announcements of a snapshot were told before its owner ended. steps are those of the releases.
func (e Events) Announcer(ctx context.Context, r *Recorder, saved Announced, steps []Announcement) (*Announcer, error) {
	a := &Announcer{Events: e, history: r, unwritten: saved.Unwritten, owed: slices.Concat(saved.Pending, steps), told: map[string]bool{}}
	if a.Name == "" {
		return a, nil
	}
	bounds, err := a.Cluster.Bounds(ctx, a.Name)
	if err != nil || len(bounds) == 0 {
		return a, err
	}
	if a.next = bounds[0].End; len(a.owed)+len(a.unwritten) == 0 {
		return a, nil
	}
	from := saved.Offset
	if from < bounds[0].Start || from > bounds[0].End { // deleted, or another topic
		from = kafka.Earliest
	}
	a.next, err = a.Cluster.Read(ctx, a.Name, 0, from, kafka.End, func(record *kafka.Record) error {
		if string(record.Key) != a.Job {
			return nil // a heartbeat, of which there may be many, or an event of another job
		}
		named := map[string]string{}
		for _, h := range record.Headers() {
			named[h.Key] = string(h.Value)
		}
		if named[cloudevents.HeaderSource] == cloudevents.Source(a.Job) {
			a.told[named[cloudevents.HeaderID]] = true
		}
		return nil
	})
	return a, err
}

// CatchUp tells what the snapshot covers that the owner began from.
func (a *Announcer) CatchUp(ctx context.Context) error {
	if err := a.Record(ctx, a.owed); err != nil {
		return err
	}
	all := slices.Concat(a.unwritten, a.owed)
	a.unwritten = nil
	err := a.Write(ctx, all)
	if err == nil {
		a.owed, a.told = nil, nil
	}
	return err
}

// Ahead takes note of where the topic ends, before a snapshot whose announcements are to be told after it: whoever begins from that snapshot need not read what
// was written before, such as the heartbeats since the last announcement.
func (a *Announcer) Ahead(ctx context.Context, pending ...[]Announcement) error {
	if a.Name == "" || len(slices.Concat(pending...)) == 0 || len(a.unwritten) > 0 {
		return nil
	}
	bounds, err := a.Cluster.Bounds(ctx, a.Name)
	if err == nil && len(bounds) > 0 {
		a.next = max(a.next, bounds[0].End)
	}
	return err
}

// Saved is what a snapshot says, with the announcements that are to be told after it.
func (a *Announcer) Saved(pending []Announcement) Announced {
	if len(a.unwritten) > 0 {
		return Announced{pending, a.unwritten, a.missedAt}
	}
	return Announced{pending, nil, a.next}
}

// An event batch has at most eventsAtOnce messages, and about bytesAtOnce bytes of values.
const (
	eventsAtOnce = 500
	bytesAtOnce  = 256 << 10
)

// Tell writes announcements to the history, then to the topic of events.
func (a *Announcer) Tell(ctx context.Context, all []Announcement) error {
	if err := a.Record(ctx, all); err != nil {
		return err
	}
	return a.Write(ctx, all)
}

// Record writes to the history what is not there.
func (a *Announcer) Record(ctx context.Context, all []Announcement) error {
	return a.history.Complete(ctx, EntriesOf(all))
}

// Write writes to the topic of events what is not there.
func (a *Announcer) Write(ctx context.Context, all []Announcement) error {
	all = slices.DeleteFunc(slices.Clone(all), func(one Announcement) bool { return a.told[one.ID] })
	if a.Name == "" || len(all) == 0 {
		return nil
	}
	made, ok := a.events(all)
	if !ok {
		if len(a.unwritten) == 0 {
			a.missedAt = a.next
		}
		a.unwritten = slices.Concat(a.unwritten, all)
		a.unwritten = a.unwritten[max(0, len(a.unwritten)-mostUnwritten):]
		return nil
	}
	var messages []kafka.Message
	size := 0
	for _, message := range made {
		if len(messages) == eventsAtOnce || size > bytesAtOnce {
			if err := a.append(ctx, messages); err != nil {
				return err
			}
			messages, size = messages[:0], 0
		}
		messages, size = append(messages, message), size+len(message.Value)
	}
	return a.append(ctx, messages)
}

func (a *Announcer) append(ctx context.Context, messages []kafka.Message) error {
	err := a.Cluster.Retry(ctx, "write events to "+a.Name, func(ctx context.Context) error {
		offset, err := a.Cluster.Append(ctx, a.Name, 0, messages...)
		if err == nil {
			a.next = offset + int64(len(messages))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("the events could not be written: %w", err)
	}
	return nil
}

// events are the messages of announcements; not ok if the part is cut off.
func (a *Announcer) events(all []Announcement) (made []kafka.Message, ok bool) {
	return isolate.Ask(a.Part, func() (messages []kafka.Message) {
		for _, one := range all {
			a.Probe.At(PartEvents, "make")
			message, err := a.event(one)
			if err != nil {
				panic(err)
			}
			messages = append(messages, message)
		}
		return messages
	})
}

// releaseSubject is the subject of the events about releases.
const releaseSubject = "releases"

// event is the message of an announcement. All events of a job have one key, so that they stay in order wherever they are
// copied to.
func (a *Announcer) event(one Announcement) (kafka.Message, error) {
	event := cloudevents.Event{ID: one.ID, Source: cloudevents.Source(a.Job)}
	var content any
	var at *time.Time
	if step := one.Release; step != nil {
		event.Type, event.Subject, content, at = "io.fairstream.release."+step.Step+".v1", releaseSubject, step, step.EventTime
	} else {
		change := one.Decisions
		event.Type, event.Subject, content, at = "io.fairstream.decisions."+change.Change+".v1", change.Subject, change, change.EventTime
	}
	if at != nil {
		event.Time = *at
	}
	value, err := json.Marshal(content)
	if err != nil {
		return kafka.Message{}, fmt.Errorf("an event: %w", err)
	}
	message := kafka.Message{Key: []byte(a.Job), Value: value, Headers: event.Headers()}
	if keyID, sum := a.Signer.Sign(message.Key, message.Value); keyID != "" {
		message.Headers = append(message.Headers, kafka.Header{Key: signature.HeaderKeyID, Value: []byte(keyID)},
			kafka.Header{Key: signature.HeaderSignature, Value: sum})
	}
	return message, nil
}
