package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/fairstream/fairstream/internal/chronicle"
	"github.com/fairstream/fairstream/internal/cloudevents"
	"github.com/fairstream/fairstream/internal/isolate"
	"github.com/fairstream/fairstream/internal/kafka"
	"github.com/fairstream/fairstream/pkg/history"
	"github.com/fairstream/fairstream/pkg/monitor"
	"github.com/fairstream/fairstream/pkg/signature"
)

// announcement is a changed verdict or an alarm of the monitor, or a step of the releases: an entry of the history, and an event
// on the topic of events. The same change has the same ID, however often it is told.
type announcement struct {
	ID        string            `json:"id"`
	Decisions *history.Judged   `json:"decisions,omitempty"`
	Release   *history.Released `json:"release,omitempty"`
}

// entry is what the history tells.
func (a announcement) entry() history.Entry {
	if a.Release != nil {
		return history.Entry{ID: a.ID, Kind: history.Release, Release: a.Release}
	}
	return history.Entry{ID: a.ID, Kind: history.Decisions, Decisions: a.Decisions}
}

// announced is what a snapshot says of the announcements of the monitor. It holds the steps of the releases elsewhere
// (releasestate.go).
type announced struct {
	// Pending are those that the snapshot covers and the one before does not. They are told once it counts.
	Pending []announcement `json:"pending,omitempty"`
	// Unwritten are announcements that the history has and the topic of events lacks, because its part was cut off: the newest of them.
	Unwritten []announcement `json:"unwritten,omitempty"`
	// Offset is where the topic of events ended before Unwritten and Pending were told.
	Offset int64 `json:"offset,omitempty"`
}

// mostUnwritten bounds announced.Unwritten.
const mostUnwritten = 200

// announceEvery is how soon after a snapshot another one is taken, so that an announcement may be told.
const announceEvery = 5 * time.Second

// watch reports events of the monitors to Options.Notify, and keeps them for the next snapshot.
func (w *witnesses) watch() {
	for _, one := range w.all {
		if one.monitor.LastEvent() > one.told {
			w.note(one)
		}
	}
}

func (w *witnesses) note(one *witness) {
	subject := one.monitor.Config().Subject.ID
	for _, e := range one.monitor.Events(one.told) {
		about := one.monitor.Config().Grouper.Comparisons()[e.Comparison]
		w.notify(DecisionsChanged{Subject: subject, Comparison: about, Event: e})
		told := &history.Judged{Subject: subject, Number: e.Number, Change: string(e.Kind), Record: one.since + e.Record,
			Constraint: about.Name, Criterion: string(about.Criterion), Group: about.GroupLabel(), Versus: about.VersusLabel(), Tau: about.Tau,
			From: string(e.From), To: string(e.To)}
		if !e.Time.IsZero() {
			told.EventTime = &e.Time
		}
		if e.Kind == monitor.VerdictChanged {
			told.Value, told.Lo, told.Hi = finite(e.Value), finite(e.Lo), finite(e.Hi)
		}
		if e.Kind == monitor.AlarmRaised {
			told.Evidence = finite(e.Evidence)
		}
		id := fmt.Sprintf("%s/%d/%d/%s/%d", history.Decisions, w.origin, one.since, subject, e.Number)
		w.announcements = append(w.announcements, announcement{ID: id, Decisions: told})
	}
	one.told = one.monitor.LastEvent()
}

// announce are the announcements since the last call.
func (w *witnesses) announce() []announcement {
	told := w.announcements
	w.announcements = nil
	return told
}

// announces says whether a snapshot is due because somebody waits for an announcement.
func (l *learning) announces() bool {
	return l.dirty && l.monitorNews.Load() && l.now.Sub(l.savedAt) >= announceEvery
}

// entriesOf are what the history tells of announcements.
func entriesOf(all []announcement) []history.Entry {
	entries := make([]history.Entry, len(all))
	for i, one := range all {
		entries[i] = one.entry()
	}
	return entries
}

// announcer tells announcements, in order, once the snapshot that covers them counts (rule "announced from the snapshot" in
// doc.go). It belongs to the keeper's goroutine.
type announcer struct {
	cluster Cluster
	topic   string // empty: they are in the history alone
	job     string
	history *chronicle.Recorder
	signer  *signature.Signer

	// part makes the events. While it is cut off, unwritten are those that the topic lacks since the offset missedAt.
	part      *isolate.Part
	probe     probe
	unwritten []announcement
	missedAt  int64

	owed []announcement  // those of the snapshot that the owner began from, until they are told
	told map[string]bool // those of them that are on the topic
	next int64           // where the topic ends
}

// openAnnouncer looks which announcements of a snapshot were told before its owner ended. steps are those of the releases.
func openAnnouncer(ctx context.Context, cluster Cluster, o *Options, r *chronicle.Recorder, saved announced, steps []announcement) (*announcer, error) {
	a := &announcer{cluster: cluster, topic: o.Topics.Events, job: o.Job, history: r, signer: o.Signer,
		part: isolate.New(PartEvents), unwritten: saved.Unwritten, owed: slices.Concat(saved.Pending, steps), told: map[string]bool{}}
	if a.topic == "" {
		return a, nil
	}
	bounds, err := cluster.Bounds(ctx, a.topic)
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
	a.next, err = cluster.Read(ctx, a.topic, 0, from, kafka.End, func(record *kafka.Record) error {
		named := map[string]string{}
		for _, h := range record.Headers() {
			named[h.Key] = string(h.Value)
		}
		if named[cloudevents.HeaderSource] == cloudevents.Source(a.job) {
			a.told[named[cloudevents.HeaderID]] = true
		}
		return nil
	})
	return a, err
}

// catchUp tells what the snapshot covers that the owner began from.
func (a *announcer) catchUp(ctx context.Context) error {
	if err := a.record(ctx, a.owed); err != nil {
		return err
	}
	all := slices.Concat(a.unwritten, a.owed)
	a.unwritten = nil
	err := a.write(ctx, all)
	if err == nil {
		a.owed, a.told = nil, nil
	}
	return err
}

// saved is what a snapshot says, with the announcements that are to be told after it.
func (a *announcer) saved(pending []announcement) announced {
	if len(a.unwritten) > 0 {
		return announced{pending, a.unwritten, a.missedAt}
	}
	return announced{pending, nil, a.next}
}

// An event batch has at most eventsAtOnce messages, and about bytesAtOnce bytes of values.
const (
	eventsAtOnce = 500
	bytesAtOnce  = 256 << 10
)

// tell writes announcements to the history, then to the topic of events.
func (a *announcer) tell(ctx context.Context, all []announcement) error {
	if err := a.record(ctx, all); err != nil {
		return err
	}
	return a.write(ctx, all)
}

// record writes to the history what is not there.
func (a *announcer) record(ctx context.Context, all []announcement) error {
	return a.history.Complete(ctx, entriesOf(all))
}

// write writes to the topic of events what is not there.
func (a *announcer) write(ctx context.Context, all []announcement) error {
	all = slices.DeleteFunc(slices.Clone(all), func(one announcement) bool { return a.told[one.ID] })
	if a.topic == "" || len(all) == 0 {
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

func (a *announcer) append(ctx context.Context, messages []kafka.Message) error {
	if len(messages) == 0 {
		return nil
	}
	err := a.cluster.Retry(ctx, "write events to "+a.topic, func(ctx context.Context) error {
		offset, err := a.cluster.Append(ctx, a.topic, 0, messages...)
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
func (a *announcer) events(all []announcement) (made []kafka.Message, ok bool) {
	return isolate.Ask(a.part, func() (messages []kafka.Message) {
		for _, one := range all {
			a.probe.at(PartEvents, "make")
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
func (a *announcer) event(one announcement) (kafka.Message, error) {
	event := cloudevents.Event{ID: one.ID, Source: cloudevents.Source(a.job)}
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
		return kafka.Message{}, fmt.Errorf("stream: an event: %w", err)
	}
	message := kafka.Message{Key: []byte(a.job), Value: value, Headers: event.Headers()}
	if keyID, sum := a.signer.Sign(message.Key, message.Value); keyID != "" {
		message.Headers = append(message.Headers, kafka.Header{Key: signature.HeaderKeyID, Value: []byte(keyID)},
			kafka.Header{Key: signature.HeaderSignature, Value: sum})
	}
	return message, nil
}

// finite is a number for JSON; nil if it is none.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
